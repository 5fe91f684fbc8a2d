import { expectCreated, expectSame, expectThing } from '../../expect.ts'
import { readSyncAnswer } from '../../sync-answer.ts'
import { casesOf, expectKept } from './cases.ts'
import { coreSection } from './core-rules.ts'

/** Texts that a language, a table or a library takes for something else. */
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

/** Values that are taken for something else (interface 2.1): a text is a text, and 0 is a date. */
export const thingValueRules = coreSection('2.1', [
  {
    id: 'THING-VALUE-01',
    title: 'MUST keep a title that looks like a number, a constant or a date, as a string',
    basis: 'derived',
    clauses: ['C-2.1-3', 'C-2.1-13'],
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
      'title-zero-refused',
    ],
    check: (lab) => expectKept(lab, casesOf('title', looks)),
  },
  {
    id: 'THING-VALUE-02',
    title: 'MUST keep a title that looks like JSON, a formula or a pattern',
    basis: 'derived',
    clauses: ['C-2.1-3', 'C-2.1-13'],
    faults: ['title-json-read', 'title-quotes-peeled', 'title-formula-quoted', 'title-sign-alone-lost'],
    check: (lab) => expectKept(lab, casesOf('title', structures)),
  },
  {
    id: 'THING-VALUE-03',
    title: 'MUST keep html that looks like a number, a constant or JSON',
    basis: 'derived',
    clauses: ['C-2.1-7', 'C-2.1-13'],
    faults: [
      'html-zero-lost',
      'html-number-evaluated',
      'html-null-word-lost',
      'html-constants-as-values',
      'html-json-read',
    ],
    check: (lab) => expectKept(lab, casesOf('html', { ...looks, ...structures })),
  },
  {
    // What is no address may be refused; what is taken is kept.
    id: 'THING-VALUE-05',
    title: 'MUST keep a url that looks like a number or a constant, where it takes it',
    basis: 'derived',
    clauses: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-zero-lost', 'url-null-word-lost'],
    check: (lab) =>
      expectKept(lab, casesOf('url', { 'the digit 0': '0', 'the word null': 'null', digits: '007' }, 'refusable')),
  },
  {
    id: 'THING-VALUE-04',
    title: 'MUST keep tags that look like numbers or constants',
    basis: 'derived',
    clauses: ['C-2.1-4', 'C-2.1-13'],
    faults: [
      'tags-zero-lost',
      'tags-as-number',
      'tags-leading-zeros-lost',
      'tags-null-word-lost',
      'tags-falsy-words-dropped',
    ],
    check: (lab) => expectKept(lab, casesOf('tags', { ...looks, 'several of them': '0 false null 007' })),
  },
  {
    id: 'THING-DATE-01',
    title: 'MUST keep a date of 0 and of a few seconds, and not take the time of today for it',
    clauses: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-zero-is-now', 'date-zero-of-change-ignored', 'date-small-is-ago', 'date-one-is-flag'],
    check: (lab) => expectKept(lab, casesOf('date', { 'the first second': 0, 'the second one': 1, 'a minute': 60 })),
  },
  {
    // One number has many spellings in JSON (RFC 8259, 6); libraries write long ones with an exponent.
    id: 'THING-DATE-05',
    title: 'MUST read a date however JSON writes the number',
    basis: 'derived',
    clauses: ['C-2.1-5'],
    faults: ['date-exponent-cut', 'date-exponent-refused'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const from = await laptop.position()
      const spellings = ['1500000000', '1.5e9', '1.5E+9', '1500000000.0', '15e8']
      const things = spellings.map((date, place) => `{"local_id":"n${place}","title":"${lab.unique()}","date":${date}}`)
      const form = [
        ['from', `${from}`],
        ['new_thing', `[${things.join()}]`],
      ] as const
      const reply = await phone.send({ path: 'sync', form })
      const answer = readSyncAnswer(reply, `an upload with the dates ${spellings.join(', ')}`)
      const delta = await laptop.sync({ from })
      for (const [place, spelling] of spellings.entries()) {
        const thing = expectThing(delta, expectCreated(answer, `n${place}`), 'phone created it')
        expectSame(thing.date, 1_500_000_000, `the date of a thing that was sent as ${spelling}`, delta)
      }
    },
  },
  {
    id: 'THING-DATE-02',
    title: 'MUST keep a date to the second',
    clauses: ['C-2.1-5', 'C-2.1-13'],
    faults: [
      'date-to-the-minute',
      'date-to-the-day',
      'date-single-precision',
      'date-time-zone-added',
      'date-even-seconds',
    ],
    check: (lab) =>
      expectKept(
        lab,
        casesOf('date', { 'in 2009': 1_234_567_891, 'in 2020': 1_600_000_033, 'in summer': 1_625_097_599 }),
      ),
  },
  {
    // What a change leaves out may be cleared; when the thing was made cannot be otherwise than it was.
    id: 'THING-DATE-06',
    title: 'MUST NOT date a thing anew for a change that gives no date',
    clauses: ['C-2.1-5'],
    basis: 'derived',
    faults: ['change-dates-anew', 'change-dates-at-zero'],
    check: async (lab) => {
      const phone = await lab.replica('phone')
      const laptop = await lab.replica('laptop')
      const date = 1_234_567_891
      const id = await phone.create({ date })
      const from = await laptop.position()
      await phone.change(id, {})
      const delta = await laptop.sync({ from })
      const because = 'phone changed its title'
      expectSame(expectThing(delta, id, because).date, date, `the date with which phone created it; ${because}`, delta)
    },
  },
  {
    id: 'THING-DATE-03',
    title: 'MUST keep a date of the future, also beyond 31 and 32 bits',
    basis: 'derived',
    clauses: ['C-2.1-5', 'C-2.1-13'],
    faults: [
      'date-future-is-now',
      'date-31-bits',
      'date-32-bits',
      'date-2038-cut',
      'date-large-taken-for-milliseconds',
    ],
    check: (lab) =>
      expectKept(lab, [
        ...casesOf('date', { 'in 2033': 2_000_000_000, 'the last of 31 bits': 2_147_483_647 }),
        ...casesOf(
          'date',
          {
            '31 bits and one more': 2_147_483_648,
            '33 bits': 4_294_967_297,
            'in 5138': 99_999_999_999,
            'in 9999': 253_402_300_799,
          },
          'refusable',
        ),
      ]),
  },
  {
    id: 'THING-DATE-04',
    title: 'MUST keep a date before 1970 that it takes',
    basis: 'derived',
    clauses: ['C-2.1-5', 'C-2.1-13'],
    faults: ['date-sign-lost', 'date-minus-one-is-none', 'date-before-1901-cut'],
    check: (lab) =>
      expectKept(
        lab,
        casesOf('date', { 'a second before': -1, 'in 1960': -300_000_007, 'in 1900': -2_208_988_799 }, 'refusable'),
      ),
  },
])
