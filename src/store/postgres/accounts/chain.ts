import type { Account } from '../../account/account.ts'
import type { StagedWrite } from '../../transaction.ts'
import {
  createPendingWrites,
  type ListOutboxEntries,
  type PendingWrites,
  type Staging,
  stageChanges,
} from '../../transaction.ts'
import type { AccountState } from './account-rows.ts'

/** Another process has changed the account that a write was staged on. The write must be staged again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteConflict'
}

/** A staged write that is not committed yet. */
export interface ChainedWrite {
  readonly write: StagedWrite
  readonly writer: string
  /** The account's position before it. */
  readonly from: number
  /** The account's revision after it. */
  readonly revision: number
  /** Makes the committed write visible. */
  readonly durable: () => void
  readonly failed: (error: unknown) => void
}

/** Consecutive writes of one account, to be committed all or none. */
export interface WriteBatch {
  readonly userId: string
  readonly epoch: number
  /** By how much the positions of the account were raised. */
  readonly raised: number
  /** The revision that the first write was staged on. */
  readonly base: number
  readonly writes: readonly ChainedWrite[]
}

/** A staged write in a chain. */
export interface ChainedStaging extends Pick<Staging, 'draft'> {
  /** The revision that it reads. */
  readonly revision: number
  /**
   * Ends the staging. Returns undefined if it has changed nothing, or else a promise that resolves when the changes are
   * committed and visible.
   * @throws WriteConflict from the promise
   */
  readonly send: () => Promise<void> | undefined
  /** Resolves when the state that the staging has read is committed. @throws WriteConflict if it never will be */
  readonly whenBaseCommitted: () => Promise<void>
  /**
   * True if another write that was staged on the same state is committed: then no other process has written in between.
   * Waits for the outcome of such a write. False if there is none, or if it had a conflict.
   */
  readonly isFollowed: () => Promise<boolean>
}

/**
 * Writes of one account that are not committed yet, each staged on the previous ones. A batch of them may be in
 * progress in the database; the others wait to follow as the next batch.
 */
export interface Chain {
  readonly stage: (writer: string) => ChainedStaging
  /** Takes the waiting writes as a batch, unless a batch is in progress. */
  readonly takeBatch: () => WriteBatch | undefined
  readonly isIdle: () => boolean
  /** Resolves when the batch in progress has ended, with success or not. */
  readonly whenBatchEnds: () => Promise<void>
  /** Rejects all waiting writes, because the account has changed. They must be staged again. */
  readonly renew: (error: unknown) => void
}

/** The dependencies of a chain. */
export interface ChainParts {
  readonly userId: string
  readonly account: Account
  readonly listOutboxEntries: ListOutboxEntries
  readonly state: () => Pick<AccountState, 'epoch' | 'revision' | 'raised'>
  /** Makes a committed write visible, if it is not yet, and then calls `done`. */
  readonly show: (write: ChainedWrite, done: () => void) => void
  /** Called when a write waits. */
  readonly schedule: () => void
}

/** A sent write, and the next write that was staged on it. */
interface Sent {
  readonly end: Promise<void>
  next?: Sent
}

/** Consecutive writes, until the write of another process comes in between. */
interface ChainLink {
  readonly base: PendingWrites
  /** The revision after the last write. */
  revision: number
  last: Sent
  pendingCount: number
}

/** Creates an empty chain. */
export const createChain = ({ userId, account, listOutboxEntries, state, show, schedule }: ChainParts): Chain => {
  let link: ChainLink | undefined
  let waiting: ChainedWrite[] = []
  let batchInProgress: Promise<void> | undefined

  const openLink = (): ChainLink => {
    const { revision } = state()
    link ??= {
      base: createPendingWrites(account, listOutboxEntries),
      revision,
      last: { end: Promise.resolve() },
      pendingCount: 0,
    }
    // Without a pending write the link continues from the current revision of the account.
    if (link.pendingCount === 0) link.revision = revision
    return link
  }

  const renew = (error: unknown): void => {
    link?.base.fail(error)
    link = undefined
    const failing = waiting
    waiting = []
    for (const { failed } of failing) failed(error)
  }

  const push = (to: ChainLink, write: StagedWrite, writer: string): Promise<void> => {
    const from = to.base.position()
    to.base.push(write)
    to.revision += 1
    to.pendingCount += 1
    const { revision } = to
    const end = new Promise<void>((resolve, reject) => {
      const sent: ChainedWrite = {
        ...{ write, writer, from, revision },
        durable: () =>
          show(sent, () => {
            to.base.shift()
            to.pendingCount -= 1
            resolve()
          }),
        failed: reject,
      }
      waiting.push(sent)
    })
    // The sender handles the rejection. The copy in `last` must not be reported as unhandled.
    end.catch(() => undefined)
    to.last.next = { end }
    to.last = to.last.next
    schedule()
    return end
  }

  const stage = (writer: string): ChainedStaging => {
    const staged = openLink()
    const { revision, last } = staged
    const staging = stageChanges(staged.base, writer)
    return {
      draft: staging.draft,
      revision,
      whenBaseCommitted: async () => {
        await last.end
        const failure = staged.base.failure()
        if (failure !== undefined) throw failure
      },
      isFollowed: async () => {
        if (last.next === undefined) return false
        const [{ status }] = await Promise.allSettled([last.next.end])
        return status === 'fulfilled'
      },
      send: () => {
        const write = staging.finish()
        if (write.length + write.entryChanges.length === 0) return undefined
        const failure = staged.base.failure()
        return failure === undefined ? push(staged, write, writer) : Promise.reject(failure)
      },
    }
  }

  const takeBatch = (): WriteBatch | undefined => {
    const [first] = waiting
    if (first === undefined || batchInProgress !== undefined) return undefined
    const batch = waiting
    waiting = []
    let remaining = batch.length
    let countEnd = (): void => undefined
    batchInProgress = new Promise((resolve) => {
      countEnd = () => {
        remaining -= 1
        if (remaining > 0) return
        batchInProgress = undefined
        resolve()
      }
    })
    const writes = batch.map((sent) => ({
      ...sent,
      durable: () => {
        sent.durable()
        countEnd()
      },
      failed: (error: unknown) => {
        // The waiting writes were staged on this one.
        renew(error)
        sent.failed(error)
        countEnd()
      },
    }))
    const { epoch, raised } = state()
    return { userId, epoch, raised, base: first.revision - 1, writes }
  }

  return {
    stage,
    takeBatch,
    isIdle: () => batchInProgress === undefined && waiting.length === 0,
    whenBatchEnds: async () => batchInProgress,
    renew,
  }
}
