import { readType } from '../driver.ts'
import { withDatabase } from '../open-postgres.ts'
import { countRows } from '../statements/totals.ts'
import { requireSchema } from './inspect-database.ts'

/** How much a database holds, at one moment. */
export interface DatabaseTotals {
  readonly users: number
  readonly apps: number
  readonly sessions: number
  /** Accounts that were ever written to. */
  readonly accounts: number
  readonly things: number
  /** Things that were deleted, of which clients must still hear. */
  readonly deletions: number
  /** What is still to be told to webhooks and devices. */
  readonly errands: number
  /** On the disk, with indexes: of the whole database, and of what belongs to accounts. */
  readonly bytes: number
  readonly accountBytes: number
}

/** Counts what is in a database; servers work on meanwhile. @throws StoreFailed */
export const readTotals = async (url: string): Promise<DatabaseTotals> => {
  await requireSchema(url)
  // A connection as the database makes it: the plans of the store's own are for a few rows.
  return withDatabase(url, async (connection) => {
    const { rows } = await connection.query<DatabaseTotals>({ ...countRows, types: { getTypeParser: readType } })
    const [totals] = rows
    if (totals === undefined) throw new TypeError('a query without a table gave no row')
    return totals
  })
}
