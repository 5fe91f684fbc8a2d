import type { Account } from '../../image/account.ts'
import type { VisibleChange } from '../../store.ts'
import { addErrands } from '../../write/ahead.ts'
import type { Database } from '../database/open-database.ts'
import { findAccount, listChanges } from '../statements/accounts.ts'
import { type Chain, type ChainedWrite, createChain, WriteMissed } from './chain.ts'
import {
  type AccountMark,
  type AccountNews,
  type AccountPlace,
  addRecords,
  type ChangedRow,
  readNews,
  stepsOf,
} from './changed-rows.ts'
import { createJumps } from './jumps.ts'
import type { LoadedAccount } from './load-account.ts'
import { newEpoch } from './raises.ts'
import { shareNext } from './share-next.ts'
import { createVisibleQueue } from './visible-queue.ts'

/** The account that a feed shows is gone, or was taken back to an earlier state. It is to be loaded anew. */
export class FeedEnded extends Error {
  override readonly name = 'FeedEnded'
}

/** An account in the memory of this process, and its writes on their way. Other processes change it, too. */
export interface Feed {
  readonly account: Account
  readonly errands: () => ReadonlyMap<string, number>
  /** What it shows: which account of its user, and its revision. */
  readonly place: () => Pick<AccountPlace, 'epoch' | 'revision' | 'raised' | 'gaps'>
  readonly chain: Chain
  /**
   * Resolves when it shows all that was kept when this was called.
   * @throws StoreFailed; FeedEnded
   */
  readonly catchUp: () => Promise<void>
  /** True when it shows what was kept at a mark that the database has just told. */
  readonly isAt: (mark: AccountMark) => boolean
  /** True when nothing is kept beyond a revision. @throws StoreFailed; FeedEnded */
  readonly isNewest: (revision: number) => Promise<boolean>
  /** True when another process has lately written to the account. */
  readonly isShared: () => boolean
  /** True when what the account was at a position is known here. */
  readonly knows: (position: number) => boolean
}

/** What a feed hangs on. */
export interface FeedParts {
  readonly userId: string
  readonly database: Database
  /** Milliseconds since whenever; never set back. */
  readonly elapsed: () => number
  /** Told when a write waits. */
  readonly wake: () => void
  /** Told in the moment in which something becomes visible. */
  readonly becameVisible: (what: NowVisible) => void
}

/** What became visible. */
export interface NowVisible {
  /** Without a writer where nobody here knows who wrote all of it. */
  readonly change: Pick<VisibleChange, 'position'> & Partial<VisibleChange>
  /** The position before it. */
  readonly from: number
  readonly hasMoved: boolean
  readonly hasErrands: boolean
  /** True when this process wrote it. */
  readonly isOwn: boolean
}

/** A write with more steps is made visible in slices. */
const mostAtOnce = 256
/** So long after another process has written, each write here looks first whether it did again. */
const sharedMilliseconds = 10_000

/** Shows a loaded account. */
export const createFeed = (loaded: LoadedAccount, parts: FeedParts): Feed => {
  const { account } = loaded
  const { userId, database, elapsed, becameVisible } = parts
  const { show } = createVisibleQueue()
  const jumps = createJumps()
  let { revision, epoch } = loaded.place
  // Whoever makes the account gives it one that no earlier account of this user had.
  if (revision === 0) epoch = newEpoch()
  const { raised, gaps } = loaded.place
  let { errands } = loaded
  let sharedAt = Number.NEGATIVE_INFINITY

  const ownChange = (position: number, writer: string) => ({
    change: { position, writer },
    hasMoved: true,
    isOwn: true,
  })

  const showOwn = ({ write, writer, from, revision: after }: ChainedWrite, done: () => void): void =>
    show(function* () {
      // It may have come back from the database before its own answer.
      if (after <= revision) becameVisible({ ...ownChange(write.position, writer), from, hasErrands: true })
      else {
        const before = account.position()
        yield* account.applySteps(write, () => {
          revision = after
          const hasErrands = write.errandSteps.length > 0
          if (hasErrands) errands = addErrands(errands, write.errandSteps)
          const position = account.position()
          becameVisible({ ...ownChange(position, writer), from: before, hasMoved: position !== before, hasErrands })
        })
      }
      done()
    }, write.length > mostAtOnce)

  const place = () => ({ epoch, revision, raised, gaps })

  const chain = createChain({
    ...{ userId, account, wake: parts.wake, show: showOwn },
    listErrands: () => errands,
    place,
  })

  /** Judges what the database says, against what was shown when it was asked. */
  const check = <P extends AccountPlace>(found: P | undefined, asked: number): P | undefined => {
    const isSame = asked === 0 || (found?.epoch === epoch && found.revision >= asked)
    if (!isSame) throw new FeedEnded('the account is not the one that was shown')
    return found
  }

  const find = async (): Promise<AccountPlace | undefined> => {
    const asked = revision
    const [found] = await database.run<AccountPlace>(findAccount, [userId])
    return check(found, asked)
  }

  function* applyNews(news: AccountNews): Generator<void, void, undefined> {
    if (news.revision <= revision) return
    // What was staged on the account as it was must not go on.
    chain.renew(new WriteMissed())
    const before = account.position()
    const records = addRecords(account.records(), news)
    yield* account.applySteps(stepsOf(news, before, records), () => {
      const isOne = news.revision === revision + 1
      jumps.note(before, news.position, account.readableFrom())
      errands = news.errands
      epoch = news.epoch
      revision = news.revision
      sharedAt = elapsed()
      const change = { position: news.position, ...(isOne ? { writer: news.writer } : {}) }
      becameVisible({ change, from: before, hasMoved: news.position !== before, hasErrands: true, isOwn: false })
    })
  }

  const jump = async (): Promise<void> => {
    const asked = revision
    const rows = await database.run<ChangedRow>(listChanges, [userId, account.position(), revision])
    const news = check(readNews(rows), asked)
    if (news === undefined) return
    await new Promise<void>((resolve) =>
      show(function* () {
        yield* applyNews(news)
        resolve()
      }, news.items.length > mostAtOnce),
    )
  }

  const catchUp = async (): Promise<void> => {
    const isNews = (found: AccountPlace | undefined): boolean => found !== undefined && found.revision > revision
    const found = await find()
    if (!isNews(found)) return
    // It may be what this process wrote, and the answer is on its way.
    await chain.whenAnswered()
    if (isNews(found)) await jump()
  }

  return {
    account,
    errands: () => errands,
    place,
    chain,
    catchUp: shareNext(catchUp),
    isAt: (mark) => mark.revision === revision && (revision === 0 || mark.epoch === epoch),
    isNewest: async (shownRevision) => ((await find())?.revision ?? 0) === shownRevision,
    isShared: () => elapsed() - sharedAt < sharedMilliseconds,
    knows: (position) => jumps.isStop(position),
  }
}
