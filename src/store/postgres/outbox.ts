import { randomUUID } from 'node:crypto'
import type { OutboxEntry, Store, TakenEntry } from '../store.ts'
import { keyOfName } from './accounts/account-rows.ts'
import type { Database, Statement } from './database.ts'

const clock = `extract(epoch from clock_timestamp()) * 1000`
const leaseMilliseconds = 60_000

/**
 * Takes the earliest free entry that is due ($1), for a dispatcher ($2), with a lease that the dispatcher must renew.
 */
const takeEntry: Statement = {
  name: 'take-outbox-entry',
  text: `
    with due as (
      select account, key from delivery
      where due_at is not null and available_at <= $1::double precision
        and (taken_until is null or taken_until < ${clock})
      order by available_at
      limit 1
      for update skip locked
    )
    update delivery set taken_by = $2, taken_until = ${clock} + ${leaseMilliseconds}
    from due
    where delivery.account = due.account and delivery.key = due.key
    returning delivery.account, delivery.name, delivery.due_at as "dueAt"`,
  reaches: { all: 'the earliest entry of all accounts' },
  isRepeatable: false,
}

/**
 * Releases an entry that a dispatcher ($3) has taken; it can be taken again from a time ($4) on. Says whether the entry
 * was settled. It is a single update of the current row, because a write may put the entry again at this moment.
 */
const releaseEntry: Statement = {
  name: 'release-outbox-entry',
  text: `
    update delivery
    set taken_by = null, taken_until = null,
      available_at = case when due_at is null then null else greatest(due_at, $4::double precision) end
    where account = $1 and key = $2 and taken_by = $3
    returning due_at is null as "isSettled"`,
  reaches: 'account',
  isRepeatable: true,
}

/** Deletes a settled entry, unless it was put again since. */
const dropEntry: Statement = {
  name: 'drop-outbox-entry',
  text: 'delete from delivery where account = $1 and key = $2 and due_at is null and taken_by is null',
  reaches: 'account',
  isRepeatable: true,
}

/** Finds when the earliest free entry can be taken. */
const findNextEntry: Statement = {
  name: 'find-next-outbox-entry',
  text: `
    select available_at as "availableAt" from delivery
    where due_at is not null and (taken_until is null or taken_until < ${clock})
    order by available_at
    limit 1`,
  reaches: { all: 'the earliest entry of all accounts' },
  isRepeatable: true,
}

/** Lists all entries, the earliest first. */
const listEntries: Statement = {
  name: 'list-outbox-entries',
  text: 'select account, name, due_at as "dueAt" from delivery where due_at is not null order by due_at, account, key',
  reaches: { all: 'for the administrator: all of them' },
  isRepeatable: true,
}

/** Renews the leases of a dispatcher that is alive. */
const renewEntries: Statement = {
  name: 'renew-outbox-entries',
  text: `update delivery set taken_until = ${clock} + ${leaseMilliseconds} where taken_by = $1`,
  reaches: { all: 'a few times a minute: all entries that this process has taken' },
  isRepeatable: true,
}

/** Releases all entries of a dispatcher that ends. */
const endDispatcher: Statement = {
  name: 'end-dispatcher',
  text: 'update delivery set taken_by = null, taken_until = null where taken_by = $1',
  reaches: { all: 'once, when a process ends: all entries that it has taken' },
  isRepeatable: true,
}

/** Deletes entries that were settled while they were taken. */
export const dropSettled: Statement = {
  name: 'drop-settled',
  text: `delete from delivery where due_at is null and (taken_until is null or taken_until < ${clock})`,
  reaches: { all: 'once a minute: settled entries of all accounts' },
  isRepeatable: true,
}

/** The outbox of all accounts, as this process takes entries from it. */
interface Outbox extends Pick<Store, 'takeOutboxEntry' | 'nextOutboxEntryAt' | 'listOutboxEntries'> {
  /** Renews the leases of this process; to be called a few times a minute. @throws StoreError */
  readonly renew: () => Promise<void>
  /** Releases all entries of this process for other processes. @throws StoreError */
  readonly end: () => Promise<void>
}

interface EntryRow {
  readonly account: string
  /** The key, as JSON. */
  readonly name: string
  readonly dueAt: number
}

const readEntry = ({ account, name, dueAt }: EntryRow): OutboxEntry => ({
  userId: account,
  key: JSON.parse(name) as string,
  dueAt,
})

/** Creates the outbox of this process. It calls `onRelease` when an entry was released. */
export const createOutbox = (database: Database, onRelease: () => void): Outbox => {
  const dispatcher = randomUUID()
  let takenCount = 0

  const take = async (now: number): Promise<TakenEntry | undefined> => {
    const [row] = await database.run<EntryRow>(takeEntry, [now, dispatcher])
    if (row === undefined) return undefined
    const entry = readEntry(row)
    let isReleased = false
    takenCount += 1
    return {
      ...entry,
      release: async (until = 0) => {
        if (isReleased) return
        isReleased = true
        takenCount -= 1
        const name = [entry.userId, keyOfName(entry.key)]
        const values = [...name, dispatcher, until]
        const [released] = await database.run<{ readonly isSettled: boolean }>(releaseEntry, values)
        if (released?.isSettled === true) await database.run(dropEntry, name)
        onRelease()
      },
    }
  }

  return {
    takeOutboxEntry: take,
    nextOutboxEntryAt: async () => {
      const [next] = await database.run<{ readonly availableAt: number }>(findNextEntry, [])
      return next?.availableAt
    },
    listOutboxEntries: async () => (await database.run<EntryRow>(listEntries, [])).map(readEntry),
    renew: async () => {
      if (takenCount > 0) await database.run(renewEntries, [dispatcher])
    },
    end: async () => {
      await database.run(endDispatcher, [dispatcher])
    },
  }
}
