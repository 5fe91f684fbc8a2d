import type { Backend } from './backend.ts'
import { createErrandIndex } from './errands/errand-index.ts'
import { createWatchers } from './errands/watchers.ts'
import { listItems } from './list-items.ts'
import { createOpenAccounts } from './open-accounts.ts'
import { createOpenListings } from './open-listings.ts'
import type { Registry } from './registry/registry.ts'
import { stageRegistry } from './registry/registry-draft.ts'
import { createRegistryState } from './registry/registry-state.ts'
import { type Store, StoreFailed, type ThingForm, type VisibleChange } from './store.ts'
import { viewAccount } from './view.ts'
import { createTurns } from './write/turns.ts'

/** What every store in memory is made of. */
export interface StoreParts {
  readonly form: ThingForm
  /** Milliseconds since whenever, never set back: how long earlier positions and idle accounts stay. */
  readonly elapsed: () => number
  readonly backend: Backend
}

/** What those who watch errands watch. */
const allErrands = 'errands'

const sweepMilliseconds = 60_000

/** A store whose accounts are in memory while in use, and are made to last by a backend before anybody sees a change. */
export const createStore = async ({ form, elapsed, backend }: StoreParts): Promise<Store> => {
  const turns = createTurns()
  const registryTurns = createTurns()
  const listings = createOpenListings(elapsed)
  const storedRegistry = await backend.loadRegistry()
  const registryState = createRegistryState(storedRegistry.document)
  for (const changes of storedRegistry.writes) registryState.apply(changes)
  const watchers = createWatchers<VisibleChange>()
  const errandWatchers = createWatchers<void>()
  const sessionWatchers = createWatchers<void>()
  const errands = createErrandIndex(storedRegistry.errands, () => errandWatchers.tell(allErrands, undefined))
  const accounts = createOpenAccounts({
    ...{ form, backend, elapsed },
    lowestListed: listings.lowestPosition,
    listErrands: errands.list,
    onVisible: (userId, errandSteps, hasMoved, change) => {
      errands.apply(userId, errandSteps)
      if (hasMoved) watchers.tell(userId, change)
    },
  })
  let isClosed = false

  const closeIdleAccounts = async (): Promise<void> => {
    for (const userId of accounts.listIdle()) {
      if (isClosed) return
      try {
        await turns.take(userId, () => accounts.closeIdle(userId))
      } catch (error) {
        // What cannot be saved now stays in memory, and keeps no other account there; the backend says why.
        if (!(error instanceof StoreFailed)) throw error
      }
    }
  }
  // One at a time: of a slow disk each would only wait for the one before.
  let closing: Promise<void> | undefined
  let fault: unknown
  const sweep = setInterval(() => {
    listings.dropExpired()
    closing ??= closeIdleAccounts()
      .catch((error: unknown) => {
        fault = error
      })
      .finally(() => {
        closing = undefined
      })
  }, sweepMilliseconds).unref()

  const checkOpen = (): void => {
    if (isClosed) throw new StoreFailed('the store is closed')
  }

  const write: Store['write'] = async (userId, writer, work, haste = 'now') => {
    checkOpen()
    const { result, sent } = await turns.take(userId, async () => {
      const { pipeline } = await accounts.open(userId)
      const staging = pipeline.stage(writer)
      const result = await work(staging.draft)
      const { sent } = staging.send((written, outcome) => backend.commitAccount(userId, written, outcome, haste))
      return { result, sent }
    })
    // The next write is at work meanwhile, and may go to the disk together with this one.
    await sent
    return result
  }

  const removeAccount = async (userId: string): Promise<void> => {
    checkOpen()
    await turns.take(userId, async () => {
      await backend.removeAccount(userId)
      accounts.drop(userId)
      errands.removeAccount(userId)
      watchers.forget(userId)
      listings.forget(userId)
    })
  }

  const registry: Registry = {
    ...registryState.reader,
    change: async (work) => {
      checkOpen()
      return registryTurns.take('registry', async () => {
        const staging = stageRegistry(registryState.reader)
        const result = await work(staging.draft)
        const changes = staging.finish()
        if (Object.values(changes).every(({ size }) => size === 0)) return result
        await new Promise<void>((resolve, failed) => {
          const durable = (): void => {
            registryState.apply(changes)
            for (const [id, session] of changes.sessions) {
              if (session === undefined || session.isSuspended === true) sessionWatchers.tell(id, undefined)
            }
            resolve()
          }
          backend.commitRegistry(changes, { durable, failed })
        })
        return result
      })
    },
    forgetEnded: (ended) =>
      registry.change(async (draft) => {
        const { codes, links, browserSessions } = registryState.listEnded(ended)
        for (const hash of codes) await draft.delete('codes', hash)
        for (const hash of links) await draft.delete('links', hash)
        for (const hash of browserSessions) await draft.delete('browserSessions', hash)
      }),
  }

  backend.begin({
    visibleRegistry: registryState.document,
    visibleAccount: accounts.visibleAccount,
    whenVisible: accounts.whenVisible,
    beginAccount: accounts.beginAccount,
  })
  return {
    registry,
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
    watchSession: (sessionId, onEnd) => sessionWatchers.watch(sessionId, onEnd),
    removeAccount,
    listItems: () => {
      checkOpen()
      return listItems(registryState.document(), accounts.copy)
    },
    checkpoint: async () => {
      checkOpen()
      await backend.checkpoint()
    },
    countOpenAccounts: accounts.count,
    check: async () => {
      checkOpen()
      // Nobody waits for what is done every minute: here somebody hears of a bug in it.
      if (fault !== undefined) throw fault
      await backend.check()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([turns.settle(), registryTurns.settle(), closing])
      await backend.close()
      watchers.forgetAll()
      errandWatchers.forgetAll()
      sessionWatchers.forgetAll()
      await accounts.settle()
    },
  }
}
