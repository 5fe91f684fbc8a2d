import type { FolderTotals } from '../../tools/inspect/folder-totals.ts'
import { readType } from '../driver.ts'
import { withDatabase } from '../open-postgres.ts'
import { countRows } from '../statements/totals.ts'
import { requireSchema } from './inspect-database.ts'

/** How much a database holds, at one moment; `bytes` are on the disk, with indexes. It has no journal of ours. */
export type DatabaseTotals = Omit<FolderTotals, 'journalBytes' | 'journalSegments' | 'journalWrites' | 'lastCheckpoint'>

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
