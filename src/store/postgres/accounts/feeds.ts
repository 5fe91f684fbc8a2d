import { type BeginLoading, beginAccount } from '../../image/account.ts'
import { pagedDownloadSeconds, type ThingForm } from '../../store.ts'
import type { Database } from '../database/open-database.ts'
import type { Committer } from './committer.ts'
import { createFeed, type Feed, FeedEnded, type NowVisible } from './feed.ts'
import { loadAccount } from './load-account.ts'

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
export interface FeedsParts {
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
const mostTries = 3

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
        if (!(error instanceof FeedEnded) || tries === mostTries) throw error
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
