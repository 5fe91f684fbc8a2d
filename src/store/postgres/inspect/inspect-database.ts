import { StoreError } from '../../store.ts'
import type { FolderTotals, FoundFile } from '../../tools/inspect.ts'
import { openDatabase, type Statement } from '../database.ts'
import { readType } from '../driver.ts'
import { checkSchema, readMigrations, readSchemaState } from '../migrate.ts'
import { withDatabase } from '../open-postgres.ts'
import { inspectAccounts } from './inspect-accounts.ts'
import { inspectRegistryTables } from './inspect-registry.ts'

/** The result of the inspection of a database. */
export interface InspectedDatabase {
  /** The number of accounts, and of tables of users, apps, sessions and the like, that were read. */
  readonly checked: number
  /**
   * The same as for the files of a data folder: `file` is the name of a table, or `account/` and the id of an account.
   * It lists only accounts with damage or with a note.
   */
  readonly files: readonly FoundFile[]
}

const maxWaitMilliseconds = 60_000

/** Checks that a database has the schema of this program. @throws StoreError if not */
export const requireSchema = (url: string): Promise<void> =>
  withDatabase(url, async (connection) => {
    const state = await readSchemaState(connection)
    if (state.version === 0) throw new StoreError('the database contains no tables of thingsync')
    checkSchema(state, await readMigrations())
  })

/**
 * Reads each row of a database, page by page on one snapshot, and changes nothing. Servers may work on it meanwhile. It
 * may be a standby.
 * @throws StoreError
 */
export const inspectDatabase = async (url: string): Promise<InspectedDatabase> => {
  await requireSchema(url)
  const database = openDatabase({ url, connections: 1, timeoutMilliseconds: maxWaitMilliseconds })
  try {
    return await database.readAtOneMoment(async (run) => {
      const tables = await inspectRegistryTables(run)
      const accounts = await inspectAccounts(run)
      return { checked: tables.length + accounts.checked, files: [...tables, ...accounts.files] }
    })
  } finally {
    await database.close()
  }
}

const sizeOf = (...tables: readonly string[]): string =>
  tables.map((table) => `(select sum(pg_total_relation_size(relid)) from pg_partition_tree('${table}'))`).join(' + ')

/** Counts the rows of all tables. */
export const countRows: Statement = {
  name: 'count-rows',
  text: `
    select (select count(*) from users) as users,
      (select count(*) from app) as apps,
      (select count(*) from session) as sessions,
      (select count(*) from account) as accounts,
      items.things, items.deletions,
      (select count(*) from delivery where due_at is not null) as "outboxEntries",
      pg_database_size(current_database()) as bytes,
      (${sizeOf('account', 'item', 'earlier', 'record', 'delivery')})::bigint as "accountBytes"
    from (
      select count(*) filter (where step like '{"thing":%') as things,
        count(*) filter (where step like '{"tombstone":%') as deletions
      from item
    ) as items`,
  reaches: { all: 'for "thingsync stats": all of them, counted' },
  isRepeatable: true,
}

/** The counts of a database at one moment. `bytes` is the size on disk, with indexes. A database has no journal. */
export type DatabaseTotals = Omit<FolderTotals, 'journalBytes' | 'journalSegments' | 'journalWrites' | 'lastCheckpoint'>

/** Counts the contents of a database. Servers may work on it meanwhile. @throws StoreError */
export const readTotals = async (url: string): Promise<DatabaseTotals> => {
  await requireSchema(url)
  // A connection with default settings: the store's own settings are for queries of a few rows.
  return withDatabase(url, async (connection) => {
    const { rows } = await connection.query<DatabaseTotals>({ ...countRows, types: { getTypeParser: readType } })
    const [totals] = rows
    if (totals === undefined) throw new TypeError('a query without a table gave no row')
    return totals
  })
}
