import { LRUCache } from 'lru-cache'
import { keyOfAddress } from '../accounts/address-key.ts'
import { Refused } from '../refused.ts'

/** How often an address may ask for what is handed out to anybody. */
export interface VisitLimits {
  /** In the long run. */
  readonly perSecond: number
  /** At once, after a silence. */
  readonly burst: number
  /** Addresses that are remembered. */
  readonly mostAddresses: number
}

/** The limits of a server: far more than a household of browsers asks, and less than one core can answer. */
export const defaultVisitLimits: VisitLimits = { perSecond: 50, burst: 1_000, mostAddresses: 10_000 }

/** Counts what strangers ask for beside the API, and what the API refuses to them. */
export interface Visits {
  /** @throws Refused `tooManyVisits` when the address has asked too often; what is refused is not counted */
  readonly count: (address: string) => void
}

/**
 * Buckets of tokens, one for each address (IPv6: each /64), as the time at which a bucket will be full again: that is one
 * number, and an address that is forgotten has a full one. `now` is a clock in milliseconds that nobody sets.
 */
export const createVisits = (
  { perSecond, burst, mostAddresses }: VisitLimits = defaultVisitLimits,
  now: () => number = () => performance.now(),
): Visits => {
  const each = 1000 / perSecond
  const fullAt = new LRUCache<string, number>({ max: mostAddresses })
  return {
    count: (address) => {
      const key = keyOfAddress(address)
      const time = now()
      const next = Math.max(fullAt.get(key) ?? 0, time) + each
      const waitMs = next - time - burst * each
      if (waitMs > 0) throw new Refused('tooManyVisits', { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
      fullAt.set(key, next)
    },
  }
}
