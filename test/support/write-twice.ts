import { AsyncLocalStorage } from 'node:async_hooks'
import { isDeepStrictEqual } from 'node:util'
import type { Environment } from '../../src/environment.ts'
import { createSerialQueue } from '../../src/scheduling.ts'
import type { Draft, Store } from '../../src/store/store.ts'

/** Stores whose writes are done twice, and the environment that their work has to be given. */
export interface DoubledWrites {
  /** Gives the second run of a work the same time, ids and secrets as the first. */
  readonly environment: Environment
  /**
   * A store that does all work of a write twice, the first time for nothing: as one does when another process has
   * written to the account meanwhile. A write whose work does another thing then, or comes to another result, fails.
   */
  readonly writeTwice: (store: Store) => Store
}

/** Thrown by a write whose work leaves something behind beside its draft, or goes by something beside it. */
export class ImpureWrite extends Error {
  override readonly name = 'ImpureWrite'
}

/** What one run of a work was given by the environment, what it did to its draft, and how it ended. */
interface Run {
  readonly given: unknown[]
  readonly done: unknown[]
  end: readonly [what: 'result' | 'error', value: unknown] | undefined
}

/** What changes a draft. */
const changing: ReadonlySet<string> = new Set<keyof Draft>([
  ...(['putThing', 'deleteThing', 'putTag'] as const),
  ...(['putRecord', 'deleteRecord', 'deleteRecords', 'putOutboxEntry', 'deleteOutboxEntry'] as const),
])

const watchDraft = (draft: Draft, { done }: Run): Draft =>
  Object.fromEntries(
    Object.entries(draft).map(([name, method]) => [
      name,
      (...values: unknown[]) => {
        // What it was given may be changed later.
        if (changing.has(name)) done.push([name, structuredClone(values)])
        return (method as (...given: unknown[]) => unknown)(...values)
      },
    ]),
  ) as unknown as Draft

const describeError = (error: unknown): string => (error instanceof Error ? `${error.name}: ${error.message}` : 'other')

/** Runs a work, and notes what it does. */
const runWatched = async <T>(work: (draft: Draft) => Promise<T>, draft: Draft, run: Run): Promise<T> => {
  try {
    const result = await work(watchDraft(draft, run))
    run.end = ['result', result]
    return result
  } catch (error) {
    run.end = ['error', describeError(error)]
    throw error
  }
}

/** Set in the second run of a work. */
const again = new AsyncLocalStorage<true>()

// Work that reads the clock itself would do the same twice in one millisecond, and another thing by chance.
const readClock = Date.now
Date.now = () => readClock() + (again.getStore() === true ? 1 : 0)

const beginRun = (): Run => ({ given: [], done: [], end: undefined })

const rejectDifference = (first: Run, second: Run): void => {
  // The store may have failed before it was called.
  if (first.end === undefined) return
  if (isDeepStrictEqual([first.done, first.end], [second.done, second.end])) return
  const show = ({ done, end }: Run): string => JSON.stringify([done, end])?.slice(0, 500)
  throw new ImpureWrite(`done twice, a work did two different things: ${show(first)}, and then ${show(second)}`)
}

/** Doubles writes in an environment. */
export const createDoubledWrites = (environment: Environment): DoubledWrites => {
  const replay = new AsyncLocalStorage<{ readonly first: Run; readonly now: Run }>()
  const turns = createSerialQueue()

  const send = <T>(find: () => T): T => {
    const runs = replay.getStore()
    if (runs === undefined) return find()
    const { first, now } = runs
    const index = now.given.length
    const value = first !== now && index < first.given.length ? (first.given[index] as T) : find()
    now.given.push(value)
    return value
  }

  const tryForNothing = async <T>(
    store: Store,
    [userId, writer, work]: readonly [string, string, (draft: Draft) => Promise<T>],
  ): Promise<Run> => {
    const first = beginRun()
    const forNothing = new Error('the work is done again')
    try {
      await store.write(userId, writer, async (draft) => {
        await replay.run({ first, now: first }, () => runWatched(work, draft, first))
        throw forNothing
      })
    } catch {
      // Also what the work has thrown: it does that again.
    }
    return first
  }

  return {
    environment: {
      now: () => send(environment.now),
      newId: () => send(environment.newId),
      newSecret: () => send(environment.newSecret),
    },
    writeTwice: (store) => ({
      ...store,
      write: async (userId, writer, work, urgency) => {
        // Of two writes at the same time each has both its runs on the same account.
        const { kept } = await turns.run(userId, async () => {
          const first = await tryForNothing(store, [userId, writer, work])
          const now = beginRun()
          let noteWorked = (): void => undefined
          const worked = new Promise<void>((resolve) => {
            noteWorked = resolve
          })
          const kept = store.write(
            userId,
            writer,
            async (draft) => {
              try {
                return await replay.run({ first, now }, () => again.run(true, () => runWatched(work, draft, now)))
              } finally {
                noteWorked()
                rejectDifference(first, now)
              }
            },
            urgency,
          )
          await Promise.race([worked, kept.catch(() => undefined)])
          return { kept }
        })
        return kept
      },
    }),
  }
}
