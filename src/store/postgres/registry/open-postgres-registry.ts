import { createWatchers } from '../../errands/watchers.ts'
import type { Registry, RegistryDraft, Session } from '../../registry/registry.ts'
import { stageRegistry } from '../../registry/registry-draft.ts'
import type { RegistryChanges, RegistryDocument } from '../../registry/registry-state.ts'
import { createTurns } from '../../write/turns.ts'
import type { AccountMark } from '../accounts/changed-rows.ts'
import { DatabaseFailed } from '../database/failures.ts'
import type { Database } from '../database/open-database.ts'
import { DatabaseError } from '../driver.ts'
import { dropEndedBrowserSessions, dropEndedCodes, dropEndedLinks } from '../statements/registry.ts'
import { keepChanges } from './keep-changes.ts'
import { listRegistry } from './list-registry.ts'
import { readRegistry } from './read-registry.ts'

/** So often a change is tried beside those of other processes, and then alone, where nobody can be in its way. */
const attemptsBesideOthers = 2
const mostAttempts = 4

/** What has ended is looked for so seldom: people sign in far more often. */
const forgetSeconds = 60

const uniqueViolation = '23505'

/**
 * True when a change failed because another process changed what it had read: both may have begun when neither saw the
 * other, which PostgreSQL finds out at the end. One that took a name, or a hash, a moment earlier is the same.
 */
const isInTheWay = (error: unknown): boolean =>
  (error instanceof DatabaseFailed && error.isTransient) ||
  (error instanceof DatabaseError && error.code === uniqueViolation)

/** What a change gave, and which sessions it has ended. */
interface Changed<T> {
  readonly result: T
  readonly ended: readonly string[]
}

/** What those who watch ends watch. */
const ends = 'ends'

const listEnded = ({ sessions }: RegistryChanges): readonly string[] =>
  [...sessions].flatMap(([id, session]) => (session === undefined || session.isSuspended === true ? [id] : []))

/** The registry of a store in PostgreSQL. */
export interface PostgresRegistry extends Registry {
  /** All that it holds at one moment, for a backup. @throws StoreFailed */
  readonly document: () => Promise<RegistryDocument>
  /** Where the account of a session was when that very session was found; undefined when that is not known. */
  readonly findMark: (session: Session) => AccountMark | undefined
  /** Calls back with the ids of sessions that a change of this process has removed or suspended. */
  readonly watchEnds: (onEnd: (sessionIds: readonly string[]) => void) => () => void
}

/**
 * The registry in the database. It is asked for anew each time, so that whatever ended in one process has ended in all.
 * A change is one serializable transaction: changes that are in each other's way happen as if one after the other, and
 * then the work of one runs again.
 */
export const openPostgresRegistry = (database: Database): PostgresRegistry => {
  const turns = createTurns()
  const watchers = createWatchers<readonly string[]>()
  const marks = new WeakMap<Session, AccountMark>()
  let forgottenAt = Number.NEGATIVE_INFINITY

  const attempt = <T>(count: number, work: (draft: RegistryDraft) => Promise<T>): Promise<Changed<T>> =>
    database.transactSerially(count <= attemptsBesideOthers ? 'beside others' : 'alone', async (run) => {
      const staging = stageRegistry(readRegistry(run))
      const result = await work(staging.draft)
      const changes = staging.finish()
      await keepChanges(run, changes)
      return { result, ended: listEnded(changes) }
    })

  return {
    ...readRegistry(database.run, (session, mark) => marks.set(session, mark)),
    findMark: (session) => marks.get(session),
    watchEnds: (onEnd) => watchers.watch(ends, onEnd),
    // In no serializable transaction, which would be in the way of whoever signs in meanwhile.
    forgetEnded: async ({ expiredBy, unusedSince }) => {
      // A clock may have been set back.
      if (Math.abs(expiredBy - forgottenAt) < forgetSeconds) return
      forgottenAt = expiredBy
      await database.run(dropEndedCodes, [expiredBy])
      await database.run(dropEndedLinks, [expiredBy])
      await database.run(dropEndedBrowserSessions, [unusedSince])
    },
    document: () => database.readAtOneMoment(listRegistry),
    change: (work) =>
      // Those of one process are in each other's way for certain.
      turns.take('registry', async () => {
        for (let count = 1; ; count++) {
          try {
            const { result, ended } = await attempt(count, work)
            if (ended.length > 0) watchers.tell(ends, ended)
            return result
          } catch (error) {
            if (!isInTheWay(error) || count >= mostAttempts) throw error
          }
        }
      }),
  }
}
