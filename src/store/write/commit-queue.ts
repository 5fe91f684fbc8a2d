import { runInSlices, runToEnd, type Work } from '../../scheduling.ts'
import type { Account } from '../account/account.ts'
import type { EntryChange } from '../record/change.ts'
import {
  createPendingWrites,
  type ListOutboxEntries,
  type PendingWrites,
  type StagedWrite,
  type Staging,
  stageChanges,
} from './transaction.ts'

/** Runs pieces of work one after the other, per key; work of different keys does not wait for each other. */
export interface SerialQueue {
  /** @throws what the work throws; the next piece of work runs all the same */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when all work that was begun or waits is done. */
  readonly settle: () => Promise<void>
}

/** Turns that nobody has taken yet. */
export const createSerialQueue = (): SerialQueue => {
  const last = new Map<string, Promise<unknown>>()

  const take = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work)
    // The next in turn waits for the end, good or bad; who took the turn gets the error.
    const leave = (): void => {
      if (last.get(key) === end) last.delete(key)
    }
    const end: Promise<void> = result.then(leave, leave)
    last.set(key, end)
    return result
  }

  const settle = async (): Promise<void> => {
    while (last.size > 0) await Promise.all(last.values())
  }

  return { run: take, settle }
}

/** Told once how a change ended, in the order in which the changes arrived. */
export interface CommitOutcome {
  /** It is durable; makes it visible, unless it is long before the next one is told. */
  readonly durable: () => void
  /** It is not, and neither is any that arrived after it. */
  readonly failed: (error: unknown) => void
}

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
interface SentStaging extends Pick<Staging, 'draft'> {
  /**
   * Ends the write and hands its changes to a backend. Then the next write can be staged; `sent` resolves when they are
   * durable and visible.
   */
  readonly send: (commit: CommitWrite) => { readonly sent: Promise<void> }
}

/** What a backend is given of a write. */
export type EncodedWrite = Pick<StagedWrite, 'json' | 'errandSteps'>

/** The backend, for one account. */
type CommitWrite = (write: EncodedWrite, outcome: CommitOutcome) => void

/** A write with more steps than this is made visible in slices. */
const maxAtOnce = 256

/** Whom a pipeline asks and tells about errands and about what became visible. */
interface PipelineParts {
  readonly listErrands: ListOutboxEntries
  /** Told of what a write did to errands, and whether it took positions, in the moment in which the account shows it. */
  readonly becameVisible: (errands: readonly EntryChange[], hasMoved: boolean, writer: string) => void
}

/** A pipeline in which nothing is on its way. */
export const createPipeline = (account: Account, { listErrands, becameVisible }: PipelineParts): Pipeline => {
  let ahead = createPendingWrites(account, listErrands)
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
      runToEnd(work)
      return
    }
    waiting.push(work)
    showing ??= showAll()
  }

  // Both are made once, not for each write: the first call of a generator function makes V8 a hidden class, which lives
  // until the next collection of all and keeps until then what the function knows.
  function* makeVisible(base: PendingWrites, write: StagedWrite, writer: string, resolve: () => void): Work<void> {
    const before = account.position()
    const tell = (): void => becameVisible(write.errandSteps, account.position() !== before, writer)
    yield* account.applySteps(write, tell)
    base.shift()
    onTheirWay -= 1
    resolve()
  }

  function* startAnew(base: PendingWrites, error: unknown, reject: (error: unknown) => void): Work<void> {
    onTheirWay -= 1
    if (ahead === base) {
      ahead = createPendingWrites(account, listErrands)
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
          durable: () => showNext(makeVisible(base, write, writer, resolve), write.length > maxAtOnce),
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
