import { isClientError, type LocalStore } from '../../client/src/index.ts'

/** A text, and when it was typed: the latest of several copies is the one that counts. */
interface TimestampedText {
  /** Milliseconds since 1970, and always later than that of the text before. */
  readonly at: number
  /** Empty where a draft was removed, which an older copy must not undo. */
  readonly text: string
}

// No key types this character.
const mark = '\u0000'

/** The text with its stamp, as one text. */
const encodeTimestamped = ({ at, text }: TimestampedText): string => `${mark}${at}${mark}${text}`

/** Reads what `writeStamped` has written; undefined when it was something else that wrote it. */
export const decodeTimestamped = (written: string): TimestampedText | undefined => {
  const [before, at, ...rest] = written.split(mark)
  return before === '' && at !== undefined ? { at: Number(at), text: rest.join(mark) } : undefined
}

/** The later one of two copies. */
const pickLater = (
  one: TimestampedText | undefined,
  other: TimestampedText | undefined,
): TimestampedText | undefined => (one === undefined || (other !== undefined && other.at > one.at) ? other : one)

/** Where drafts are at once: `localStorage`, which has them before the next line runs, so that a tab may close at once. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** What is being typed in one place. */
export interface Draft {
  readonly read: () => string
  /** False when the storage takes no more: what is typed is not safe from a tab that is closed at once. */
  readonly write: (text: string) => boolean
}

/** The drafts of an account. */
export interface Drafts {
  readonly open: (name: string) => Draft
  /** The names of those that hold something. */
  readonly list: () => readonly string[]
  /** Removes all of them. */
  readonly forget: () => void
  /** Resolves when the store has all that was typed. */
  readonly close: () => Promise<void>
}

/** What drafts are made of. */
interface DraftsOptions {
  /** Undefined where the browser forbids one. */
  readonly storage: DraftStorage | undefined
  /** Browsers write a `localStorage` to the disk after seconds; this one keeps drafts when the browser is killed. */
  readonly store: LocalStore
  readonly account: string
  readonly now: () => number
}

/** Fewer writes than keys, and nobody types much in so short a time. */
const gatherMilliseconds = 50

const isFull = (problem: unknown): boolean =>
  problem instanceof DOMException && ['QuotaExceededError', 'NS_ERROR_DOM_QUOTA_REACHED'].includes(problem.name)

/** Where the store takes nothing, the storage has what is typed, as long as nobody kills the browser. */
const passOverStore = (problem: unknown): void => {
  if (!isClientError(problem) || !problem.code.startsWith('store_')) throw problem
}

const readStorage = (storage: DraftStorage | undefined, prefix: string): ReadonlyMap<string, TimestampedText> => {
  const keys = Array.from({ length: storage?.length ?? 0 }, (_, place) => storage?.key(place) ?? '')
  const own = keys.filter((key) => key.startsWith(prefix))
  return new Map(
    own.flatMap((key) => {
      const draft = decodeTimestamped(storage?.getItem(key) ?? '')
      return draft === undefined ? [] : [[key.slice(prefix.length), draft]]
    }),
  )
}

const readStore = async (store: LocalStore): Promise<ReadonlyMap<string, TimestampedText>> => {
  const kept = new Map<string, TimestampedText>()
  try {
    for await (const [name, value] of store.list('')) kept.set(name, value as TimestampedText)
  } catch (problem) {
    passOverStore(problem)
  }
  return kept
}

/** Takes up the drafts of an account: of each the later one of both places, whichever of them was written too late. */
export const openDrafts = async ({ storage, store, account, now }: DraftsOptions): Promise<Drafts> => {
  const prefix = `thingsync draft/${account}/`
  const kept = await readStore(store)
  const near = readStorage(storage, prefix)
  const drafts = new Map<string, TimestampedText>()
  const unwritten = new Map<string, TimestampedText | undefined>()
  let last = 0
  let writing: Promise<void> | undefined

  const writeAll = async (): Promise<void> => {
    while (unwritten.size > 0) {
      const changes = new Map(unwritten)
      unwritten.clear()
      await store.write(changes).catch(passOverStore)
      await new Promise((resolve) => setTimeout(resolve, gatherMilliseconds))
    }
    writing = undefined
  }
  const keep = (name: string, draft: TimestampedText | undefined): void => {
    unwritten.set(name, draft)
    writing ??= Promise.resolve().then(writeAll)
  }
  const putNear = (name: string, draft: TimestampedText): boolean => {
    try {
      storage?.setItem(`${prefix}${name}`, encodeTimestamped(draft))
      return storage !== undefined || draft.text === ''
    } catch (problem) {
      if (!isFull(problem)) throw problem
      if (draft.text === '') storage?.removeItem(`${prefix}${name}`)
      return draft.text === ''
    }
  }
  /** That a draft was removed is noted in both places, until neither has an older copy of it. */
  const takeUp = (name: string): void => {
    const [here, there] = [near.get(name), kept.get(name)]
    const latest = pickLater(here, there)
    if (latest === undefined) return
    last = Math.max(last, latest.at)
    drafts.set(name, latest)
    if (latest.at !== there?.at && (latest.text !== '' || there !== undefined)) keep(name, latest)
    else if (latest.text !== '') return
    else if (here === undefined) keep(name, undefined)
    else storage?.removeItem(`${prefix}${name}`)
  }
  for (const name of new Set([...near.keys(), ...kept.keys()])) takeUp(name)

  const write = (name: string, text: string): boolean => {
    if (text === '' && (drafts.get(name)?.text ?? '') === '') return true
    last = Math.max(now(), last + 1)
    const draft = { at: last, text }
    drafts.set(name, draft)
    keep(name, draft)
    return putNear(name, draft)
  }
  return {
    open: (name) => ({ read: () => drafts.get(name)?.text ?? '', write: (text) => write(name, text) }),
    list: () => [...drafts].flatMap(([name, { text }]) => (text === '' ? [] : [name])),
    forget: () => {
      for (const name of drafts.keys()) {
        storage?.removeItem(`${prefix}${name}`)
        keep(name, undefined)
      }
      drafts.clear()
    },
    close: async () => await writing,
  }
}
