import { withDatabase } from './open-postgres.ts'

// Any number that nobody else uses on this database; it means "the first accounts of thingsync".
const lockKey = 7_410_215_884

/**
 * Runs work while no other process runs any of this on the same database: it waits until they are done.
 * @throws what the work throws; StoreFailed when the database cannot be reached
 */
export const runAlone = <T>(url: string, work: () => Promise<T>): Promise<T> =>
  withDatabase(url, async (connection) => {
    // Of the transaction and not of the session, which a pooler may give to somebody else.
    await connection.query('begin')
    await connection.query('select pg_advisory_xact_lock($1)', [lockKey])
    const result = await work()
    await connection.query('commit')
    return result
  })
