import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Counts, type KeyCount, StoreError } from '../store.ts'
import { type Database, encodeTexts, type Statement } from './database.ts'
import { asKey } from './registry.ts'

const left = `extract(epoch from ends_at - clock_timestamp()) * 1000`

/** What is counted under a hash ($1). */
const findCount: Statement = {
  name: 'find-count',
  text: `
    select failures as count, (${left})::double precision as "msLeft"
    from attempt where hash = $1 and ends_at > clock_timestamp()`,
  reaches: 'hash',
  isRepeatable: true,
}

/** Counts one more under a hash ($1), for so many seconds ($2) from the first. */
const addCount: Statement = {
  name: 'add-count',
  text: `
    insert into attempt (hash, failures, ends_at)
    values ($1, 1, clock_timestamp() + $2::double precision * interval '1 second')
    on conflict (hash) do update set
      failures = case when attempt.ends_at > clock_timestamp() then attempt.failures + 1 else 1 end,
      ends_at = case when attempt.ends_at > clock_timestamp() then attempt.ends_at else excluded.ends_at end
    returning failures as count, (${left})::double precision as "msLeft"`,
  reaches: 'hash',
  isRepeatable: false,
}

/** Counts one less under a hash ($1). */
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

/** Makes lines ($1) that are not there, so that whoever takes a place finds something to hold. */
const createQueues: Statement = {
  name: 'begin-lines',
  text: `
    insert into attempt (hash, failures, ends_at)
    select hash, 0, clock_timestamp() from unnest($1::text[]) as given (hash) order by hash
    on conflict (hash) do nothing`,
  reaches: { all: 'the two lines, of an address and of an account, that an attempt stands in' },
  isRepeatable: true,
}

/**
 * Takes the next place in lines ($1), of which each is then taken until a gap (ms, $2) later, unless it is farther away
 * than so many ms ($3). Rows are held in the order of their hashes, so that nobody waits for each other.
 */
const reserveQueueTurn: Statement = {
  name: 'take-place',
  text: `
    with known as (
      select hash, ends_at from attempt where hash = any ($1::text[]) order by hash for update
    ), place as (
      select greatest(now, max(ends_at)) as at, now from known, (select clock_timestamp() as now) as clock group by now
    ), taken as (
      update attempt set ends_at = place.at + given.gap * interval '1 millisecond'
      from place, unnest($1::text[], $2::double precision[]) as given (hash, gap)
      where attempt.hash = given.hash and place.at <= place.now + $3::double precision * interval '1 millisecond'
    )
    select (extract(epoch from at - now) * 1000)::double precision as "waitMs" from place`,
  reaches: { all: 'the two lines, of an address and of an account, that an attempt stands in' },
  isRepeatable: false,
}

/** Forgets what counts no more. */
export const dropCounts: Statement = {
  name: 'drop-counts',
  text: `delete from attempt where ends_at < clock_timestamp() - interval '1 minute'`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

const hashKey = (table: string, key: string): string => hash('sha256', `${table}\n${key}`, 'base64url')

const nothing: KeyCount = { count: 0, msLeft: 0 }

/** Counts that all processes on a database have together, by the clock of the database. */
export const createCounts = (database: Database): Counts => ({
  openTable: (table, windowSeconds) => ({
    find: async (key) => (await database.run<KeyCount>(findCount, [hashKey(table, key)]))[0] ?? nothing,
    add: async (key) => (await database.run<KeyCount>(addCount, [hashKey(table, key), windowSeconds]))[0] ?? nothing,
    takeBack: async (key) => void (await database.run(takeBackCount, [hashKey(table, key)])),
    forget: async (key) => void (await database.run(forgetCount, [hashKey(table, key)])),
  }),
  reserveTurn: async (gaps, mostMs) => {
    const lines = encodeTexts([...gaps.keys()].map((line) => hashKey('line', line)))
    await database.run(createQueues, [lines])
    const [place] = await database.run<{ readonly waitMs: number }>(reserveQueueTurn, [
      lines,
      `{${[...gaps.values()].join(',')}}`,
      mostMs,
    ])
    // Swept away in between: then nobody was in the line for a minute.
    return place?.waitMs ?? 0
  },
})

const leaseSeconds = 30
const isAlive = `ends_at > clock_timestamp()`

/**
 * Takes a seat of an account's ($1) session ($2) for a process ($3), which lives, of so many ($4). When several take at once, who
 * comes second finds that `free` seats were left, and none given.
 */
const takeSlot: Statement = {
  name: 'take-seat',
  text: `
    with free as (
      select number from generate_series(1, $4::integer) as number
      where not exists (
        select 1 from seat left join seat_holder on seat_holder.id = seat.holder and ${isAlive}
        where seat.account = $1 and seat.session = $2 and seat.number = number.number
          and (seat.holder = $3 or seat_holder.id is not null)
      )
    ), taken as (
      insert into seat (account, session, number, holder)
      select $1, $2, number, $3 from free order by random() limit 1
      on conflict (account, session, number) do update set holder = excluded.holder
      where seat.holder <> $3 and not exists (select 1 from seat_holder where id = seat.holder and ${isAlive})
      returning number
    )
    select (select count(*) from free)::integer as free, (select number from taken) as number`,
  reaches: 'account',
  isRepeatable: false,
}

/** A process ($4) leaves its seat ($3) of an account's ($1) session ($2). */
const releaseSlot: Statement = {
  name: 'leave-seat',
  text: 'delete from seat where account = $1 and session = $2 and number = $3 and holder = $4',
  reaches: 'account',
  isRepeatable: true,
}

/** A process lives: what it holds stays held. */
const renewHolder: Statement = {
  name: 'renew-holder',
  text: `
    insert into seat_holder (id, ends_at) values ($1, clock_timestamp() + interval '${leaseSeconds} seconds')
    on conflict (id) do update set ends_at = excluded.ends_at`,
  reaches: { all: 'every few seconds: this process' },
  isRepeatable: true,
}

/** A process ends: its seats are free. */
const endHolder: Statement = {
  name: 'end-holder',
  text: `
    with ended as (delete from seat_holder where id = $1)
    delete from seat where holder = $1`,
  reaches: { all: 'once, when a process ends: all that it has' },
  isRepeatable: true,
}

/** Forgets processes that have not said for long that they live, and their seats. */
export const dropHolders: Statement = {
  name: 'drop-holders',
  text: `
    with ended as (
      delete from seat_holder where ends_at < clock_timestamp() - interval '1 minute' returning id
    )
    delete from seat using ended where seat.holder = ended.id`,
  reaches: { all: 'once a minute: what has ended' },
  isRepeatable: true,
}

/** The seats of sessions, as this process takes them. */
interface SessionSlots {
  /** As `SharedCounts.takeSeat`. */
  readonly take: (userId: string, sessionId: string, max: number) => Promise<(() => void) | undefined>
  /** Says that this process lives, and leaves what could not be left; to be called every few seconds. @throws StoreFailed */
  readonly renew: () => Promise<void>
  /** Leaves all seats. @throws StoreFailed */
  readonly end: () => Promise<void>
}

interface Taken {
  readonly free: number
  readonly number: number | null
}

/** How long a request that has just ended elsewhere may take to leave its seat. */
const leavingMilliseconds = 150

/** No seat is taken. */
export const createSessionSlots = (database: Database): SessionSlots => {
  const holder = randomUUID()
  // What could not be left at once, because the database was away.
  const unleft = new Set<readonly [string, string, number]>()
  const leaving = new Set<Promise<void>>()
  let heldCount = 0
  let isKnown = false

  const tell = async (): Promise<void> => {
    await database.run(renewHolder, [holder])
    isKnown = true
  }

  const leave = async (seat: readonly [string, string, number]): Promise<void> => {
    try {
      await database.run(releaseSlot, [...seat, holder])
      unleft.delete(seat)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      unleft.add(seat)
    }
  }

  const leaveSoon = (seat: readonly [string, string, number]): void => {
    heldCount -= 1
    const left = leave(seat).finally(() => leaving.delete(left))
    leaving.add(left)
  }

  const seek = async (account: string, session: string, max: number): Promise<number | undefined> => {
    for (;;) {
      const [taken] = await database.run<Taken>(takeSlot, [account, session, holder, max])
      if (taken?.number !== null && taken !== undefined) return taken.number
      // Others have taken the seat that was free, and perhaps not the last one.
      if (taken === undefined || taken.free === 0) return undefined
    }
  }

  return {
    take: async (userId, sessionId, max) => {
      if (!isKnown) await tell()
      await Promise.all(leaving)
      const place = [asKey(userId), asKey(sessionId)] as const
      let number = await seek(...place, max)
      if (number === undefined) {
        await sleep(leavingMilliseconds)
        number = await seek(...place, max)
      }
      if (number === undefined) return undefined
      const seat = [...place, number] as const
      heldCount += 1
      let isLeft = false
      return () => {
        if (isLeft) return
        isLeft = true
        leaveSoon(seat)
      }
    },
    renew: async () => {
      if (heldCount > 0 || unleft.size > 0) await tell()
      else isKnown = false
      for (const seat of unleft) await leave(seat)
    },
    end: async () => {
      await Promise.all(leaving)
      if (isKnown || heldCount > 0 || unleft.size > 0) await database.run(endHolder, [holder])
    },
  }
}
