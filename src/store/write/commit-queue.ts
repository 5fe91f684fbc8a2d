import { runInSlices, runWhole, type Work } from '../../slices.ts'
import type { Account } from '../image/account.ts'
import type { ErrandChange } from '../record/change.ts'
import { type Ahead, createAhead, type ListErrands } from './ahead.ts'
import type { Outcome } from './outcome.ts'
import type { StagedWrite } from './staged-write.ts'
import { type Staging, stageChanges } from './transaction.ts'

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
   * Ends the write and hands its changes to a backend. Then the next write can be staged; `sent` resolves when they are
   * durable and visible.
   */
  readonly send: (commit: CommitWrite) => { readonly sent: Promise<void> }
}

/** What a backend is given of a write. */
export type EncodedWrite = Pick<StagedWrite, 'json' | 'errandSteps'>

/** The backend, for one account. */
export type CommitWrite = (write: EncodedWrite, outcome: Outcome) => void

/** A write with more steps than this is made visible in slices. */
const mostAtOnce = 256

/** Whom a pipeline asks and tells about errands and about what became visible. */
export interface Surroundings {
  readonly listErrands: ListErrands
  /** Told of what a write did to errands, and whether it took positions, in the moment in which the account shows it. */
  readonly becameVisible: (errands: readonly ErrandChange[], hasMoved: boolean, writer: string) => void
}

/** A pipeline in which nothing is on its way. */
export const createPipeline = (account: Account, { listErrands, becameVisible }: Surroundings): Pipeline => {
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

  // Both are made once, not for each write: the first call of a generator function makes V8 a hidden class, which lives
  // until the next collection of all and keeps until then what the function knows.
  function* makeVisible(base: Ahead, write: StagedWrite, writer: string, resolve: () => void): Work<void> {
    const before = account.position()
    const tell = (): void => becameVisible(write.errandSteps, account.position() !== before, writer)
    yield* account.applySteps(write, tell)
    base.shift()
    onTheirWay -= 1
    resolve()
  }

  function* startAnew(base: Ahead, error: unknown, reject: (error: unknown) => void): Work<void> {
    onTheirWay -= 1
    if (ahead === base) {
      ahead = createAhead(account, listErrands)
      last = Promise.resolve()
    }
    reject(error)
    yield
  }

  const stage = (writer: string): SentStaging => {
    const base = ahead
    const staging = stageChanges(base, writer)

    const send: SentStaging['send'] = (commit) => {
      const write = staging.finish()
      const failure = base.failure()
      if (failure !== undefined) return { sent: Promise.reject(failure) }
      // What it read may not be durable yet, and its answer must not tell of it before.
      if (write.length + write.errandSteps.length === 0) return { sent: last }
      base.push(write)
      onTheirWay += 1
      last = new Promise((resolve, reject) => {
        commit(write, {
          durable: () => showNext(makeVisible(base, write, writer, resolve), write.length > mostAtOnce),
          failed: (error) => {
            base.fail(error)
            showNext(startAnew(base, error, reject), false)
          },
        })
      })
      return { sent: last }
    }

    return { draft: staging.draft, send }
  }

  return { stage, isIdle: () => onTheirWay === 0, whenVisible: () => showing }
}
