// The drafts of several windows. Each open window has a number and drafts of its own, so that two windows never
// overwrite the text of each other. A later window adopts the drafts of a window that was closed. Texts that belong to
// no window, such as saved searches, are shared: each window announces what it writes.

import { deleteIndexedDbStore } from '../../client/src/indexeddb.ts'
import { readWaiting, writeWaiting } from './add-line.ts'
import { type DraftStorage, type Drafts, draftPrefix, isFull, openDrafts, type SharedTexts } from './drafts.ts'
import { createLazyStore } from './open-account.ts'
import { maxWindows } from './undo.ts'

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
  readonly sharedTexts: SharedTexts
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
  const addLines = (name: string, lines: readonly string[]) => {
    const draft = own.open(name)
    return draft.write(writeWaiting([...new Set([...readWaiting(draft.read()), ...lines])]))
  }
  for (const name of other.list()) {
    const [from, to] = [other.open(name), own.open(name)]
    const text = from.read()
    const isMoved =
      name === 'add waiting' || name === 'add pasted'
        ? addLines(name, readWaiting(text))
        : to.read() === '' || to.read() === text
          ? to.write(text)
          : name === 'add' && addLines('add waiting', [text])
    if (isMoved) from.write('')
  }
}

/** The number of the shared texts; no window has it. */
const sharedNumber = maxWindows

/** Shares these texts with the other windows that have opened the same channel, until it is closed. */
export const shareTexts = (texts: Drafts, channelName: string): SharedTexts & { readonly close: () => void } => {
  const channel = new BroadcastChannel(channelName)
  const listeners = new Map<object, { readonly name: string; readonly listener: () => void }>()
  channel.onmessage = ({ data }: MessageEvent<{ readonly name: string; readonly text: string }>) => {
    const { name, text } = data
    // Stored again, so that this window has no older copy in memory.
    texts.open(name).write(text)
    for (const one of [...listeners.values()]) if (one.name === name) one.listener()
  }
  return {
    open: (name) => {
      const { read, write } = texts.open(name)
      return {
        read,
        write: (text) => {
          const isStored = write(text)
          channel.postMessage({ name, text })
          return isStored
        },
        watch: (listener) => {
          const key = {}
          listeners.set(key, { name, listener })
          return () => void listeners.delete(key)
        },
      }
    },
    close: () => channel.close(),
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
  const [{ drafts, close: closeDrafts }, kept] = await Promise.all([openOne(window), openOne(sharedNumber)])
  const sharedTexts = shareTexts(kept.drafts, `${storagePrefix} texts of ${accountName}`)
  const close = async () => {
    sharedTexts.close()
    await closeDrafts()
    await kept.close()
  }
  const highest = await adoptAll(drafts, window)
  if (highest !== readHighest()) writeHighest(highest)
  return {
    window,
    drafts,
    sharedTexts,
    close: async () => {
      await close()
      free()
    },
    forgetAll: async () => {
      const last = readHighest()
      drafts.forget()
      kept.drafts.forget()
      await close()
      free()
      storage?.removeItem(highestKey)
      const windows = Array.from({ length: Math.max(last, window) + 1 }, (_, number) => number)
      for (const number of [...windows, sharedNumber]) {
        const prefix = draftPrefix(account, number)
        const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
        for (const key of keys) if (key.startsWith(prefix)) storage?.removeItem(key)
        await deleteIndexedDbStore(storeOf(number))
      }
    },
  }
}
