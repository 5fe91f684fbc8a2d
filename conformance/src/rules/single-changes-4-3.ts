/*
 * Generated changes of one thing (interface 4.3): one field at a time, emptied or changed in letter case alone, several
 * changes of one thing, and every mixture of notations. Profile full: a request with one wrong part applies nothing.
 */
import { type JsonObject, type Pair, showValue, writeUpload } from '../encoding.ts'
import { expect, expectCreated, expectDeleted, expectField, expectSame, expectTag, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import type { Replica } from '../replica.ts'
import { coreRulesOf, extensionRule, type Rule } from '../rule.ts'
import { isSyncResponse, off, readSyncResponse, type SyncResponse, type ThingFields } from '../sync-messages.ts'
import { expectError } from './operation-steps.ts'

type Field = 'title' | 'tags' | 'html' | 'url' | 'date' | 'archived' | 'todoStatus'

/** One change of one field; a server may reject a value that it need not accept. */
interface Step {
  readonly field: Field
  readonly before: string | number | boolean
  readonly after: string | number | boolean
  readonly rejectable?: true
}

const steps = (field: Field, pairs: readonly (readonly [Step['before'], Step['after']])[]): Step[] =>
  pairs.map(([before, after]) => ({ field, before, after }))

const rejectable = (list: readonly Step[]): Step[] => list.map((step) => ({ ...step, rejectable: true as const }))

/** Changes that a comparison without case, accents, blanks or types takes for none. */
const subtleSteps = (mark: string): readonly Step[] => [
  ...steps('title', [
    [`${mark} alpha`, `${mark} Alpha`],
    [`${mark} Alpha`, `${mark} ALPHA`],
    [`${mark} alpha`, `${mark} alphà`],
    [`${mark} alpha`, `${mark} alpha `],
    [`${mark} alpha`, `${mark}  alpha`],
    [`${mark} 1`, `${mark} 01`],
    [`${mark} \u00e9`, `${mark} e\u0301`],
  ]),
  ...steps('tags', [
    [`${mark} b`, `${mark} B`],
    [`${mark} B`, `${mark} b`],
    [`${mark} 1`, `${mark} 01`],
    [`${mark} é`, `${mark} e`],
    [`${mark} b c`, `${mark} b`],
    [`${mark} b`, `${mark} b c`],
  ]),
  ...steps('html', [
    ['<p>text</p>', '<p>Text</p>'],
    ['<p>text</p>', '<P>text</P>'],
    ['<p>text</p>', '<p>text</p>\n'],
    ['<p>text</p>', 'text'],
    ['<p>a b</p>', '<p>a\u00a0b</p>'],
  ]),
  ...steps('url', [
    ['https://example.org/readme', 'https://example.org/README'],
    ['https://example.org/a', 'https://example.org/a/'],
    ['https://example.org/a', 'http://example.org/a'],
    ['https://example.org/a', 'https://example.org/a#b'],
  ]),
  ...steps('date', [
    [1_234_567_890, 1_234_567_891],
    [1_234_567_890, 0],
    [1_600_000_000, 1_234_567_890],
  ]),
  ...steps('archived', [
    [false, true],
    [true, false],
  ]),
]

/** Changes that take a value away. */
const emptyingSteps = (mark: string): readonly Step[] => [
  ...steps('tags', [
    [`${mark} b`, ''],
    [mark, ''],
  ]),
  ...steps('html', [
    ['<p>text</p>', ''],
    ['0', ''],
  ]),
  ...rejectable(steps('url', [['https://example.org/a', '']])),
  ...rejectable(steps('title', [[`${mark} alpha`, '']])),
]

const fieldsOf = (base: ThingFields, { field }: Step, value: Step['before']): ThingFields => ({
  ...base,
  [field]: value,
})

/** Sends changes together, or one by one after an error; returns which were accepted. */
const sendChanges = async (
  phone: Replica,
  from: number,
  changes: readonly { readonly change: JsonObject; readonly isRejectable: boolean }[],
): Promise<boolean[]> => {
  const reply = await phone.trySync({ from, changed_thing: changes.map(({ change }) => change) })
  if (isSyncResponse(reply)) return changes.map(() => true)
  const [only] = changes
  if (changes.length > 1 || only === undefined) {
    const accepted: boolean[] = []
    for (const each of changes) accepted.push(...(await sendChanges(phone, from, [each])))
    return accepted
  }
  if (!only.isRejectable) readSyncResponse(reply, `a change to ${showValue(only.change)}`)
  return [false]
}

/** Compares a field; an emptied url or html may be absent. */
const expectValue = (thing: JsonObject, { field, after }: Step, because: string, at: SyncResponse): void => {
  if (field === 'tags') {
    expectField(thing, field, after, `tags, because ${because}`, at)
    return
  }
  const isAbsent = after === false || (after === '' && (field === 'url' || field === 'html'))
  const came = field === 'archived' ? thing[field] === true : (thing[field] ?? (isAbsent ? '' : null))
  expectSame(came, after, `${field}, because ${because}`, at)
}

/** Creates things, changes one field of each, and expects that field to have changed and no other. */
const expectSteps = async (lab: Lab, list: readonly Step[]): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const base = { date: 1_300_000_000, tags: `${lab.mark} k`, html: '<p>kept</p>', url: 'https://example.org/kept' }
  const baseOf = (index: number): ThingFields => ({ ...base, title: `${lab.mark} ${index}` })
  const ids = await phone.createMany(list.map((step, index) => fieldsOf(baseOf(index), step, step.before)))
  const from = await laptop.position()
  const accepted: boolean[] = []
  for (let start = 0; start < list.length; start += 10) {
    const changes = list.slice(start, start + 10).map((step, offset) => ({
      change: { _id: ids[start + offset] ?? '', ...fieldsOf(baseOf(start + offset), step, step.after) } as JsonObject,
      isRejectable: step.rejectable === true,
    }))
    accepted.push(...(await sendChanges(phone, from, changes)))
  }
  const responses = [await laptop.sync({ from }), await laptop.listAll()]
  for (const response of responses) {
    for (const [index, step] of list.entries()) {
      if (accepted[index] !== true) continue
      const because = `phone changed it alone from ${showValue(step.before)} to ${showValue(step.after)}`
      const thing = expectThing(response, ids[index] ?? '', because)
      expectValue(thing, step, because, response)
      for (const [field, value] of Object.entries(baseOf(index))) {
        if (field !== step.field) expectField(thing, field, value, `${field} as before, because ${because}`, response)
      }
    }
  }
}

const uploadForms = ['object', 'array of one', 'array', 'repeated'] as const
type Notation = (typeof uploadForms)[number]

const writeIn = (name: string, values: readonly (JsonObject | string)[], notation: Notation): Pair[] => {
  if (notation === 'repeated') return writeUpload(name, values, 'repeated')
  const some = notation === 'array' ? values : values.slice(0, 1)
  if (notation === 'object') return writeUpload(name, some)
  return [[name, JSON.stringify(some)]]
}

const mixedForms = ['object', 'array of one'] as const

/** Writes the first of several values without brackets, and the others with them. */
const writeMixed = (
  name: string,
  values: readonly (JsonObject | string)[],
  plain: Notation,
  isPlainFirst: boolean,
): Pair[] => {
  const [one, others] = [writeIn(name, values.slice(0, 1), plain), writeIn(name, values.slice(1), 'repeated')]
  return isPlainFirst ? [...one, ...others] : [...others, ...one]
}

/** Every pair of notations of two kinds, and with each a notation of the third kind. */
const mixtures = uploadForms.flatMap((first, i) =>
  uploadForms.map((second, j) => [first, second, uploadForms[(i + j) % 4] ?? 'array'] as const),
)

const countIn = (notation: Notation): number => (notation === 'array' || notation === 'repeated' ? 2 : 1)

/** Changes of one thing (interface 4.3). */
export const singleChangeRules = coreRulesOf('4.3', [
  {
    id: 'CHANGE-ONLY-01',
    title: 'MUST take a change for one however little differs: letter case, an accent, a blank, a sign',
    requirements: ['C-4.3-11', 'C-2.1-13'],
    basis: 'implied',
    faults: [
      'change-of-case-ignored',
      'change-of-accent-ignored',
      'change-of-blanks-ignored',
      'change-of-tag-case-ignored',
      'change-of-url-end-ignored',
      'change-of-markup-ignored',
      'change-to-date-zero-ignored',
      'change-to-date-zero-rejected',
      'change-of-archived-redates',
    ],
    check: (lab) => expectSteps(lab, subtleSteps(lab.mark)),
  },
  {
    id: 'CHANGE-EMPTY-01',
    title: 'MUST empty the field that a change gives as an empty text, where it accepts that',
    requirements: ['C-4.3-11', 'C-2.1-13'],
    basis: 'implied',
    faults: [
      'change-empty-tags-ignored',
      'change-empty-html-ignored',
      'change-empty-url-ignored',
      'change-empty-title-ignored',
      'change-empty-tags-rejected',
      'change-emptied-tags-untitled',
    ],
    check: (lab) => expectSteps(lab, emptyingSteps(lab.mark)),
  },
  {
    id: 'CHANGE-BACK-01',
    title: 'MUST list a thing that was changed and changed back, from the position between',
    requirements: ['C-4.3-11', 'C-4.3-5'],
    faults: ['change-back-unlisted', 'change-back-ignored', 'change-back-listed-only'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const first = { title: lab.mark, tags: lab.mark, html: '<p>1</p>', date: 1_300_000_000 }
      const second = { title: `${lab.mark} 2`, tags: `${lab.mark} 2`, html: '<p>2</p>', date: 1_300_000_001 }
      const id = await phone.create(first)
      for (const [before, after] of [
        [first, second],
        [second, first],
        [first, second],
      ] as const) {
        const from = await laptop.position()
        await phone.change(id, after)
        const incremental = await laptop.sync({ from })
        const because = `phone changed it from ${before.title} to ${after.title}`
        const thing = expectThing(incremental, id, because)
        for (const [field, value] of Object.entries(after))
          expectField(thing, field, value, `${field}, because ${because}`, incremental)
      }
    },
  },
  {
    // An array has an order; a server may reject such an upload, but must not keep an earlier change of it.
    id: 'CHANGE-TWICE-01',
    title: 'MUST leave a thing as the last of several changes in one request has it, unless it rejects the request',
    requirements: ['C-4.3-11', 'C-4.3-15', 'C-4.3-28'],
    basis: 'implied',
    faults: ['change-first-of-several', 'change-several-listed-twice', 'change-several-counted-twice'],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      for (const form of ['array', 'repeated'] as const) {
        for (const count of [2, 3, 5]) {
          const [id = '', other = ''] = await phone.createMany([{}, {}])
          const from = await laptop.position()
          const titles = Array.from({ length: count }, () => lab.unique())
          const changes = titles.map((title, index) => ({ _id: id, title, html: `<p>${index}</p>` }))
          const between = { _id: other, title: lab.unique() }
          const changed = [...changes.slice(0, 1), between, ...changes.slice(1)]
          const reply = await phone.trySync({ from, form, changed_thing: changed })
          if (!isSyncResponse(reply)) continue
          const incremental = await laptop.sync({ from })
          const because = `phone changed it ${count} times in one request (${form})`
          const thing = expectThing(incremental, id, because)
          const wanted = [titles.at(-1), `<p>${count - 1}</p>`]
          expectSame(
            [thing.title, thing.html],
            wanted,
            `title and html of the last change, because ${because}`,
            incremental,
          )
          const times = incremental.changed.filter((listed) => listed === id).length
          const came = [times, incremental.json.thingCount]
          expectSame(
            came,
            [1, 2],
            'how often the thing is listed, and thingCount with another changed thing',
            incremental,
          )
        }
      }
    },
  },
  {
    id: 'CHANGE-MIXED-02',
    title: 'MUST apply the things of one kind that one request gives with and without brackets, in any order',
    requirements: ['C-4.3-15', 'C-4.3-16'],
    basis: 'implied',
    faults: [
      'mixed-kind-plain-only',
      'mixed-kind-repeated-only',
      'mixed-kind-first-only',
      'mixed-changed-plain-lost',
      'mixed-changed-repeated-lost',
      'mixed-deleted-plain-lost',
      'mixed-deleted-repeated-lost',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const forms = mixedForms.flatMap((plain) => [true, false].map((isPlainFirst) => ({ plain, isPlainFirst })))
      const ids = await phone.createMany(forms.flatMap(() => [{}, {}, {}, {}, {}, {}]))
      for (const [index, { plain, isPlainFirst }] of forms.entries()) {
        const title = lab.unique()
        const changing = ids.slice(index * 6, index * 6 + 3)
        const deleting = ids.slice(index * 6 + 3, index * 6 + 6)
        const things = ['a', 'b', 'c'].map((localId) => ({ local_id: localId, title }))
        const changes = changing.map((id) => ({ _id: id, title }))
        const pairs = [
          ...writeMixed('new_thing', things, plain, isPlainFirst),
          ...writeMixed('changed_thing', changes, plain, isPlainFirst),
          ...writeMixed('deleted_thing', deleting, plain, isPlainFirst),
        ]
        const from = await laptop.position()
        const reply = await phone.send({ path: 'sync', form: [...pairs, ['from', `${from}`]] })
        const response = readSyncResponse(reply, 'an upload that gives each kind with and without brackets')
        const created = things.map(({ local_id: localId }) => expectCreated(response, localId))
        const incremental = await laptop.sync({ from })
        const names = isPlainFirst ? 'name and name[]' : 'name[] and name'
        const because = `phone sent three of each kind in one request, as ${names}, the plain one as ${plain}`
        for (const id of [...created, ...changing])
          expectSame(expectThing(incremental, id, because).title, title, `title, because ${because}`, incremental)
        for (const id of deleting) expectDeleted(incremental, id, because)
      }
    },
  },
  {
    id: 'CHANGE-MIXED-01',
    title: 'MUST apply new, changed and deleted things in every mixture of notations, in any order of parameters',
    requirements: ['C-4.3-10', 'C-4.3-11', 'C-4.3-12', 'C-4.3-15', 'C-4.3-16'],
    basis: 'implied',
    faults: [
      'mixed-array-hides-repeated',
      'mixed-plain-deletion-lost',
      'mixed-object-beside-array-lost',
      'mixed-tag-before-things-lost',
      'mixed-new-last-lost',
    ],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const ids = await phone.createMany(mixtures.flatMap(() => [{}, {}, {}, {}]))
      const from = await laptop.position()
      const expected: { created: string[]; changed: string[]; deleted: string[]; tag: string; title: string }[] = []
      for (const [index, [forNew, forChanged, forDeleted]] of mixtures.entries()) {
        const [title, tag] = [lab.unique(), lab.unique()]
        const changing = ids.slice(index * 4, index * 4 + 2)
        const deleting = ids.slice(index * 4 + 2, index * 4 + 4)
        const parts: Pair[][] = [
          writeIn(
            'new_thing',
            ['a', 'b'].map((localId) => ({ local_id: localId, title })),
            forNew,
          ),
          writeIn(
            'changed_thing',
            changing.map((id) => ({ _id: id, title })),
            forChanged,
          ),
          writeIn('deleted_thing', deleting, forDeleted),
          [[`tag[${tag}]`, JSON.stringify({ ...off, favorite: true })]],
        ]
        const turned = [...parts.slice(index % 4), ...parts.slice(0, index % 4)]
        const reply = await phone.send({ path: 'sync', form: [...turned.flat(), ['from', `${from}`]] })
        const what = `an upload with new things as ${forNew}, changed as ${forChanged}, deleted as ${forDeleted}`
        const response = readSyncResponse(reply, what)
        expected.push({
          created: ['a', 'b'].slice(0, countIn(forNew)).map((localId) => expectCreated(response, localId)),
          changed: changing.slice(0, countIn(forChanged)),
          deleted: deleting.slice(0, countIn(forDeleted)),
          ...{ tag, title },
        })
      }
      const incremental = await laptop.sync({ from })
      for (const [index, { created, changed, deleted, tag, title }] of expected.entries()) {
        const because = `phone sent ${mixtures[index]?.join(', ')}`
        for (const id of [...created, ...changed])
          expectSame(expectThing(incremental, id, because).title, title, `title, because ${because}`, incremental)
        for (const id of deleted) expectDeleted(incremental, id, because)
        expectSame(expectTag(incremental, tag, because).favorite, true, `favorite, because ${because}`, incremental)
      }
    },
  },
])

/** Wrong parts of an upload, each with the reason (contract, errors). */
const wrongParts = (mark: string, id: string): readonly (readonly [why: string, parts: readonly Pair[]])[] => {
  const thing = (fields: object): string => JSON.stringify({ local_id: 'w', title: mark, ...fields })
  const change = (fields: object): string => JSON.stringify({ _id: id, title: mark, ...fields })
  return [
    ['a new thing has no title', [['new_thing[]', '{"local_id":"w"}']]],
    ['a new thing has no local_id', [['new_thing[]', JSON.stringify({ title: mark })]]],
    ['a new thing has a title that is no text', [['new_thing[]', thing({ title: 5 })]]],
    ['a new thing has tags that are a list', [['new_thing[]', thing({ tags: ['a'] })]]],
    ['a new thing has a date that is no number', [['new_thing[]', thing({ date: 'today' })]]],
    ['a new thing has an archived that is no boolean', [['new_thing[]', thing({ archived: 'maybe' })]]],
    ['a new thing is no object', [['new_thing[]', '5']]],
    ['a new thing is broken JSON', [['new_thing[]', '{"local_id":"w","title":"x"']]],
    [
      'two new things share a local_id',
      [
        ['new_thing[]', thing({})],
        ['new_thing[]', thing({})],
      ],
    ],
    ['a changed thing has no _id', [['changed_thing[]', JSON.stringify({ title: mark })]]],
    ['a changed thing has no title', [['changed_thing[]', JSON.stringify({ _id: id })]]],
    ['a changed thing has html that is no text', [['changed_thing[]', change({ html: {} })]]],
    ['a changed thing has a todoStatus that is no boolean', [['changed_thing[]', change({ todoStatus: 'done' })]]],
    ['a changed thing is broken JSON', [['changed_thing[]', '{']]],
    ['a tag has a color that is none', [[`tag[${mark}w]`, '{"color":"red"}']]],
    ['a tag has a favorite that is no boolean', [[`tag[${mark}w]`, '{"favorite":"maybe"}']]],
    ['a tag has settings that are broken JSON', [[`tag[${mark}w]`, 'favorite']]],
    ['skip is negative', [['skip', '-1']]],
    ['limit is no number', [['limit', 'many']]],
  ]
}

/** Rules of section 7: a request is all or nothing (contract, errors). */
export const atomicRules: readonly Rule[] = [
  extensionRule({
    id: 'ERROR-ATOMIC-02',
    title: 'MUST apply nothing of a request with one wrong part, whichever part is wrong and wherever it stands',
    section: '7',
    requirements: ['K-error-8', 'K-error-1'],
    faults: [
      'half-request-new-applied',
      'half-request-change-applied',
      'half-request-deletion-applied',
      'half-request-tag-applied',
      'wrong-color-rest-applied',
    ],
    alone: true,
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const title = `${lab.mark} before`
      const [changing = '', deleting = ''] = await phone.createMany([{ title }, { title }])
      const good: Pair[] = [
        ['new_thing[]', JSON.stringify({ local_id: 'a', title: `${lab.mark} new` })],
        ['changed_thing[]', JSON.stringify({ _id: changing, title: `${lab.mark} changed` })],
        ['deleted_thing[]', deleting],
        [`tag[${lab.mark}]`, JSON.stringify({ ...off, favorite: true })],
      ]
      const from = await laptop.position()
      for (const [index, [why, wrong]] of wrongParts(lab.mark, changing).entries()) {
        const form: Pair[] = [['from', `${from}`], ...(index % 2 === 0 ? [...good, ...wrong] : [...wrong, ...good])]
        expectError(await phone.send({ path: 'sync', form }), 400, 'parameter_invalid', why)
        const { json, exchange } = await laptop.sync({ from })
        const nothing = `nothing listed after a request that was rejected because ${why}`
        expect(json.things === undefined && json.tags === undefined, nothing, showValue(json), { exchange })
      }
      await phone.sync({ from, new_thing: [{ local_id: 'a', title: `${lab.mark} new` }] })
    },
  }),
]
