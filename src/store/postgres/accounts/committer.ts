import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { StoreFailed } from '../../store.ts'
import { DatabaseFailed } from '../database/failures.ts'
import type { Database } from '../database/open-database.ts'
import { keepWrites, settleWrite } from '../statements/writes.ts'
import { type Chain, type WriteBatch, WriteMissed } from './chain.ts'
import { writeColumns } from './write-columns.ts'

/** Brings the writes of many accounts to the database, all that wait at a time in one transaction. */
export interface Committer {
  /** Something waits in a chain. */
  readonly wake: (chain: Chain) => void
  /** Resolves when nothing waits and nothing is on its way. */
  readonly settle: () => Promise<void>
}

/** What a committer works with. */
export interface CommitterParts {
  readonly database: Database
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** How many transactions may be on their way at a time. */
  readonly writers: number
  /** How long the outcome of a transaction is looked for when its answer was lost: milliseconds. */
  readonly outcomeMilliseconds: number
  /** Told of each transaction that became durable: how many writes it had, and how long it took. */
  readonly onCommit: (writes: number, milliseconds: number) => void
}

/** Accounts in one transaction, at most. */
const mostAccounts = 256
/** So often a transaction is tried that stood in another one's way. */
const mostTries = 5
const firstRestMilliseconds = 20
const mostRestMilliseconds = 1000

/** Nothing waits. */
export const createCommitter = ({
  database,
  now,
  writers,
  outcomeMilliseconds,
  onCommit,
}: CommitterParts): Committer => {
  const ready = new Set<Chain>()
  let busy = 0
  let settled: (() => void)[] = []

  const findOutcome = async (id: string): Promise<ReadonlySet<string>> => {
    const [found] = await database.run<{ readonly won: readonly string[] | null }>(settleWrite, [id])
    return new Set(found?.won ?? [])
  }

  /** Asks until the database answers: whoever waits is told what has happened, and not that nobody knows. */
  const awaitOutcome = async (id: string): Promise<ReadonlySet<string>> => {
    const end = performance.now() + outcomeMilliseconds
    for (let rest = firstRestMilliseconds; ; rest = Math.min(rest * 2, mostRestMilliseconds)) {
      try {
        return await findOutcome(id)
      } catch (error) {
        if (!(error instanceof DatabaseFailed)) throw error
        if (performance.now() > end)
          throw new DatabaseFailed(`nobody knows whether a write was kept: ${error.message}`, {
            isUndone: false,
            cause: error,
          })
      }
      await wait(rest)
    }
  }

  /** Keeps the batches; gives the accounts of which it did. */
  const keep = async (batches: readonly WriteBatch[]): Promise<ReadonlySet<string>> => {
    for (let tries = 1; ; tries += 1) {
      const id = randomUUID()
      try {
        const columns = writeColumns(id, batches, now())
        const won = await database.run<{ readonly account: string }>(keepWrites(columns), columns.values)
        return new Set(won.map(({ account }) => account))
      } catch (error) {
        if (!(error instanceof DatabaseFailed)) throw error
        if (!error.isUndone) return await awaitOutcome(id)
        if (!error.isTransient || tries === mostTries) throw error
      }
    }
  }

  const settleBatch = ({ writes }: WriteBatch, isKept: boolean): void => {
    for (const { durable, failed } of writes)
      if (isKept) durable()
      else failed(new WriteMissed())
  }

  const commit = async (batches: readonly WriteBatch[]): Promise<void> => {
    const begin = performance.now()
    try {
      const won = await keep(batches)
      const count = batches.reduce((sum, { userId, writes }) => sum + (won.has(userId) ? writes.length : 0), 0)
      if (count > 0) onCommit(count, performance.now() - begin)
      for (const batch of batches) settleBatch(batch, won.has(batch.userId))
    } catch (error) {
      // What the database cannot take of one account must not keep it from the others.
      if (!(error instanceof StoreFailed) && batches.length > 1) {
        for (const batch of batches) await commit([batch])
        return
      }
      for (const { writes } of batches) for (const { failed } of writes) failed(error)
    }
  }

  const takeBatches = (): readonly WriteBatch[] => {
    const batches: WriteBatch[] = []
    for (const chain of ready) {
      if (batches.length === mostAccounts) break
      ready.delete(chain)
      const batch = chain.takeBatch()
      if (batch === undefined) continue
      batches.push(batch)
      // What was added meanwhile follows.
      void chain.whenAnswered().then(() => wake(chain))
    }
    return batches
  }

  const pump = (): void => {
    while (busy < writers) {
      const batches = takeBatches()
      if (batches.length === 0) break
      busy += 1
      void commit(batches).then(() => {
        busy -= 1
        pump()
      })
    }
    if (busy > 0 || ready.size > 0) return
    for (const resolve of settled) resolve()
    settled = []
  }

  const wake = (chain: Chain): void => {
    ready.add(chain)
    pump()
  }

  return {
    wake,
    settle: () =>
      new Promise((resolve) => {
        settled.push(resolve)
        pump()
      }),
  }
}
