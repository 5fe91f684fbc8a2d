import { expect, test } from 'vitest'
import { findMedian, findPercentile, findSpread } from './results.ts'

test('the median is the middle value, whatever the order', () => {
  expect(findMedian([9, 1, 5])).toBe(5)
})

test('the median of an even number of values lies between the two in the middle', () => {
  expect(findMedian([10, 1, 3, 4])).toBe(3.5)
})

test('numbers are ordered as numbers', () => {
  expect(findMedian([100, 20, 3])).toBe(20)
})

test('no values have no median', () => {
  expect(() => findMedian([])).toThrow(RangeError)
})

test('the percentile is a value that was measured', () => {
  const values = Array.from({ length: 100 }, (_, index) => index + 1)

  expect(findPercentile(values, 0.99)).toBe(99)
  expect(findPercentile(values, 1)).toBe(100)
  expect(findPercentile([7], 0.5)).toBe(7)
})

test('the spread tells median, extremes and rounds, and leaves the values as they are', () => {
  const values = [3, 1, 2]

  expect(findSpread(values)).toEqual({ median: 2, min: 1, max: 3, rounds: 3 })
  expect(values).toEqual([3, 1, 2])
})
