import { expect, test } from 'vitest'
import { findMedian, findPercentile, findSpread } from './results.ts'

test('the median is the middle value in any order', () => {
  expect(findMedian([9, 1, 5])).toBe(5)
})

test('the median of an even number of values lies between the two in the middle', () => {
  expect(findMedian([10, 1, 3, 4])).toBe(3.5)
})

test('the median orders values as numbers', () => {
  expect(findMedian([100, 20, 3])).toBe(20)
})

test('the median of no values is an error', () => {
  expect(() => findMedian([])).toThrow(RangeError)
})

test('the percentile is one of the measured values', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)

  expect(findPercentile(values, 0.99)).toBe(99)
  expect(findPercentile(values, 1)).toBe(100)
  expect(findPercentile([7], 0.5)).toBe(7)
})

test('the spread has median, extremes and rounds, and does not change the values', () => {
  const values = [3, 1, 2]

  expect(findSpread(values)).toEqual({ median: 2, min: 1, max: 3, rounds: 3 })
  expect(values).toEqual([3, 1, 2])
})
