import { randomInt } from 'node:crypto'
import type { AccountDocument } from '../../image/account-document.ts'
import { type Gaps, withGaps } from '../../image/lost-positions.ts'
import type { Database } from '../database/open-database.ts'
import { findRaised, noteIncarnation, raiseAccount } from '../statements/raises.ts'
import type { AccountPlace } from './changed-rows.ts'

/**
 * Raises of positions. A standby that became the database, or a database that was restored, may lack what was answered
 * before; of the positions that were given then none may be given again.
 */
export interface Raises {
  /** By how much the positions of new accounts are raised. @throws StoreFailed */
  readonly find: () => Promise<number>
  /** Says that the database goes on; to be called when the store is opened, and then once a minute. @throws StoreFailed */
  readonly note: () => Promise<number>
  /** Raises an account, if it was not since the last one. @throws StoreFailed */
  readonly raise: (userId: string) => Promise<void>
}

interface Raised {
  readonly raised: number
}

/** As after the restore of a data folder: covers any upload or import. */
const atOnce = 1_000_000

/** Raises in a database. `now` gives Unix time in milliseconds. */
export const createRaises = (database: Database, now: () => number): Raises => {
  const note = async (): Promise<number> => {
    const [noted] = await database.run<Raised>(noteIncarnation, [now(), atOnce])
    return noted?.raised ?? 0
  }

  const find = async (): Promise<number> => {
    const [found] = await database.run<Raised>(findRaised, [])
    return found?.raised ?? note()
  }

  return {
    find,
    note,
    raise: async (userId) => {
      await find()
      await database.run(raiseAccount, [userId, newEpoch()])
    },
  }
}

/**
 * An account as it goes on elsewhere: raised now, if it was not yet (`raised` is by how much the database raises), and
 * with the positions that were lost.
 */
export const takeGapsAlong = (
  document: AccountDocument,
  place: Pick<AccountPlace, 'raised' | 'gaps'>,
  raised: number,
): AccountDocument => {
  const by = Math.max(0, raised - place.raised)
  const position = document.position + by
  const gaps: Gaps = by > 0 ? [...place.gaps, [document.position, position]] : place.gaps
  return { ...document, position, records: [...withGaps(document.records, gaps)] }
}

/** What an account of a user is told by from all that were before it. */
export const newEpoch = (): number => randomInt(1, 2 ** 47)
