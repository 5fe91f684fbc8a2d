import type { EntryChange } from '../record/change.ts'
import { isEntryStep, readChanges, removal } from '../record/change-text.ts'
import { findSteps, findUserId, isRepairedLine, type JournalLine, readSteps } from '../record/checked-lines.ts'
import { findValueEnd, passBytes } from '../record/json.ts'
import type { OutboxEntry, TakenEntry } from '../store.ts'

/** What waits for a time. */
interface Timed {
  /** When its turn comes; any unit. */
  readonly at: number
}

/** What waits, the earliest first. What is stale by now stays in it unseen, and never outgrows the rest for long. */
interface TimedQueue<Item extends Timed> {
  readonly push: (item: Item) => void
  /** The earliest, which stays. */
  readonly peek: () => Item | undefined
  /** Takes out what `peek` has just given. */
  readonly pop: () => void
}

const minLimit = 64

/** An empty queue (a binary heap). `isStale` tells what is not to be seen any more. */
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

/** The errands of all accounts that are visible, and which of them are out. */
interface OutboxIndex {
  /** When the errands of an account are due, by key. What was given stays as it is. */
  readonly list: (userId: string) => ReadonlyMap<string, number>
  /** All errands, the earliest first. */
  readonly listAll: () => readonly OutboxEntry[]
  /** Makes changes of an account visible. */
  readonly apply: (userId: string, changes: readonly EntryChange[]) => void
  readonly removeAccount: (userId: string) => void
  /** Hands out the earliest that is due and not out. */
  readonly take: (now: number) => TakenEntry | undefined
  /** When the earliest that is not out can be taken. */
  readonly nextAt: () => number | undefined
}

/** An errand, and when it can be taken. */
interface WaitingEntry extends OutboxEntry, Timed {}

interface AccountEntries {
  readonly waiting: Map<string, WaitingEntry>
  /** Keys that are out, whether there is still an errand with them or not. */
  readonly out: Set<string>
  /** The answer of `list`, made when it is asked for. */
  listed: ReadonlyMap<string, number> | undefined
}

const none: ReadonlyMap<string, number> = new Map()

/** An index of errands that were stored. `changed` is called when one is put, moved or released. */
export const createOutboxIndex = (stored: readonly OutboxEntry[], changed: () => void): OutboxIndex => {
  const accounts = new Map<string, AccountEntries>()
  const queue = createTimedQueue<WaitingEntry>((errand) => {
    const account = accounts.get(errand.userId)
    return account?.waiting.get(errand.key) !== errand || account.out.has(errand.key)
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

  const put = (errand: OutboxEntry, at: number): void => {
    const { waiting, out } = openAccount(errand.userId)
    const { userId, key, dueAt } = errand
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
    const errand = waiting.get(key)
    if (errand !== undefined) put(errand, Math.max(errand.dueAt, until))
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

  for (const errand of stored) put(errand, errand.dueAt)
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
        if ('errand' in change) put({ userId, ...change.errand }, change.errand.dueAt)
        else remove(userId, change.removedErrand.key)
      }
      if (changes.some((change) => 'errand' in change)) changed()
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

/** What a write did to the errands of its account, or that it removed the account. */
export type EntrySteps = readonly EntryChange[] | typeof removal

/** The errands that are durable: those in a file, and what the lines of the journal have made of them since. */
export interface StoredEntries {
  /** Adds what a write did; writes come in order. */
  readonly note: (userId: string, write: number, steps: EntrySteps) => void
  /** Puts those of a file under them, which holds all writes up to one. */
  readonly begin: (errands: readonly OutboxEntry[], write: number) => void
  readonly list: () => readonly OutboxEntry[]
}

/** What is known of one errand: its time, undefined when it is settled, and by which write. */
interface Known {
  readonly write: number
  readonly dueAt: number | undefined
}

interface KnownAccount {
  readonly errands: Map<string, Known>
  /** The write that removed the account, 0 for none: what came before is gone. */
  removedAt: number
}

/** No errands; nothing is known of any file yet. */
export const createStoredEntries = (): StoredEntries => {
  const accounts = new Map<string, KnownAccount>()
  let hasBegun = false

  const openAccount = (userId: string): KnownAccount => {
    const found = accounts.get(userId) ?? { errands: new Map(), removedAt: 0 }
    accounts.set(userId, found)
    return found
  }

  // What is settled has to be remembered only until the file is known.
  const tidy = (userId: string, { errands }: KnownAccount): void => {
    for (const [key, { dueAt }] of errands) if (dueAt === undefined) errands.delete(key)
    if (errands.size === 0) accounts.delete(userId)
  }

  const note = (userId: string, write: number, steps: EntrySteps): void => {
    const account = openAccount(userId)
    if (steps === removal) {
      account.errands.clear()
      account.removedAt = write
    } else {
      for (const step of steps) {
        if ('errand' in step) account.errands.set(step.errand.key, { write, dueAt: step.errand.dueAt })
        else account.errands.set(step.removedErrand.key, { write, dueAt: undefined })
      }
    }
    if (hasBegun) tidy(userId, account)
  }

  const begin = (errands: readonly OutboxEntry[], write: number): void => {
    for (const { errands: known } of accounts.values())
      for (const [key, errand] of known) if (errand.write <= write) known.delete(key)
    for (const { userId, key, dueAt } of errands) {
      const account = openAccount(userId)
      if (account.removedAt <= write && !account.errands.has(key)) account.errands.set(key, { write, dueAt })
    }
    hasBegun = true
    for (const [userId, account] of accounts) tidy(userId, account)
  }

  return {
    note,
    begin,
    list: () =>
      [...accounts].flatMap(([userId, { errands }]) =>
        [...errands].flatMap(([key, { dueAt }]) => (dueAt === undefined ? [] : [{ userId, key, dueAt }])),
      ),
  }
}

const removalText = Buffer.from(JSON.stringify(removal))
const openings = ['[{"errand":', '[{"removedErrand":'].map((text) => Buffer.from(text))
const comma = 0x2c

// They stand before all others (change.ts), so that of a long line only its beginning is read.
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

// Whoever repaired it may have written it in another layout. What is no JSON is told when its account is opened.
const readRepaired = (line: Buffer): EntrySteps => {
  const steps = readSteps(line)
  return steps === removal ? removal : (readChanges(steps)?.filter(isEntryStep) ?? [])
}

/** What a line that `readLine` read did to the errands of its account, or that it removed it; undefined for nothing. */
export const findEntrySteps = ({ key }: Pick<JournalLine, 'key'>, line: Buffer): EntrySteps | undefined => {
  if (findUserId(key) === undefined) return undefined
  if (isRepairedLine(line)) return readRepaired(line)
  const steps = findSteps(line)
  if (passBytes(steps, 0, removalText) > 0) return removal
  return openings.some((opening) => passBytes(steps, 0, opening) > 0) ? readFirstChanges(steps) : undefined
}
