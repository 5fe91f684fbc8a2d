import { hostname } from 'node:os'
import { StoreError } from '../store.ts'
import {
  Client,
  type ClientConfig,
  type Connection,
  type ConnectionPool,
  DatabaseError,
  Pool,
  type PoolClient,
  readType,
} from './driver.ts'

/**
 * A statement of the store. There are few, each with a name, under which the database keeps its plan.
 *
 * Each frequent statement reads one account or one hash, so that a distributed database sends it to one machine.
 * `reaches` says which, or gives the reason why not.
 */
export interface Statement {
  readonly name: string
  readonly text: string
  /** `account`, `hash`, or the reason why the statement names neither. */
  readonly reaches: 'account' | 'hash' | { readonly all: string }
  /** True if the statement is idempotent: after a lost connection it runs once more. */
  readonly isRepeatable: boolean
  /** True for a short read by key that each request makes: it is sent at once, pipelined with others. */
  readonly isLookUp?: true
}

/** A value of a statement. A buffer is in PostgreSQL's binary format. */
export type Value = string | number | boolean | null | Buffer

/** OIDs of the array element types; they are the same in each PostgreSQL. */
const typeNumbers = { bool: 16, int8: 20, text: 25, float8: 701 } as const

const headBytes = 20
const withoutNulls = 0

const encodeElements = <Item>(
  type: keyof typeof typeNumbers,
  items: readonly Item[],
  bytesOf: (item: Item) => number,
  put: (target: Buffer, offset: number, item: Item, bytes: number) => void,
): Buffer => {
  const sizes = items.map((item) => bytesOf(item))
  const size = sizes.reduce((sum, bytes) => sum + bytes + 4, items.length === 0 ? 12 : headBytes)
  const target = Buffer.allocUnsafe(size)
  target.writeInt32BE(items.length === 0 ? 0 : 1, 0)
  target.writeInt32BE(withoutNulls, 4)
  target.writeInt32BE(typeNumbers[type], 8)
  if (items.length === 0) return target
  target.writeInt32BE(items.length, 12)
  target.writeInt32BE(1, 16)
  let offset = headBytes
  for (const [index, item] of items.entries()) {
    const bytes = sizes[index] as number
    target.writeInt32BE(bytes, offset)
    offset += 4
    put(target, offset, item, bytes)
    offset += bytes
  }
  return target
}

// Binary, because text arrays escape each quote, and steps are full of quotes.

/** Encodes texts as a binary array of `text`. */
export const encodeTexts = (texts: readonly (string | Buffer)[]): Buffer =>
  encodeElements('text', texts, Buffer.byteLength, (target, offset, text) => {
    if (typeof text === 'string') target.write(text, offset)
    else text.copy(target, offset)
  })

/** Encodes integers as a binary array of `bigint`. */
export const encodeWholes = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'int8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeBigInt64BE(BigInt(number), offset),
  )

/** Encodes numbers as a binary array of `double precision`. */
export const encodeNumbers = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'float8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeDoubleBE(number, offset),
  )

/** Encodes flags as a binary array of `boolean`. */
export const encodeFlags = (flags: readonly boolean[]): Buffer =>
  encodeElements(
    'bool',
    flags,
    () => 1,
    (target, offset, flag) => void target.writeUInt8(flag ? 1 : 0, offset),
  )

/**
 * A statement failed. `isUndone` is true if the statement certainly had no effect: the database reported the error or
 * did not receive the statement. Otherwise the connection broke, and the outcome is unknown.
 */
export class QueryError extends StoreError {
  readonly isUndone: boolean
  /** True if a retry may succeed: another transaction was in conflict. */
  readonly isTransient: boolean

  constructor(message: string, { isUndone, isTransient = false, cause }: DatabaseFailure) {
    super(message, { cause })
    this.isUndone = isUndone
    this.isTransient = isTransient
  }
}

interface DatabaseFailure {
  readonly isUndone: boolean
  readonly isTransient?: boolean
  readonly cause: unknown
}

/** Conflicts with another transaction: serialization failure, deadlock. */
const transientCodes = new Set(['40001', '40P01'])

/** The statement had no effect: standby, read-only, no permission, lock timeout, statement timeout, and the like. */
const rejectedCodes = /^(25006|0A000|42501|55000|55P03|57014|53...|57P03|3D000|28...|58030)$/

/** The connection ended: shutdown, crash, network, or an administrator. */
const endedCodes = /^(57P01|57P02|57P05|25P03|08...)$/

/** Errors of the driver (not of the database) when a connection cannot be opened or breaks. */
const driverMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool|Client was closed|Client is closed|Connection ended|The server does not|write after end)/

/** The database cannot be reached: it does not run, or its URL is wrong. */
const unreachableCodes = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT)$/

const systemCodes = /^(E[A-Z]+|ERR_SOCKET_CLOSED|ERR_STREAM_[A-Z_]+)$/

/**
 * Converts an error of the driver to a QueryError. `wasSent` is false if there was no connection.
 * An error of neither the connection nor the state of the database is a bug; it is returned unchanged.
 */
export const readFailure = (error: unknown, wasSent: boolean): unknown => {
  if (!(error instanceof Error)) return error
  if (error instanceof DatabaseError) {
    const { code = '' } = error
    if (transientCodes.has(code))
      return new QueryError(`database: ${error.message}`, { isUndone: true, isTransient: true, cause: error })
    if (rejectedCodes.test(code))
      return new QueryError(`database: ${error.message} (${code})`, { isUndone: true, cause: error })
    if (endedCodes.test(code))
      return new QueryError(`database: ${error.message} (${code})`, { isUndone: !wasSent, cause: error })
    return error
  }
  const code = 'code' in error ? String(error.code) : ''
  if (unreachableCodes.test(code)) {
    const advice = 'check the URL of the database, and that the database runs'
    return new QueryError(`database: ${error.message}; ${advice}`, { isUndone: !wasSent, cause: error })
  }
  if (systemCodes.test(code) || driverMessages.test(error.message))
    return new QueryError(`database: ${error.message}`, { isUndone: !wasSent, cause: error })
  return error
}

/**
 * A single pipelined connection for the look-ups by key. It sends a statement at once, without waiting for earlier
 * results. That needs half the processor time of connections that wait for each result.
 */
interface LookUps {
  /** Returns the connection; opens one if there is none or it is broken. @throws what the driver throws */
  readonly connect: () => Promise<Connection>
  /** Drops a broken connection. The next call of `connect` opens another one. */
  readonly drop: (connection: Connection) => void
  /** Ends the connection after all its statements have results. */
  readonly close: () => Promise<void>
}

/** Creates the look-ups. They connect at the first statement. */
const openLookUps = (config: ClientConfig): LookUps => {
  let current: { readonly connection: Connection; readonly opened: Promise<Connection> } | undefined

  const drop = (connection: Connection): void => {
    if (current?.connection === connection) current = undefined
    connection.end().catch(() => undefined)
  }

  const open = (): NonNullable<typeof current> => {
    const connection = new Client({ ...config, pipeline: true })
    // The driver also rejects each pending query.
    connection.on('error', () => drop(connection))
    connection.on('end', () => drop(connection))
    const opened = connection.connect().then(() => connection)
    opened.catch(() => drop(connection))
    return { connection, opened }
  }

  return {
    connect: () => {
      current ??= open()
      return current.opened
    },
    drop,
    close: async () => {
      const last = current
      current = undefined
      await last?.opened.then((connection) => connection.end()).catch(() => undefined)
    },
  }
}

/** A row by its column names. */
type Row = Readonly<Record<string, unknown>>

/** Runs a statement. @throws QueryError, which is a StoreError */
export type Run = <R extends object = Row>(statement: Statement, values: readonly Value[]) => Promise<readonly R[]>

/** The connections to one database. */
export interface Database {
  readonly run: Run
  /**
   * Runs reading statements on one snapshot of the database.
   * @throws QueryError
   */
  readonly readAtOneMoment: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  /**
   * Runs statements in one transaction: all take effect or none.
   * @throws QueryError
   */
  readonly transact: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  /**
   * Runs statements in one serializable transaction. Work in conflict with another transaction fails and can run again.
   * With `alone` it first waits for all other serializable transactions, and they wait for its end.
   * @throws QueryError with `isTransient` after a conflict
   */
  readonly transactSerially: <T>(way: 'beside others' | 'alone', work: (run: Run) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** Options of the connections. */
interface DatabaseOptions {
  /** `postgres://…` */
  readonly url: string
  /** Maximum of connections of this process. It uses at least two; one of them is for look-ups. */
  readonly connections?: number
  /** Timeout in milliseconds of a statement, and of waiting for a connection. */
  readonly timeoutMilliseconds?: number
}

const begin = 'begin'
// The lock is taken before the snapshot of the transaction. It is on a table that does not change meanwhile.
const beginSerially = {
  'beside others': 'begin isolation level serializable; lock table thingsync_schema in row share mode',
  alone: 'begin isolation level serializable; lock table thingsync_schema in exclusive mode',
} as const
const beginReading = 'begin isolation level repeatable read read only'

/**
 * The settings of each connection. Plans are generic and use indexes, even if the statistics of a new table say
 * otherwise. Without the last two settings a small table of sessions would be read completely for a join.
 */
const settings = [
  ...['plan_cache_mode=force_generic_plan', 'jit=off', 'client_encoding=UTF8'],
  ...['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'],
]

/** The application name of this process in the database. */
const programName = `thingsync ${process.pid} ${hostname()}`.slice(0, 60)

const describeConnection = (url: string, timeoutMilliseconds: number): ClientConfig => ({
  connectionString: url,
  application_name: programName,
  keepAlive: true,
  connectionTimeoutMillis: timeoutMilliseconds,
  statement_timeout: timeoutMilliseconds,
  lock_timeout: timeoutMilliseconds / 2,
  idle_in_transaction_session_timeout: timeoutMilliseconds,
  // For a connection whose other end disappeared silently.
  query_timeout: timeoutMilliseconds + 2000,
  options: settings.map((setting) => `-c ${setting}`).join(' '),
})

const openPool = (config: ClientConfig, connections: number): ConnectionPool => {
  const pool = new Pool({ ...config, max: connections })
  // A broken connection rejects its pending query. The error of an idle connection is of no interest.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** Work may run several statements at once; this runs them one after another on the connection. */
const inSeries = (run: Run): Run => {
  let last: Promise<unknown> = Promise.resolve()
  return <R extends object>(statement: Statement, values: readonly Value[]) => {
    const running = last.then(() => run<R>(statement, values))
    last = running.catch(() => undefined)
    return running
  }
}

/** Creates the access to a database. It opens connections when they are needed, and must be closed. */
export const openDatabase = ({ url, connections = 10, timeoutMilliseconds = 10_000 }: DatabaseOptions): Database => {
  const config = describeConnection(url, timeoutMilliseconds)
  const pool = openPool(config, Math.max(1, connections - 1))
  const lookUps = openLookUps(config)
  let ending: Promise<void> | undefined

  const connect = async <C>(open: () => Promise<C>): Promise<C> => {
    try {
      return await open()
    } catch (error) {
      throw readFailure(error, false)
    }
  }

  const runOn =
    (client: PoolClient | Connection): Run =>
    async <R extends object>({ name, text }: Statement, values: readonly Value[]) => {
      try {
        const { rows } = await client.query<R>({ name, text, values: [...values], types: { getTypeParser: readType } })
        return rows
      } catch (error) {
        throw readFailure(error, true)
      }
    }

  /** A connection can be used again only if the database itself has reported the error. */
  const isUsable = (error: unknown): boolean =>
    !(error instanceof QueryError) || (error.isUndone && error.cause instanceof DatabaseError)

  const withClient = async <T>(work: (client: PoolClient) => Promise<T>): Promise<T> => {
    const client = await connect(() => pool.connect())
    try {
      const result = await work(client)
      client.release()
      return result
    } catch (error) {
      client.release(!isUsable(error))
      throw error
    }
  }

  const lookUp: Run = async (statement, values) => {
    const connection = await connect(lookUps.connect)
    try {
      return await runOn(connection)(statement, values)
    } catch (error) {
      if (!isUsable(error)) lookUps.drop(connection)
      throw error
    }
  }

  const run: Run = async (statement, values) => {
    const runOnce: Run = statement.isLookUp
      ? lookUp
      : (once, parameters) => withClient((client) => runOn(client)(once, parameters))
    try {
      return await runOnce(statement, values)
    } catch (error) {
      // After a restart of the database, each remaining connection fails once.
      const isCutOff = error instanceof QueryError && (!error.isUndone || error.isTransient)
      if (!(isCutOff && statement.isRepeatable)) throw error
      return runOnce(statement, values)
    }
  }

  const inTransaction = <T>(opening: string, work: (run: Run) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      const execute = async (text: string): Promise<void> => {
        try {
          await client.query(text)
        } catch (error) {
          throw readFailure(error, true)
        }
      }
      await execute(opening)
      try {
        const result = await work(inSeries(runOn(client)))
        await execute('commit')
        return result
      } catch (error) {
        if (isUsable(error)) await execute('rollback')
        throw error
      }
    })

  return {
    run,
    readAtOneMoment: (work) => inTransaction(beginReading, work),
    transact: (work) => inTransaction(begin, work),
    transactSerially: (way, work) => inTransaction(beginSerially[way], work),
    close: () => {
      ending ??= Promise.all([pool.end(), lookUps.close()]).then(() => undefined)
      return ending
    },
  }
}
