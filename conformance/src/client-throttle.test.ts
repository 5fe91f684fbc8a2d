import { expect, test } from 'vitest'
import { findRetryDelayMs } from './client.ts'

test('only 429, and 503 with Retry-After, cause a wait', () => {
  const delays = [
    findRetryDelayMs(200, '5', 0),
    findRetryDelayMs(500, '5', 0),
    findRetryDelayMs(503, undefined, 0),
    findRetryDelayMs(503, '5', 0),
    findRetryDelayMs(429, '5', 0),
  ]

  expect(delays).toEqual([undefined, undefined, undefined, 5000, 5000])
})

test('Retry-After may be a date', () => {
  const date = new Date(Date.now() + 60_000).toUTCString()

  const delay = findRetryDelayMs(429, date, 0) ?? 0

  expect(delay).toBeGreaterThan(55_000)
  expect(delay).toBeLessThanOrEqual(60_000)
})

test('without a time, or with an invalid one, the delays double', () => {
  expect([0, 1, 2].map((attempt) => findRetryDelayMs(429, undefined, attempt))).toEqual([1000, 2000, 4000])
  expect(findRetryDelayMs(429, 'soon', 1)).toBe(2000)
})
