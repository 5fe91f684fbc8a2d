import { type Account, createAccount } from './account.ts'
import { documentAfter } from './account-document.ts'
import type { Directory } from './directory.ts'
import { stageDirectory } from './directory-draft.ts'
import { createDirectoryState, noChanges } from './directory-state.ts'
import type { Keeper } from './keeper.ts'
import { createOpenListings } from './open-listings.ts'
import { stageChanges } from './staging.ts'
import { type Store, StoreFailed, type ThingForm } from './store.ts'
import { createTurns } from './turns.ts'
import { viewAccount } from './view.ts'

/** What every store in memory is made of. */
export interface StoreParts {
  readonly form: ThingForm
  /** Unix time in milliseconds; only how long earlier positions stay readable depends on it. */
  readonly now: () => number
  readonly keeper: Keeper
}

/** A store whose accounts are in memory while in use, and are made to last by a keeper before anybody sees a change. */
export const createStore = async ({ form, now, keeper }: StoreParts): Promise<Store> => {
  const accounts = new Map<string, Promise<Account>>()
  const turns = createTurns()
  const directoryTurns = createTurns()
  const listings = createOpenListings(now)
  const directoryState = createDirectoryState(await keeper.loadDirectory())
  let isClosed = false

  const checkOpen = (): void => {
    if (isClosed) throw new StoreFailed('the store is closed')
  }

  const loadAccount = async (userId: string): Promise<Account> =>
    createAccount(form, now, await keeper.loadAccount(userId))

  const openAccount = async (userId: string): Promise<Account> => {
    const opening = accounts.get(userId) ?? loadAccount(userId)
    accounts.set(userId, opening)
    try {
      return await opening
    } catch (error) {
      if (accounts.get(userId) === opening) accounts.delete(userId)
      throw error
    }
  }

  const write: Store['write'] = async (userId, writer, work) => {
    checkOpen()
    return turns.take(userId, async () => {
      const account = await openAccount(userId)
      const staging = stageChanges(account, writer)
      const result = await work(staging.draft)
      const changes = staging.finish()
      if (changes.length === 0) return result
      await keeper.keepAccount(userId, changes, {
        before: () => documentAfter(account, []),
        next: () => documentAfter(account, changes),
      })
      account.apply(changes)
      return result
    })
  }

  const removeAccount = async (userId: string): Promise<void> => {
    checkOpen()
    await turns.take(userId, async () => {
      await keeper.removeAccount(userId)
      accounts.delete(userId)
    })
  }

  const directory: Directory = {
    ...directoryState.reader,
    change: async (work) => {
      checkOpen()
      return directoryTurns.take('directory', async () => {
        const staging = stageDirectory(directoryState.reader)
        const result = await work(staging.draft)
        const changes = staging.finish()
        if (changes.users.size + changes.apps.size + changes.sessions.size === 0) return result
        await keeper.keepDirectory({
          before: () => directoryState.documentAfter(noChanges),
          next: () => directoryState.documentAfter(changes),
        })
        directoryState.apply(changes)
        return result
      })
    },
  }

  return {
    directory,
    write,
    read: async (userId) => {
      checkOpen()
      const account = await openAccount(userId)
      return viewAccount(account, account.position())
    },
    readAsOf: async (userId, position) => {
      checkOpen()
      const account = await openAccount(userId)
      const isKnown = position >= account.readableFrom() && position <= account.position()
      return isKnown ? viewAccount(account, position) : undefined
    },
    rememberListing: async (userId, writer, name, listing) => listings.remember(userId, writer, name, listing),
    findListing: async (userId, writer, name) => listings.find(userId, writer, name),
    removeAccount,
    check: async () => {
      checkOpen()
      await keeper.check()
    },
    close: async () => {
      isClosed = true
      await Promise.all([turns.settle(), directoryTurns.settle()])
    },
  }
}
