import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import type { Raises } from './accounts/raises.ts'
import type { Database } from './database/open-database.ts'
import { dropCounts } from './statements/counts.ts'
import { dropSettled } from './statements/errands.ts'
import { dropEarlier, dropListings } from './statements/listings.ts'
import { dropKeptWrites } from './statements/notices.ts'
import { dropHolders } from './statements/seats.ts'

/** Does what is done now and then. It may fail, which the log says: it is done again the next time. */
export const attemptWith =
  (log: StoreLog) =>
  async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StoreFailed)) throw error
      log.warn({ reason: error.message }, 'the database could not be asked')
    }
  }

/** What a sweep works on. `now` is Unix time in milliseconds. */
export interface SweepParts {
  readonly database: Database
  readonly raises: Pick<Raises, 'note'>
  readonly now: () => number
  readonly log: StoreLog
}

/** Says that the database goes on, and forgets what has ended in it; what fails holds up nothing after it. */
export const sweepDatabase = async ({ database, raises, now, log }: SweepParts): Promise<void> => {
  const attempt = attemptWith(log)
  await attempt(raises.note)
  await attempt(() => database.run(dropListings, [now()]))
  await attempt(() => database.run(dropEarlier, [now()]))
  for (const statement of [dropKeptWrites, dropSettled, dropCounts, dropHolders])
    await attempt(() => database.run(statement, []))
}
