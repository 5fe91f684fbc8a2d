import { LRUCache } from 'lru-cache'
import type { Account } from '../image/account.ts'
import { pagedDownloadSeconds } from '../store.ts'

/** Accounts as they were at the position of a listing that another process has begun, for its next pages. */
export interface EarlierAccounts {
  /** Loads one unless it is there. */
  readonly open: (name: string, load: () => Promise<Account | undefined>) => Promise<Account | undefined>
  readonly sweep: () => void
}

const mostAccounts = 8
const lastMilliseconds = pagedDownloadSeconds * 1000

/** None is in memory. */
export const createEarlierAccounts = (elapsed: () => number): EarlierAccounts => {
  const accounts = new LRUCache<string, { readonly account: Promise<Account | undefined>; readonly until: number }>({
    max: mostAccounts,
  })
  return {
    open: async (name, load) => {
      const found = accounts.get(name)
      if (found !== undefined && found.until > elapsed()) return found.account
      const account = load()
      accounts.set(name, { account, until: elapsed() + lastMilliseconds })
      try {
        const loaded = await account
        if (loaded === undefined) accounts.delete(name)
        return loaded
      } catch (error) {
        accounts.delete(name)
        throw error
      }
    },
    sweep: () => {
      for (const [name, { until }] of accounts.entries()) if (until <= elapsed()) accounts.delete(name)
    },
  }
}
