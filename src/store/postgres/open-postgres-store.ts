import { setTimeout as wait } from 'node:timers/promises'
import { documentOf } from '../account/account.ts'
import { viewAccount } from '../account/view.ts'
import { type AccountCopy, createOpenListings, listItems } from '../create-store.ts'
import { createListeners } from '../listeners.ts'
import { type Draft, type Store, StoreError, type StoreLog, silentLog, type ThingForm } from '../store.ts'
import { createSerialQueue, type SerialQueue } from '../write/commit-queue.ts'
import { type AccountMark, loadAccount, removeAccount } from './accounts/account-rows.ts'
import { WriteConflict } from './accounts/chain.ts'
import { createCommitter } from './accounts/commit.ts'
import { createFeeds, type Feed, FeedEnded, type Feeds } from './accounts/feed.ts'
import { createPositionJumps, type PositionJumps, takeGapsAlong } from './accounts/position-jumps.ts'
import { createCounts, createSessionSlots, dropCounts, dropHolders } from './counts.ts'
import type { Database } from './database.ts'
import { createListings, createRecentAccounts, dropEarlier, dropListings } from './listings.ts'
import { createNotices, createWatches, dropKeptWrites, findState } from './notices.ts'
import { createOutbox, dropSettled } from './outbox.ts'
import type { PostgresRegistry } from './registry.ts'

/** Work to be done on an account. */
interface AccountWork<T> {
  readonly userId: string
  readonly writer: string
  readonly work: (draft: Draft) => Promise<T>
}

/** What a try came to: a result or what the work has thrown, to be told when `end` resolves. */
interface Tried<T> {
  readonly answer: () => T
  readonly end: Promise<void>
}

/** Of two processes that write one account at the same time one is first; the other tries again, so often at most. */
const maxTries = 60
const triesWithoutRest = 2
/** Where others are not to blame, the database may be another one now. */
const triesToJump = 2
const maxRestMilliseconds = 40

/**
 * How a try begins: on an account that was loaded just now; after a look whether there is news; or, which is nearly as
 * good where no other process writes, without one.
 */
type Start = 'loaded' | 'look' | 'trust'

const tryWork = async <T>(
  feed: Feed,
  start: Start,
  { writer, work }: Omit<AccountWork<T>, 'userId'>,
): Promise<Tried<T>> => {
  if (start === 'look') await feed.catchUp()
  const staging = feed.chain.stage(writer)

  /** What was only read is an answer, too: it must be what is kept, and nothing that others have changed since. */
  const confirm = async (): Promise<void> => {
    await staging.whenBaseKept()
    if (start !== 'trust' || (await feed.isNewest(staging.revision)) || (await staging.isFollowed())) return
    throw new WriteConflict()
  }

  try {
    const result = await work(staging.draft)
    const sent = staging.send()
    return { answer: () => result, end: sent ?? confirm() }
  } catch (error) {
    const answer = (): never => {
      throw error
    }
    return { answer, end: confirm() }
  }
}

/**
 * Runs work on an account and keeps its changes, all or none. The work runs on what this process knows of the account;
 * where another one has written meanwhile it runs again.
 * @throws what the work throws; StoreFailed
 */
const writeAccount = async <T>(
  { feeds, turns, raises }: { readonly feeds: Feeds; readonly turns: SerialQueue; readonly raises: PositionJumps },
  { userId, ...account }: AccountWork<T>,
): Promise<T> => {
  for (let tries = 1; ; tries += 1) {
    try {
      const tried = await turns.run(userId, () =>
        feeds.use(userId, async (feed, isFresh) => {
          const mayTrust = tries === 1 && !feed.isShared()
          return tryWork(feed, isFresh ? 'loaded' : mayTrust ? 'trust' : 'look', account)
        }),
      )
      // The next write is at work meanwhile, and may be kept together with this one.
      await tried.end
      return tried.answer()
    } catch (error) {
      if (!(error instanceof WriteConflict || error instanceof FeedEnded)) throw error
      if (tries === maxTries) throw new StoreError('others write to this account all the time')
    }
    if (tries % triesToJump === 0) {
      await raises.raise(userId)
      // Nobody knows of an account that is new but who loads it.
      if (feeds.find(userId)?.place().revision === 0) feeds.drop(userId)
    }
    if (tries > triesWithoutRest) await wait(Math.random() * Math.min(maxRestMilliseconds, 2 ** tries))
  }
}

/** Does what is done now and then. It may fail, which the log says: it is done again the next time. */
const attemptWith =
  (log: StoreLog) =>
  async (work: () => Promise<unknown>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      log.warn({ reason: error.message }, 'the database could not be asked')
    }
  }

/** What a sweep works on. `now` is Unix time in milliseconds. */
interface SweepParts {
  readonly database: Database
  readonly raises: Pick<PositionJumps, 'note'>
  readonly now: () => number
  readonly log: StoreLog
}

/** Says that the database goes on, and forgets what has ended in it; what fails holds up nothing after it. */
export const sweepDatabase = async ({ database, raises, now, log }: SweepParts): Promise<void> => {
  const attempt = attemptWith(log)
  await attempt(raises.note)
  await attempt(() => database.run(dropListings, [now()]))
  await attempt(() => database.run(dropEarlier, [now()]))
  for (const statement of [dropKeptWrites, dropSettled, dropCounts, dropHolders])
    await attempt(() => database.run(statement, []))
}

/** Options of a store in PostgreSQL. */
interface PostgresStoreOptions {
  readonly database: Database
  /** Where to listen for what other processes tell: the database itself, not a pooler. */
  readonly listenUrl: string
  readonly registry: PostgresRegistry
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` when left out. The clocks of the processes may differ by seconds. */
  readonly now?: () => number
  /** Milliseconds since whenever, never set back; `performance.now` when left out. */
  readonly elapsed?: () => number
  readonly log?: StoreLog
  /** Told of each batch of writes that became durable, and how long that took; nobody when left out. */
  readonly onCommit?: (writes: number, milliseconds: number) => void
}

const sweepMilliseconds = 60_000
const lookMilliseconds = 5_000
const writers = 2
const outcomeMilliseconds = 30_000
const maxThings = 2_000_000

/**
 * The store on PostgreSQL: any number of processes on one database. What a process has of an account in memory is a
 * copy, which each request brings up to date.
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { database, listenUrl, registry, form, now = Date.now, elapsed = () => performance.now() } = options
  const { log = silentLog, onCommit = () => undefined } = options
  const turns = createSerialQueue()
  const watching = createWatches(database)
  const errandWatchers = createListeners<void>()
  const sessionWatchers = createListeners<void>()
  const ownListings = createOpenListings(elapsed)
  const listings = createListings(database, now)
  const pending = new Set<Promise<unknown>>()
  let isClosed = false

  const tellErrands = (): void => errandWatchers.notify('errands', undefined)
  const notices = createNotices({
    database,
    listenUrl,
    onChange: watching.tell,
    onRemoval: watching.forget,
    onEnd: (sessionId) => sessionWatchers.notify(sessionId, undefined),
    onErrands: tellErrands,
  })
  const outbox = createOutbox(database, () => {
    tellErrands()
    notices.tellErrands()
  })
  const raises = createPositionJumps(database, now)
  const committer = createCommitter({ database, now, writers, outcomeMilliseconds, onCommit })
  const feeds = createFeeds({
    ...{ form, database, elapsed, committer, mostThings: maxThings },
    findRaised: raises.find,
    lowestListed: ownListings.lowestPosition,
    becameVisible: (userId, { change: { position, writer }, from, hasMoved, hasErrands, isOwn }) => {
      if (hasMoved && writer === undefined) watching.noteMoved(userId, position, from)
      if (hasMoved && writer !== undefined) {
        watching.tell(userId, { position, writer }, from)
        if (isOwn) notices.tellChange(userId, { position, writer }, from)
      }
      if (!isOwn) return
      if (hasErrands) {
        tellErrands()
        notices.tellErrands()
      }
    },
  })
  const earlier = createRecentAccounts(elapsed)
  const seats = createSessionSlots(database)

  const attempt = attemptWith(log)
  const sweep = setInterval(() => {
    ownListings.dropExpired()
    earlier.sweep()
    feeds.sweep()
    void sweepDatabase({ database, raises, now, log })
  }, sweepMilliseconds).unref()
  const look = setInterval(() => {
    void notices.listen()
    void attempt(async () => {
      await outbox.renew()
      await seats.renew()
      await watching.look()
    })
    tellErrands()
  }, lookMilliseconds).unref()

  const checkOpen = (): void => {
    if (isClosed) throw new StoreError('the store is closed')
  }

  /** Runs work on an account as it is now, or, if it is there, at the mark that the database has just told. */
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
    const raised = await raises.find()
    if (feeds.find(userId) !== undefined)
      return useNewest(userId, undefined, async ({ account, errands, place }) => ({
        document: takeGapsAlong(documentOf(account), place(), raised),
        errands: errands(),
      }))
    const { account, errands, place } = await loadAccount(database, userId, feeds.beginFor(userId), raises.find)
    return { document: takeGapsAlong(documentOf(account), place, raised), errands }
  }

  const stopWatchingEnds = registry.watchEnds((sessionIds) => {
    for (const id of sessionIds) sessionWatchers.notify(id, undefined)
    notices.tellEnds(sessionIds)
  })
  await notices.listen()
  await attempt(raises.note)
  return {
    registry,
    shared: { ...createCounts(database), takeSlot: seats.take },
    write: async (userId, writer, work) => {
      checkOpen()
      return track(writeAccount({ feeds, turns, raises }, { userId, writer, work }))
    },
    read: async (userId, found) => {
      checkOpen()
      return useNewest(userId, found && registry.findMark(found), async ({ account, errands, place }) => {
        watching.noteRead(userId, account.position())
        return viewAccount(account, account.position(), errands(), place().gaps)
      })
    },
    readAsOf: async (userId, position) => {
      checkOpen()
      return useNewest(userId, undefined, async (feed) => {
        const { account, errands } = feed
        const { epoch, gaps } = feed.place()
        if (position > account.position()) return undefined
        if (position >= account.readableFrom() && feed.knows(position))
          return viewAccount(account, position, errands(), gaps)
        const found = await earlier.open(`${epoch} ${position} ${userId}`, () =>
          listings.loadEarlier(userId, position, feed, feeds.beginFor(userId)),
        )
        return found && viewAccount(found, position, errands(), gaps)
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
    watchOutbox: (onChange) => errandWatchers.listen('errands', onChange),
    watch: watching.watch,
    watchSession: (sessionId, onEnd) => sessionWatchers.listen(sessionId, onEnd),
    removeAccount: async (userId) => {
      checkOpen()
      await turns.run(userId, async () => {
        await database.run(removeAccount, [userId])
        feeds.drop(userId)
        watching.forget(userId)
        ownListings.forget(userId)
        notices.tellRemoval(userId)
      })
    },
    listItems: () => {
      checkOpen()
      return listAllItems(registry, copy)
    },
    // What is kept is in the database's tables already.
    checkpoint: async () => checkOpen(),
    countOpenAccounts: feeds.count,
    check: async () => {
      checkOpen()
      const [state] = await database.run<{ readonly isStandby: boolean; readonly isReadOnly: string }>(findState, [])
      if (state?.isStandby !== false || state.isReadOnly !== 'off')
        throw new StoreError('the database takes no writes: it is a standby, or read-only')
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      clearInterval(look)
      await Promise.allSettled(pending)
      await turns.settle()
      await attempt(outbox.end)
      await attempt(seats.end)
      watching.forgetAll()
      errandWatchers.forgetAll()
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
