import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Counts, type KeyCount, StoreError } from '../store.ts'
import { type Database, encodeTexts, type Statement } from './database.ts'
import { asKey } from './registry.ts'

const remaining = `extract(epoch from ends_at - clock_timestamp()) * 1000`

/** Finds the count of a hash ($1). */
const findCount: Statement = {
  name: 'find-count',
  text: `
    select failures as count, (${remaining})::double precision as "msLeft"
    from attempt where hash = $1 and ends_at > clock_timestamp()`,
  reaches: 'hash',
  isRepeatable: true,
}

/** Adds 1 to the count of a hash ($1). The count expires so many seconds ($2) after its first addition. */
const addCount: Statement = {
  name: 'add-count',
  text: `
    insert into attempt (hash, failures, ends_at)
    values ($1, 1, clock_timestamp() + $2::double precision * interval '1 second')
    on conflict (hash) do update set
      failures = case when attempt.ends_at > clock_timestamp() then attempt.failures + 1 else 1 end,
      ends_at = case when attempt.ends_at > clock_timestamp() then attempt.ends_at else excluded.ends_at end
    returning failures as count, (${remaining})::double precision as "msLeft"`,
  reaches: 'hash',
  isRepeatable: false,
}

/** Subtracts 1 from the count of a hash ($1). */
const takeBackCount: Statement = {
  name: 'take-back-count',
  text: 'update attempt set failures = greatest(0, failures - 1) where hash = $1',
  reaches: 'hash',
  isRepeatable: false,
}

const forgetCount: Statement = {
  name: 'forget-count',
  text: 'delete from attempt where hash = $1',
  reaches: 'hash',
  isRepeatable: true,
}

/** Creates the missing queues ($1), so that a reservation finds rows to lock. */
const createQueues: Statement = {
  name: 'create-queues',
  text: `
    insert into attempt (hash, failures, ends_at)
    select hash, 0, clock_timestamp() from unnest($1::text[]) as given (hash) order by hash
    on conflict (hash) do nothing`,
  reaches: { all: 'the two queues of an attempt, of an IP address and of an account' },
  isRepeatable: true,
}

/**
 * Reserves the next turn in some queues ($1). Each queue is then occupied for a gap (ms, $2) after this turn. It
 * reserves nothing if the turn is more than so many ms ($3) ahead. It locks rows in the order of their hashes, against
 * deadlocks.
 */
const reserveQueueTurn: Statement = {
  name: 'reserve-turn',
  text: `
    with known as (
      select hash, ends_at from attempt where hash = any ($1::text[]) order by hash for update
    ), reservation as (
      select greatest(now, max(ends_at)) as at, now from known, (select clock_timestamp() as now) as clock group by now
    ), taken as (
      update attempt set ends_at = reservation.at + given.gap * interval '1 millisecond'
      from reservation, unnest($1::text[], $2::double precision[]) as given (hash, gap)
      where attempt.hash = given.hash
        and reservation.at <= reservation.now + $3::double precision * interval '1 millisecond'
    )
    select (extract(epoch from at - now) * 1000)::double precision as "waitMs" from reservation`,
  reaches: { all: 'the two queues of an attempt, of an IP address and of an account' },
  isRepeatable: false,
}

/** Deletes expired counts. */
export const dropCounts: Statement = {
  name: 'drop-counts',
  text: `delete from attempt where ends_at < clock_timestamp() - interval '1 minute'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

const hashKey = (table: string, key: string): string => hash('sha256', `${table}\n${key}`, 'base64url')

const zeroCount: KeyCount = { count: 0, msLeft: 0 }

/** Creates the counts that all processes on a database share, by the clock of the database. */
export const createCounts = (database: Database): Counts => ({
  openTable: (table, windowSeconds) => ({
    find: async (key) => (await database.run<KeyCount>(findCount, [hashKey(table, key)]))[0] ?? zeroCount,
    add: async (key) => (await database.run<KeyCount>(addCount, [hashKey(table, key), windowSeconds]))[0] ?? zeroCount,
    subtract: async (key) => void (await database.run(takeBackCount, [hashKey(table, key)])),
    forget: async (key) => void (await database.run(forgetCount, [hashKey(table, key)])),
  }),
  reserveSlot: async (gaps, maxMs) => {
    const queues = encodeTexts([...gaps.keys()].map((queue) => hashKey('line', queue)))
    await database.run(createQueues, [queues])
    const [turn] = await database.run<{ readonly waitMs: number }>(reserveQueueTurn, [
      queues,
      `{${[...gaps.values()].join(',')}}`,
      maxMs,
    ])
    // A sweep has deleted the rows in between: then the queues were unused for a minute.
    return turn?.waitMs ?? 0
  },
})

const leaseSeconds = 30
const isAlive = `ends_at > clock_timestamp()`

/**
 * Takes one of so many slots ($4) of an account's ($1) session ($2) for a process ($3) that is alive. If two processes
 * take the same slot at once, the second gets a positive `free` and no `number`, and has to try again.
 */
const takeSlot: Statement = {
  name: 'take-slot',
  text: `
    with free as (
      select number from generate_series(1, $4::integer) as number
      where not exists (
        select 1 from slot left join slot_holder on slot_holder.id = slot.holder and ${isAlive}
        where slot.account = $1 and slot.session = $2 and slot.number = number.number
          and (slot.holder = $3 or slot_holder.id is not null)
      )
    ), taken as (
      insert into slot (account, session, number, holder)
      select $1, $2, number, $3 from free order by random() limit 1
      on conflict (account, session, number) do update set holder = excluded.holder
      where slot.holder <> $3 and not exists (select 1 from slot_holder where id = slot.holder and ${isAlive})
      returning number
    )
    select (select count(*) from free)::integer as free, (select number from taken) as number`,
  reaches: 'account',
  isRepeatable: false,
}

/** Releases the slot ($3) of a process ($4) for an account's ($1) session ($2). */
const releaseSlot: Statement = {
  name: 'release-slot',
  text: 'delete from slot where account = $1 and session = $2 and number = $3 and holder = $4',
  reaches: 'account',
  isRepeatable: true,
}

/** Renews the lease of a process on its slots. */
const renewHolder: Statement = {
  name: 'renew-holder',
  text: `
    insert into slot_holder (id, ends_at) values ($1, clock_timestamp() + interval '${leaseSeconds} seconds')
    on conflict (id) do update set ends_at = excluded.ends_at`,
  reaches: { all: 'every few seconds: this process' },
  isRepeatable: true,
}

/** Releases all slots of a process that ends. */
const endHolder: Statement = {
  name: 'end-holder',
  text: `
    with ended as (delete from slot_holder where id = $1)
    delete from slot where holder = $1`,
  reaches: { all: 'once, when a process ends: all its slots' },
  isRepeatable: true,
}

/** Deletes processes whose lease expired a minute ago, and their slots. */
export const dropHolders: Statement = {
  name: 'drop-holders',
  text: `
    with ended as (
      delete from slot_holder where ends_at < clock_timestamp() - interval '1 minute' returning id
    )
    delete from slot using ended where slot.holder = ended.id`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

/** The slots of sessions that this process takes. */
interface SessionSlots {
  /** Takes a slot, as `SharedCounts.takeSlot` promises. */
  readonly take: (userId: string, sessionId: string, max: number) => Promise<(() => void) | undefined>
  /** Renews the lease and retries failed releases; to be called every few seconds. @throws StoreError */
  readonly renew: () => Promise<void>
  /** Releases all slots. @throws StoreError */
  readonly end: () => Promise<void>
}

interface Taken {
  readonly free: number
  readonly number: number | null
}

/** How long another process may need to release the slot of a request that has just ended. */
const releaseMilliseconds = 150

/** Creates the slots of this process, without a taken one. */
export const createSessionSlots = (database: Database): SessionSlots => {
  const holder = randomUUID()
  // Slots whose release failed, because the database was not available.
  const unreleased = new Set<readonly [string, string, number]>()
  const releasing = new Set<Promise<void>>()
  let heldCount = 0
  let isLeased = false

  const renewLease = async (): Promise<void> => {
    await database.run(renewHolder, [holder])
    isLeased = true
  }

  const release = async (slot: readonly [string, string, number]): Promise<void> => {
    try {
      await database.run(releaseSlot, [...slot, holder])
      unreleased.delete(slot)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      unreleased.add(slot)
    }
  }

  const releaseSoon = (slot: readonly [string, string, number]): void => {
    heldCount -= 1
    const running = release(slot).finally(() => releasing.delete(running))
    releasing.add(running)
  }

  const takeNumber = async (account: string, session: string, max: number): Promise<number | undefined> => {
    for (;;) {
      const [taken] = await database.run<Taken>(takeSlot, [account, session, holder, max])
      if (taken?.number !== null && taken !== undefined) return taken.number
      // Another process has taken the free slot; there may be others.
      if (taken === undefined || taken.free === 0) return undefined
    }
  }

  return {
    take: async (userId, sessionId, max) => {
      if (!isLeased) await renewLease()
      await Promise.all(releasing)
      const session = [asKey(userId), asKey(sessionId)] as const
      let number = await takeNumber(...session, max)
      if (number === undefined) {
        await sleep(releaseMilliseconds)
        number = await takeNumber(...session, max)
      }
      if (number === undefined) return undefined
      const slot = [...session, number] as const
      heldCount += 1
      let isReleased = false
      return () => {
        if (isReleased) return
        isReleased = true
        releaseSoon(slot)
      }
    },
    renew: async () => {
      if (heldCount > 0 || unreleased.size > 0) await renewLease()
      else isLeased = false
      for (const slot of unreleased) await release(slot)
    },
    end: async () => {
      await Promise.all(releasing)
      if (isLeased || heldCount > 0 || unreleased.size > 0) await database.run(endHolder, [holder])
    },
  }
}
