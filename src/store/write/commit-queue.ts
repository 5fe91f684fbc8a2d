/*
 * Writes of one account on their way to the disk: a draft collects changes (`transaction.ts`), and the pipeline here
 * sends them and makes them visible. The folder `write/` must not know files, or how a backend makes changes durable.
 * Start with `createPipeline`.
 */
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

/** Runs pieces of work one after the other for each key. Work of different keys runs concurrently. */
export interface SerialQueue {
  /** @throws what the work throws; the next piece of work still runs */
  readonly run: <T>(key: string, work: () => Promise<T>) => Promise<T>
  /** Resolves when all running and waiting work is done. */
  readonly settle: () => Promise<void>
}

/** Creates an empty queue. */
export const createSerialQueue = (): SerialQueue => {
  const last = new Map<string, Promise<unknown>>()

  const run = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = last.get(key) ?? Promise.resolve()
    const result = before.then(work)
    // The next piece of work waits for the end, in success or failure; the error goes to this caller.
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

  return { run, settle }
}

/** The callbacks for the end of a change. Exactly one is called, in the order in which the changes arrived. */
export interface CommitOutcome {
  /** The change is durable. Makes it visible before the next callback, unless the change is long. */
  readonly durable: () => void
  /** The change is not durable, and neither is any change that arrived after it. */
  readonly failed: (error: unknown) => void
}

/**
 * The writes of one account on their way to the disk. Each write is staged on top of the previous ones, so several can
 * be on their way together. Readers see no write before it is durable. When a write fails, all writes on top of it
 * fail.
 */
export interface Pipeline {
  /** Begins a write on top of all writes that were sent. The caller stages and sends writes one after the other. */
  readonly stage: (writer: string) => SentStaging
  /** Returns true when no write is on its way. */
  readonly isIdle: () => boolean
  /** Returns a promise while durable changes become visible. It resolves when they are visible. */
  readonly whenVisible: () => Promise<void> | undefined
}

/** A staged write that can be sent. */
interface SentStaging extends Pick<Staging, 'draft'> {
  /**
   * Ends the write and passes its changes to a backend. Then the next write can be staged. `sent` resolves when the
   * changes are durable and visible.
   */
  readonly send: (commit: CommitWrite) => { readonly sent: Promise<void> }
}

/** The part of a write that a backend receives. */
export type EncodedWrite = Pick<StagedWrite, 'json' | 'entryChanges'>

/** Passes a write of one account to the backend. */
type CommitWrite = (write: EncodedWrite, outcome: CommitOutcome) => void

/** A write with more steps than this is made visible in slices. */
const maxAtOnce = 256

/** The dependencies of a pipeline. */
interface PipelineParts {
  readonly listOutboxEntries: ListOutboxEntries
  /** Called at the moment the account shows a write. `hasMoved` is true when the write took positions. */
  readonly onVisible: (changes: readonly EntryChange[], hasMoved: boolean, writer: string) => void
}

/** Creates a pipeline with no write on its way. */
export const createPipeline = (account: Account, { listOutboxEntries, onVisible }: PipelineParts): Pipeline => {
  let pendingWrites = createPendingWrites(account, listOutboxEntries)
  let last: Promise<void> = Promise.resolve()
  let pendingCount = 0
  // Durable writes that are not visible yet, because they or earlier writes are long.
  const waiting: Work<void>[] = []
  let showing: Promise<void> | undefined

  const showAll = async (): Promise<void> => {
    for (let work = waiting.shift(); work !== undefined; work = waiting.shift()) await runInSlices(work)
    showing = undefined
  }

  /** Runs work after all earlier work became visible. Short work without earlier work runs at once. */
  const showNext = (work: Work<void>, isLong: boolean): void => {
    if (showing === undefined && !isLong) {
      runToEnd(work)
      return
    }
    waiting.push(work)
    showing ??= showAll()
  }

  // Both are created once, not for each write. The first call of a generator function makes V8 create a hidden class.
  // It lives until the next full garbage collection, and until then retains what the function's closure refers to.
  function* makeVisible(base: PendingWrites, write: StagedWrite, writer: string, resolve: () => void): Work<void> {
    const before = account.position()
    const notify = (): void => onVisible(write.entryChanges, account.position() !== before, writer)
    yield* account.applySteps(write, notify)
    base.shift()
    pendingCount -= 1
    resolve()
  }

  function* restart(base: PendingWrites, error: unknown, reject: (error: unknown) => void): Work<void> {
    pendingCount -= 1
    if (pendingWrites === base) {
      pendingWrites = createPendingWrites(account, listOutboxEntries)
      last = Promise.resolve()
    }
    reject(error)
    yield
  }

  const stage = (writer: string): SentStaging => {
    const base = pendingWrites
    const staging = stageChanges(base, writer)

    const send: SentStaging['send'] = (commit) => {
      const write = staging.finish()
      const failure = base.failure()
      if (failure !== undefined) return { sent: Promise.reject(failure) }
      // Its reads may include changes that are not durable yet, and no response may reveal them earlier.
      if (write.length + write.entryChanges.length === 0) return { sent: last }
      base.push(write)
      pendingCount += 1
      last = new Promise((resolve, reject) => {
        commit(write, {
          durable: () => showNext(makeVisible(base, write, writer, resolve), write.length > maxAtOnce),
          failed: (error) => {
            base.fail(error)
            showNext(restart(base, error, reject), false)
          },
        })
      })
      return { sent: last }
    }

    return { draft: staging.draft, send }
  }

  return { stage, isIdle: () => pendingCount === 0, whenVisible: () => showing }
}
