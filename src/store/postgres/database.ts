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
 * A statement of the store. A program has few, each with a name, under which the database keeps its plan.
 *
 * Whatever can be asked a million times asks for one account or one hash, so that an engine that keeps tables on many
 * machines sends it to one of them. `reaches` says so, or why not.
 */
export interface Statement {
  readonly name: string
  readonly text: string
  /** `account`, `hash`, or the reason why it names neither. */
  readonly reaches: 'account' | 'hash' | { readonly all: string }
  /** True when running it again does no harm: what a lost connection has cut off is tried once more. */
  readonly isRepeatable: boolean
  /** Finds a few rows by their key, which each request does: it goes out at once, behind others that are on their way. */
  readonly isLookUp?: true
}

/** A value of a statement; a buffer is one in the database's own binary form. */
export type Value = string | number | boolean | null | Buffer

/** Types of which arrays are sent, by their number in every PostgreSQL. */
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

// Sent as text, an array is escaped quote by quote here and read the same way there; steps are full of quotes.

/** Texts as an array in the database's binary form. */
export const encodeTexts = (texts: readonly (string | Buffer)[]): Buffer =>
  encodeElements('text', texts, Buffer.byteLength, (target, offset, text) => {
    if (typeof text === 'string') target.write(text, offset)
    else text.copy(target, offset)
  })

/** Whole numbers, as `bigint`. */
export const encodeWholes = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'int8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeBigInt64BE(BigInt(number), offset),
  )

/** Numbers, as `double precision`. */
export const encodeNumbers = (numbers: readonly number[]): Buffer =>
  encodeElements(
    'float8',
    numbers,
    () => 8,
    (target, offset, number) => void target.writeDoubleBE(number, offset),
  )

/** Flags, as `boolean`. */
export const encodeFlags = (flags: readonly boolean[]): Buffer =>
  encodeElements(
    'bool',
    flags,
    () => 1,
    (target, offset, flag) => void target.writeUInt8(flag ? 1 : 0, offset),
  )

/**
 * The database did not do what it was asked. `isUndone`: it says so itself, or never heard of it. Otherwise the
 * connection broke in between, and nobody knows.
 */
export class QueryError extends StoreError {
  readonly isUndone: boolean
  /** It would do it if it were asked again: somebody else was in the way. */
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

/** Somebody else was in the way: serialization failure, dead-lock. */
const transientCodes = new Set(['40001', '40P01'])

/** Standby or read-only, no right to it, lock not to be had in time, statement took too long, and the like: it was not done. */
const rejectedCodes = /^(25006|0A000|42501|55000|55P03|57014|53...|57P03|3D000|28...|58030)$/

/** The connection ended: shut down, crashed, cut, or ended by an administrator. */
const endedCodes = /^(57P01|57P02|57P05|25P03|08...)$/

/** An error of the driver that is no answer of the database: what it says when a connection cannot be had, or breaks. */
const driverMessages =
  /^(Connection terminated|Client has encountered a connection error|timeout exceeded when trying to connect|timeout expired|Query read timeout|Cannot use a pool|Client was closed|Client is closed|Connection ended|The server does not|write after end)/

const systemCodes = /^(E[A-Z]+|ERR_SOCKET_CLOSED|ERR_STREAM_[A-Z_]+)$/

/**
 * What an error of the driver means. `wasSent` is false when the connection could not even be had.
 * An error that is neither of the connection nor of the engine's state is a bug of ours, and stays what it is.
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
  if (systemCodes.test(code) || driverMessages.test(error.message))
    return new QueryError(`database: ${error.message}`, { isUndone: !wasSent, cause: error })
  return error
}

/**
 * One connection for what each request looks up by a key. What is asked goes out at once, behind what is on its way: that
 * takes half the processor time of connections that wait for one answer each.
 */
interface LookUps {
  /** The connection; a new one where there is none, or it has broken. @throws what the driver throws */
  readonly connect: () => Promise<Connection>
  /** It is of no use any more: whoever asks next has another one. */
  readonly drop: (connection: Connection) => void
  /** Resolves when all that was asked is answered, and the connection ended. */
  readonly close: () => Promise<void>
}

/** Connects when it is first asked. */
const openLookUps = (config: ClientConfig): LookUps => {
  let current: { readonly connection: Connection; readonly opened: Promise<Connection> } | undefined

  const drop = (connection: Connection): void => {
    if (current?.connection === connection) current = undefined
    connection.end().catch(() => undefined)
  }

  const open = (): NonNullable<typeof current> => {
    const connection = new Client({ ...config, pipeline: true })
    // Whoever waits for an answer hears of it; nobody else need.
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

/** A row, by the names of its columns. */
type Row = Readonly<Record<string, unknown>>

/** Runs a statement. @throws DatabaseFailed, which is a StoreFailed */
export type Run = <R extends object = Row>(statement: Statement, values: readonly Value[]) => Promise<readonly R[]>

/** Connections to one database. */
export interface Database {
  readonly run: Run
  /**
   * Runs statements that see the database at one moment, and change nothing.
   * @throws DatabaseFailed
   */
  readonly readAtOneMoment: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  /**
   * Runs statements of which all count or none.
   * @throws DatabaseFailed
   */
  readonly transact: <T>(work: (run: Run) => Promise<T>) => Promise<T>
  /**
   * The same, as if nobody else did anything meanwhile. Work that others got in the way of fails and can run again;
   * `alone`, it waits for all others that run in this way, and none of them begins before it has ended.
   * @throws DatabaseFailed with `isTransient` when others were in the way
   */
  readonly transactSerially: <T>(way: 'beside others' | 'alone', work: (run: Run) => Promise<T>) => Promise<T>
  readonly close: () => Promise<void>
}

/** How a database is reached. */
interface DatabaseOptions {
  /** `postgres://…` */
  readonly url: string
  /** Most connections of this process; at least two, of which one is for what each request looks up. */
  readonly connections?: number
  /** How long a statement, and waiting for a connection, may take: milliseconds. */
  readonly patienceMilliseconds?: number
}

const begin = 'begin'
// The lock stands before the moment that the transaction sees. Its table is one whose rows nobody changes meanwhile.
const beginSerially = {
  'beside others': 'begin isolation level serializable; lock table thingsync_schema in row share mode',
  alone: 'begin isolation level serializable; lock table thingsync_schema in exclusive mode',
} as const
const beginReading = 'begin isolation level repeatable read read only'

/**
 * What each connection is told. Plans are made once, for whatever values: they all go by an index, whatever the
 * statistics of a young table say. Without the last two a small table of sessions is read whole, to be joined.
 */
const settings = [
  ...['plan_cache_mode=force_generic_plan', 'jit=off', 'client_encoding=UTF8'],
  ...['enable_seqscan=off', 'enable_hashjoin=off', 'enable_mergejoin=off'],
]

/** By which a database knows this process. */
const programName = `thingsync ${process.pid} ${hostname()}`.slice(0, 60)

const describeConnection = (url: string, patienceMilliseconds: number): ClientConfig => ({
  connectionString: url,
  application_name: programName,
  keepAlive: true,
  connectionTimeoutMillis: patienceMilliseconds,
  statement_timeout: patienceMilliseconds,
  lock_timeout: patienceMilliseconds / 2,
  idle_in_transaction_session_timeout: patienceMilliseconds,
  // For a connection of which the other end is gone without a word.
  query_timeout: patienceMilliseconds + 2000,
  options: settings.map((setting) => `-c ${setting}`).join(' '),
})

const openPool = (config: ClientConfig, connections: number): ConnectionPool => {
  const pool = new Pool({ ...config, max: connections })
  // A connection that breaks tells whoever uses it; nobody need hear of one that nobody uses.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => void client.on('error', () => undefined))
  return pool
}

/** Work may ask several things at once; a connection takes one at a time. */
const inSeries = (run: Run): Run => {
  let last: Promise<unknown> = Promise.resolve()
  return <R extends object>(statement: Statement, values: readonly Value[]) => {
    const asked = last.then(() => run<R>(statement, values))
    last = asked.catch(() => undefined)
    return asked
  }
}

/** Opens connections to a database as they are needed. */
export const openDatabase = ({ url, connections = 10, patienceMilliseconds = 10_000 }: DatabaseOptions): Database => {
  const config = describeConnection(url, patienceMilliseconds)
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

  /** Only a connection on which the database itself has answered can be used again. */
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
      : (asked, given) => withClient((client) => runOn(client)(asked, given))
    try {
      return await runOnce(statement, values)
    } catch (error) {
      // Of the connections that are left after a restart of the database each is found broken once.
      const isCutOff = error instanceof QueryError && (!error.isUndone || error.isTransient)
      if (!(isCutOff && statement.isRepeatable)) throw error
      return runOnce(statement, values)
    }
  }

  const inTransaction = <T>(opening: string, work: (run: Run) => Promise<T>): Promise<T> =>
    withClient(async (client) => {
      const say = async (text: string): Promise<void> => {
        try {
          await client.query(text)
        } catch (error) {
          throw readFailure(error, true)
        }
      }
      await say(opening)
      try {
        const result = await work(inSeries(runOn(client)))
        await say('commit')
        return result
      } catch (error) {
        if (isUsable(error)) await say('rollback')
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
