import { Refused } from '../refused.ts'
import type { Counts } from '../store/store.ts'

/** How far apart attempts are kept. */
export interface SpacingLimits {
  /** For each so many failures within a day, attempts stand one second farther apart. */
  readonly failuresPerSecond: number
  /** At most so far apart, and nobody waits longer. */
  readonly mostSeconds: number
}

/** Keeps the attempts under a key the farther apart the more have failed: it slows down and never locks. */
export interface Spacing {
  /**
   * Takes the next place under all of the keys and gives the time to wait for it, in milliseconds. Each line has places of
   * its own, so that one that is full holds up no other.
   * @throws Refused `tooManyAttempts` when that is too long; then no place is taken
   */
  readonly takePlace: (keys: readonly string[], line: string) => Promise<number>
  readonly addFailure: (keys: readonly string[]) => Promise<void>
}

const daySeconds = 24 * 3600

/** Keeps attempts apart by what has failed under these counts. */
export const createSpacing = ({ failuresPerSecond, mostSeconds }: SpacingLimits, counts: Counts): Spacing => {
  const mostMs = mostSeconds * 1000
  const failures = counts.openTable('failures of a day', daySeconds)
  const findGap = async (key: string): Promise<number> => {
    const { count } = await failures.find(key)
    return Math.min(mostMs, Math.floor(count / failuresPerSecond) * 1000)
  }

  return {
    takePlace: async (keys, line) => {
      const found = await Promise.all(keys.map(async (key) => [`${line} ${key}`, await findGap(key)] as const))
      const gaps = new Map(found.filter(([, gap]) => gap > 0))
      if (gaps.size === 0) return 0
      const waitMs = await counts.takePlace(gaps, mostMs)
      if (waitMs > mostMs) throw new Refused('tooManyAttempts', { retryAfterSeconds: Math.ceil(waitMs / 1000) })
      return waitMs
    },
    addFailure: async (keys) => {
      await Promise.all(keys.map(failures.add))
    },
  }
}
