import { LRUCache } from 'lru-cache'

/** Secrets that were just made, until they have been seen; in memory only. */
export interface ShownOnce {
  /** Keeps a secret for whoever is signed in with this session; gives the key to find it by. */
  readonly keep: (sessionId: string, secret: string) => string
  /** Found for five minutes, so that a page that did not arrive can be loaded again. */
  readonly find: (sessionId: string, key: string | undefined) => string | undefined
}

const keptMs = 5 * 60 * 1000

/** Nothing is kept yet. Forms lead on to another page, and an address must not hold a secret: this carries it there. */
export const createShownOnce = (newKey: () => string, now: () => number = () => performance.now()): ShownOnce => {
  const kept = new LRUCache<string, string>({ max: 1_000, ttl: keptMs, ttlResolution: 0, perf: { now } })
  return {
    keep: (sessionId, secret) => {
      const key = newKey()
      kept.set(`${sessionId} ${key}`, secret)
      return key
    },
    find: (sessionId, key) => (key === undefined ? undefined : kept.get(`${sessionId} ${key}`)),
  }
}
