import { randomInt } from 'node:crypto'
import type { AccountDocument } from '../../account/account.ts'
import { type Gaps, withGaps } from '../../account/records.ts'
import type { Database, Statement } from '../database.ts'
import type { AccountPosition } from './account-rows.ts'

/**
 * Which incarnation the database is, in SQL: its cluster, and the timeline that it writes on. Fails on a standby. (What
 * `pg_control_checkpoint` says of the timeline is behind, until the first checkpoint after a promotion.)
 */
const name = `((select system_identifier::text from pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))`

/**
 * By how much positions were raised up to the incarnation that the database is now, as a query. No row: see
 * `noteIncarnation`.
 */
export const jumpNow = `select raised from incarnation where name = ${name}`

/** The same as a statement. */
const findJumped: Statement = {
  name: 'find-raised',
  text: jumpNow,
  reaches: { all: 'the state of the database: a row' },
  isRepeatable: true,
}

/**
 * Says at a time ($1, Unix milliseconds) that the database goes on. An incarnation that nobody knows begins further on,
 * by a number ($2) and ten for each second since the one before was known to go on: no account was given more meanwhile.
 */
const noteIncarnation: Statement = {
  name: 'note-incarnation',
  text: `
    insert into incarnation (name, raised, known_at)
    select ${name},
      coalesce(max(raised) + $2::bigint + ceil(greatest(0, $1::double precision - max(known_at)) / 100)::bigint, 0),
      $1::double precision
    from incarnation
    on conflict (name) do update set known_at = greatest(incarnation.known_at, excluded.known_at)
    returning raised`,
  reaches: { all: 'once a minute: the state of the database' },
  isRepeatable: true,
}

/**
 * Raises the positions of an account that was last written in an earlier incarnation. It is another one then ($2 is its
 * epoch): what processes know of it may be what was lost.
 */
const jumpAccount: Statement = {
  name: 'raise-account',
  text: `
    update account
    set position = position + (now.raised - account.raised),
      gaps = gaps || jsonb_build_array(jsonb_build_array(position, position + (now.raised - account.raised))),
      raised = now.raised, revision = revision + 1, epoch = $2::bigint
    from (${jumpNow}) as now
    where account.id = $1 and account.raised < now.raised`,
  reaches: 'account',
  isRepeatable: true,
}

/** Where a feed has jumped over what other processes wrote: what the account was in between is not known here. */
interface Jumps {
  /** Notes a jump; nobody asks for what is below `floor` any more. */
  readonly note: (from: number, to: number, floor: number) => void
  /** True when no jump goes over this position. */
  readonly isStop: (position: number) => boolean
}

interface Jump {
  readonly from: number
  readonly to: number
}

const maxJumps = 4096

/** No jumps. */
export const createJumps = (): Jumps => {
  let jumps: Jump[] = []
  // Of so many that the oldest were dropped nothing is known below the last of those.
  let knownFrom = 0

  return {
    note: (from, to, floor) => {
      if (to - from > 1) jumps.push({ from, to })
      if (jumps.length <= maxJumps) return
      jumps = jumps.filter((jump) => jump.to > floor).slice(-maxJumps / 2)
      knownFrom = jumps[0]?.from ?? to
    },
    isStop: (position) => position >= knownFrom && !jumps.some(({ from, to }) => position > from && position < to),
  }
}

/**
 * Raises of positions. A standby that became the database, or a database that was restored, may lack what was answered
 * before; of the positions that were given then none may be given again.
 */
export interface PositionJumps {
  /** By how much the positions of new accounts are raised. @throws StoreFailed */
  readonly find: () => Promise<number>
  /** Says that the database goes on; to be called when the store is opened, and then once a minute. @throws StoreFailed */
  readonly note: () => Promise<number>
  /** Raises an account, if it was not since the last one. @throws StoreFailed */
  readonly raise: (userId: string) => Promise<void>
}

interface JumpedAccount {
  readonly raised: number
}

/** As after the restore of a data folder: covers any upload or import. */
const atOnce = 1_000_000

/** Raises in a database. `now` gives Unix time in milliseconds. */
export const createPositionJumps = (database: Database, now: () => number): PositionJumps => {
  const note = async (): Promise<number> => {
    const [noted] = await database.run<JumpedAccount>(noteIncarnation, [now(), atOnce])
    return noted?.raised ?? 0
  }

  const find = async (): Promise<number> => {
    const [found] = await database.run<JumpedAccount>(findJumped, [])
    return found?.raised ?? note()
  }

  return {
    find,
    note,
    raise: async (userId) => {
      await find()
      await database.run(jumpAccount, [userId, newEpoch()])
    },
  }
}

/**
 * An account as it goes on elsewhere: raised now, if it was not yet (`raised` is by how much the database raises), and
 * with the positions that were lost.
 */
export const takeGapsAlong = (
  document: AccountDocument,
  place: Pick<AccountPosition, 'raised' | 'gaps'>,
  raised: number,
): AccountDocument => {
  const by = Math.max(0, raised - place.raised)
  const position = document.position + by
  const gaps: Gaps = by > 0 ? [...place.gaps, [document.position, position]] : place.gaps
  return { ...document, position, records: [...withGaps(document.records, gaps)] }
}

/** What an account of a user is told by from all that were before it. */
export const newEpoch = (): number => randomInt(1, 2 ** 47)
