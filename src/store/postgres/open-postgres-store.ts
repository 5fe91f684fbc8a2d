import { createWatchers } from '../errands/watchers.ts'
import { documentOf } from '../image/account-document.ts'
import { listItems } from '../list-items.ts'
import type { AccountCopy } from '../open-accounts.ts'
import { createOpenListings } from '../open-listings.ts'
import { type Store, StoreFailed, type ThingForm } from '../store.ts'
import { type StoreLog, silentLog } from '../store-log.ts'
import { viewAccount } from '../view.ts'
import { createTurns } from '../write/turns.ts'
import type { AccountMark } from './accounts/changed-rows.ts'
import { createCommitter } from './accounts/committer.ts'
import type { Feed } from './accounts/feed.ts'
import { createFeeds } from './accounts/feeds.ts'
import { loadAccount } from './accounts/load-account.ts'
import { createRaises, takeGapsAlong } from './accounts/raises.ts'
import { writeAccount } from './accounts/write-account.ts'
import { createCounts } from './counts/counts.ts'
import { createSeats } from './counts/seats.ts'
import type { Database } from './database/open-database.ts'
import { createEarlierAccounts } from './earlier-accounts.ts'
import { createErrands } from './errands.ts'
import { createListings } from './listings.ts'
import { createNotices } from './notices.ts'
import type { PostgresRegistry } from './registry/open-postgres-registry.ts'
import { removeAccount } from './statements/accounts.ts'
import { findState } from './statements/notices.ts'
import { attemptWith, sweepDatabase } from './sweep-database.ts'
import { createWatching } from './watching.ts'

/** Options of a store in PostgreSQL. */
export interface PostgresStoreOptions {
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
const mostThings = 2_000_000

/**
 * The store on PostgreSQL: any number of processes on one database. What a process has of an account in memory is a
 * copy, which each request brings up to date.
 */
export const openPostgresStore = async (options: PostgresStoreOptions): Promise<Store> => {
  const { database, listenUrl, registry, form, now = Date.now, elapsed = () => performance.now() } = options
  const { log = silentLog, onCommit = () => undefined } = options
  const turns = createTurns()
  const watching = createWatching(database)
  const errandWatchers = createWatchers<void>()
  const sessionWatchers = createWatchers<void>()
  const ownListings = createOpenListings(elapsed)
  const listings = createListings(database, now)
  const pending = new Set<Promise<unknown>>()
  let isClosed = false

  const tellErrands = (): void => errandWatchers.tell('errands', undefined)
  const notices = createNotices({
    database,
    listenUrl,
    onChange: watching.tell,
    onRemoval: watching.forget,
    onEnd: (sessionId) => sessionWatchers.tell(sessionId, undefined),
    onErrands: tellErrands,
  })
  const errands = createErrands(database, () => {
    tellErrands()
    notices.tellErrands()
  })
  const raises = createRaises(database, now)
  const committer = createCommitter({ database, now, writers, outcomeMilliseconds, onCommit })
  const feeds = createFeeds({
    ...{ form, database, elapsed, committer, mostThings },
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
  const earlier = createEarlierAccounts(elapsed)
  const seats = createSeats(database)

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
      await errands.renew()
      await seats.renew()
      await watching.look()
    })
    tellErrands()
  }, lookMilliseconds).unref()

  const checkOpen = (): void => {
    if (isClosed) throw new StoreFailed('the store is closed')
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
    for (const id of sessionIds) sessionWatchers.tell(id, undefined)
    notices.tellEnds(sessionIds)
  })
  await notices.listen()
  await attempt(raises.note)
  return {
    registry,
    shared: { ...createCounts(database), takeSeat: seats.take },
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
    takeErrand: async (time) => {
      checkOpen()
      return errands.takeErrand(time)
    },
    nextErrandAt: errands.nextErrandAt,
    listAllErrands: errands.listAllErrands,
    watchErrands: (onChange) => errandWatchers.watch('errands', onChange),
    watch: watching.watch,
    watchSession: (sessionId, onEnd) => sessionWatchers.watch(sessionId, onEnd),
    removeAccount: async (userId) => {
      checkOpen()
      await turns.take(userId, async () => {
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
        throw new StoreFailed('the database takes no writes: it is a standby, or read-only')
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      clearInterval(look)
      await Promise.allSettled(pending)
      await turns.settle()
      await attempt(errands.end)
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
