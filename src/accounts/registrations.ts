import { Refused } from '../refused.ts'
import type { Counts } from '../store/store.ts'
import { keyOfAddress } from './address-key.ts'
import { createMemoryCounts } from './memory-counts.ts'

const perAddress = 20
const windowSeconds = 3600
const mostKeys = 10_000

/** How often accounts are asked for. */
export interface Registrations {
  /** @throws Refused `tooManyAttempts` when an address asked for 20 within an hour: each costs a hash and an account */
  readonly count: (address: string) => Promise<void>
}

/** Counts who asks, in memory unless the store counts for several processes. */
export const createRegistrations = (
  counts: Counts = createMemoryCounts(mostKeys, () => performance.now()),
): Registrations => {
  const asked = counts.openTable('accounts asked for', windowSeconds)
  return {
    count: async (address) => {
      const { count, msLeft } = await asked.add(keyOfAddress(address))
      if (count <= perAddress) return
      throw new Refused('tooManyAttempts', { retryAfterSeconds: Math.max(1, Math.ceil(msLeft / 1000)) })
    },
  }
}
