import { LRUCache } from 'lru-cache'

/** Failures by key within a window that begins with a key's first failure. Holds a bounded number of keys. */
export interface FailureCounts {
  readonly count: (key: string) => number
  /** Time until the key's failures are forgotten. */
  readonly msLeft: (key: string) => number
  /** Counts one more and gives the new count. */
  readonly add: (key: string) => number
  /** Counts one less. */
  readonly takeBack: (key: string) => void
  readonly forget: (key: string) => void
}

/**
 * Counts that are empty. `now` is a clock in milliseconds that nobody sets (not the time of day), so that a window lasts
 * as long as it says. Keys that failed once and keys that failed again have half the places each: who floods it with
 * fresh keys drives out other fresh keys, and not the counts of those who went on.
 */
export const createFailureCounts = (windowSeconds: number, mostKeys: number, now: () => number): FailureCounts => {
  const openTable = () =>
    new LRUCache<string, number>({
      max: Math.ceil(mostKeys / 2),
      ttl: windowSeconds * 1000,
      ttlResolution: 0,
      noUpdateTTL: true,
      perf: { now },
    })
  const once = openTable()
  const often = openTable()

  const count = (key: string): number => often.get(key) ?? once.get(key) ?? 0
  const msLeft = (key: string): number => Math.max(0, often.getRemainingTTL(key), once.getRemainingTTL(key))

  return {
    count,
    msLeft,
    add: (key) => {
      const next = count(key) + 1
      if (next === 1) once.set(key, next)
      else if (often.has(key)) often.set(key, next)
      else {
        often.set(key, next, { ttl: msLeft(key) })
        once.delete(key)
      }
      return next
    },
    takeBack: (key) => {
      const table = often.has(key) ? often : once
      const before = table.get(key) ?? 0
      if (before > 1) table.set(key, before - 1)
      else table.delete(key)
    },
    forget: (key) => {
      once.delete(key)
      often.delete(key)
    },
  }
}
