/*
 * The store on PostgreSQL: any number of server processes work on one database.
 * The folder knows no operation and no HTTP; only `driver.ts` imports pg. A process keeps recently used accounts in
 * memory (`accounts/feed.ts`) and brings each up to date before it reads. Writes are staged in memory, chained per
 * account (`accounts/chain.ts`) and committed in batches (`accounts/commit.ts`). `notices.ts` notifies other processes.
 * Start with `openPostgresStore`; the SQL schema is `schema/001-begin.sql`.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { createSerialQueue, type SerialQueue } from '../../scheduling.ts'
import { documentOf } from '../account/account.ts'
import { viewAccount } from '../account/view.ts'
import { type AccountCopy, createOpenListings, listItems } from '../create-store.ts'
import { createListeners } from '../listeners.ts'
import { type Draft, type Store, StoreError, type StoreLog, silentLog, type ThingForm } from '../store.ts'
import { type AccountMark, loadAccount, removeAccount } from './accounts/account-rows.ts'
import { WriteConflict } from './accounts/chain.ts'
import { createCommitter } from './accounts/commit.ts'
import { createFeeds, type Feed, FeedEnded, type Feeds } from './accounts/feed.ts'
import { createPositionJumps, type PositionJumps, raiseDocument } from './accounts/position-jumps.ts'
import { createCounts, createSessionSlots, dropCounts, dropHolders } from './counts.ts'
import type { Database } from './database.ts'
import { createListings, createRecentAccounts, dropEarlier, dropListings } from './listings.ts'
import { createNotices, createWatches, dropTransactionIds, findState } from './notices.ts'
import { createOutbox, dropSettled } from './outbox.ts'
import type { PostgresRegistry } from './registry.ts'

/** Work to run on an account. */
interface AccountWork<T> {
  readonly userId: string
  readonly writer: string
  readonly work: (draft: Draft) => Promise<T>
}

/** An attempt. When `end` resolves, `result` returns the result of the work or throws its error. */
interface Attempt<T> {
  readonly result: () => T
  readonly end: Promise<void>
}

/** Maximum of attempts to write an account, if other processes write it at the same time. */
const maxAttempts = 60
const attemptsWithoutDelay = 2
/** After so many conflicts the cause may be a failover or a restore: the positions of the account may have to jump. */
const attemptsPerJump = 2
const maxDelayMilliseconds = 40

/**
 * How an attempt begins: with an account that was loaded just now, after catching up with the database, or without
 * catching up. The last is almost as safe if no other process writes.
 */
type Start = 'loaded' | 'catch up' | 'trust'

const attemptWork = async <T>(
  feed: Feed,
  start: Start,
  { writer, work }: Omit<AccountWork<T>, 'userId'>,
): Promise<Attempt<T>> => {
  if (start === 'catch up') await feed.catchUp()
  const staging = feed.chain.stage(writer)

  /** Work that changed nothing returns what it read: this must be committed, and unchanged by others since. */
  const confirm = async (): Promise<void> => {
    await staging.whenBaseCommitted()
    if (start !== 'trust' || (await feed.isNewest(staging.revision)) || (await staging.isFollowed())) return
    throw new WriteConflict()
  }

  try {
    const value = await work(staging.draft)
    const sent = staging.send()
    return { result: () => value, end: sent ?? confirm() }
  } catch (error) {
    const result = (): never => {
      throw error
    }
    return { result, end: confirm() }
  }
}

/**
 * Runs work on an account and commits its changes, all or none. The work runs on the account in memory. If another
 * process has written meanwhile, the work runs again.
 * @throws what the work throws; StoreError
 */
const writeAccount = async <T>(
  { feeds, queues, jumps }: { readonly feeds: Feeds; readonly queues: SerialQueue; readonly jumps: PositionJumps },
  { userId, ...account }: AccountWork<T>,
): Promise<T> => {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const attempt = await queues.run(userId, () =>
        feeds.use(userId, async (feed, isFresh) => {
          const mayTrust = attempts === 1 && !feed.isShared()
          return attemptWork(feed, isFresh ? 'loaded' : mayTrust ? 'trust' : 'catch up', account)
        }),
      )
      // The next write runs meanwhile, and may be committed together with this one.
      await attempt.end
      return attempt.result()
    } catch (error) {
      if (!(error instanceof WriteConflict || error instanceof FeedEnded)) throw error
      if (attempts === maxAttempts) throw new StoreError('too many conflicts: other processes write to this account')
    }
    if (attempts % attemptsPerJump === 0) {
      await jumps.raise(userId)
      // A new account has no row that the jump could raise: load it again.
      if (feeds.find(userId)?.state().revision === 0) feeds.drop(userId)
    }
    if (attempts > attemptsWithoutDelay) await wait(Math.random() * Math.min(maxDelayMilliseconds, 2 ** attempts))
  }
}

/** Returns a function for periodic work. It logs an error of the store; the work runs again the next time. */
const attemptWith =
  (log: StoreLog) =>
  async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      log.warn({ reason: error.message }, 'a query of the database failed')
    }
  }

/** The dependencies of a sweep. `now` returns Unix time in milliseconds. */
interface SweepParts {
  readonly database: Database
  readonly jumps: Pick<PositionJumps, 'note'>
  readonly now: () => number
  readonly log: StoreLog
}

/** Notes the incarnation of the database and deletes expired rows. An error in one step does not stop the others. */
export const sweepDatabase = async ({ database, jumps, now, log }: SweepParts): Promise<void> => {
  const attempt = attemptWith(log)
  await attempt(jumps.note)
  await attempt(() => database.run(dropListings, [now()]))
  await attempt(() => database.run(dropEarlier, [now()]))
  for (const statement of [dropTransactionIds, dropSettled, dropCounts, dropHolders])
    await attempt(() => database.run(statement, []))
}

/** Options of a PostgreSQL store with an open database. */
interface PostgresStoreOptions {
  readonly database: Database
  /** URL for the notifications of other processes: the database itself, not a pooler. */
  readonly listenUrl: string
  readonly registry: PostgresRegistry
  readonly form: ThingForm
  /** Unix time in milliseconds. Default: `Date.now`. The clocks of the processes may differ by seconds. */
  readonly now?: () => number
  /** Monotonic clock in milliseconds. Default: `performance.now`. */
  readonly monotonicMs?: () => number
  readonly log?: StoreLog
  /** Called after each batch of writes became durable, with the number of writes and the duration. */
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

const sweepMilliseconds = 60_000
const pollMilliseconds = 5_000
const maxTransactions = 2
const outcomeMilliseconds = 30_000
const maxThings = 2_000_000

/**
 * Opens the store on PostgreSQL. Any number of processes can work on one database. An account in memory is a copy,
 * which each request brings up to date.
 * @throws StoreError if the database cannot be reached
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { database, listenUrl, registry, form, now = Date.now, monotonicMs = () => performance.now() } = options
  const { log = silentLog, onCommit = () => undefined } = options
  const queues = createSerialQueue()
  const watches = createWatches(database)
  const outboxWatchers = createListeners<void>()
  const sessionWatchers = createListeners<void>()
  const ownListings = createOpenListings(monotonicMs)
  const listings = createListings(database, now)
  const pending = new Set<Promise<unknown>>()
  let isClosed = false

  const notifyOutboxWatchers = (): void => outboxWatchers.notify('outbox', undefined)
  const notices = createNotices({
    database,
    listenUrl,
    onChange: watches.notify,
    onRemoval: watches.forget,
    onEnd: (sessionId) => sessionWatchers.notify(sessionId, undefined),
    onOutbox: notifyOutboxWatchers,
  })
  const outbox = createOutbox(database, () => {
    notifyOutboxWatchers()
    notices.notifyOutbox()
  })
  const jumps = createPositionJumps(database, now)
  const committer = createCommitter({ database, now, maxTransactions, outcomeMilliseconds, onCommit })
  const feeds = createFeeds({
    ...{ form, database, monotonicMs, committer, maxThings },
    findRaised: jumps.find,
    lowestListed: ownListings.lowestPosition,
    onVisible: (userId, { change: { position, writer }, from, hasMoved, hasOutboxChanges, isOwn }) => {
      if (hasMoved && writer === undefined) watches.noteMoved(userId, position, from)
      if (hasMoved && writer !== undefined) {
        watches.notify(userId, { position, writer }, from)
        if (isOwn) notices.notifyChange(userId, { position, writer }, from)
      }
      if (!isOwn) return
      if (hasOutboxChanges) {
        notifyOutboxWatchers()
        notices.notifyOutbox()
      }
    },
  })
  const earlierAccounts = createRecentAccounts(monotonicMs)
  const slots = createSessionSlots(database)

  const attempt = attemptWith(log)
  const sweep = setInterval(() => {
    ownListings.dropExpired()
    earlierAccounts.sweep()
    feeds.sweep()
    void sweepDatabase({ database, jumps, now, log })
  }, sweepMilliseconds).unref()
  const poll = setInterval(() => {
    void notices.listen()
    void attempt(async () => {
      await outbox.renew()
      await slots.renew()
      await watches.poll()
    })
    notifyOutboxWatchers()
  }, pollMilliseconds).unref()

  const checkOpen = (): void => {
    if (isClosed) throw new StoreError('the store is closed')
  }

  /** Runs work on the current account. Skips the query if the account is at the mark that a query has just returned. */
  const useNewest = <T>(userId: string, mark: AccountMark | undefined, work: (feed: Feed) => Promise<T>): Promise<T> =>
    feeds.use(userId, async (feed, isFresh) => {
      if (!isFresh && !(mark && feed.isAt(mark))) await feed.catchUp()
      return work(feed)
    })

  const track = async <T>(work: Promise<T>): Promise<T> => {
    pending.add(work)
    try {
      return await work
    } finally {
      pending.delete(work)
    }
  }

  const copy = async (userId: string): Promise<AccountCopy> => {
    const raised = await jumps.find()
    if (feeds.find(userId) !== undefined)
      return useNewest(userId, undefined, async (feed) => ({
        document: raiseDocument(documentOf(feed.account), feed.state(), raised),
        outboxEntries: feed.outbox(),
      }))
    const loaded = await loadAccount(database, userId, feeds.beginFor(userId), jumps.find)
    return { document: raiseDocument(documentOf(loaded.account), loaded.state, raised), outboxEntries: loaded.outbox }
  }

  const stopWatchingEnds = registry.watchEnds((sessionIds) => {
    for (const id of sessionIds) sessionWatchers.notify(id, undefined)
    notices.notifySessionEnds(sessionIds)
  })
  await notices.listen()
  await attempt(jumps.note)
  return {
    registry,
    shared: { ...createCounts(database), takeSlot: slots.take },
    write: async (userId, writer, work) => {
      checkOpen()
      return track(writeAccount({ feeds, queues, jumps }, { userId, writer, work }))
    },
    read: async (userId, found) => {
      checkOpen()
      return useNewest(userId, found && registry.findMark(found), async (feed) => {
        const { account } = feed
        watches.noteRead(userId, account.position())
        return viewAccount(account, account.position(), feed.outbox(), feed.state().gaps)
      })
    },
    readAsOf: async (userId, position) => {
      checkOpen()
      return useNewest(userId, undefined, async (feed) => {
        const { account } = feed
        const { epoch, gaps } = feed.state()
        if (position > account.position()) return undefined
        if (position >= account.readableFrom() && feed.knows(position))
          return viewAccount(account, position, feed.outbox(), gaps)
        const found = await earlierAccounts.open(`${epoch} ${position} ${userId}`, () =>
          listings.loadEarlier(userId, position, feed, feeds.beginFor(userId)),
        )
        return found && viewAccount(found, position, feed.outbox(), gaps)
      })
    },
    rememberListing: async (userId, writer, name, listing) => {
      checkOpen()
      ownListings.remember(userId, writer, name, listing)
      await feeds.use(userId, (feed) => listings.remember({ userId, writer, name }, feed, listing))
    },
    findListing: async (userId, writer, name) => {
      checkOpen()
      return listings.find({ userId, writer, name })
    },
    takeOutboxEntry: async (time) => {
      checkOpen()
      return outbox.takeOutboxEntry(time)
    },
    nextOutboxEntryAt: outbox.nextOutboxEntryAt,
    listOutboxEntries: outbox.listOutboxEntries,
    watchOutbox: (onChange) => outboxWatchers.listen('outbox', onChange),
    watch: watches.watch,
    watchSession: (sessionId, onEnd) => sessionWatchers.listen(sessionId, onEnd),
    removeAccount: async (userId) => {
      checkOpen()
      await queues.run(userId, async () => {
        await database.run(removeAccount, [userId])
        feeds.drop(userId)
        watches.forget(userId)
        ownListings.forget(userId)
        notices.notifyRemoval(userId)
      })
    },
    listItems: () => {
      checkOpen()
      return listAllItems(registry, copy)
    },
    // All committed writes are in the tables already.
    checkpoint: async () => checkOpen(),
    countOpenAccounts: feeds.count,
    check: async () => {
      checkOpen()
      const [state] = await database.run<{ readonly isStandby: boolean; readonly isReadOnly: string }>(findState, [])
      if (state?.isStandby !== false || state.isReadOnly !== 'off')
        throw new StoreError('the database accepts no writes: it is a standby, or read-only')
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      clearInterval(poll)
      await Promise.allSettled(pending)
      await queues.settle()
      await attempt(outbox.end)
      await attempt(slots.end)
      watches.forgetAll()
      outboxWatchers.forgetAll()
      sessionWatchers.forgetAll()
      stopWatchingEnds()
      await notices.close()
      await database.close()
    },
  }
}

async function* listAllItems(registry: PostgresRegistry, copy: (userId: string) => Promise<AccountCopy>) {
  yield* listItems(await registry.document(), copy)
}
