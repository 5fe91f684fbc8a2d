import { runInSlices, runWhole, type Work } from '../slices.ts'
import type { Account } from './account/account.ts'
import { createAhead, type ListErrands } from './ahead.ts'
import type { Change } from './change.ts'
import type { EncodedChanges, Keeper, Outcome } from './keeper.ts'
import { type Staging, stageChanges } from './staging.ts'

/**
 * Writes of one account on their way to the disk. Each is staged on top of those before it, so that several can be on
 * their way together; readers see none before it is durable. When one fails, so do all that build on it.
 */
export interface Pipeline {
  /** Begins a write on top of all that were sent. Writes are staged and sent one after the other. */
  readonly stage: (writer: string) => SentStaging
  /** True when nothing is on its way. */
  readonly isIdle: () => boolean
  /** While changes that are durable are being made visible: resolves when they are. */
  readonly whenVisible: () => Promise<void> | undefined
}

/** A staging that can be sent. */
export interface SentStaging extends Pick<Staging, 'draft'> {
  /**
   * Ends the write and hands its changes to a keeper. When that is done the next write can be staged; `sent` resolves
   * when they are durable and visible.
   */
  readonly send: (to: Recipient) => Promise<{ readonly sent: Promise<void> }>
}

/** The keeper, for one account. */
export interface Recipient extends Pick<Keeper, 'encodeChanges'> {
  readonly keep: (changes: readonly Change[] | EncodedChanges, outcome: Outcome) => void
}

/** A write with more changes than this is sent and made visible in slices. */
const mostAtOnce = 256

/** Whom a pipeline asks and tells about errands and about what became visible. */
export interface Surroundings {
  readonly listErrands: ListErrands
  /** Told of the changes of a writer in the moment in which the account shows them. */
  readonly shown: (changes: readonly Change[], writer: string) => void
}

/** A pipeline in which nothing is on its way. */
export const createPipeline = (account: Account, { listErrands, shown }: Surroundings): Pipeline => {
  let ahead = createAhead(account, listErrands)
  let last: Promise<void> = Promise.resolve()
  let onTheirWay = 0
  // What is durable and not visible yet, because it or something before it is long.
  const waiting: Work<void>[] = []
  let showing: Promise<void> | undefined

  const showAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await runInSlices(work)
    showing = undefined
  }

  /** Does what is to be done once everything before it is visible: at once, if it is short and there is nothing. */
  const showNext = (work: Work<void>, isLong: boolean): void => {
    if (showing === undefined && !isLong) {
      runWhole(work)
      return
    }
    waiting.push(work)
    showing ??= showAll()
  }

  const stage = (writer: string): SentStaging => {
    const base = ahead
    const staging = stageChanges(base, writer)

    function* makeVisible(changes: readonly Change[], resolve: () => void): Work<void> {
      yield* account.applySteps(changes, () => shown(changes, writer))
      yield* base.remove(changes)
      onTheirWay -= 1
      resolve()
    }

    function* startAnew(error: unknown, reject: (error: unknown) => void): Work<void> {
      onTheirWay -= 1
      if (ahead === base) {
        ahead = createAhead(account, listErrands)
        last = Promise.resolve()
      }
      reject(error)
      yield
    }

    const prepare = async (changes: readonly Change[], encode: Recipient['encodeChanges']) => {
      await runInSlices(base.add(changes))
      return runInSlices(encode(changes))
    }

    const send: SentStaging['send'] = async ({ encodeChanges, keep }) => {
      const changes = staging.finish()
      const isLong = changes.length > mostAtOnce
      const steps = isLong ? await prepare(changes, encodeChanges) : changes
      const failure = base.failure()
      if (failure !== undefined) return { sent: Promise.reject(failure) }
      // What it read may not be durable yet, and its answer must not tell of it before.
      if (changes.length === 0) return { sent: last }
      if (!isLong) runWhole(base.add(changes))
      onTheirWay += 1
      last = new Promise((resolve, reject) => {
        keep(steps, {
          kept: () => showNext(makeVisible(changes, resolve), isLong),
          failed: (error) => {
            base.fail(error)
            showNext(startAnew(error, reject), false)
          },
        })
      })
      return { sent: last }
    }

    return { draft: staging.draft, send }
  }

  return { stage, isIdle: () => onTheirWay === 0, whenVisible: () => showing }
}
