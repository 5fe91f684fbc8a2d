import { randomUUID } from 'node:crypto'
import type { OutboxEntry, Store, TakenEntry } from '../store.ts'
import { keyOfName } from './accounts/account-rows.ts'
import type { Database, Statement } from './database.ts'

const clock = `extract(epoch from clock_timestamp()) * 1000`
const leaseMilliseconds = 60_000

/** Hands the earliest errand that is due ($1) and not out to a teller ($2), who has to say now and then that he lives. */
const takeEntry: Statement = {
  name: 'take-errand',
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
  reaches: { all: 'the earliest errand of all accounts' },
  isRepeatable: false,
}

/**
 * Gives an errand back that a teller ($3) has, not to be handed out before a time ($4), and says whether it was settled. It
 * is one update of the row as it is then: the errand may have been put anew in this moment.
 */
const releaseEntry: Statement = {
  name: 'release-errand',
  text: `
    update delivery
    set taken_by = null, taken_until = null,
      available_at = case when due_at is null then null else greatest(due_at, $4::double precision) end
    where account = $1 and key = $2 and taken_by = $3
    returning due_at is null as "isSettled"`,
  reaches: 'account',
  isRepeatable: true,
}

/** Forgets an errand that was settled, unless it was put anew since. */
const dropEntry: Statement = {
  name: 'drop-errand',
  text: 'delete from delivery where account = $1 and key = $2 and due_at is null and taken_by is null',
  reaches: 'account',
  isRepeatable: true,
}

/** When the earliest errand that is not out can be taken. */
const findNextEntry: Statement = {
  name: 'find-next-errand',
  text: `
    select available_at as "availableAt" from delivery
    where due_at is not null and (taken_until is null or taken_until < ${clock})
    order by available_at
    limit 1`,
  reaches: { all: 'the earliest errand of all accounts' },
  isRepeatable: true,
}

/** All errands, the earliest first. */
const listEntries: Statement = {
  name: 'list-errands',
  text: 'select account, name, due_at as "dueAt" from delivery where due_at is not null order by due_at, account, key',
  reaches: { all: 'for the operator: all of them' },
  isRepeatable: true,
}

/** A teller lives: what he has stays his. */
const renewEntries: Statement = {
  name: 'renew-errands',
  text: `update delivery set taken_until = ${clock} + ${leaseMilliseconds} where taken_by = $1`,
  reaches: { all: 'a few times a minute: all that this process has' },
  isRepeatable: true,
}

/** A teller ends: what he has is anybody's. */
const endDispatcher: Statement = {
  name: 'end-teller',
  text: 'update delivery set taken_by = null, taken_until = null where taken_by = $1',
  reaches: { all: 'once, when a process ends: all that it has' },
  isRepeatable: true,
}

/** Forgets what was settled while it was out. */
export const dropSettled: Statement = {
  name: 'drop-settled',
  text: `delete from delivery where due_at is null and (taken_until is null or taken_until < ${clock})`,
  reaches: { all: 'once a minute: what has ended, whoever it belongs to' },
  isRepeatable: true,
}

/** The errands of all accounts, as this process hands them out. */
interface Outbox extends Pick<Store, 'takeOutboxEntry' | 'nextOutboxEntryAt' | 'listOutboxEntries'> {
  /** Says that this process lives; to be called a few times a minute. @throws StoreFailed */
  readonly renew: () => Promise<void>
  /** What this process has out is anybody's from now on. @throws StoreFailed */
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

/** Nothing is out. `released` is told when something was released. */
export const createOutbox = (database: Database, released: () => void): Outbox => {
  const teller = randomUUID()
  let outCount = 0

  const take = async (now: number): Promise<TakenEntry | undefined> => {
    const [row] = await database.run<EntryRow>(takeEntry, [now, teller])
    if (row === undefined) return undefined
    const errand = readEntry(row)
    let isReleased = false
    outCount += 1
    return {
      ...errand,
      release: async (until = 0) => {
        if (isReleased) return
        isReleased = true
        outCount -= 1
        const name = [errand.userId, keyOfName(errand.key)]
        const [freed] = await database.run<{ readonly isSettled: boolean }>(releaseEntry, [...name, teller, until])
        if (freed?.isSettled === true) await database.run(dropEntry, name)
        released()
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
      if (outCount > 0) await database.run(renewEntries, [teller])
    },
    end: async () => {
      await database.run(endDispatcher, [teller])
    },
  }
}
