import type { ErrandChange } from '../record/change.ts'
import type { Errand, TakenErrand } from '../store.ts'
import { createTimedQueue, type Timed } from './errand-queue.ts'

/** The errands of all accounts that are visible, and which of them are out. */
export interface ErrandIndex {
  /** When the errands of an account are due, by key. What was given stays as it is. */
  readonly list: (userId: string) => ReadonlyMap<string, number>
  /** All errands, the earliest first. */
  readonly listAll: () => readonly Errand[]
  /** Makes changes of an account visible. */
  readonly apply: (userId: string, changes: readonly ErrandChange[]) => void
  readonly removeAccount: (userId: string) => void
  /** Hands out the earliest that is due and not out. */
  readonly take: (now: number) => TakenErrand | undefined
  /** When the earliest that is not out can be taken. */
  readonly nextAt: () => number | undefined
}

/** An errand, and when it can be taken. */
interface Waiting extends Errand, Timed {}

interface AccountErrands {
  readonly waiting: Map<string, Waiting>
  /** Keys that are out, whether there is still an errand with them or not. */
  readonly out: Set<string>
  /** The answer of `list`, made when it is asked for. */
  listed: ReadonlyMap<string, number> | undefined
}

const none: ReadonlyMap<string, number> = new Map()

/** An index of errands that were stored. `changed` is called when one is put, moved or released. */
export const createErrandIndex = (stored: readonly Errand[], changed: () => void): ErrandIndex => {
  const accounts = new Map<string, AccountErrands>()
  const queue = createTimedQueue<Waiting>((errand) => {
    const account = accounts.get(errand.userId)
    return account?.waiting.get(errand.key) !== errand || account.out.has(errand.key)
  })

  const openAccount = (userId: string): AccountErrands => {
    const found = accounts.get(userId) ?? { waiting: new Map(), out: new Set(), listed: undefined }
    accounts.set(userId, found)
    found.listed = undefined
    return found
  }

  const dropWhenEmpty = (userId: string): void => {
    const account = accounts.get(userId)
    if (account?.waiting.size === 0 && account.out.size === 0) accounts.delete(userId)
  }

  const put = (errand: Errand, at: number): void => {
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

  const take = (now: number): TakenErrand | undefined => {
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
