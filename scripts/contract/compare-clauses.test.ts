import { expect, test } from 'vitest'
import { compareClauses } from './compare-clauses.ts'

const must = { id: 'C-1', level: 'must', text: 'Positions never go back.' }
const should = { id: 'C-2', level: 'should', text: 'Pages fit together.' }

test('a promise that is taken back or weakened breaks; a new or a stronger one, and other words, do not', () => {
  const other = { id: 'C-3', level: 'must', text: 'Listings are complete.' }

  const findings = compareClauses(
    [must, should, other],
    [
      { ...must, level: 'should' },
      { ...should, level: 'must', text: 'Pages fit.' },
      { ...other, id: 'C-4' },
    ],
  )

  expect(findings).toEqual([
    { id: 'clause-weakened', level: 3, text: 'the clause C-1 is no longer a MUST: "Positions never go back."' },
    { id: 'clause-removed', level: 3, text: 'the clause C-3 was removed, which said "Listings are complete."' },
    { id: 'clause-added', level: 1, text: 'added the clause C-4: "Listings are complete."' },
  ])
})
