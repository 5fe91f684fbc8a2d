import type { ErrandChange } from '../record/change.ts'
import { removal } from '../record/write-steps.ts'
import type { Errand } from '../store.ts'

/** What a write did to the errands of its account, or that it removed the account. */
export type ErrandSteps = readonly ErrandChange[] | typeof removal

/** The errands that are durable: those in a file, and what the lines of the journal have made of them since. */
export interface StoredErrands {
  /** Adds what a write did; writes come in order. */
  readonly note: (userId: string, write: number, steps: ErrandSteps) => void
  /** Puts those of a file under them, which holds all writes up to one. */
  readonly begin: (errands: readonly Errand[], write: number) => void
  readonly list: () => readonly Errand[]
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
export const createStoredErrands = (): StoredErrands => {
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

  const note = (userId: string, write: number, steps: ErrandSteps): void => {
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

  const begin = (errands: readonly Errand[], write: number): void => {
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
