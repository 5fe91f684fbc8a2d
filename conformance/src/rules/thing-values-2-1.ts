import { expectCreated, expectSame, expectThing } from '../expect.ts'
import { coreRulesOf } from '../rule.ts'
import { readSyncResponse } from '../sync-messages.ts'
import { casesOf, expectStored } from './upload-steps.ts'

/** Texts that a language, a table or a library may convert to another value. */
const looks = {
  'the digit 0': '0',
  'digits alone': '12345',
  'leading zeros': '007',
  'a minus sign': '-1',
  'a plus sign': '+1',
  'a fraction that ends in 0': '1.50',
  'an exponent': '1e5',
  'a hexadecimal number': '0x1F',
  'more digits than numbers hold': '12345678901234567890',
  'the word true': 'true',
  'the word false': 'false',
  'the word null': 'null',
  'the word undefined': 'undefined',
  'the word NaN': 'NaN',
  'the word no': 'no',
  'a date': '2024-01-31',
  'a time': '12:30',
}

const structures = {
  'an empty array': '[]',
  'an empty object': '{}',
  'an object': '{"a":1}',
  'a text in quotes': '"quoted"',
  'a formula': '=1+1',
  'one hyphen': '-',
  'one star': '*',
}

/** Values that are easily converted (interface 2.1): a text is a text, and 0 is a date. */
export const thingValueRules = coreRulesOf('2.1', [
  {
    id: 'THING-VALUE-01',
    title: 'MUST keep a title that looks like a number, a constant or a date, as a string',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-13'],
    faults: [
      'title-zero-lost',
      'title-digits-as-number',
      'title-leading-zeros-lost',
      'title-number-evaluated',
      'title-plus-sign-lost',
      'title-big-number-rounded',
      'title-null-word-lost',
      'title-undefined-word-lost',
      'title-constants-as-values',
      'title-date-rewritten',
      'title-time-rewritten',
      'title-hex-evaluated',
      'title-yaml-no',
      'title-zero-rejected',
    ],
    check: (lab) => expectStored(lab, casesOf('title', looks)),
  },
  {
    id: 'THING-VALUE-02',
    title: 'MUST keep a title that looks like JSON, a formula or a pattern',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-13'],
    faults: ['title-json-read', 'title-quotes-peeled', 'title-formula-quoted', 'title-sign-alone-lost'],
    check: (lab) => expectStored(lab, casesOf('title', structures)),
  },
  {
    id: 'THING-VALUE-03',
    title: 'MUST keep html that looks like a number, a constant or JSON',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13'],
    faults: [
      'html-zero-lost',
      'html-number-evaluated',
      'html-null-word-lost',
      'html-constants-as-values',
      'html-json-read',
    ],
    check: (lab) => expectStored(lab, casesOf('html', { ...looks, ...structures })),
  },
  {
    // The server may reject a text that is no URL; it must keep an accepted one.
    id: 'THING-VALUE-05',
    title: 'MUST keep a url that looks like a number or a constant, where it takes it',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-zero-lost', 'url-null-word-lost'],
    check: (lab) =>
      expectStored(lab, casesOf('url', { 'the digit 0': '0', 'the word null': 'null', digits: '007' }, 'rejectable')),
  },
  {
    id: 'THING-VALUE-04',
    title: 'MUST keep tags that look like numbers or constants',
    basis: 'implied',
    requirements: ['C-2.1-4', 'C-2.1-13'],
    faults: [
      'tags-zero-lost',
      'tags-as-number',
      'tags-leading-zeros-lost',
      'tags-null-word-lost',
      'tags-falsy-words-dropped',
    ],
    check: (lab) => expectStored(lab, casesOf('tags', { ...looks, 'several of them': '0 false null 007' })),
  },
  {
    id: 'THING-DATE-01',
    title: 'MUST keep a date of 0 and of a few seconds, and not take the time of today for it',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-zero-is-now', 'date-zero-of-change-ignored', 'date-small-is-ago', 'date-one-is-flag'],
    check: (lab) => expectStored(lab, casesOf('date', { 'the first second': 0, 'the second one': 1, 'a minute': 60 })),
  },
  {
    // One number has many spellings in JSON (RFC 8259, 6); libraries write long ones with an exponent.
    id: 'THING-DATE-05',
    title: 'MUST read a date however JSON writes the number',
    basis: 'implied',
    requirements: ['C-2.1-5'],
    faults: ['date-exponent-cut', 'date-exponent-rejected'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const spellings = ['1500000000', '1.5e9', '1.5E+9', '1500000000.0', '15e8']
      const things = spellings.map((date, index) => `{"local_id":"n${index}","title":"${lab.unique()}","date":${date}}`)
      const form = [
        ['from', `${from}`],
        ['new_thing', `[${things.join()}]`],
      ] as const
      const reply = await phone.send({ path: 'sync', form })
      const response = readSyncResponse(reply, `an upload with the dates ${spellings.join(', ')}`)
      const incremental = await laptop.sync({ from })
      for (const [index, spelling] of spellings.entries()) {
        const thing = expectThing(incremental, expectCreated(response, `n${index}`), 'phone created it')
        expectSame(thing.date, 1_500_000_000, `the date of a thing that was sent as ${spelling}`, incremental)
      }
    },
  },
  {
    id: 'THING-DATE-02',
    title: 'MUST keep a date to the second',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: [
      'date-to-the-minute',
      'date-to-the-day',
      'date-single-precision',
      'date-time-zone-added',
      'date-even-seconds',
    ],
    check: (lab) =>
      expectStored(
        lab,
        casesOf('date', { 'in 2009': 1_234_567_891, 'in 2020': 1_600_000_033, 'in summer': 1_625_097_599 }),
      ),
  },
  {
    // A change may clear omitted fields; the date of the thing's creation cannot change.
    id: 'THING-DATE-06',
    title: 'MUST NOT give a thing a new date for a change that gives no date',
    requirements: ['C-2.1-5'],
    basis: 'implied',
    faults: ['change-dates-again', 'change-dates-at-zero'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const date = 1_234_567_891
      const id = await phone.create({ date })
      const from = await laptop.position()
      await phone.change(id, {})
      const incremental = await laptop.sync({ from })
      const because = 'phone changed its title'
      expectSame(
        expectThing(incremental, id, because).date,
        date,
        `the date with which phone created it; ${because}`,
        incremental,
      )
    },
  },
  {
    id: 'THING-DATE-03',
    title: 'MUST keep a date of the future, also beyond 31 and 32 bits',
    basis: 'implied',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: [
      'date-future-is-now',
      'date-31-bits',
      'date-32-bits',
      'date-2038-cut',
      'date-large-taken-for-milliseconds',
    ],
    check: (lab) =>
      expectStored(lab, [
        ...casesOf('date', { 'in 2033': 2_000_000_000, 'the last of 31 bits': 2_147_483_647 }),
        ...casesOf(
          'date',
          {
            '31 bits and one more': 2_147_483_648,
            '33 bits': 4_294_967_297,
            'in 5138': 99_999_999_999,
            'in 9999': 253_402_300_799,
          },
          'rejectable',
        ),
      ]),
  },
  {
    id: 'THING-DATE-04',
    title: 'MUST keep a date before 1970 that it takes',
    basis: 'implied',
    requirements: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-sign-lost', 'date-minus-one-is-none', 'date-before-1901-cut'],
    check: (lab) =>
      expectStored(
        lab,
        casesOf('date', { 'a second before': -1, 'in 1960': -300_000_007, 'in 1900': -2_208_988_799 }, 'rejectable'),
      ),
  },
])

/** Creates a text of this length whose neighboring parts differ, and whose ends are all different. */
const textOf = (length: number, word: string): string => {
  const parts = Array.from({ length: Math.ceil(length / 8) + 1 }, (_, index) => `${word}${index.toString(36)}`)
  return parts
    .join(' ')
    .slice(0, length - 1)
    .padEnd(length - 1, '.')
    .concat('!')
}

const texts = (lengths: readonly number[]): Record<string, string> =>
  Object.fromEntries(lengths.map((length) => [`${length} characters`, textOf(length, 'long')]))

const urls = (lengths: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    lengths.map((length) => [
      `${length} characters`,
      `https://example.org/?q=${'a1b2c3d4e5'.repeat(length / 10)}`.slice(0, length),
    ]),
  )

const manyTags = (counts: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    counts.map((count) => [`${count} of them`, Array.from({ length: count }, (_, index) => `tag${index}`).join(' ')]),
  )

/** Long fields (interface 2.1, 8): no length is stated, so a server may reject one, but must not cut any. */
export const thingLengthRules = coreRulesOf('2.1', [
  {
    id: 'THING-LENGTH-01',
    title: 'MUST keep a title of everyday length whole',
    requirements: ['C-2.1-3', 'C-2.1-13'],
    faults: ['title-cut-at-30', 'title-cut-at-64', 'title-cut-at-100'],
    check: (lab) => expectStored(lab, casesOf('title', texts([40, 80, 130]))),
  },
  {
    id: 'THING-LENGTH-02',
    title: 'MUST NOT cut a long title that it takes',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-13'],
    faults: [
      'title-cut-at-140',
      'title-cut-at-500-with-dots',
      'title-cut-at-4096',
      'title-cut-at-65535',
      'title-long-returned-empty',
    ],
    check: (lab) => expectStored(lab, casesOf('title', texts([200, 300, 600, 1_100, 5_000, 66_000]), 'rejectable')),
  },
  {
    id: 'THING-LENGTH-03',
    title: 'MUST NOT cut a long url that it takes',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-cut-at-255', 'url-cut-at-2048', 'url-long-dropped', 'url-cut-at-1000'],
    check: (lab) => expectStored(lab, casesOf('url', urls([130, 300, 1_100, 2_100, 8_300]), 'rejectable')),
  },
  {
    id: 'THING-LENGTH-04',
    title: 'MUST NOT drop any of many tags that it takes',
    basis: 'implied',
    requirements: ['C-2.1-4', 'C-2.1-13'],
    faults: ['tags-ten-at-most', 'tags-cut-at-255', 'tags-hundred-at-most', 'tag-cut-at-20', 'tag-cut-at-64'],
    check: (lab) =>
      expectStored(lab, [
        ...casesOf('tags', { '30 of them': manyTags([30])['30 of them'] ?? '' }),
        ...casesOf('tags', manyTags([120, 600]), 'rejectable'),
        ...casesOf(
          'tags',
          {
            'one of 30 letters': 'b'.repeat(30),
            'one of 80 letters': 'b'.repeat(80),
            'one of 300 letters': 'c'.repeat(300),
          },
          'rejectable',
        ),
      ]),
  },
  {
    id: 'THING-LENGTH-05',
    title: 'MUST NOT cut long html that it takes',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13'],
    faults: ['html-cut-at-1000', 'html-cut-at-4000', 'html-cut-at-32k', 'html-long-dropped', 'html-cut-at-100k'],
    check: (lab) =>
      expectStored(lab, casesOf('html', texts([300, 1_100, 5_000, 33_000, 120_000, 600_000]), 'rejectable')),
  },
])

/** URLs (interface 2.1): a url is a text that is kept, without normalization. */
export const thingUrlRules = coreRulesOf('2.1', [
  {
    id: 'THING-URL-01',
    title: 'MUST keep a url as it was written, whatever else would lead to the same page',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: [
      'url-slash-added',
      'url-slash-removed',
      'url-host-lowercased',
      'url-port-dropped',
      'url-dots-resolved',
      'url-fragment-dropped',
      'url-empty-query-dropped',
      'url-tracking-dropped',
      'url-http-becomes-https',
      'url-www-dropped',
      'url-normalized-by-library',
      'url-query-dropped',
      'url-query-sorted',
      'url-login-dropped',
    ],
    check: (lab) =>
      expectStored(
        lab,
        casesOf('url', {
          'a host alone': 'https://example.org',
          'a host with a slash': 'https://example.org/',
          'a path with a slash at its end': 'https://example.org/a/',
          'capital letters in the host': 'https://Example.ORG/A',
          'the usual port': 'http://example.org:80/x',
          'dots in the path': 'https://example.org/a/../b/./c',
          'a fragment': 'https://example.org/a#part-2',
          'an empty query': 'https://example.org/a?',
          'tracking parameters': 'https://example.org/?utm_source=x&fbclid=y&q=z',
          'no encryption': 'http://www.example.org/plain',
          'parameters out of order': 'https://example.org/?b=2&a=1&b=3&c',
          'a login': 'https://reader@example.org/',
        }),
      ),
  },
  {
    id: 'THING-URL-02',
    title: 'MUST keep every escape and every letter of a url',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: [
      'url-escapes-decoded',
      'url-escapes-uppercased',
      'url-escaped-again',
      'url-unicode-escaped',
      'url-ampersand-escaped',
      'url-plus-lost',
      'url-unicode-lost',
    ],
    check: (lab) =>
      expectStored(lab, [
        ...casesOf('url', {
          'a space and a slash as escapes': 'https://example.org/a%20b%2Fc',
          'escapes in small letters': 'https://example.org/%c3%a4?x=%e2%82%ac',
          'plus and ampersand': 'https://example.org/?q=a+b&copy=1&lt=2;x=3',
          'a URL in a URL': 'https://example.org/?to=https%3A%2F%2Fexample.com%2F%3Fa%3D1',
        }),
        ...casesOf('url', { 'letters of another script': 'https://example.org/straße/日本?q=ü' }, 'rejectable'),
      ]),
  },
  {
    id: 'THING-URL-03',
    title: 'MUST keep a url of another scheme that it takes',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-other-schemes-dropped', 'url-http-put-in-front', 'url-without-dot-dropped'],
    check: (lab) =>
      expectStored(
        lab,
        casesOf(
          'url',
          {
            'a mail address': 'mailto:alice@example.org?subject=Hi',
            'a file': 'ftp://example.org/a.txt',
            'a host without dots': 'http://localhost:8080/x',
            'no scheme': 'example.org/a',
            'an address of IPv6': 'http://[2001:db8::1]:8080/',
          },
          'rejectable',
        ),
      ),
  },
])
