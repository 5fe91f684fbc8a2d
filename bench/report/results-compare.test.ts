import { expect, test } from 'vitest'
import { compareSpreads } from './results.ts'

const spread = (min: number, median: number, max: number) => ({ min, median, max, rounds: 3 })

test('figures whose rounds overlap are the same, also with different medians', () => {
  expect(compareSpreads(spread(1, 2, 5), spread(4, 8, 9), { is: 'least', limit: 1 })).toBe('same')
})

test('more is better for a minimum, and worse for a maximum', () => {
  expect(compareSpreads(spread(1, 2, 3), spread(4, 5, 6), { is: 'least', limit: 1 })).toBe('better')
  expect(compareSpreads(spread(1, 2, 3), spread(4, 5, 6), { is: 'most', limit: 1 })).toBe('worse')
  expect(compareSpreads(spread(4, 5, 6), spread(1, 2, 3), { is: 'least', limit: 1 })).toBe('worse')
  expect(compareSpreads(spread(4, 5, 6), spread(1, 2, 3), { is: 'most', limit: 1 })).toBe('better')
})

test('a figure without a goal is always the same', () => {
  expect(compareSpreads(spread(1, 2, 3), spread(40, 50, 60), undefined)).toBe('same')
})
