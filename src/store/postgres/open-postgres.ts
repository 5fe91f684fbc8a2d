import { type Store, StoreError, type StoreLog, type ThingForm } from '../store.ts'
import { openDatabase, readFailure } from './database.ts'
import { Client, type Connection } from './driver.ts'
import { checkSchema, migrate, readMigrations, readSchemaState } from './migrate.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openPostgresRegistry } from './registry.ts'

/** Options of a PostgreSQL store. */
export interface PostgresOptions {
  /** `postgres://…`, of the database or of a connection pooler. */
  readonly url: string
  /** The URL of the database itself, if `url` is the URL of a pooler. */
  readonly listenUrl?: string
  /** Maximum of connections of this process, without the one for notifications. */
  readonly connections?: number
  /** True if the store may create its tables in an empty database. Default: true. */
  readonly mayCreateTables?: boolean
  readonly form: ThingForm
  readonly now?: () => number
  readonly monotonicMs?: () => number
  readonly log?: StoreLog
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

const maxStartMilliseconds = 10_000

/** Runs work on a connection of its own. @throws StoreError if the database cannot be reached */
export const withDatabase = async <T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> => {
  const connection = new Client({ connectionString: url, connectionTimeoutMillis: maxStartMilliseconds })
  connection.on('error', () => undefined)
  try {
    await connection.connect()
    return await work(connection)
  } catch (error) {
    const failure = readFailure(error, true)
    throw failure instanceof StoreError ? failure : error
  } finally {
    await connection.end().catch(() => undefined)
  }
}

/** Creates the schema in an empty database, if that is permitted. An older schema needs `thingsync migrate`. */
const prepare = (url: string, mayCreateTables: boolean): Promise<void> =>
  withDatabase(url, async (connection) => {
    const state = await readSchemaState(connection)
    if (state.version === 0 && mayCreateTables) await migrate(connection)
    else checkSchema(state, await readMigrations())
  })

/**
 * Opens the store in a PostgreSQL database. Any number of processes can work on the same database.
 * @throws StoreError if the database cannot be reached or used
 */
export const openPostgres = async (options: PostgresOptions): Promise<Store> => {
  const { url, connections, listenUrl = url, mayCreateTables = true, ...others } = options
  await prepare(url, mayCreateTables)
  const database = openDatabase({ url, ...(connections === undefined ? {} : { connections }) })
  try {
    return await openPostgresStore({ ...others, database, listenUrl, registry: openPostgresRegistry(database) })
  } catch (error) {
    await database.close()
    throw error
  }
}

// An arbitrary number that no other program uses on this database. It means "the first accounts of thingsync".
const lockKey = 7_410_215_884

/**
 * Runs work under a lock of the database: it waits until no other process runs exclusive work there.
 * @throws what the work throws; StoreError if the database cannot be reached
 */
export const runExclusively = <T>(url: string, work: () => Promise<T>): Promise<T> =>
  withDatabase(url, async (connection) => {
    // A lock of the transaction and not of the session: a pooler may give the session to another client.
    await connection.query('begin')
    await connection.query('select pg_advisory_xact_lock($1)', [lockKey])
    const result = await work()
    await connection.query('commit')
    return result
  })
