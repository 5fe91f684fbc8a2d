import { Refused } from '../refused.ts'
import { keyOfAddress } from './address-key.ts'
import { createFailureCounts } from './failure-counts.ts'

const perAddress = 20
const windowSeconds = 3600
const mostKeys = 10_000

/** How often accounts are asked for; in memory. */
export interface Registrations {
  /** @throws Refused `tooManyAttempts` when an address asked for 20 within an hour: each costs a hash and an account */
  readonly count: (address: string) => void
}

/** Nobody has asked yet. */
export const createRegistrations = (now: () => number = () => performance.now()): Registrations => {
  const counts = createFailureCounts(windowSeconds, mostKeys, now)
  return {
    count: (address) => {
      const key = keyOfAddress(address)
      if (counts.add(key) <= perAddress) return
      throw new Refused('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(counts.msLeft(key) / 1000)) })
    },
  }
}
