// The drafts of several windows. Each open window has a number and drafts of its own, so that two windows never
// overwrite the text of each other. A later window adopts the drafts of a window that was closed.

import { deleteIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type DraftStorage, type Drafts, draftPrefix, isFull, openDrafts } from './drafts.ts'
import { createLazyStore } from './open-account.ts'
import { maxWindows } from './undo.ts'
import { readWaiting, writeWaiting } from './view-state.ts'

/** Options of `openWindowDrafts`. */
interface WindowDraftsOptions {
  readonly storage: DraftStorage | undefined
  /** The prefix of all names in the browser's storage. */
  readonly storagePrefix: string
  /** The name of the account in the storage of drafts. */
  readonly account: string
  /** The unique name of the account. */
  readonly accountName: string
}

/** The drafts of this window. */
export interface WindowDrafts {
  /** The number of this window: the lowest that no other open window of the account has. */
  readonly window: number
  readonly drafts: Drafts
  /** Frees the number; resolves when all drafts are stored. */
  readonly close: () => Promise<void>
  /** Closes the drafts, and deletes the drafts of all windows of the account. */
  readonly forgetAll: () => Promise<void>
}

/** Claims the number with this lock; undefined while another window has it. */
const claim = (lock: string): Promise<(() => void) | undefined> =>
  new Promise((resolve, reject) => {
    const request = navigator.locks.request(lock, { ifAvailable: true }, (granted) => {
      if (granted === null) return resolve(undefined)
      return new Promise<void>((free) => resolve(free))
    })
    request.catch(reject)
  })

/** Moves the drafts of a closed window. A form that both windows have stays with the closed one. */
export const adoptDrafts = (own: Drafts, other: Drafts): void => {
  const waiting = own.open('add waiting')
  const addWaiting = (lines: readonly string[]) =>
    waiting.write(writeWaiting([...new Set([...readWaiting(waiting.read()), ...lines])]))
  for (const name of other.list()) {
    const [from, to] = [other.open(name), own.open(name)]
    const text = from.read()
    const isMoved =
      name === 'add waiting'
        ? addWaiting(readWaiting(text))
        : to.read() === '' || to.read() === text
          ? to.write(text)
          : name === 'add' && addWaiting([text])
    if (isMoved) from.write('')
  }
}

/** Opens the drafts of this window, with the drafts of closed windows. */
export const openWindowDrafts = async (options: WindowDraftsOptions): Promise<WindowDrafts> => {
  const { storage, storagePrefix, account, accountName } = options
  const lockOf = (window: number) => `${storagePrefix} window ${window} of ${accountName}`
  const storeOf = (window: number) =>
    `${storagePrefix} drafts of ${accountName}${window === 0 ? '' : ` in window ${window}`}`
  // The highest number with drafts.
  const highestKey = `${storagePrefix} windows/${accountName}`
  const readHighest = () => Math.min(Number(storage?.getItem(highestKey) ?? 0) || 0, maxWindows - 1)

  // With full storage, the store of the window has its drafts, and a window with the same number finds them.
  const writeHighest = (highest: number): void => {
    try {
      storage?.setItem(highestKey, String(highest))
    } catch (problem) {
      if (!isFull(problem)) throw problem
    }
  }

  const openOne = async (window: number) => {
    const store = createLazyStore(storeOf(window))
    const drafts = await openDrafts({ storage, store, account, window, now: Date.now })
    return {
      drafts,
      close: async () => {
        await drafts.close()
        await store.close()
      },
    }
  }
  const claimFirst = async (window = 0): Promise<{ readonly window: number; readonly free: () => void }> => {
    const free = await claim(lockOf(window))
    return free === undefined ? claimFirst((window + 1) % maxWindows) : { window, free }
  }
  /** Adopts the drafts of the windows that are closed. Returns the highest number that still has drafts. */
  const adoptAll = async (own: Drafts, window: number): Promise<number> => {
    let highest = window
    for (let number = 0; number <= readHighest(); number++) {
      if (number === window) continue
      const free = await claim(lockOf(number))
      if (free === undefined) {
        highest = Math.max(highest, number)
        continue
      }
      const other = await openOne(number)
      adoptDrafts(own, other.drafts)
      const isEmpty = other.drafts.list().length === 0
      await other.close()
      if (!isEmpty) highest = Math.max(highest, number)
      free()
    }
    return highest
  }

  const { window, free } = await claimFirst()
  const { drafts, close } = await openOne(window)
  const highest = await adoptAll(drafts, window)
  if (highest !== readHighest()) writeHighest(highest)
  return {
    window,
    drafts,
    close: async () => {
      await close()
      free()
    },
    forgetAll: async () => {
      const last = readHighest()
      drafts.forget()
      await close()
      free()
      storage?.removeItem(highestKey)
      for (let number = 0; number <= Math.max(last, window); number++) {
        const prefix = draftPrefix(account, number)
        const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
        for (const key of keys) if (key.startsWith(prefix)) storage?.removeItem(key)
        await deleteIndexedDbStore(storeOf(number))
      }
    },
  }
}
