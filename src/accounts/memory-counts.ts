import { LRUCache } from 'lru-cache'
import type { Counts } from '../store/store.ts'
import { createFailureCounts } from './failure-counts.ts'

/**
 * Counts in the memory of this process, with so many keys in each table at most. `now` is a clock in milliseconds that
 * nobody sets.
 */
export const createMemoryCounts = (mostKeys: number, now: () => number): Counts => {
  const places = new LRUCache<string, number>({ max: mostKeys })
  return {
    openTable: (_name, windowSeconds) => {
      const counts = createFailureCounts(windowSeconds, mostKeys, now)
      return {
        find: async (key) => ({ count: counts.count(key), msLeft: counts.msLeft(key) }),
        add: async (key) => ({ count: counts.add(key), msLeft: counts.msLeft(key) }),
        takeBack: async (key) => counts.takeBack(key),
        forget: async (key) => counts.forget(key),
      }
    },
    takePlace: async (gaps, mostMs) => {
      const place = Math.max(now(), ...[...gaps.keys()].map((line) => places.get(line) ?? 0))
      const waitMs = place - now()
      if (waitMs > mostMs) return waitMs
      for (const [line, gap] of gaps) places.set(line, place + gap)
      return waitMs
    },
  }
}
