import { errandChangesOf, findPosition } from './change.ts'
import type { Directory } from './directory.ts'
import { stageDirectory } from './directory-draft.ts'
import { createDirectoryState } from './directory-state.ts'
import { createErrandIndex } from './errand-index.ts'
import type { Keeper } from './keeper.ts'
import { listItems } from './list-items.ts'
import { createOpenAccounts } from './open-accounts.ts'
import { createOpenListings } from './open-listings.ts'
import { type Store, StoreFailed, type ThingForm, type VisibleChange } from './store.ts'
import { createTurns } from './turns.ts'
import { viewAccount } from './view.ts'
import { createWatchers } from './watchers.ts'

/** What every store in memory is made of. */
export interface StoreParts {
  readonly form: ThingForm
  /** Unix time in milliseconds; only how long earlier positions stay readable depends on it. */
  readonly now: () => number
  readonly keeper: Keeper
}

/** What those who watch errands watch. */
const allErrands = 'errands'

const sweepMilliseconds = 60_000

/** A store whose accounts are in memory while in use, and are made to last by a keeper before anybody sees a change. */
export const createStore = async ({ form, now, keeper }: StoreParts): Promise<Store> => {
  const turns = createTurns()
  const directoryTurns = createTurns()
  const listings = createOpenListings(now)
  const keptDirectory = await keeper.loadDirectory()
  const directoryState = createDirectoryState(keptDirectory.document)
  for (const changes of keptDirectory.writes) directoryState.apply(changes)
  const watchers = createWatchers<VisibleChange>()
  const errandWatchers = createWatchers<void>()
  const errands = createErrandIndex(keptDirectory.errands, () => errandWatchers.tell(allErrands, undefined))
  const accounts = createOpenAccounts({
    form,
    readers: { now, lowestListed: listings.lowestPosition },
    tellers: {
      listErrands: errands.list,
      shown: (userId, changes, change) => {
        errands.apply(userId, errandChangesOf(changes))
        if (changes.some((step) => findPosition(step) !== undefined)) watchers.tell(userId, change)
      },
    },
    keeper,
  })
  let isClosed = false

  const closeIdleAccounts = async (): Promise<void> => {
    for (const userId of accounts.listIdle()) {
      if (isClosed) return
      try {
        await turns.take(userId, () => accounts.closeIdle(userId))
      } catch (error) {
        // What cannot be saved now stays in memory; the keeper refuses writes and says why.
        if (!(error instanceof StoreFailed)) throw error
        return
      }
    }
  }
  const sweep = setInterval(() => void closeIdleAccounts(), sweepMilliseconds).unref()

  const checkOpen = (): void => {
    if (isClosed) throw new StoreFailed('the store is closed')
  }

  const write: Store['write'] = async (userId, writer, work, haste = 'now') => {
    checkOpen()
    const { result, sent } = await turns.take(userId, async () => {
      const { pipeline } = await accounts.open(userId)
      const staging = pipeline.stage(writer)
      const result = await work(staging.draft)
      const { sent } = await staging.send({
        encodeChanges: keeper.encodeChanges,
        keep: (changes, outcome) => keeper.keepAccount(userId, changes, outcome, haste),
      })
      return { result, sent }
    })
    // The next write is at work meanwhile, and may go to the disk together with this one.
    await sent
    return result
  }

  const removeAccount = async (userId: string): Promise<void> => {
    checkOpen()
    await turns.take(userId, async () => {
      await keeper.removeAccount(userId)
      accounts.drop(userId)
      errands.removeAccount(userId)
      watchers.forget(userId)
    })
  }

  const directory: Directory = {
    ...directoryState.reader,
    change: async (work) => {
      checkOpen()
      return directoryTurns.take('directory', async () => {
        const staging = stageDirectory(directoryState.reader)
        const result = await work(staging.draft)
        const changes = staging.finish()
        if (Object.values(changes).every(({ size }) => size === 0)) return result
        await new Promise<void>((resolve, failed) => {
          const kept = (): void => {
            directoryState.apply(changes)
            resolve()
          }
          keeper.keepDirectory(changes, { kept, failed })
        })
        return result
      })
    },
  }

  keeper.begin({
    showDirectory: directoryState.document,
    showAccount: accounts.showAccount,
    whenVisible: accounts.whenVisible,
    openAccount: accounts.open,
  })
  return {
    directory,
    write,
    read: async (userId) => {
      checkOpen()
      const { account } = await accounts.open(userId)
      return viewAccount(account, account.position(), errands.list(userId))
    },
    readAsOf: async (userId, position) => {
      checkOpen()
      const { account } = await accounts.open(userId)
      const isKnown = position >= account.readableFrom() && position <= account.position()
      return isKnown ? viewAccount(account, position, errands.list(userId)) : undefined
    },
    rememberListing: async (userId, writer, name, listing) => listings.remember(userId, writer, name, listing),
    findListing: async (userId, writer, name) => listings.find(userId, writer, name),
    takeErrand: async (now) => {
      checkOpen()
      return errands.take(now)
    },
    nextErrandAt: async () => errands.nextAt(),
    listAllErrands: async () => errands.listAll(),
    watchErrands: (onChange) => errandWatchers.watch(allErrands, onChange),
    watch: (userId, onChange) => watchers.watch(userId, onChange),
    removeAccount,
    listItems: () => {
      checkOpen()
      return listItems(directoryState.document(), accounts.copy)
    },
    check: async () => {
      checkOpen()
      await keeper.check()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([turns.settle(), directoryTurns.settle()])
      await keeper.close()
      watchers.forgetAll()
      errandWatchers.forgetAll()
      await accounts.settle()
    },
  }
}
