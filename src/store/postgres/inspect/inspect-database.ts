import { StoreFailed } from '../../store.ts'
import type { FoundFile } from '../../tools/inspect/describe-files.ts'
import { openDatabase } from '../database/open-database.ts'
import { checkSchema, readSchemaState } from '../migrate.ts'
import { readMigrations } from '../migrations.ts'
import { withDatabase } from '../open-postgres.ts'
import { inspectAccounts } from './inspect-accounts.ts'
import { inspectRegistryTables } from './inspect-registry.ts'

/** What was found of a database. */
export interface InspectedDatabase {
  /** How many accounts, and tables of users, apps, sessions and the like, were read. */
  readonly checked: number
  /**
   * As of the files of a data folder: `file` is the name of such a table, or `account/` and the id of an account. Of
   * accounts only those with damage, or with a note.
   */
  readonly files: readonly FoundFile[]
}

const patienceMilliseconds = 60_000

/** Refuses a database that is not of this program. @throws StoreFailed */
export const requireSchema = (url: string): Promise<void> =>
  withDatabase(url, async (connection) => {
    const state = await readSchemaState(connection)
    if (state.version === 0) throw new StoreFailed('the database holds nothing of thingsync')
    checkSchema(state, await readMigrations())
  })

/**
 * Reads every row of a database, as it is at one moment, a page at a time, and changes nothing; servers work on
 * meanwhile. It may be a standby.
 * @throws StoreFailed
 */
export const inspectDatabase = async (url: string): Promise<InspectedDatabase> => {
  await requireSchema(url)
  const database = openDatabase({ url, connections: 1, patienceMilliseconds })
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
