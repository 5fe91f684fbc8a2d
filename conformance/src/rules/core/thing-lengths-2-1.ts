import { casesOf, expectKept } from './cases.ts'
import { coreSection } from './core-rules.ts'

/** Text of a length in which every place differs from its neighbours, and no two ends are alike. */
const textOf = (length: number, word: string): string => {
  const parts = Array.from({ length: Math.ceil(length / 8) + 1 }, (_, place) => `${word}${place.toString(36)}`)
  return parts
    .join(' ')
    .slice(0, length - 1)
    .padEnd(length - 1, '.')
    .concat('!')
}

const texts = (lengths: readonly number[]): Record<string, string> =>
  Object.fromEntries(lengths.map((length) => [`${length} characters`, textOf(length, 'long')]))

const addresses = (lengths: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    lengths.map((length) => [
      `${length} characters`,
      `https://example.org/?q=${'a1b2c3d4e5'.repeat(length / 10)}`.slice(0, length),
    ]),
  )

const manyTags = (counts: readonly number[]): Record<string, string> =>
  Object.fromEntries(
    counts.map((count) => [`${count} of them`, Array.from({ length: count }, (_, place) => `tag${place}`).join(' ')]),
  )

/** Long fields (interface 2.1, 8): no length is stated, so one may be refused, and none may be cut. */
export const thingLengthRules = coreSection('2.1', [
  {
    id: 'THING-LENGTH-01',
    title: 'MUST keep a title of everyday length whole',
    clauses: ['C-2.1-3', 'C-2.1-13'],
    faults: ['title-cut-at-30', 'title-cut-at-64', 'title-cut-at-100'],
    check: (lab) => expectKept(lab, casesOf('title', texts([40, 80, 130]))),
  },
  {
    id: 'THING-LENGTH-02',
    title: 'MUST NOT cut a long title that it takes',
    basis: 'derived',
    clauses: ['C-2.1-3', 'C-2.1-13'],
    faults: [
      'title-cut-at-140',
      'title-cut-at-500-with-dots',
      'title-cut-at-4096',
      'title-cut-at-65535',
      'title-long-answered-empty',
    ],
    check: (lab) => expectKept(lab, casesOf('title', texts([200, 300, 600, 1_100, 5_000, 66_000]), 'refusable')),
  },
  {
    id: 'THING-LENGTH-03',
    title: 'MUST NOT cut a long url that it takes',
    basis: 'derived',
    clauses: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-cut-at-255', 'url-cut-at-2048', 'url-long-dropped', 'url-cut-at-1000'],
    check: (lab) => expectKept(lab, casesOf('url', addresses([130, 300, 1_100, 2_100, 8_300]), 'refusable')),
  },
  {
    id: 'THING-LENGTH-04',
    title: 'MUST NOT drop any of many tags that it takes',
    basis: 'derived',
    clauses: ['C-2.1-4', 'C-2.1-13'],
    faults: ['tags-ten-at-most', 'tags-cut-at-255', 'tags-hundred-at-most', 'tag-cut-at-20', 'tag-cut-at-64'],
    check: (lab) =>
      expectKept(lab, [
        ...casesOf('tags', { '30 of them': manyTags([30])['30 of them'] ?? '' }),
        ...casesOf('tags', manyTags([120, 600]), 'refusable'),
        ...casesOf(
          'tags',
          {
            'one of 30 letters': 'b'.repeat(30),
            'one of 80 letters': 'b'.repeat(80),
            'one of 300 letters': 'c'.repeat(300),
          },
          'refusable',
        ),
      ]),
  },
  {
    id: 'THING-LENGTH-05',
    title: 'MUST NOT cut long html that it takes',
    basis: 'derived',
    clauses: ['C-2.1-7', 'C-2.1-13'],
    faults: ['html-cut-at-1000', 'html-cut-at-4000', 'html-cut-at-32k', 'html-long-dropped', 'html-cut-at-100k'],
    check: (lab) => expectKept(lab, casesOf('html', texts([300, 1_100, 5_000, 33_000, 120_000, 600_000]), 'refusable')),
  },
])
