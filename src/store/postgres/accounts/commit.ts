import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { encodeChange } from '../../record/change-text.ts'
import type { EncodedThing } from '../../record/encoded-thing.ts'
import { StoreError } from '../../store.ts'
import {
  type Database,
  encodeFlags,
  encodeNumbers,
  encodeTexts,
  encodeWholes,
  QueryError,
  type Statement,
  type Value,
} from '../database.ts'
import { keyOfName, keyOfTag, keyOfThing, scopeOf } from './account-rows.ts'
import { type Chain, type WriteBatch, WriteConflict } from './chain.ts'
import { jumpNow } from './position-jumps.ts'

/** The parts that a write may have, in addition to the row of its account. */
const writeParts = ['items', 'records', 'removals', 'scheduled', 'settled'] as const

/** A part of a write. `scheduled` are outbox entries that are put, `settled` are outbox entries that are removed. */
export type WritePart = (typeof writeParts)[number]

/** The SQL of a part: common table expressions of a statement in which `won` lists the accounts whose writes count. */
interface PartText {
  /** The types of its columns, which are passed as arrays. The first column is the account. */
  readonly types: readonly string[]
  /**
   * Writes the SQL. `given` are the arrays, `owner` returns an expression for the account of a given row, and `among`
   * are all parts of the statement.
   */
  readonly write: (given: string, owner: (account: string) => string, among: readonly WritePart[]) => string
}

/** The SQL of each part. */
const partTexts: Readonly<Record<WritePart, PartText>> = {
  items: {
    types: ['text', 'text', 'bigint', 'text'],
    write: (given, owner) => `
    step as materialized (
      select step.*, won.is_listed from unnest(${given}) as step (account, key, position, step) join won using (account)
    ),
    replaced as (
      insert into earlier (account, key, position, step)
      select step.account, item.key, item.position, item.step
      from step join item on item.account = ${owner('step.account')} and item.key = step.key
      where step.is_listed
      on conflict (account, key, position) do nothing
    ),
    items as (
      insert into item (account, key, position, step)
      select account, key, position, step from step
      on conflict (account, key) do update set position = excluded.position, step = excluded.step
    )`,
  },
  records: {
    types: ['text', 'text', 'text', 'bigint', 'text'],
    write: (given) => `
    put as materialized (
      select put.* from unnest(${given}) as put (account, scope, key, revision, step) join won using (account)
    ),
    records as (
      insert into record (account, scope, key, revision, step)
      select account, scope, key, revision, step from put
      on conflict (account, scope, key) do update set revision = excluded.revision, step = excluded.step
    )`,
  },
  removals: {
    types: ['text', 'text', 'text'],
    write: (given, owner, among) => `
    removed as (
      delete from record
      using unnest(${given}) as target (account, scope, key) join won using (account)
      where record.account = ${owner('target.account')} and record.scope = target.scope
        and (target.key = '' or record.key = target.key)${
          among.includes('records')
            ? `
        and not exists (
          select from put where put.account = record.account and put.scope = record.scope and put.key = record.key
        )`
            : ''
        }
    )`,
  },
  scheduled: {
    types: ['text', 'text', 'text', 'double precision'],
    write: (given) => `
    scheduled as (
      insert into delivery (account, key, name, due_at, available_at)
      select account, key, name, due_at, due_at
      from unnest(${given}) as entry (account, key, name, due_at) join won using (account)
      on conflict (account, key) do update set due_at = excluded.due_at, available_at = excluded.available_at
    )`,
  },
  settled: {
    types: ['text', 'text'],
    write: (given, owner) => `
    settled as (
      update delivery set due_at = null, available_at = null
      from unnest(${given}) as entry (account, key) join won using (account)
      where delivery.account = ${owner('entry.account')} and delivery.key = entry.key
    )`,
  },
}

// Each table that a statement names costs the database time, even without rows to change: it opens all 16 partitions of
// the table. So the statement contains only the parts that the writes have. If all writes are of one account, it names
// this account in a way that leaves one partition of each table. Inserts and upserts find their partition without that;
// updates and deletes open all.

/** The shape of the writes of one transaction; the parts in their order. */
interface WriteShape {
  readonly isOneAccount: boolean
  readonly parts: readonly WritePart[]
}

const accountTypes = ['text', 'bigint', 'bigint', 'bigint', 'bigint', 'boolean', 'text', 'bigint']
const firstColumn = 3

/** The first of the given accounts: known before the plan is executed, so that partitions can be pruned. */
const onlyAccount = `($${firstColumn}::text[])[1]`

const passArrays = (first: number, types: readonly string[]): string =>
  types.map((type, index) => `$${first + index}::${type}[]`).join(', ')

const describeParts = (owner: (account: string) => string, parts: readonly WritePart[]): string => {
  let next = firstColumn + accountTypes.length
  return parts
    .map((part) => {
      const { types, write } = partTexts[part]
      const given = passArrays(next, types)
      next += types.length
      return `,${write(given, owner, parts)}`
    })
    .join('')
}

const nameWrites = ({ isOneAccount, parts }: WriteShape): string =>
  [isOneAccount ? 'keep-writes-of-one' : 'keep-writes', ...parts].join('-')

const describeWrites = (shape: WriteShape): Statement => {
  const owner = (account: string): string => (shape.isOneAccount ? onlyAccount : account)
  return {
    name: nameWrites(shape),
    text: `
    with write as materialized (
      select write.*
      from unnest(${passArrays(firstColumn, accountTypes)})
        as write (account, epoch, base, position, revision, forgets, writer, raised)
      join (${jumpNow}) as now using (raised)
    ),
    locked as materialized (
      select ordered.account
      from (select account, epoch, base from write where base > 0 order by account) as ordered
      cross join lateral (
        select from account
        where account.id = ${owner('ordered.account')} and account.revision = ordered.base
          and account.epoch = ordered.epoch
        for update
      ) as found
    ),
    won as (
      insert into account (id, epoch, position, revision, records_removed, writer, raised, gaps)
      select account, epoch, position, revision, case when forgets then revision else 0 end, writer, raised,
        case when raised = 0 then '[]' else jsonb_build_array(jsonb_build_array(0, raised)) end
      from write where base = 0 or account in (select account from locked) order by account
      on conflict (id) do update
      set position = excluded.position, revision = excluded.revision, writer = excluded.writer,
        records_removed = greatest(account.records_removed, excluded.records_removed)
      where account.id in (select account from locked)
      returning id as account, listed_until > $2::double precision as is_listed
    ),
    kept as (
      insert into kept_write (id, won) select $1::uuid, coalesce(array_agg(account), '{}') from won
    )${describeParts(owner, shape.parts)}
    select account from won`,
    reaches: 'account',
    isRepeatable: false,
  }
}

/** All statements of `writeStatement`. A server uses a few of them. */
const allWriteStatements: readonly Statement[] = [true, false].flatMap((isOneAccount) =>
  Array.from({ length: 2 ** writeParts.length }, (_, bits) =>
    describeWrites({ isOneAccount, parts: writeParts.filter((_, index) => (bits >> index) % 2 === 1) }),
  ),
)
const byName = new Map(allWriteStatements.map((statement) => [statement.name, statement]))

/**
 * Returns the statement that commits writes of this shape. It commits the writes of each account that is still at the
 * revision that they were staged on, and returns these accounts. One statement is one transaction and one round trip.
 *
 * The statement locks accounts in the order of their ids, so that two of them cannot deadlock. A new account has no row
 * to lock: of two statements that create it, one succeeds.
 *
 * If the incarnation of the database has changed since (its positions are raised), the statement commits nothing.
 *
 * The table `kept_write` stores the outcome for a process that lost the response.
 *
 * The values are the id in `kept_write`, the Unix time in milliseconds, the columns of the accounts and of each part.
 */
export const writeStatement = (shape: WriteShape): Statement => {
  const statement = byName.get(nameWrites(shape))
  if (statement === undefined) throw new Error(`no statement commits ${shape.parts.join(', ')}`)
  return statement
}

/**
 * Finds which accounts a transaction of `writeStatement` has written. Null if it was not committed; then it never will
 * be, because this statement takes its id. The statement always writes, so that it waits for a synchronous standby like
 * any other: after a crash a transaction may be visible that the standby does not have.
 */
const settleWrite: Statement = {
  name: 'settle-write',
  text: `
    insert into kept_write (id) values ($1::uuid)
    on conflict (id) do update set made_at = excluded.made_at
    returning won`,
  reaches: 'hash',
  isRepeatable: true,
}

/** The last state of an item in a batch. */
interface ItemState {
  readonly position: number
  readonly step: string | Buffer
}

/** The changes of records in a batch: records to put, and records or whole scopes to delete. */
interface RecordStates {
  readonly put: Map<
    string,
    { readonly scope: string; readonly key: string; readonly revision: number; readonly step: string }
  >
  readonly removed: { readonly scope: string; readonly key: string }[]
}

const wholeScope = ''

const nameRecord = (scope: string, key: string): string => `${scope.length} ${scope}${key}`

/** Returns the bytes of a thing's step. They are a view of the write's bytes, which do not change. */
const stepBytes = ({ bytes, start, end }: EncodedThing): Buffer => bytes.subarray(start - '{"thing":'.length, end + 1)

/** Collects the final states of the items in a batch, by their keys. */
const collectItems = ({ writes }: WriteBatch): ReadonlyMap<string, ItemState> => {
  const states = new Map<string, ItemState>()
  for (const { write } of writes) {
    for (const [id, item] of write.items) {
      const thing = typeof item === 'number' ? write.readThing(item) : undefined
      if (thing !== undefined) states.set(keyOfThing(id), { position: thing.position, step: stepBytes(thing) })
      else if (typeof item !== 'number')
        states.set(keyOfThing(id), { position: item.position, step: encodeChange({ tombstone: item }) })
    }
    for (const [name, tag] of write.tags)
      states.set(keyOfTag(name), { position: tag.position, step: encodeChange({ tag }) })
  }
  return states
}

/** Collects the final changes of the records in a batch. */
const collectRecords = ({ writes }: WriteBatch): RecordStates => {
  const { put, removed }: RecordStates = { put: new Map(), removed: [] }
  for (const { write, revision } of writes)
    for (let index = 0; index < write.length; index += 1) {
      const step = write.at(index)
      if (step === undefined || 'bytes' in step) continue
      if ('record' in step) {
        const [scope, key] = [scopeOf(step.record.kind, step.record.group), keyOfName(step.record.key)]
        put.set(nameRecord(scope, key), { scope, key, revision, step: encodeChange(step) })
      } else if ('removedRecord' in step) {
        const { kind, group } = step.removedRecord
        const [scope, key] = [scopeOf(kind, group), keyOfName(step.removedRecord.key)]
        put.delete(nameRecord(scope, key))
        removed.push({ scope, key })
      } else if ('removedRecords' in step) {
        const scope = scopeOf(step.removedRecords.kind, step.removedRecords.group)
        for (const [name, record] of put) if (record.scope === scope) put.delete(name)
        removed.push({ scope, key: wholeScope })
      }
    }
  return { put, removed }
}

/** Collects the final times of the outbox entries in a batch, by their keys. Null for removed entries. */
const collectOutboxEntries = ({ writes }: WriteBatch): ReadonlyMap<string, number | null> => {
  const dueAt = new Map<string, number | null>()
  for (const { write } of writes)
    for (const change of write.entryChanges)
      if ('entry' in change) dueAt.set(change.entry.key, change.entry.dueAt)
      else dueAt.set(change.removedEntry.key, null)
  return dueAt
}

/** The shape of some batches, each of another account, and the values of its statement. */
interface WriteColumns extends WriteShape {
  readonly values: readonly Value[]
}

/** Encodes some batches, each of another account. `now` is Unix time in milliseconds. */
const writeColumns = (id: string, batches: readonly WriteBatch[], now: number): WriteColumns => {
  const states = batches.map((batch) => ({
    ...{ userId: batch.userId, last: batch.writes.at(-1) },
    ...{ epoch: batch.epoch, base: batch.base, raised: batch.raised },
    items: [...collectItems(batch)],
    records: collectRecords(batch),
    entries: [...collectOutboxEntries(batch)],
  }))
  const each = <Part>(list: (state: (typeof states)[number]) => readonly Part[]) =>
    states.flatMap((state) => list(state).map((item) => ({ userId: state.userId, item })))
  const accounts = (rows: readonly { readonly userId: string }[]): Buffer => encodeTexts(rows.map((row) => row.userId))

  const items = each((state) => state.items)
  const put = each((state) => [...state.records.put.values()])
  const removed = each((state) => state.records.removed)
  const due = each((state) => state.entries.flatMap(([key, dueAt]) => (dueAt === null ? [] : [{ key, dueAt }])))
  const settled = each((state) => state.entries.flatMap(([key, dueAt]) => (dueAt === null ? [key] : [])))
  const columns: Readonly<Record<WritePart, readonly [rows: readonly unknown[], write: () => readonly Value[]]>> = {
    items: [
      items,
      () => [
        accounts(items),
        encodeTexts(items.map(({ item: [key] }) => key)),
        encodeWholes(items.map(({ item: [, { position }] }) => position)),
        encodeTexts(items.map(({ item: [, { step }] }) => step)),
      ],
    ],
    records: [
      put,
      () => [
        accounts(put),
        encodeTexts(put.map(({ item }) => item.scope)),
        encodeTexts(put.map(({ item }) => item.key)),
        encodeWholes(put.map(({ item }) => item.revision)),
        encodeTexts(put.map(({ item }) => item.step)),
      ],
    ],
    removals: [
      removed,
      () => [
        accounts(removed),
        encodeTexts(removed.map(({ item }) => item.scope)),
        encodeTexts(removed.map(({ item }) => item.key)),
      ],
    ],
    scheduled: [
      due,
      () => [
        accounts(due),
        encodeTexts(due.map(({ item: { key } }) => keyOfName(key))),
        encodeTexts(due.map(({ item: { key } }) => JSON.stringify(key))),
        encodeNumbers(due.map(({ item: { dueAt } }) => dueAt)),
      ],
    ],
    settled: [settled, () => [accounts(settled), encodeTexts(settled.map(({ item: key }) => keyOfName(key)))]],
  }
  const parts = writeParts.filter((part) => columns[part][0].length > 0)
  return {
    isOneAccount: batches.length === 1,
    parts,
    values: [
      id,
      now,
      accounts(states),
      encodeWholes(states.map(({ epoch }) => epoch)),
      encodeWholes(states.map(({ base }) => base)),
      encodeWholes(states.map(({ last }) => last?.write.position ?? 0)),
      encodeWholes(states.map(({ last }) => last?.revision ?? 0)),
      encodeFlags(states.map(({ records }) => records.removed.length > 0)),
      encodeTexts(states.map(({ last }) => last?.writer ?? '')),
      encodeWholes(states.map(({ raised }) => raised)),
      ...parts.flatMap((part) => columns[part][1]()),
    ],
  }
}

/** Commits the writes of many accounts: all that wait at a time in one transaction. */
export interface Committer {
  /** Schedules the waiting writes of a chain. */
  readonly schedule: (chain: Chain) => void
  /** Resolves when no write waits and no transaction is in progress. */
  readonly settle: () => Promise<void>
}

/** The dependencies of a committer. */
interface CommitterParts {
  readonly database: Database
  /** Unix time in milliseconds. */
  readonly now: () => number
  /** Maximum of transactions in progress. */
  readonly maxTransactions: number
  /** How long in milliseconds the committer queries the outcome of a transaction whose response was lost. */
  readonly outcomeMilliseconds: number
  /** Called after each transaction, with its number of writes and its duration. */
  readonly onCommit: (writes: number, milliseconds: number) => void
}

/** Maximum of accounts in one transaction. */
const maxAccounts = 256
/** Maximum of attempts of a transaction after conflicts. */
const maxAttempts = 5
const firstDelayMilliseconds = 20
const maxDelayMilliseconds = 1000

/** Creates a committer without waiting writes. */
export const createCommitter = ({
  database,
  now,
  maxTransactions,
  outcomeMilliseconds,
  onCommit,
}: CommitterParts): Committer => {
  const ready = new Set<Chain>()
  let inProgress = 0
  let settleCallbacks: (() => void)[] = []

  const findOutcome = async (id: string): Promise<ReadonlySet<string>> => {
    const [found] = await database.run<{ readonly won: readonly string[] | null }>(settleWrite, [id])
    return new Set(found?.won ?? [])
  }

  /** Asks until the database responds: the caller needs the outcome, and not an error that it is unknown. */
  const awaitOutcome = async (id: string): Promise<ReadonlySet<string>> => {
    const end = performance.now() + outcomeMilliseconds
    for (let delay = firstDelayMilliseconds; ; delay = Math.min(delay * 2, maxDelayMilliseconds)) {
      try {
        return await findOutcome(id)
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
        if (performance.now() > end)
          throw new QueryError(`the outcome of a write is unknown: ${error.message}`, {
            isUndone: false,
            cause: error,
          })
      }
      await wait(delay)
    }
  }

  /** Writes the batches to the database. Returns the accounts whose batches were committed. */
  const writeBatches = async (batches: readonly WriteBatch[]): Promise<ReadonlySet<string>> => {
    for (let attempts = 1; ; attempts += 1) {
      const id = randomUUID()
      try {
        const columns = writeColumns(id, batches, now())
        const won = await database.run<{ readonly account: string }>(writeStatement(columns), columns.values)
        return new Set(won.map(({ account }) => account))
      } catch (error) {
        if (!(error instanceof QueryError)) throw error
        if (!error.isUndone) return await awaitOutcome(id)
        if (!error.isTransient || attempts === maxAttempts) throw error
      }
    }
  }

  const settleBatch = ({ writes }: WriteBatch, isCommitted: boolean): void => {
    for (const { durable, failed } of writes)
      if (isCommitted) durable()
      else failed(new WriteConflict())
  }

  const commit = async (batches: readonly WriteBatch[]): Promise<void> => {
    const begin = performance.now()
    try {
      const won = await writeBatches(batches)
      const count = batches.reduce((sum, { userId, writes }) => sum + (won.has(userId) ? writes.length : 0), 0)
      if (count > 0) onCommit(count, performance.now() - begin)
      for (const batch of batches) settleBatch(batch, won.has(batch.userId))
    } catch (error) {
      // A bug in the writes of one account must not fail the others.
      if (!(error instanceof StoreError) && batches.length > 1) {
        for (const batch of batches) await commit([batch])
        return
      }
      for (const { writes } of batches) for (const { failed } of writes) failed(error)
    }
  }

  const takeBatches = (): readonly WriteBatch[] => {
    const batches: WriteBatch[] = []
    for (const chain of ready) {
      if (batches.length === maxAccounts) break
      ready.delete(chain)
      const batch = chain.takeBatch()
      if (batch === undefined) continue
      batches.push(batch)
      // Writes that were added meanwhile follow.
      void chain.whenBatchEnds().then(() => schedule(chain))
    }
    return batches
  }

  const pump = (): void => {
    while (inProgress < maxTransactions) {
      const batches = takeBatches()
      if (batches.length === 0) break
      inProgress += 1
      void commit(batches).then(() => {
        inProgress -= 1
        pump()
      })
    }
    if (inProgress > 0 || ready.size > 0) return
    for (const resolve of settleCallbacks) resolve()
    settleCallbacks = []
  }

  const schedule = (chain: Chain): void => {
    ready.add(chain)
    pump()
  }

  return {
    schedule,
    settle: () =>
      new Promise((resolve) => {
        settleCallbacks.push(resolve)
        pump()
      }),
  }
}
