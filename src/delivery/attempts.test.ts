import { expect, test } from 'vitest'
import { findRetryWait, pushRetrySeconds, webhookRetrySeconds } from './attempts.ts'

const waitsOf = (table: readonly number[], random: number) =>
  Array.from({ length: table.length + 1 }, (_, index) => findRetryWait(table, index + 1, {}, () => random))

test('nine webhook retries come after 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 hours', () => {
  const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

  expect(waitsOf(webhookRetrySeconds, 0)).toEqual([...seconds.map((second) => second * 1000), undefined])
  expect(waitsOf(webhookRetrySeconds, 1)).toEqual([...seconds.map((second) => second * 1100), undefined])
  expect(waitsOf(pushRetrySeconds, 0)).toEqual([...seconds.slice(0, 5).map((second) => second * 1000), undefined])
})

test.each([
  ['a failure uses the delay of the table', 1, { status: 500 }, 5],
  ['a missing response uses the delay of the table', 2, {}, 300],
  ['429 without Retry-After waits a minute', 1, { status: 429 }, 60],
  ['429 with a past Retry-After waits a minute', 1, { status: 429, retryAfterSeconds: 0 }, 60],
  ['502 without Retry-After waits a minute', 1, { status: 502 }, 60],
  ['503 without Retry-After waits a minute', 1, { status: 503 }, 60],
  ['504 without Retry-After waits a minute', 1, { status: 504 }, 60],
  ['a longer delay of the table stays', 3, { status: 503 }, 1800],
  ['a longer Retry-After is used', 1, { status: 503, retryAfterSeconds: 20 }, 20],
  ['Retry-After is used with any status', 1, { status: 500, retryAfterSeconds: 20 }, 20],
  ['a Retry-After that is shorter than the table is ignored', 1, { status: 429, retryAfterSeconds: 1 }, 5],
  ['a Retry-After is reduced to a day', 1, { status: 429, retryAfterSeconds: 1e9 }, 86_400],
] as const)('%s', (_, tries, failure, seconds) => {
  expect(findRetryWait(webhookRetrySeconds, tries, failure, () => 0)).toBe(seconds * 1000)
})

test('a Retry-After stays within a day, including the jitter', () => {
  const failure = { status: 429, retryAfterSeconds: 86_000 }

  expect(findRetryWait(webhookRetrySeconds, 1, failure, () => 1)).toBe(86_400_000)
})
