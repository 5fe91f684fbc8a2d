import { expect, test } from 'vitest'
import { mergeRows, type RowResult, summarize } from './results.ts'

test('rounds become medians with their extremes, and a verdict for each goal', () => {
  const figures = {
    rate: { title: 'rate', unit: 'x', goal: { is: 'least', limit: 0.8 } },
    delay: { title: 'delay', unit: 'ms', goal: { is: 'most', limit: 20 } },
    other: { title: 'other', unit: 'x' },
  } as const
  const rounds = [
    { rate: { value: 0.9, candidate: 10, baseline: 9 }, delay: { value: 30 }, other: { value: 1 } },
    { rate: { value: 0.7, candidate: 12, baseline: 8 }, delay: { value: 10 }, other: { value: 2 } },
    { rate: { value: 0.8, candidate: 11, baseline: 7 }, delay: { value: 21 }, other: { value: 3 } },
  ]

  expect(summarize(figures, rounds)).toEqual([
    {
      key: 'rate',
      ...figures.rate,
      value: { median: 0.8, min: 0.7, max: 0.9, rounds: 3 },
      candidate: { median: 11, min: 10, max: 12, rounds: 3 },
      baseline: { median: 8, min: 7, max: 9, rounds: 3 },
      isReached: true,
    },
    { key: 'delay', ...figures.delay, value: { median: 21, min: 10, max: 30, rounds: 3 }, isReached: false },
    { key: 'other', ...figures.other, value: { median: 2, min: 1, max: 3, rounds: 3 } },
  ])
})

test('a figure that was not measured is absent', () => {
  expect(summarize({ rate: { title: 'rate', unit: 'x' } }, [{}, { rate: undefined }])).toEqual([])
})

test('new rows replace old ones, other rows stay, and rows that no longer exist are removed', () => {
  const row = (id: string, work: string) => ({ id, work }) as RowResult

  expect(mergeRows([row('a', 'old'), row('gone', 'old'), row('b', 'old')], [row('b', 'new')], ['b', 'a', 'c'])).toEqual(
    [row('b', 'new'), row('a', 'old')],
  )
})
