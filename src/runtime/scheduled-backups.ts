import type { Logger } from 'pino'
import type { Metrics } from '../metrics/metrics.ts'

/** How backups on a schedule are going. Times are Unix time in seconds. */
export interface BackupState {
  readonly last: number | null
  readonly next: number
  /** Why the newest try failed; null when it did not. */
  readonly problem: string | null
}

/** Backups that are made while a server runs. */
export interface ScheduledBackups {
  readonly state: () => BackupState
  /** Begins none any more, and resolves when the one that is being made is done. */
  readonly close: () => Promise<void>
}

/** What schedules need of the world, so that a test needs no day. */
interface BackupSchedule {
  readonly everySeconds: number
  /** When the newest one was made (Unix time in seconds), if one is known. */
  readonly last: number | undefined
  /** Makes one; gives a sentence about it. @throws when it could not be made */
  readonly make: () => Promise<string>
  /** Unix time in milliseconds. */
  readonly now: () => number
  readonly log: Pick<Logger, 'info' | 'error'>
  readonly metrics?: Metrics | undefined
}

/** A timer for days would be wrong after a suspended night, and after a month it would be none. */
const lookMilliseconds = 30_000
/** After one that failed; sooner where they are made more often. */
const retrySeconds = 3600

/** Makes backups from now on: the first when the newest is old enough, at once when there is none. */
export const openScheduledBackups = (
  schedule: BackupSchedule,
): ScheduledBackups & { readonly look: () => Promise<void> } => {
  const { everySeconds, make, now, log, metrics } = schedule
  const seconds = (): number => Math.floor(now() / 1000)
  let last = schedule.last
  let next = last === undefined ? seconds() : last + everySeconds
  let problem: string | null = null
  let running = Promise.resolve()
  let isClosed = false

  const lookOnce = async (): Promise<void> => {
    // A clock that was set back must not put off the next one for longer than they are apart.
    next = Math.min(next, seconds() + everySeconds)
    if (isClosed || seconds() < next) return
    const begun = seconds()
    try {
      log.info(`backup: ${await make()}`)
      last = begun
      next = begun + everySeconds
      problem = null
    } catch (error) {
      // It was given up, so that the server can stop.
      if (isClosed) return
      problem = error instanceof Error ? error.message : String(error)
      next = seconds() + Math.min(retrySeconds, everySeconds)
      // Whatever it was, the server goes on; an operator has to know.
      log.error({ err: error }, `the backup failed: ${problem}`)
    }
    metrics?.noteBackup(problem === null)
  }
  const look = (): Promise<void> => {
    running = running.then(lookOnce)
    return running
  }
  const timer = setInterval(look, lookMilliseconds).unref()
  return {
    look,
    state: () => ({ last: last ?? null, next, problem }),
    close: async () => {
      isClosed = true
      clearInterval(timer)
      await running
    },
  }
}
