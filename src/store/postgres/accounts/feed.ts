import { runInSlices, runToEnd, type Work } from '../../../scheduling.ts'
import { type Account, type BeginLoading, beginAccount } from '../../account/account.ts'
import { pagedDownloadSeconds, type ThingForm, type VisibleChange } from '../../store.ts'
import { addOutboxEntries } from '../../write/transaction.ts'
import type { Database } from '../database.ts'
import {
  type AccountMark,
  type AccountNews,
  type AccountPosition,
  addRecords,
  type ChangedRow,
  findAccount,
  type LoadedAccount,
  listChanges,
  loadAccount,
  readNews,
  stepsOf,
} from './account-rows.ts'
import { type Chain, type ChainedWrite, createChain, WriteConflict } from './chain.ts'
import type { Committer } from './commit.ts'
import { createJumps, newEpoch } from './position-jumps.ts'

/**
 * Runs work for all who ask while it waits to begin: whoever asks is served by a run that began afterwards. One run goes
 * on at a time.
 */
const shareNext = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  const run = (): Promise<void> => {
    const begun = work().finally(() => {
      running = undefined
    })
    running = begun
    return begun
  }

  return () => {
    if (running === undefined) return run()
    const begin = (): Promise<void> => {
      next = undefined
      return run()
    }
    next ??= running.then(begin, begin)
    return next
  }
}

/** What becomes visible in one account, one after the other. */
interface VisibleQueue {
  /**
   * Does work once everything before it is done: at once, if it is short and there is nothing. The work is made when its
   * turn comes.
   */
  readonly show: (makeWork: () => Work<void>, isLong: boolean) => void
}

/** Nothing waits. */
const createVisibleQueue = (): VisibleQueue => {
  const waiting: (() => Work<void>)[] = []
  let isShowing = false

  const showAll = async (): Promise<void> => {
    for (let makeWork = waiting.shift(); makeWork !== undefined; makeWork = waiting.shift())
      await runInSlices(makeWork())
    isShowing = false
  }

  const show: VisibleQueue['show'] = (makeWork, isLong) => {
    if (!isShowing && !isLong) {
      runToEnd(makeWork())
      return
    }
    waiting.push(makeWork)
    if (isShowing) return
    isShowing = true
    void showAll()
  }

  return { show }
}

/** The account that a feed shows is gone, or was taken back to an earlier state. It is to be loaded anew. */
export class FeedEnded extends Error {
  override readonly name = 'FeedEnded'
}

/** An account in the memory of this process, and its writes on their way. Other processes change it, too. */
export interface Feed {
  readonly account: Account
  readonly errands: () => ReadonlyMap<string, number>
  /** What it shows: which account of its user, and its revision. */
  readonly place: () => Pick<AccountPosition, 'epoch' | 'revision' | 'raised' | 'gaps'>
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
interface FeedParts {
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
interface NowVisible {
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
const maxAtOnce = 256
/** So long after another process has written, each write here looks first whether it did again. */
const sharedMilliseconds = 10_000

/** Shows a loaded account. */
const createFeed = (loaded: LoadedAccount, parts: FeedParts): Feed => {
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
          if (hasErrands) errands = addOutboxEntries(errands, write.errandSteps)
          const position = account.position()
          becameVisible({ ...ownChange(position, writer), from: before, hasMoved: position !== before, hasErrands })
        })
      }
      done()
    }, write.length > maxAtOnce)

  const place = () => ({ epoch, revision, raised, gaps })

  const chain = createChain({
    ...{ userId, account, wake: parts.wake, show: showOwn },
    listErrands: () => errands,
    place,
  })

  /** Judges what the database says, against what was shown when it was asked. */
  const check = <P extends AccountPosition>(found: P | undefined, asked: number): P | undefined => {
    const isSame = asked === 0 || (found?.epoch === epoch && found.revision >= asked)
    if (!isSame) throw new FeedEnded('the account is not the one that was shown')
    return found
  }

  const find = async (): Promise<AccountPosition | undefined> => {
    const asked = revision
    const [found] = await database.run<AccountPosition>(findAccount, [userId])
    return check(found, asked)
  }

  function* applyNews(news: AccountNews): Generator<void, void, undefined> {
    if (news.revision <= revision) return
    // What was staged on the account as it was must not go on.
    chain.renew(new WriteConflict())
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
      }, news.items.length > maxAtOnce),
    )
  }

  const catchUp = async (): Promise<void> => {
    const isNews = (found: AccountPosition | undefined): boolean => found !== undefined && found.revision > revision
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

/** The accounts in the memory of this process; each is loaded when it is first asked for. */
export interface Feeds {
  /**
   * Runs work on the feed of an account; again on one that was loaded anew when the first had ended.
   * @throws what the work throws; StoreFailed
   */
  readonly use: <T>(userId: string, work: (feed: Feed, isFresh: boolean) => Promise<T>) => Promise<T>
  /** Begins an account of this user, beside the one in memory. */
  readonly beginFor: (userId: string) => BeginLoading
  readonly find: (userId: string) => Feed | undefined
  readonly drop: (userId: string) => void
  /** Frees what nobody has asked for since the last page of a listing could be, and the least used beyond a bound. */
  readonly sweep: () => void
  readonly count: () => number
}

/** What feeds work with. */
interface FeedsParts {
  readonly form: ThingForm
  readonly database: Database
  readonly elapsed: () => number
  /** By how much the positions of new accounts are raised. */
  readonly findRaised: () => Promise<number>
  readonly committer: Committer
  readonly lowestListed: (userId: string) => number | undefined
  readonly becameVisible: (userId: string, what: NowVisible) => void
  /** Most things in memory, of all accounts, before the least used leave. */
  readonly mostThings: number
}

interface Opened {
  readonly opening: Promise<Feed>
  feed?: Feed
  usedAt: number
}

const idleMilliseconds = pagedDownloadSeconds * 1000
/** A feed may end more than once only if the account is removed again and again. */
const maxTries = 3

/** No account is in memory. */
export const createFeeds = (parts: FeedsParts): Feeds => {
  const { form, database, elapsed, committer, mostThings } = parts
  // The least used first.
  const opened = new Map<string, Opened>()

  const beginFor =
    (userId: string): BeginLoading =>
    (position) =>
      beginAccount(form, { elapsed, lowestListed: () => parts.lowestListed(userId) }, position)

  const load = async (userId: string): Promise<Feed> => {
    const loaded = await loadAccount(database, userId, beginFor(userId), parts.findRaised)
    const feed: Feed = createFeed(loaded, {
      ...{ userId, database, elapsed },
      wake: () => committer.wake(feed.chain),
      becameVisible: (what) => {
        // What becomes visible in an account that was removed meanwhile is nobody's.
        if (opened.get(userId)?.feed === feed) parts.becameVisible(userId, what)
      },
    })
    return feed
  }

  const drop = (userId: string): void => void opened.delete(userId)

  const open = (userId: string): Opened & { readonly isFresh: boolean } => {
    const found = opened.get(userId)
    if (found !== undefined) {
      opened.delete(userId)
      opened.set(userId, found)
      found.usedAt = elapsed()
      return { ...found, isFresh: false }
    }
    const entry: Opened = { opening: load(userId), usedAt: elapsed() }
    opened.set(userId, entry)
    entry.opening.then(
      (feed) => {
        entry.feed = feed
      },
      () => {
        if (opened.get(userId) === entry) drop(userId)
      },
    )
    return { ...entry, isFresh: true }
  }

  const use: Feeds['use'] = async (userId, work) => {
    for (let tries = 1; ; tries += 1) {
      const { opening, isFresh } = open(userId)
      const feed = await opening
      try {
        return await work(feed, isFresh)
      } catch (error) {
        if (!(error instanceof FeedEnded) || tries === maxTries) throw error
        if (opened.get(userId)?.feed === feed) drop(userId)
      }
    }
  }

  const sweep = (): void => {
    let things = 0
    for (const [userId, { feed, usedAt }] of [...opened].reverse()) {
      things += feed?.account.table.countIds() ?? 0
      const isOver = elapsed() - usedAt > idleMilliseconds || things > mostThings
      // Views that were given stay what they are.
      if (isOver && feed?.chain.isIdle() === true) drop(userId)
    }
  }

  return {
    use,
    beginFor,
    find: (userId) => opened.get(userId)?.feed,
    drop,
    sweep,
    count: () => opened.size,
  }
}
