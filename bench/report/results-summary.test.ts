import { expect, test } from 'vitest'
import { formatSummary, type RowResult } from './results.ts'

const rowWith = (id: string, median: number) =>
  ({
    id,
    figures: [
      {
        key: 'a',
        title: 'rate',
        unit: 'x',
        goal: { is: 'least', limit: 0.5 },
        value: { median, min: median - 0.1, max: median + 0.1, rounds: 3 },
        isReached: median >= 0.5,
      },
      { key: 'b', title: 'for reading only', unit: 'x', value: { median: 1, min: 1, max: 1, rounds: 3 } },
    ],
  }) as unknown as RowResult

test('a summary lists missed goals, worse figures and rows without a result', () => {
  const missing = { id: 'other', figures: [], missing: 'it is not installed here' } as unknown as RowResult
  const rows = [rowWith('good', 0.9), rowWith('bad', 0.25), rowWith('worse', 0.6), missing]
  const before = [rowWith('good', 0.8), rowWith('worse', 0.9)]

  expect(formatSummary(rows, before)).toBe(`2 of 3 goals reached
missed:
  bad, rate: 0.25 x (≥ 0.50 x)
worse than in the last committed run:
  worse, rate: 0.60 x (≥ 0.50 x)
not measured:
  other: it is not installed here`)
})

test('the summary of a run that reaches all goals is one line', () => {
  expect(formatSummary([rowWith('good', 0.9)], [])).toBe('1 of 1 goals reached')
})
