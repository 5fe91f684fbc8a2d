import { LRUCache } from 'lru-cache'
import { Refused } from '../refused.ts'
import { createFailureCounts } from './failure-counts.ts'

/** How far apart attempts are kept. */
export interface SpacingLimits {
  /** For each so many failures within a day, attempts stand one second farther apart. */
  readonly failuresPerSecond: number
  /** At most so far apart, and nobody waits longer. */
  readonly mostSeconds: number
  readonly mostKeys: number
}

/** Keeps the attempts under a key the farther apart the more have failed: it slows down and never locks. */
export interface Spacing {
  /**
   * Takes the next place under all of the keys and gives the time to wait for it, in milliseconds. Each line has places of
   * its own, so that one that is full holds up no other.
   * @throws Refused `tooManyAttempts` when that is too long; then no place is taken
   */
  readonly takePlace: (keys: readonly string[], line: string) => number
  readonly addFailure: (keys: readonly string[]) => void
}

const daySeconds = 24 * 3600

/** Under no key anything has failed. `now` is a clock in milliseconds that nobody sets. */
export const createSpacing = (limits: SpacingLimits, now: () => number): Spacing => {
  const mostMs = limits.mostSeconds * 1000
  const failures = createFailureCounts(daySeconds, limits.mostKeys, now)
  const taken = new LRUCache<string, number>({ max: limits.mostKeys })
  const gapOf = (key: string): number =>
    Math.min(mostMs, Math.floor(failures.count(key) / limits.failuresPerSecond) * 1000)

  return {
    takePlace: (keys, line) => {
      const nameOf = (key: string) => `${line} ${key}`
      const spaced = keys.filter((key) => gapOf(key) > 0)
      if (spaced.length === 0) return 0
      const place = Math.max(now(), ...spaced.map((key) => taken.get(nameOf(key)) ?? 0))
      const waitMs = place - now()
      if (waitMs > mostMs) throw new Refused('tooManyAttempts', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      for (const key of spaced) taken.set(nameOf(key), place + gapOf(key))
      return waitMs
    },
    addFailure: (keys) => {
      for (const key of keys) failures.add(key)
    },
  }
}
