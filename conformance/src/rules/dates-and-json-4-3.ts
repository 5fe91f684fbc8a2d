/*
 * Generated dates (interface 2.1) and spellings of JSON (interface 4.3; RFC 8259): fractions, hours that a local clock
 * shows twice, every escape, white space between all parts, and bodies that are cut at any byte.
 * cspell:ignore vorite olor
 */
import type { Reply } from '../client.ts'
import { encodeForm, type Pair, showValue } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf } from '../rule.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import { casesOf, expectStored, lowerCase } from './upload-steps.ts'

const seconds = (time: string): number => Date.parse(time) / 1000

/** The hours around changes of clocks, by zone: a local time without its offset is ambiguous or absent there. */
const clockChanges = {
  'Berlin in autumn': '2023-10-29T01:00:00Z',
  'Berlin in spring': '2024-03-31T01:00:00Z',
  'New York in autumn': '2023-11-05T06:00:00Z',
  'New York in spring': '2024-03-10T07:00:00Z',
  'Los Angeles in autumn': '2022-11-06T09:00:00Z',
  'Sydney in autumn': '2024-04-06T16:00:00Z',
  'Sydney in spring': '2023-09-30T16:00:00Z',
  'Sao Paulo in autumn': '2018-02-18T02:00:00Z',
  'Cairo in autumn': '2023-10-26T21:00:00Z',
  'Lord Howe Island in autumn': '2024-04-06T15:00:00Z',
} as const

const aroundClockChanges = Object.fromEntries(
  Object.entries(clockChanges).flatMap(([where, time]) =>
    [-3599, -1, 0, 1801, 3599].map((offset): [string, number] => [
      `${where}, ${offset} s from the change of clocks`,
      seconds(time) + offset,
    ]),
  ),
)

const calendarBorders = Object.fromEntries(
  [
    '1999-12-31T23:59:59Z',
    '2000-01-01T00:00:00Z',
    '2000-02-29T12:00:00Z',
    '2016-12-31T23:59:59Z',
    '2024-02-28T23:59:59Z',
    '2024-02-29T00:00:00Z',
    '2024-02-29T23:59:59Z',
    '2024-12-31T23:00:00Z',
    '2023-07-01T00:00:00Z',
    '1970-01-02T00:00:00Z',
  ].map((time): [string, number] => [time, seconds(time)]),
)

/** Fractions down to a millisecond; a server may reject them, but must not round an accepted one. */
const fractions = Object.fromEntries(
  [0.5, 0.25, 0.75, 0.125, 0.001, 0.499, 0.501, 0.999].flatMap((fraction) =>
    [1_234_567_890, 1_700_000_000].map((whole): [string, number] => [`${whole + fraction}`, whole + fraction]),
  ),
)

/** Dates as they were submitted (interface 2.1). */
export const dateRules = coreRulesOf('2.1', [
  {
    id: 'DATE-FRACTION-01',
    title: 'MUST keep the fraction of a date that it accepts, of new and of changed things',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    basis: 'implied',
    faults: [
      'date-fraction-lost',
      'date-fraction-rounded',
      'date-tenths-only',
      'date-fraction-of-change-lost',
      'date-rejected-with-fraction-empty',
    ],
    check: (lab) => expectStored(lab, casesOf('date', fractions, 'rejectable')),
  },
  {
    id: 'DATE-ZONE-01',
    title: 'MUST keep a date in the hours in which clocks change, whatever the time zone of the server is',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-berlin-local', 'date-new-york-local', 'date-sydney-local'],
    check: (lab) => expectStored(lab, casesOf('date', aroundClockChanges)),
  },
  {
    id: 'DATE-CALENDAR-01',
    title: 'MUST keep a date at the borders of days, months and years, and on leap days',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-leap-day-moved', 'date-midnight-moved'],
    check: (lab) => expectStored(lab, casesOf('date', calendarBorders)),
  },
])

/** Each escape of a JSON string, and the text that it stands for (RFC 8259, 7). */
const escapes: readonly (readonly [written: string, meant: string])[] = [
  ['\\"', '"'],
  ['\\\\', '\\'],
  ['\\/', '/'],
  ['\\n', '\n'],
  ['\\r', '\r'],
  ['\\t', '\t'],
  ['\\u0041', 'A'],
  ['\\u00e9', 'é'],
  ['\\u00E9', 'é'],
  ['\\u65e5', '日'],
  ['\\ud83d\\ude00', '😀'],
  ['\\uD83D\\uDE00', '😀'],
  ['\\u2028', '\u2028'],
  ['\\u003c\\u003E\\u0026', '<>&'],
  ['\\u0022', '"'],
  ['\\u005c', '\\'],
  ['\\u005Cn', '\\n'],
  ['\\\\u0041', '\\u0041'],
  ['\\\\/', '\\/'],
  ['\\\\\\"', '\\"'],
]

/** Escapes of control characters that a server may reject. */
const controlEscapes: readonly (readonly [written: string, meant: string])[] = [
  ['\\b', '\b'],
  ['\\f', '\f'],
  ['\\u0001', '\u0001'],
  ['\\u001F', '\u001f'],
]

const accept = (reply: Reply, what: string) => readSyncResponse(reply, what)

/** Uploads new things and changes with each escape in title and html, and expects the text that is meant. */
const expectEscapes = async (lab: Lab, list: typeof escapes, isRejectable: boolean): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const old = await phone.createMany(list.slice(0, 10).map(() => ({})))
  const from = await laptop.position()
  const text = (written: string): string => `"${written}a${written}b ${written}"`
  const meant = (each: string): string => `${each}a${each}b ${each}`
  const expected: (readonly [string, string, string])[] = []
  for (let start = 0; start < list.length; start += 10) {
    const part = list.slice(start, start + 10)
    const json = part.map(
      ([written], index) => `{"local_id":"e${start + index}","title":${text(written)},"html":${text(written)}}`,
    )
    const reply = await phone.send({
      path: 'sync',
      form: [
        ['from', `${from}`],
        ['new_thing', `[${json.join()}]`],
      ],
    })
    if (isRejectable && !isSyncResponse(reply)) continue
    const response = accept(reply, `new things with the escapes ${part.map(([written]) => written).join(' ')}`)
    for (const [index, [written, each]] of part.entries()) {
      expected.push([expectCreated(response, `e${start + index}`), written, meant(each)])
    }
  }
  const changes = list
    .slice(0, 10)
    .map(([written], index) => `{"_id":"${old[index]}","title":${text(written)},"html":${text(written)}}`)
  const form: Pair[] = [['from', `${from}`], ...changes.map((change): Pair => ['changed_thing[]', change])]
  const reply = await phone.send({ path: 'sync', form })
  if (!isRejectable || isSyncResponse(reply)) {
    accept(reply, 'changes with escapes')
    for (const [index, [written, each]] of list.slice(0, 10).entries())
      expected.push([old[index] ?? '', written, meant(each)])
  }
  const incremental = await laptop.sync({ from })
  for (const [id, written, wanted] of expected) {
    const thing = expectThing(incremental, id, 'phone uploaded it')
    expectSame(
      [thing.title, thing.html],
      [wanted, wanted],
      `title and html that were written with ${written}`,
      incremental,
    )
  }
}

const whiteSpace = {
  spaces: '  ',
  tabs: '\t',
  'line feeds': '\n',
  'CR and LF': '\r\n',
  'all kinds': ' \t\r\n ',
} as const

/** Writes a value as JSON with the white space between all parts (RFC 8259, 2). */
const spaced = (value: unknown, blank: string): string => {
  const parts = (list: readonly string[]): string => `${blank}${list.join(`${blank},${blank}`)}${blank}`
  if (Array.isArray(value)) return `[${parts(value.map((each) => spaced(each, blank)))}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${parts(Object.entries(value).map(([name, each]) => `"${name}"${blank}:${blank}${spaced(each, blank)}`))}}`
}

/** Writes all characters of a text as escapes. */
const escaped = (text: string): string =>
  text.replace(/./gsu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )

/** JSON in the spellings that RFC 8259 permits, and bodies in any pieces (interface 4.3). */
export const jsonRules = coreRulesOf('4.3', [
  {
    id: 'JSON-ESCAPE-01',
    title: 'MUST read every escape of a JSON string, in new and in changed things',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-2.1-13'],
    basis: 'implied',
    faults: [
      'json-slash-escape-kept',
      'json-t-escape-lost',
      'json-r-escape-lost',
      'json-unicode-escapes-kept',
      'json-unicode-capitals-kept',
      'json-surrogate-escapes-broken',
    ],
    check: (lab) => expectEscapes(lab, escapes, false),
  },
  {
    id: 'JSON-ESCAPE-02',
    title: 'MUST read the escapes of control characters that it accepts',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-2.1-13'],
    basis: 'implied',
    faults: ['json-b-escape-lost', 'json-f-escape-lost'],
    check: (lab) => expectEscapes(lab, controlEscapes, true),
  },
  {
    id: 'JSON-ESCAPE-03',
    title: 'MUST read names of fields, IDs and tag settings that are written with escapes',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-4.3-13', 'C-4.3-15'],
    basis: 'implied',
    faults: ['json-escaped-names-unknown', 'json-escaped-ids-unknown', 'json-unicode-escapes-kept'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const [changing = '', deleting = '', alsoDeleting = ''] = await phone.createMany([{}, {}, {}])
      const from = await laptop.position()
      const [created, changed] = [lab.unique(), lab.unique()]
      const reply = await phone.send({
        path: 'sync',
        form: [
          ['from', `${from}`],
          ['new_thing', `{"\\u006cocal_id":"\\u0061","t\\u0069tle":"${escaped(created)}"}`],
          ['changed_thing', `{"_i\\u0064":"${escaped(changing)}","\\u0074itle":"${escaped(changed)}"}`],
          ['deleted_thing', `["${escaped(deleting)}","${escaped(alsoDeleting)}"]`],
          [`tag[${lab.mark}]`, '{"f\\u0061vorite":true,"\\u0063olor":"\\u0023a1b2c3","todo":false}'],
        ],
      })
      const id = expectCreated(accept(reply, 'an upload whose names and values have escapes'), 'a')
      const incremental = await laptop.sync({ from })
      const { favorite, color } = expectTag(incremental, lab.mark, 'phone set them')
      const came = [
        expectThing(incremental, id, 'phone created it').title,
        expectThing(incremental, changing, 'phone changed it').title,
        [deleting, alsoDeleting].map((each) => incremental.deleted.includes(each)),
        [favorite, lowerCase(color)],
      ]
      const wanted = [created, changed, [true, true], [true, '#a1b2c3']]
      const expected = 'the new title, the changed title, whether both are deleted, and the settings of the tag'
      expect(
        JSON.stringify(came) === JSON.stringify(wanted),
        `${expected}: ${showValue(wanted)}`,
        showValue(came),
        incremental,
      )
    },
  },
  {
    id: 'JSON-SPACE-01',
    title: 'MUST read JSON with white space of every kind before, between and behind its parts',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-4.3-13', 'C-4.3-15'],
    basis: 'implied',
    faults: [
      'json-tabs-between-rejected',
      'json-leading-blanks-ignored',
      'json-line-breaks-ignored',
      'json-blank-ids-ignored',
      'json-blank-settings-ignored',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const [what, blank] of Object.entries(whiteSpace)) {
        const ids = await phone.createMany([{}, {}, {}])
        const from = await laptop.position()
        const [created, changed, tag] = [lab.unique(), lab.unique(), lab.unique()]
        const change = { _id: ids[0], title: changed }
        const reply = await phone.send({
          path: 'sync',
          form: [
            ['from', `${from}`],
            ['new_thing', `${blank}${spaced([{ local_id: 'a', title: created, tags: 'b c' }], blank)}${blank}`],
            ['changed_thing', `${blank}${spaced(change, blank)}${blank}`],
            ['deleted_thing', spaced(ids.slice(1), blank)],
            [`tag[${tag}]`, `${blank}${spaced({ favorite: true, color: false, todo: false }, blank)}${blank}`],
          ],
        })
        const id = expectCreated(accept(reply, `an upload with ${what} in its JSON`), 'a')
        const incremental = await laptop.sync({ from })
        const came = [
          expectThing(incremental, id, 'phone created it').title,
          expectThing(incremental, ids[0] ?? '', 'phone changed it').title,
          expectTag(incremental, tag, 'phone set them').favorite,
        ]
        expectSame(
          came,
          [created, changed, true],
          `new title, changed title and favorite, sent with ${what}`,
          incremental,
        )
        for (const removed of ids.slice(1))
          expectDeleted(incremental, removed, `phone deleted it with ${what} in its JSON`)
      }
    },
  },
  {
    // A server that decodes each piece alone breaks an escape or a character on a border.
    id: 'WIRE-PIECES-01',
    title: 'MUST read a body that is cut into pieces at any byte',
    requirements: ['C-4.3-2', 'C-2.1-13'],
    basis: 'implied',
    faults: ['body-escapes-decoded-by-piece', 'body-plus-lost-between-pieces', 'body-first-bytes-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const pieceBytes of [1, 2, 3, 7, 64]) {
        const from = await laptop.position()
        const title = `${lab.unique()} "é" 日本 😀+%&=;`
        const body = encodeForm([
          ['from', `${from}`],
          ['new_thing', JSON.stringify({ local_id: 'a', title, html: `<p>${title.repeat(4)}</p>` })],
        ])
        const headers = {
          'content-type': 'application/x-www-form-urlencoded',
          'transfer-encoding': 'chunked',
        }
        const reply = await phone.send({ method: 'POST', path: 'sync', headers, body, pieceBytes })
        const id = expectCreated(accept(reply, `an upload in pieces of ${pieceBytes} bytes`), 'a')
        const incremental = await laptop.sync({ from })
        const thing = expectThing(incremental, id, 'phone created it')
        const wanted = [title, `<p>${title.repeat(4)}</p>`]
        expectSame(
          [thing.title, thing.html],
          wanted,
          `title and html, sent in pieces of ${pieceBytes} bytes`,
          incremental,
        )
      }
    },
  },
])
