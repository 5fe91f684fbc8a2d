import { hostname } from 'node:os'
import {
  type ClientConfig,
  type Connection,
  type ConnectionPool,
  DatabaseError,
  Pool,
  type PoolClient,
  readType,
} from '../driver.ts'
import { DatabaseFailed, readFailure } from './failures.ts'
import { openLookUps } from './look-ups.ts'
import type { Statement, Value } from './statement.ts'

/** A row, by the names of its columns. */
export type Row = Readonly<Record<string, unknown>>

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
export interface DatabaseOptions {
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
const inTurns = (run: Run): Run => {
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
    !(error instanceof DatabaseFailed) || (error.isUndone && error.cause instanceof DatabaseError)

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
      const isCutOff = error instanceof DatabaseFailed && (!error.isUndone || error.isTransient)
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
        const result = await work(inTurns(runOn(client)))
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
