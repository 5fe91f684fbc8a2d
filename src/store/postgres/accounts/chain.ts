import type { Account } from '../../account/account.ts'
import type { StagedWrite } from '../../write/transaction.ts'
import {
  createPendingWrites,
  type ListOutboxEntries,
  type PendingWrites,
  type Staging,
  stageChanges,
} from '../../write/transaction.ts'
import type { AccountPosition } from './account-rows.ts'

/** Somebody else has written what a write was staged on, so it has to be staged again. */
export class WriteConflict extends Error {
  override readonly name = 'WriteMissed'
}

/** A write on its way to the database. */
export interface ChainedWrite {
  readonly write: StagedWrite
  readonly writer: string
  /** The account's position before it. */
  readonly from: number
  /** The account's revision after it. */
  readonly revision: number
  /** It is kept; makes it visible. */
  readonly durable: () => void
  readonly failed: (error: unknown) => void
}

/** Writes of one account that follow each other, to be kept all or none. */
export interface WriteBatch {
  readonly userId: string
  readonly epoch: number
  /** By how much its positions were raised. */
  readonly raised: number
  /** The revision that the first was staged on. */
  readonly base: number
  readonly writes: readonly ChainedWrite[]
}

/** A staging in a chain. */
export interface ChainedStaging extends Pick<Staging, 'draft'> {
  /** The revision that it reads. */
  readonly revision: number
  /**
   * Ends it. Undefined when it has changed nothing; else resolves when the changes are kept and visible.
   * @throws WriteMissed from the promise
   */
  readonly send: () => Promise<void> | undefined
  /** Resolves when what it has read is kept. @throws WriteMissed when it never will be */
  readonly whenBaseKept: () => Promise<void>
  /**
   * True when a write that was staged on the same is kept, or will be when this resolves: nobody else's came in between
   * until then. False when there is none, or somebody else's came.
   */
  readonly isFollowed: () => Promise<boolean>
}

/**
 * Writes of one account that are not kept yet, each staged on those before it. Some are with the database; the rest
 * waits, to follow all at once.
 */
export interface Chain {
  readonly stage: (writer: string) => ChainedStaging
  /** Gives what waits, unless something is with the database already. */
  readonly takeBatch: () => WriteBatch | undefined
  readonly isIdle: () => boolean
  /** Resolves when what is with the database now has come to an end, good or bad. */
  readonly whenAnswered: () => Promise<void>
  /** The account is another one now: what waits is to be staged again. */
  readonly renew: (error: unknown) => void
}

/** What a chain hangs on. */
export interface ChainParts {
  readonly userId: string
  readonly account: Account
  readonly listErrands: ListOutboxEntries
  readonly place: () => Pick<AccountPosition, 'epoch' | 'revision' | 'raised'>
  /** Makes a kept write visible, if it is not; `done` is called then. */
  readonly show: (write: ChainedWrite, done: () => void) => void
  /** Told when something waits. */
  readonly wake: () => void
}

/** A write that was sent, and the one that was staged on it. */
interface Sent {
  readonly end: Promise<void>
  next?: Sent
}

/** What is staged on what, until somebody else's write comes in between. */
interface ChainLink {
  readonly base: PendingWrites
  /** After the last write of it. */
  revision: number
  last: Sent
  onTheirWay: number
}

/** Nothing is on its way. */
export const createChain = ({ userId, account, listErrands, place, show, wake }: ChainParts): Chain => {
  let link: ChainLink | undefined
  let waiting: ChainedWrite[] = []
  let answering: Promise<void> | undefined

  const openLink = (): ChainLink => {
    const { revision } = place()
    link ??= {
      base: createPendingWrites(account, listErrands),
      revision,
      last: { end: Promise.resolve() },
      onTheirWay: 0,
    }
    // With nothing on its way it goes on from wherever the account is.
    if (link.onTheirWay === 0) link.revision = revision
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
    to.onTheirWay += 1
    const { revision } = to
    const end = new Promise<void>((resolve, reject) => {
      const sent: ChainedWrite = {
        ...{ write, writer, from, revision },
        durable: () =>
          show(sent, () => {
            to.base.shift()
            to.onTheirWay -= 1
            resolve()
          }),
        failed: reject,
      }
      waiting.push(sent)
    })
    // Whoever sent it hears of it; nobody else need wait for it.
    end.catch(() => undefined)
    to.last.next = { end }
    to.last = to.last.next
    wake()
    return end
  }

  const stage = (writer: string): ChainedStaging => {
    const staged = openLink()
    const { revision, last } = staged
    const staging = stageChanges(staged.base, writer)
    return {
      draft: staging.draft,
      revision,
      whenBaseKept: async () => {
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
        if (write.length + write.errandSteps.length === 0) return undefined
        const failure = staged.base.failure()
        return failure === undefined ? push(staged, write, writer) : Promise.reject(failure)
      },
    }
  }

  const takeBatch = (): WriteBatch | undefined => {
    const [first] = waiting
    if (first === undefined || answering !== undefined) return undefined
    const batch = waiting
    waiting = []
    let left = batch.length
    let answered = (): void => undefined
    answering = new Promise((resolve) => {
      answered = () => {
        left -= 1
        if (left > 0) return
        answering = undefined
        resolve()
      }
    })
    const writes = batch.map((sent) => ({
      ...sent,
      durable: () => {
        sent.durable()
        answered()
      },
      failed: (error: unknown) => {
        // What waits was staged on it.
        renew(error)
        sent.failed(error)
        answered()
      },
    }))
    const { epoch, raised } = place()
    return { userId, epoch, raised, base: first.revision - 1, writes }
  }

  return {
    stage,
    takeBatch,
    isIdle: () => answering === undefined && waiting.length === 0,
    whenAnswered: async () => answering,
    renew,
  }
}
