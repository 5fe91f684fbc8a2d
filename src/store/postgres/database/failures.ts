import { StoreFailed } from '../../store.ts'
import { DatabaseError } from '../driver.ts'

/**
 * The database did not do what it was asked. `isUndone`: it says so itself, or never heard of it. Otherwise the
 * connection broke in between, and nobody knows.
 */
export class DatabaseFailed extends StoreFailed {
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
const refusedCodes = /^(25006|0A000|42501|55000|55P03|57014|53...|57P03|3D000|28...|58030)$/

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
      return new DatabaseFailed(`database: ${error.message}`, { isUndone: true, isTransient: true, cause: error })
    if (refusedCodes.test(code))
      return new DatabaseFailed(`database: ${error.message} (${code})`, { isUndone: true, cause: error })
    if (endedCodes.test(code))
      return new DatabaseFailed(`database: ${error.message} (${code})`, { isUndone: !wasSent, cause: error })
    return error
  }
  const code = 'code' in error ? String(error.code) : ''
  if (systemCodes.test(code) || driverMessages.test(error.message))
    return new DatabaseFailed(`database: ${error.message}`, { isUndone: !wasSent, cause: error })
  return error
}
