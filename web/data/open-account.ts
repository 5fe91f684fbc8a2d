import {
  type Client,
  createReplica,
  isClientError,
  type LiveOptions,
  type LiveState,
  type RejectedEdit,
  type Replica,
  type ThingVersion,
} from '../../client/src/index.ts'
import type { IndexedDbStore } from '../../client/src/indexeddb.ts'
import type { Drafts, SharedTexts } from './drafts.ts'
import { fillTitles, missingTitlesName, openMissingTitles } from './missing-titles.ts'
import { createObservable, type Observable } from './observable.ts'
import type { ActionLog } from './undo.ts'

/** The state of synchronization and storage, for the state line. Times are in milliseconds since 1970. */
export interface AppState extends LiveState {
  /** The browser's storage is full or forbidden; typed text stays on the screen only. */
  readonly storeProblem?: 'full' | 'forbidden'
  /** The user signed out while the server was unreachable, so the server still has a session of this browser. */
  readonly isSignOutPending?: boolean
  /** Milliseconds that the clock of this device is ahead of the server's clock; absent for differences of minutes. */
  readonly clockAhead?: number
  /** Edits that the server rejected, with the reason; each sync retries them. */
  readonly rejected: readonly RejectedEdit[]
  /** The kept versions of local edits that other devices overwrote or deleted, the latest last. */
  readonly overwritten: readonly ThingVersion[]
}

/** The part of the replica that the screens of each window use. */
export type SharedReplica = Omit<Replica, 'sync' | 'live' | 'countPending'>

/** An open account: the only interface of the screens to the rest of the app. */
export interface OpenApp {
  readonly replica: SharedReplica
  readonly state: Observable<AppState>
  /** Rises when changes may have been missed, because another window was closed in the middle of a write. */
  readonly missed: Observable<number>
  /** Stores actions, so that later visits can undo them. */
  readonly actionLog: ActionLog
  /** Typed text that is not yet added or saved. */
  readonly drafts: Drafts
  /** What the user keeps on this device beside the items, such as saved searches. */
  readonly sharedTexts: SharedTexts
  /** The name of the account. */
  readonly account: string
  /** The name of the store that holds the replica, for workers that read it. */
  readonly store: string
  /** Sends waiting edits at once. */
  readonly syncNow: () => void
  /**
   * Opens the sign-in page; waiting edits are kept.
   * @throws ClientError `network`; `not_offered` if the server has no such page
   */
  readonly signIn: () => Promise<void>
  /** Runs work that must not be interrupted: closing the account waits for its end. */
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>
  /** Ends the session of the app and the browser's session with the server; `forget` also deletes all local data. */
  readonly signOut: (options?: { readonly forget?: boolean }) => Promise<void>
}

/** Options of `openAccount`. */
export interface AccountOptions {
  readonly client: Client
  readonly store: IndexedDbStore
  readonly account: string
  readonly signIn: OpenApp['signIn']
  readonly signOut: OpenApp['signOut']
  readonly live?: LiveOptions
  /** Milliseconds that the clock of this device is ahead of the server's clock. */
  readonly clockAhead?: Observable<number>
  readonly actionLog: ActionLog
  readonly drafts: Drafts
  readonly sharedTexts: SharedTexts
  /** Whether the server still has a session of this browser after the user signed out. */
  readonly isSignOutPending?: Observable<boolean>
}

/** An open account; the owner must close it. */
export interface AccountHandle {
  readonly app: OpenApp & { readonly replica: Replica }
  /** Stops the sync; resolves when all work has ended and the store is closed. */
  readonly close: () => Promise<void>
}

// Each write of a first full sync waits for the disk, and stores where to resume after an interruption.
// So a page may be long: the client reads it while it arrives.
const entriesPerWrite = 2_500
const pageSize = 100_000
// Users read no more, and all of them are kept as versions.
const maxOverwritten = 100

const toStoreProblem = (error: unknown): AppState['storeProblem'] => {
  if (isClientError(error, 'store_full')) return 'full'
  return isClientError(error, 'store_forbidden') || isClientError(error, 'store_gone') ? 'forbidden' : undefined
}

type Edits = Pick<Replica, 'create' | 'change' | 'remove' | 'setTag' | 'editAll' | 'restoreVersion' | 'forgetLostEdit'>

/** Wraps the edits so that each reports whether the browser could store it. */
const reportStoreProblems = (edits: Edits, report: (problem: AppState['storeProblem']) => void): Edits => {
  const watched =
    <Given extends readonly unknown[], Result>(edit: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        const result = await edit(...given)
        report(undefined)
        return result
      } catch (error) {
        const problem = toStoreProblem(error)
        if (problem !== undefined) report(problem)
        throw error
      }
    }
  return {
    create: watched(edits.create),
    change: watched(edits.change),
    remove: watched(edits.remove),
    setTag: watched(edits.setTag),
    editAll: watched(edits.editAll),
    restoreVersion: watched(edits.restoreVersion),
    forgetLostEdit: watched(edits.forgetLostEdit),
  }
}

/** Starts work, and keeps its promise in the set until it has ended. */
export const holdWork = <T>(held: Set<Promise<unknown>>, work: () => Promise<T>): Promise<T> => {
  const holding = work()
  held.add(holding)
  const release = () => void held.delete(holding)
  holding.then(release, release)
  return holding
}

/**
 * Opens the replica of an account and synchronizes it until it is closed.
 * @throws ClientError `store_…` if the store cannot be read
 */
export const openAccount = async (options: AccountOptions): Promise<AccountHandle> => {
  const { client, store, account, signIn, signOut } = options
  const replica = await createReplica({ client, store, entriesPerWrite, pageSize })
  const initial = { rejected: [], overwritten: [] as AppState['overwritten'] }
  const live = replica.live({
    ...options.live,
    onState: (next) => {
      const { storeProblem: _, ...before } = state.read()
      const problem = toStoreProblem(next.lastError)
      state.set({ ...before, ...next, ...(problem === undefined ? {} : { storeProblem: problem }) })
    },
    onSync: ({ rejected, overwritten }) => {
      state.set({ ...state.read(), rejected })
      addOverwritten(overwritten)
    },
  })
  const state = createObservable<AppState>({ ...live.state(), ...initial })
  // Each version once: a stored version of an earlier visit may also arrive in this one.
  const addOverwritten = (versions: AppState['overwritten']) => {
    const known = new Map([...state.read().overwritten, ...versions].map((version) => [version.name, version]))
    const all = [...known.values()].sort((one, other) => one.replacedAt - other.replacedAt)
    state.set({ ...state.read(), overwritten: all.slice(-maxOverwritten) })
  }
  const setStoreProblem = (problem: AppState['storeProblem']) => {
    const { storeProblem, ...rest } = state.read()
    if (problem !== storeProblem) state.set(problem === undefined ? rest : { ...rest, storeProblem: problem })
  }
  const updateClock = () => {
    const { clockAhead: _, ...rest } = state.read()
    const clockAhead = options.clockAhead?.read() ?? 0
    state.set(clockAhead === 0 ? rest : { ...rest, clockAhead })
  }
  const unwatchClock = options.clockAhead?.watch(updateClock)
  const updateSignOutPending = () => {
    const { isSignOutPending: _, ...rest } = state.read()
    state.set(options.isSignOutPending?.read() === true ? { ...rest, isSignOutPending: true } : rest)
  }
  updateSignOutPending()
  const unwatchSignOutPending = options.isSignOutPending?.watch(updateSignOutPending)
  const missing = openMissingTitles(options.sharedTexts.open(missingTitlesName))
  const filler = fillTitles({ previewLink: client.previewLink, replica, missing })
  let wasOnline = false
  const unwatchOnline = state.watch(() => {
    const isOnline = ['live', 'waiting', 'polling'].includes(state.read().status)
    if (isOnline && !wasOnline) filler.wake()
    wasOnline = isOnline
  })
  const held = new Set<Promise<unknown>>()
  const earlier = replica
    .listOverwritten()
    .then(addOverwritten, (error: unknown) => setStoreProblem(toStoreProblem(error)))
  held.add(earlier)
  const app: AccountHandle['app'] = {
    missed: createObservable(0),
    replica: { ...replica, ...reportStoreProblems(replica, setStoreProblem) },
    state,
    account,
    store: store.name,
    actionLog: options.actionLog,
    drafts: options.drafts,
    sharedTexts: options.sharedTexts,
    syncNow: live.wake,
    signIn,
    signOut,
    hold: (work) => holdWork(held, work),
  }
  return {
    app,
    close: async () => {
      await Promise.allSettled(held)
      unwatchClock?.()
      unwatchSignOutPending?.()
      unwatchOnline()
      await filler.close()
      missing.close()
      await live.stop()
      store.close()
    },
  }
}
