import { randomInt } from 'node:crypto'
import type { AccountDocument } from '../../account/account.ts'
import { type Gaps, withGaps } from '../../account/records.ts'
import type { Database, Statement } from '../database.ts'
import type { AccountState } from './account-rows.ts'

/**
 * The name of the database's incarnation, in SQL: its cluster and its current timeline. Fails on a standby. (The
 * timeline of `pg_control_checkpoint` is old until the first checkpoint after a promotion.)
 */
const name = `((select system_identifier::text from pg_control_system())
  || '/' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))`

/**
 * A query for the amount by which positions were raised up to the current incarnation of the database. It returns no
 * row for an unknown incarnation: see `noteIncarnation`.
 */
export const jumpNow = `select raised from incarnation where name = ${name}`

/** The same query as a statement. */
const findJumped: Statement = {
  name: 'find-raised',
  text: jumpNow,
  reaches: { all: 'the state of the database: a row' },
  isRepeatable: true,
}

/**
 * Notes at a time ($1, Unix milliseconds) that the incarnation is in use. The positions of an unknown incarnation are
 * raised by a number ($2) and by ten for each second since the previous incarnation was noted. No account can have used
 * more positions meanwhile.
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
 * Raises the positions of an account that was last written in an earlier incarnation. It gets a new epoch ($2), because
 * the copies in the memory of processes may contain lost writes.
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

/** The jumps of a feed over writes of other processes. This process does not know the states in between. */
interface Jumps {
  /** Notes a jump. Positions below `floor` are not needed any more. */
  readonly note: (from: number, to: number, floor: number) => void
  /** True if no jump goes over this position. */
  readonly isStop: (position: number) => boolean
}

interface Jump {
  readonly from: number
  readonly to: number
}

const maxJumps = 4096

/** Creates an empty list of jumps. */
export const createJumps = (): Jumps => {
  let jumps: Jump[] = []
  // The oldest jumps may be dropped. Below this position no state is known then.
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
 * Jumps of positions. A promoted standby, or a restored database, may lack acknowledged writes. Their positions must
 * not be used again, so all positions are raised.
 */
export interface PositionJumps {
  /** Finds by how much the positions of new accounts are raised. @throws StoreError */
  readonly find: () => Promise<number>
  /** Notes that the incarnation is in use. Called when the store opens, and then once a minute. @throws StoreError */
  readonly note: () => Promise<number>
  /** Raises the positions of an account, unless they are raised already. @throws StoreError */
  readonly raise: (userId: string) => Promise<void>
}

interface JumpedAccount {
  readonly raised: number
}

/** The same jump as after the restore of a data folder: it covers any upload or import. */
const minJump = 1_000_000

/** Creates the position jumps of a database. `now` returns Unix time in milliseconds. */
export const createPositionJumps = (database: Database, now: () => number): PositionJumps => {
  const note = async (): Promise<number> => {
    const [noted] = await database.run<JumpedAccount>(noteIncarnation, [now(), minJump])
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
 * Prepares an account for another store: its positions are raised, if they are not yet, and it gets its gaps of lost
 * positions. `raised` is the amount by which the database raises positions.
 */
export const raiseDocument = (
  document: AccountDocument,
  state: Pick<AccountState, 'raised' | 'gaps'>,
  raised: number,
): AccountDocument => {
  const by = Math.max(0, raised - state.raised)
  const position = document.position + by
  const gaps: Gaps = by > 0 ? [...state.gaps, [document.position, position]] : state.gaps
  return { ...document, position, records: [...withGaps(document.records, gaps)] }
}

/** Creates an epoch, which distinguishes an account from all previous accounts of the same user. */
export const newEpoch = (): number => randomInt(1, 2 ** 47)
