import { type Store, StoreFailed, type ThingForm } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { readFailure } from './database/failures.ts'
import { openDatabase } from './database/open-database.ts'
import { Client, type Connection } from './driver.ts'
import { checkSchema, migrate, readSchemaState } from './migrate.ts'
import { readMigrations } from './migrations.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openPostgresRegistry } from './registry/open-postgres-registry.ts'

/** Options of a store in PostgreSQL. */
export interface PostgresOptions {
  /** `postgres://…`, of the database or of a pooler before it. */
  readonly url: string
  /** Of the database itself, where `url` is a pooler's. */
  readonly listenUrl?: string
  /** Most connections of this process, without the one that listens. */
  readonly connections?: number
  /** Whether an empty database gets the tables; true when left out. */
  readonly mayMakeTables?: boolean
  readonly form: ThingForm
  readonly now?: () => number
  readonly elapsed?: () => number
  readonly log?: StoreLog
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

const patienceMilliseconds = 10_000

/** Runs work on a connection of its own. @throws StoreFailed when the database cannot be reached */
export const withDatabase = async <T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> => {
  const connection = new Client({ connectionString: url, connectionTimeoutMillis: patienceMilliseconds })
  connection.on('error', () => undefined)
  try {
    await connection.connect()
    return await work(connection)
  } catch (error) {
    const failure = readFailure(error, true)
    throw failure instanceof StoreFailed ? failure : error
  } finally {
    await connection.end().catch(() => undefined)
  }
}

/** An empty database may get the schema; one of an earlier version waits for `thingsync migrate`. */
const prepare = (url: string, mayMakeTables: boolean): Promise<void> =>
  withDatabase(url, async (connection) => {
    const state = await readSchemaState(connection)
    if (state.version === 0 && mayMakeTables) await migrate(connection)
    else checkSchema(state, await readMigrations())
  })

/**
 * Opens the store in a PostgreSQL database, together with any number of other processes.
 * @throws StoreFailed when the database cannot be reached or used
 */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  const { url, connections, listenUrl = url, mayMakeTables = true, ...others } = options
  await prepare(url, mayMakeTables)
  const database = openDatabase({ url, ...(connections === undefined ? {} : { connections }) })
  try {
    return await openPostgresStore({ ...others, database, listenUrl, registry: openPostgresRegistry(database) })
  } catch (error) {
    await database.close()
    throw error
  }
}
