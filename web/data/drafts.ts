import { isClientError, type LocalStore } from '../../client/src/index.ts'
import { deleteIndexedDbStore, type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { readWaiting, writeWaiting } from './add-line.ts'
import { maxWindows } from './undo.ts'

/** A text with the time when it was typed. Of several copies, the latest counts. */
interface TimestampedText {
  /** Milliseconds since 1970; always later than the time of the previous text. */
  readonly at: number
  /** Empty for a removed draft, so that an older copy cannot bring the draft back. */
  readonly text: string
}

// No key types this character.
const mark = '\u0000'

/** Encodes the text with its timestamp as one string. */
const encodeTimestamped = ({ at, text }: TimestampedText): string => `${mark}${at}${mark}${text}`

/** Decodes a string of `encodeTimestamped`; undefined for any other string. */
export const decodeTimestamped = (written: string): TimestampedText | undefined => {
  const [before, at, ...rest] = written.split(mark)
  return before === '' && at !== undefined ? { at: Number(at), text: rest.join(mark) } : undefined
}

/** Picks the later of two copies. */
const pickLater = (
  one: TimestampedText | undefined,
  other: TimestampedText | undefined,
): TimestampedText | undefined => (one === undefined || (other !== undefined && other.at > one.at) ? other : one)

/** The synchronous copy of drafts: `localStorage` has them before the next line runs, so a tab may close at once. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** The text that the user is typing into a field or form. */
export interface Draft {
  readonly read: () => string
  /** Saves the text. False when the storage is full: closing the tab at once would then lose the text. */
  readonly write: (text: string) => boolean
}

/** A text that the open windows of an account share, such as the saved searches. */
export interface SharedText extends Draft {
  /** Calls the listener when another window has written the text, until the returned function is called. */
  readonly watch: (listener: () => void) => () => void
}

/** The texts that the open windows of an account share. Unlike drafts, they belong to no window. */
export interface SharedTexts {
  /** Returns the text of this name. */
  readonly open: (name: string) => SharedText
}

/** The drafts of an account. */
export interface Drafts {
  /** Returns the draft of this name. */
  readonly open: (name: string) => Draft
  /** Lists the names of the drafts that are not empty. */
  readonly list: () => readonly string[]
  /** Removes all drafts of the account. */
  readonly forget: () => void
  /** Resolves when the store has all drafts. */
  readonly close: () => Promise<void>
}

/** Options of `openDrafts`. */
interface DraftsOptions {
  /** The synchronous copy; undefined if the browser forbids it. */
  readonly storage: DraftStorage | undefined
  /** The durable copy: browsers write `localStorage` to the disk seconds later, and a killed browser loses it. */
  readonly store: LocalStore
  readonly account: string
  /** A number that no other open window has; 0 by default. Each window has drafts of its own. */
  readonly window?: number
  readonly now: () => number
}

/** Bundles keystrokes into fewer writes; the user types little in so short a time. */
const writeDelayMilliseconds = 50

/** Whether this is the error of a full storage. */
export const isFull = (problem: unknown): boolean =>
  problem instanceof DOMException && ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'].includes(problem.name)

/** Ignores errors of the store: the storage still has the text unless the browser is killed. */
const ignoreStoreError = (problem: unknown): void => {
  if (!isClientError(problem) || !problem.code.startsWith('store_')) throw problem
}

const readStorage = (storage: DraftStorage | undefined, prefix: string): ReadonlyMap<string, TimestampedText> => {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, index) => storage?.key(index) ?? '')
  const own = keys.filter((key) => key.startsWith(prefix))
  return new Map(
    own.flatMap((key) => {
      const draft = decodeTimestamped(storage?.getItem(key) ?? '')
      return draft === undefined ? [] : [[key.slice(prefix.length), draft]]
    }),
  )
}

const readStore = async (store: LocalStore): Promise<ReadonlyMap<string, TimestampedText>> => {
  const stored = new Map<string, TimestampedText>()
  try {
    for await (const [name, value] of store.list('')) stored.set(name, value as TimestampedText)
  } catch (problem) {
    ignoreStoreError(problem)
  }
  return stored
}

/** Returns the prefix of the names of a window's drafts in the storage. */
export const draftPrefix = (account: string, window: number): string =>
  `thingsync draft${window === 0 ? '' : ` ${window}`}/${account}/`

/** Opens the drafts of an account. Each draft is the later copy of the storage and the store. */
export const openDrafts = async ({ storage, store, account, window = 0, now }: DraftsOptions): Promise<Drafts> => {
  const prefix = draftPrefix(account, window)
  const stored = await readStore(store)
  const cached = readStorage(storage, prefix)
  const drafts = new Map<string, TimestampedText>()
  const unwritten = new Map<string, TimestampedText | undefined>()
  let last = 0
  let writing: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    while (unwritten.size > 0) {
      const changes = new Map(unwritten)
      unwritten.clear()
      await store.write(changes).catch(ignoreStoreError)
      await new Promise((resolve) => setTimeout(resolve, writeDelayMilliseconds))
    }
    writing = undefined
  }
  const writeToStore = (name: string, draft: TimestampedText | undefined): void => {
    unwritten.set(name, draft)
    writing ??= Promise.resolve().then(writeAll)
  }
  const writeToStorage = (name: string, draft: TimestampedText): boolean => {
    try {
      storage?.setItem(`${prefix}${name}`, encodeTimestamped(draft))
      return storage !== undefined || draft.text === ''
    } catch (problem) {
      if (!isFull(problem)) throw problem
      if (draft.text === '') storage?.removeItem(`${prefix}${name}`)
      return draft.text === ''
    }
  }
  // The removal of a draft stays in the storage and in the store until neither has an older copy of the draft.
  const restore = (name: string): void => {
    const [fromStorage, fromStore] = [cached.get(name), stored.get(name)]
    const latest = pickLater(fromStorage, fromStore)
    if (latest === undefined) return
    last = Math.max(last, latest.at)
    drafts.set(name, latest)
    if (latest.at !== fromStore?.at && (latest.text !== '' || fromStore !== undefined)) writeToStore(name, latest)
    else if (latest.text !== '') return
    else if (fromStorage === undefined) writeToStore(name, undefined)
    else storage?.removeItem(`${prefix}${name}`)
  }
  for (const name of new Set([...cached.keys(), ...stored.keys()])) restore(name)

  const write = (name: string, text: string): boolean => {
    if (text === '' && (drafts.get(name)?.text ?? '') === '') return true
    last = Math.max(now(), last + 1)
    const draft = { at: last, text }
    drafts.set(name, draft)
    writeToStore(name, draft)
    return writeToStorage(name, draft)
  }
  return {
    open: (name) => ({ read: () => drafts.get(name)?.text ?? '', write: (text) => write(name, text) }),
    list: () => [...drafts].flatMap(([name, { text }]) => (text === '' ? [] : [name])),
    forget: () => {
      for (const name of drafts.keys()) {
        storage?.removeItem(`${prefix}${name}`)
        writeToStore(name, undefined)
      }
      drafts.clear()
    },
    close: async () => await writing,
  }
}

/** Creates a store that opens on first use, so that it does not delay the first screen. */
export const createLazyStore = (name: string): LocalStore & { readonly close: () => Promise<void> } => {
  let opening: Promise<IndexedDbStore> | undefined
  const open = () => {
    opening ??= openIndexedDbStore(name)
    return opening
  }
  return {
    get: async (key) => (await open()).get(key),
    async *list(prefix) {
      yield* (await open()).list(prefix)
    },
    write: async (changes) => (await open()).write(changes),
    close: async () => (await opening)?.close(),
  }
}

// The drafts of several windows. Each open window has a number and drafts of its own, so that two windows never
// overwrite the text of each other. A later window adopts the drafts of a window that was closed. Texts that belong to
// no window, such as saved searches, are shared: each window announces what it writes.

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
  // `by` is the opened text that watches.
  const listeners = new Map<object, { readonly name: string; readonly by: object; readonly listener: () => void }>()
  const notify = (name: string, by?: object) => {
    for (const one of [...listeners.values()]) if (one.name === name && one.by !== by) one.listener()
  }
  channel.onmessage = ({ data }: MessageEvent<{ readonly name: string; readonly text: string }>) => {
    const { name, text } = data
    // Stored again, so that this window has no older copy in memory.
    texts.open(name).write(text)
    notify(name)
  }
  return {
    open: (name) => {
      const { read, write } = texts.open(name)
      const by = {}
      return {
        read,
        write: (text) => {
          const isStored = write(text)
          channel.postMessage({ name, text })
          notify(name, by)
          return isStored
        },
        watch: (listener) => {
          const key = {}
          listeners.set(key, { name, by, listener })
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
