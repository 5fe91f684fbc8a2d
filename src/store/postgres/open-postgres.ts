import { type Store, StoreError, type StoreLog, type ThingForm } from '../store.ts'
import { openDatabase, readFailure } from './database.ts'
import { Client, type Connection } from './driver.ts'
import { checkSchema, migrate, readMigrations, readSchemaState } from './migrate.ts'
import { openPostgresStore } from './open-postgres-store.ts'
import { openPostgresRegistry } from './registry.ts'

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

const maxStartMilliseconds = 10_000

/** Runs work on a connection of its own. @throws StoreFailed when the database cannot be reached */
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

// Any number that nobody else uses on this database; it means "the first accounts of thingsync".
const lockKey = 7_410_215_884

/**
 * Runs work while no other process runs any of this on the same database: it waits until they are done.
 * @throws what the work throws; StoreFailed when the database cannot be reached
 */
export const runExclusively = <T>(url: string, work: () => Promise<T>): Promise<T> =>
  withDatabase(url, async (connection) => {
    // Of the transaction and not of the session, which a pooler may give to somebody else.
    await connection.query('begin')
    await connection.query('select pg_advisory_xact_lock($1)', [lockKey])
    const result = await work()
    await connection.query('commit')
    return result
  })
