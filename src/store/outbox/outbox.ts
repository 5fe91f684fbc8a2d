/*
 * The outbox of the store: it knows when entries are due and which are given out. It must not know what an entry says
 * or how the dispatcher delivers it. Start with `createOutboxIndex`, the visible entries of all accounts;
 * `createStoredEntries` holds the durable entries of files and journal.
 */
import type { EntryChange } from '../record/change.ts'
import { isEntryStep, readChanges, removal } from '../record/change-text.ts'
import { findSteps, findUserId, isRepairedLine, type JournalLine, readSteps } from '../record/checked-lines.ts'
import { findValueEnd, passBytes } from '../record/json.ts'
import type { OutboxEntry, TakenEntry } from '../store.ts'

/** An item that is due at a time. */
interface Timed {
  /** When it is due, in any unit. */
  readonly at: number
}

/** A queue with the earliest item first. Stale items remain in it unseen, but never outnumber the others for long. */
interface TimedQueue<Item extends Timed> {
  readonly push: (item: Item) => void
  /** Returns the earliest item, which stays in the queue. */
  readonly peek: () => Item | undefined
  /** Removes the item that `peek` has just returned. */
  readonly pop: () => void
}

const minLimit = 64

/** Creates an empty queue (a binary heap). `isStale` returns true for items that the queue must not return any more. */
const createTimedQueue = <Item extends Timed>(isStale: (item: Item) => boolean): TimedQueue<Item> => {
  let heap: Item[] = []
  let limit = minLimit

  const atOf = (index: number): number => heap[index]?.at ?? Number.POSITIVE_INFINITY

  const swap = (a: number, b: number): void => {
    const item = heap[a] as Item
    heap[a] = heap[b] as Item
    heap[b] = item
  }

  const lift = (start: number): void => {
    for (let index = start; index > 0; ) {
      const parent = (index - 1) >> 1
      if (atOf(parent) <= atOf(index)) return
      swap(parent, index)
      index = parent
    }
  }

  const sink = (start: number): void => {
    for (let index = start; ; ) {
      const left = index * 2 + 1
      const child = atOf(left + 1) < atOf(left) ? left + 1 : left
      if (atOf(child) >= atOf(index)) return
      swap(child, index)
      index = child
    }
  }

  const pop = (): void => {
    const last = heap.pop()
    if (last === undefined || heap.length === 0) return
    heap[0] = last
    sink(0)
  }

  const dropStale = (): void => {
    heap = heap.filter((item) => !isStale(item))
    for (let index = (heap.length >> 1) - 1; index >= 0; index -= 1) sink(index)
    limit = Math.max(minLimit, heap.length * 2)
  }

  const peek = (): Item | undefined => {
    for (let first = heap[0]; first !== undefined; first = heap[0]) {
      if (!isStale(first)) return first
      pop()
    }
    return undefined
  }

  return {
    push: (item) => {
      heap.push(item)
      lift(heap.length - 1)
      if (heap.length > limit) dropStale()
    },
    peek,
    pop,
  }
}

/** The visible outbox entries of all accounts, and which of them are given out. */
interface OutboxIndex {
  /** Lists the due times of an account's entries, by key. A returned map never changes. */
  readonly list: (userId: string) => ReadonlyMap<string, number>
  /** Lists all entries, the earliest first. */
  readonly listAll: () => readonly OutboxEntry[]
  /** Makes changes of an account visible. */
  readonly apply: (userId: string, changes: readonly EntryChange[]) => void
  readonly removeAccount: (userId: string) => void
  /** Gives out the earliest entry that is due and not given out. */
  readonly take: (now: number) => TakenEntry | undefined
  /** Returns when the earliest entry that is not given out can be taken. */
  readonly nextAt: () => number | undefined
}

/** An entry with the time at which it can be taken. */
interface WaitingEntry extends OutboxEntry, Timed {}

interface AccountEntries {
  readonly waiting: Map<string, WaitingEntry>
  /** Keys that are given out, whether an entry with the key still exists or not. */
  readonly out: Set<string>
  /** The cached result of `list`. */
  listed: ReadonlyMap<string, number> | undefined
}

const none: ReadonlyMap<string, number> = new Map()

/** Creates an index of stored entries. `changed` is called after an entry was put, moved or released. */
export const createOutboxIndex = (stored: readonly OutboxEntry[], changed: () => void): OutboxIndex => {
  const accounts = new Map<string, AccountEntries>()
  const queue = createTimedQueue<WaitingEntry>((entry) => {
    const account = accounts.get(entry.userId)
    return account?.waiting.get(entry.key) !== entry || account.out.has(entry.key)
  })

  const openAccount = (userId: string): AccountEntries => {
    const found = accounts.get(userId) ?? { waiting: new Map(), out: new Set(), listed: undefined }
    accounts.set(userId, found)
    found.listed = undefined
    return found
  }

  const dropWhenEmpty = (userId: string): void => {
    const account = accounts.get(userId)
    if (account?.waiting.size === 0 && account.out.size === 0) accounts.delete(userId)
  }

  const put = (entry: OutboxEntry, at: number): void => {
    const { waiting, out } = openAccount(entry.userId)
    const { userId, key, dueAt } = entry
    const put = { userId, key, dueAt, at }
    waiting.set(key, put)
    if (!out.has(key)) queue.push(put)
  }

  const remove = (userId: string, key: string): void => {
    openAccount(userId).waiting.delete(key)
    dropWhenEmpty(userId)
  }

  const release = (userId: string, key: string, until: number): void => {
    const { waiting, out } = openAccount(userId)
    out.delete(key)
    const entry = waiting.get(key)
    if (entry !== undefined) put(entry, Math.max(entry.dueAt, until))
    dropWhenEmpty(userId)
    changed()
  }

  const take = (now: number): TakenEntry | undefined => {
    const first = queue.peek()
    if (first === undefined || first.at > now) return undefined
    queue.pop()
    const { userId, key, dueAt } = first
    openAccount(userId).out.add(key)
    let isReleased = false
    return {
      userId,
      key,
      dueAt,
      release: async (until = 0) => {
        if (!isReleased) release(userId, key, until)
        isReleased = true
      },
    }
  }

  for (const entry of stored) put(entry, entry.dueAt)
  return {
    list: (userId) => {
      const account = accounts.get(userId)
      if (account === undefined) return none
      account.listed ??= new Map(Array.from(account.waiting, ([key, { dueAt }]) => [key, dueAt]))
      return account.listed
    },
    listAll: () =>
      [...accounts.values()]
        .flatMap(({ waiting }) => [...waiting.values()])
        .map(({ userId, key, dueAt }) => ({ userId, key, dueAt }))
        .sort((a, b) => a.dueAt - b.dueAt),
    apply: (userId, changes) => {
      for (const change of changes) {
        if ('entry' in change) put({ userId, ...change.entry }, change.entry.dueAt)
        else remove(userId, change.removedEntry.key)
      }
      if (changes.some((change) => 'entry' in change)) changed()
    },
    removeAccount: (userId) => {
      accounts.get(userId)?.waiting.clear()
      if (accounts.has(userId)) openAccount(userId)
      dropWhenEmpty(userId)
    },
    take,
    nextAt: () => queue.peek()?.at,
  }
}

/** The changes that a write made to the outbox of its account, or the removal of the account. */
export type EntrySteps = readonly EntryChange[] | typeof removal

/** The durable outbox entries: the entries of a file, changed by later lines of the journal. */
export interface StoredEntries {
  /** Records the changes of a write. The caller calls it in the order of the writes. */
  readonly note: (userId: string, write: number, steps: EntrySteps) => void
  /**
   * Adds the entries of a file, which includes all writes up to `write`. Later writes that are noted take precedence.
   */
  readonly begin: (entries: readonly OutboxEntry[], write: number) => void
  readonly list: () => readonly OutboxEntry[]
}

/** The known state of one entry: its due time, undefined when it is deleted, and the write that set it. */
interface Known {
  readonly write: number
  readonly dueAt: number | undefined
}

interface KnownAccount {
  readonly entries: Map<string, Known>
  /** The write that removed the account, or 0: entries of earlier writes are removed. */
  removedAt: number
}

/** Creates an empty set of entries; no file is known yet. */
export const createStoredEntries = (): StoredEntries => {
  const accounts = new Map<string, KnownAccount>()
  let hasBegun = false

  const openAccount = (userId: string): KnownAccount => {
    const found = accounts.get(userId) ?? { entries: new Map(), removedAt: 0 }
    accounts.set(userId, found)
    return found
  }

  // Deletions must be remembered only until the file is known.
  const dropDeleted = (userId: string, { entries }: KnownAccount): void => {
    for (const [key, { dueAt }] of entries) if (dueAt === undefined) entries.delete(key)
    if (entries.size === 0) accounts.delete(userId)
  }

  const note = (userId: string, write: number, steps: EntrySteps): void => {
    const account = openAccount(userId)
    if (steps === removal) {
      account.entries.clear()
      account.removedAt = write
    } else {
      for (const step of steps) {
        if ('entry' in step) account.entries.set(step.entry.key, { write, dueAt: step.entry.dueAt })
        else account.entries.set(step.removedEntry.key, { write, dueAt: undefined })
      }
    }
    if (hasBegun) dropDeleted(userId, account)
  }

  const begin = (entries: readonly OutboxEntry[], write: number): void => {
    for (const { entries: known } of accounts.values())
      for (const [key, entry] of known) if (entry.write <= write) known.delete(key)
    for (const { userId, key, dueAt } of entries) {
      const account = openAccount(userId)
      if (account.removedAt <= write && !account.entries.has(key)) account.entries.set(key, { write, dueAt })
    }
    hasBegun = true
    for (const [userId, account] of accounts) dropDeleted(userId, account)
  }

  return {
    note,
    begin,
    list: () =>
      [...accounts].flatMap(([userId, { entries }]) =>
        [...entries].flatMap(([key, { dueAt }]) => (dueAt === undefined ? [] : [{ userId, key, dueAt }])),
      ),
  }
}

const removalText = Buffer.from(JSON.stringify(removal))
const openings = ['[{"entry":', '[{"removedEntry":'].map((text) => Buffer.from(text))
const comma = 0x2c

// Outbox changes stand before all other steps (change.ts), so only the beginning of a long line is read.
const readFirstChanges = (steps: Buffer): readonly EntryChange[] => {
  const found: EntryChange[] = []
  for (let start = 1; ; ) {
    const end = findValueEnd(steps, start)
    if (end === -1) return found
    const step: unknown = JSON.parse(steps.toString('utf8', start, end))
    if (!isEntryStep(step)) return found
    found.push(step)
    if (steps[end] !== comma) return found
    start = end + 1
  }
}

// A repair may have changed the layout of the line. A line that is not JSON is reported when its account is opened.
const readRepaired = (line: Buffer): EntrySteps => {
  const steps = readSteps(line)
  return steps === removal ? removal : (readChanges(steps)?.filter(isEntryStep) ?? [])
}

/** Finds the outbox changes, or the removal, in a line that `readLine` read; undefined when it has none. */
export const findEntrySteps = ({ key }: Pick<JournalLine, 'key'>, line: Buffer): EntrySteps | undefined => {
  if (findUserId(key) === undefined) return undefined
  if (isRepairedLine(line)) return readRepaired(line)
  const steps = findSteps(line)
  if (passBytes(steps, 0, removalText) > 0) return removal
  return openings.some((opening) => passBytes(steps, 0, opening) > 0) ? readFirstChanges(steps) : undefined
}
