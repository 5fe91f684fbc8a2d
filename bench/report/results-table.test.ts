import { expect, test } from 'vitest'
import { alignColumns, formatGoal, formatNumber, formatRow, type RowResult } from './results.ts'

const row = {
  id: 'listing-100k',
  work: 'full sync',
  against: 'res.end',
  measured: 'ms per download',
  notes: ['100,000 things'],
  figures: [
    {
      key: 'throughput',
      title: 'throughput',
      unit: 'x',
      goal: { is: 'least', limit: 0.8 },
      value: { median: 0.5, min: 0.25, max: 0.75, rounds: 3 },
      candidate: { median: 20, min: 18, max: 21, rounds: 3 },
      baseline: { median: 10, min: 9, max: 12, rounds: 3 },
      isReached: false,
    },
  ],
} as unknown as RowResult

test('numbers have about three significant digits', () => {
  expect([0.01234, 0.815, 12.34, 123.4, 1234567, 0, -0.5].map(formatNumber)).toEqual([
    '0.012',
    '0.81',
    '12.3',
    '123',
    '1,234,567',
    '0.00',
    '-0.50',
  ])
})

test('a goal shows whether it is a minimum or a maximum', () => {
  expect(formatGoal({ is: 'least', limit: 0.8 }, 'x')).toBe('≥ 0.80 x')
  expect(formatGoal({ is: 'most', limit: 20 }, 'ms')).toBe('≤ 20.0 ms')
})

test('columns are as wide as their widest cell', () => {
  expect(
    alignColumns([
      ['a', 'bb', 'c'],
      ['aaa', 'b', ''],
    ]),
  ).toBe('a    bb  c\naaa  b')
})

test('a row shows goal, median, spread, candidate, baseline, the last run and the verdict', () => {
  const text = formatRow(row, row)

  expect(text.split('\n')).toEqual([
    'listing-100k: full sync',
    '  against res.end',
    '  figure      goal      median [min..max]    ours               baseline           since last   verdict',
    '  throughput  ≥ 0.80 x  0.50 [0.25..0.75] x  20.0 [18.0..21.0]  10.0 [9.00..12.0]  same (0.50)  MISSED',
    '  · 3 rounds; ours and baseline: ms per download',
    '  · 100,000 things',
  ])
})

test('a row without a result shows the reason instead of figures', () => {
  expect(formatRow({ ...row, missing: 'no Python here' }, row)).toBe(
    'listing-100k: full sync\n  against res.end\n  not measured: no Python here',
  )
})
