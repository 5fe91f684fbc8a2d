import { runInSlices, runToEnd, type Work } from '../../../scheduling.ts'
import { type Account, type BeginLoading, beginAccount } from '../../account/account.ts'
import { pagedDownloadSeconds, type ThingForm, type VisibleChange } from '../../store.ts'
import { addOutboxEntries } from '../../transaction.ts'
import type { Database } from '../database.ts'
import {
  type AccountMark,
  type AccountNews,
  type AccountState,
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
 * Shares runs of work: each caller gets a run that starts after its call, and callers that wait share the next run.
 * Only one run is in progress at a time.
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

/** A queue that makes the writes of one account visible, one after another. */
interface VisibleQueue {
  /**
   * Runs work after all previous work: at once, if it is short and the queue is empty. `createWork` is called when the
   * work starts.
   */
  readonly show: (createWork: () => Work<void>, isLong: boolean) => void
}

/** Creates an empty queue. */
const createVisibleQueue = (): VisibleQueue => {
  const waiting: (() => Work<void>)[] = []
  let isShowing = false

  const showAll = async (): Promise<void> => {
    for (let createWork = waiting.shift(); createWork !== undefined; createWork = waiting.shift())
      await runInSlices(createWork())
    isShowing = false
  }

  const show: VisibleQueue['show'] = (createWork, isLong) => {
    if (!isShowing && !isLong) {
      runToEnd(createWork())
      return
    }
    waiting.push(createWork)
    if (isShowing) return
    isShowing = true
    void showAll()
  }

  return { show }
}

/** The account of a feed was removed, or was restored to an earlier state. It must be loaded again. */
export class FeedEnded extends Error {
  override readonly name = 'FeedEnded'
}

/** An account in the memory of this process, with its pending writes. Other processes change the account too. */
export interface Feed {
  readonly account: Account
  readonly outbox: () => ReadonlyMap<string, number>
  /** Returns the epoch and the revision of the account in memory. */
  readonly state: () => Pick<AccountState, 'epoch' | 'revision' | 'raised' | 'gaps'>
  readonly chain: Chain
  /**
   * Resolves when the account in memory contains all writes that were committed before the call.
   * @throws StoreError; FeedEnded
   */
  readonly catchUp: () => Promise<void>
  /** True if the account in memory is at a mark that a query has just returned. */
  readonly isAt: (mark: AccountMark) => boolean
  /** True if no write after a revision is committed. @throws StoreError; FeedEnded */
  readonly isNewest: (revision: number) => Promise<boolean>
  /** True if another process has recently written to the account. */
  readonly isShared: () => boolean
  /** True if this process knows the state of the account at a position. */
  readonly knows: (position: number) => boolean
}

/** The dependencies of a feed. */
interface FeedParts {
  readonly userId: string
  readonly database: Database
  /** Monotonic clock in milliseconds. */
  readonly monotonicMs: () => number
  /** Called when a write waits. */
  readonly schedule: () => void
  /** Called at the moment when a change becomes visible. */
  readonly onVisible: (visible: NowVisible) => void
}

/** A change that became visible. */
interface NowVisible {
  /** Without a writer if this process does not know all its writers. */
  readonly change: Pick<VisibleChange, 'position'> & Partial<VisibleChange>
  /** The position before the change. */
  readonly from: number
  readonly hasMoved: boolean
  readonly hasOutboxChanges: boolean
  /** True if this process wrote the change. */
  readonly isOwn: boolean
}

/** A write with more steps is made visible in slices. */
const maxAtOnce = 256
/** How long after a write of another process each write here catches up with the database first. */
const sharedMilliseconds = 10_000

/** Creates the feed of a loaded account. */
const createFeed = (loaded: LoadedAccount, parts: FeedParts): Feed => {
  const { account } = loaded
  const { userId, database, monotonicMs, onVisible } = parts
  const { show } = createVisibleQueue()
  const jumps = createJumps()
  let { revision, epoch } = loaded.state
  // The first write creates the account with this epoch, which no earlier account of this user had.
  if (revision === 0) epoch = newEpoch()
  const { raised, gaps } = loaded.state
  let { outbox } = loaded
  let sharedAt = Number.NEGATIVE_INFINITY

  const ownChange = (position: number, writer: string) => ({
    change: { position, writer },
    hasMoved: true,
    isOwn: true,
  })

  const showOwn = ({ write, writer, from, revision: after }: ChainedWrite, done: () => void): void =>
    show(function* () {
      // A query may have returned the write before its own commit returned.
      if (after <= revision) onVisible({ ...ownChange(write.position, writer), from, hasOutboxChanges: true })
      else {
        const before = account.position()
        yield* account.applySteps(write, () => {
          revision = after
          const hasOutboxChanges = write.entryChanges.length > 0
          if (hasOutboxChanges) outbox = addOutboxEntries(outbox, write.entryChanges)
          const position = account.position()
          const hasMoved = position !== before
          onVisible({ ...ownChange(position, writer), from: before, hasMoved, hasOutboxChanges })
        })
      }
      done()
    }, write.length > maxAtOnce)

  const state = () => ({ epoch, revision, raised, gaps })

  const chain = createChain({
    ...{ userId, account, schedule: parts.schedule, show: showOwn },
    listOutboxEntries: () => outbox,
    state,
  })

  /** Checks that the row of the database continues the account at the revision before the query. */
  const check = <P extends AccountState>(found: P | undefined, revisionBefore: number): P | undefined => {
    const isSame = revisionBefore === 0 || (found?.epoch === epoch && found.revision >= revisionBefore)
    if (!isSame) throw new FeedEnded('the account in the database is not the one in memory')
    return found
  }

  const find = async (): Promise<AccountState | undefined> => {
    const revisionBefore = revision
    const [found] = await database.run<AccountState>(findAccount, [userId])
    return check(found, revisionBefore)
  }

  function* applyNews(news: AccountNews): Generator<void, void, undefined> {
    if (news.revision <= revision) return
    // Writes that were staged on the old state must not be committed.
    chain.renew(new WriteConflict())
    const before = account.position()
    const records = addRecords(account.records(), news)
    yield* account.applySteps(stepsOf(news, before, records), () => {
      const isOne = news.revision === revision + 1
      jumps.note(before, news.position, account.readableFrom())
      outbox = news.outbox
      epoch = news.epoch
      revision = news.revision
      sharedAt = monotonicMs()
      const change = { position: news.position, ...(isOne ? { writer: news.writer } : {}) }
      onVisible({ change, from: before, hasMoved: news.position !== before, hasOutboxChanges: true, isOwn: false })
    })
  }

  const jump = async (): Promise<void> => {
    const revisionBefore = revision
    const rows = await database.run<ChangedRow>(listChanges, [userId, account.position(), revision])
    const news = check(readNews(rows), revisionBefore)
    if (news === undefined) return
    await new Promise<void>((resolve) =>
      show(function* () {
        yield* applyNews(news)
        resolve()
      }, news.items.length > maxAtOnce),
    )
  }

  const catchUp = async (): Promise<void> => {
    const isNews = (found: AccountState | undefined): boolean => found !== undefined && found.revision > revision
    const found = await find()
    if (!isNews(found)) return
    // It may be an own write whose commit has not returned yet.
    await chain.whenBatchEnds()
    if (isNews(found)) await jump()
  }

  return {
    account,
    outbox: () => outbox,
    state,
    chain,
    catchUp: shareNext(catchUp),
    isAt: (mark) => mark.revision === revision && (revision === 0 || mark.epoch === epoch),
    isNewest: async (shownRevision) => ((await find())?.revision ?? 0) === shownRevision,
    isShared: () => monotonicMs() - sharedAt < sharedMilliseconds,
    knows: (position) => jumps.isStop(position),
  }
}

/** The cache of accounts in the memory of this process. Each is loaded when it is first used. */
export interface Feeds {
  /**
   * Runs work on the feed of an account. If the feed has ended, it loads the account and runs the work again.
   * @throws what the work throws; StoreError
   */
  readonly use: <T>(userId: string, work: (feed: Feed, isFresh: boolean) => Promise<T>) => Promise<T>
  /** Creates a loader for another copy of this user's account. */
  readonly beginFor: (userId: string) => BeginLoading
  readonly find: (userId: string) => Feed | undefined
  readonly drop: (userId: string) => void
  /**
   * Drops accounts that were unused for the lifetime of a paged listing, and the least recently used beyond
   * `maxThings`.
   */
  readonly sweep: () => void
  readonly count: () => number
}

/** The dependencies of the feeds. */
interface FeedsParts {
  readonly form: ThingForm
  readonly database: Database
  readonly monotonicMs: () => number
  /** Finds by how much the positions of new accounts are raised. */
  readonly findRaised: () => Promise<number>
  readonly committer: Committer
  readonly lowestListed: (userId: string) => number | undefined
  readonly onVisible: (userId: string, visible: NowVisible) => void
  /** Maximum of things in memory, of all accounts. The least recently used accounts are dropped beyond it. */
  readonly maxThings: number
}

interface Opened {
  readonly opening: Promise<Feed>
  feed?: Feed
  usedAt: number
}

const idleMilliseconds = pagedDownloadSeconds * 1000
/** A feed ends more than once only if its account is removed repeatedly. */
const maxAttempts = 3

/** Creates an empty cache. */
export const createFeeds = (parts: FeedsParts): Feeds => {
  const { form, database, monotonicMs, committer, maxThings } = parts
  // The least recently used first.
  const opened = new Map<string, Opened>()

  const beginFor =
    (userId: string): BeginLoading =>
    (position) =>
      beginAccount(form, { monotonicMs, lowestListed: () => parts.lowestListed(userId) }, position)

  const load = async (userId: string): Promise<Feed> => {
    const loaded = await loadAccount(database, userId, beginFor(userId), parts.findRaised)
    const feed: Feed = createFeed(loaded, {
      ...{ userId, database, monotonicMs },
      schedule: () => committer.schedule(feed.chain),
      onVisible: (visible) => {
        // Changes of an account that was removed meanwhile are not reported.
        if (opened.get(userId)?.feed === feed) parts.onVisible(userId, visible)
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
      found.usedAt = monotonicMs()
      return { ...found, isFresh: false }
    }
    const entry: Opened = { opening: load(userId), usedAt: monotonicMs() }
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
    for (let attempts = 1; ; attempts += 1) {
      const { opening, isFresh } = open(userId)
      const feed = await opening
      try {
        return await work(feed, isFresh)
      } catch (error) {
        if (!(error instanceof FeedEnded) || attempts === maxAttempts) throw error
        if (opened.get(userId)?.feed === feed) drop(userId)
      }
    }
  }

  const sweep = (): void => {
    let things = 0
    for (const [userId, { feed, usedAt }] of [...opened].reverse()) {
      things += feed?.account.table.countIds() ?? 0
      const mayDrop = monotonicMs() - usedAt > idleMilliseconds || things > maxThings
      // Existing views of a dropped account stay valid.
      if (mayDrop && feed?.chain.isIdle() === true) drop(userId)
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
