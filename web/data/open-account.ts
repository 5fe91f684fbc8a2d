import {
  type Client,
  createReplica,
  isClientError,
  type LiveOptions,
  type LiveState,
  type LocalStore,
  type RefusedEdit,
  type Replica,
  type ThingVersion,
} from '../../client/src/index.ts'
import { type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import type { Drafts } from './drafts.ts'
import { createObservable, type Observable } from './observable.ts'
import type { ActionLog } from './undo.ts'

/** A store of this name that is opened when it is first used: what is not needed for the first screen must not delay it. */
export const openLater = (name: string): LocalStore & { readonly close: () => Promise<void> } => {
  let opening: Promise<IndexedDbStore> | undefined
  const open = () => {
    opening ??= openIndexedDbStore(name)
    return opening
  }
  return {
    get: async (key) => (await open()).get(key),
    async *list(prefix) {
      yield* (await open()).list(prefix)
    },
    write: async (changes) => (await open()).write(changes),
    close: async () => (await opening)?.close(),
  }
}

/** What a person may be told of whether their things are safe. Times are in milliseconds since 1970. */
export interface AppState extends LiveState {
  /** Another tab holds the replica: this one shows nothing until it is closed. */
  readonly isElsewhere?: boolean
  /** The store of this browser takes nothing more, or may keep nothing: what is typed stays on the screen only. */
  readonly storeProblem?: 'full' | 'forbidden'
  /** Signed out here, but the server, which was not reached, still knows this browser. */
  readonly isLeaving?: boolean
  /** Milliseconds that the clock of this device is ahead of the server's, where it is off by more than some minutes. */
  readonly clockAhead?: number
  /** What the server does not take, with the reason; tried again by each sync. */
  readonly refused: readonly RefusedEdit[]
  /** What other devices have overwritten or deleted of what was typed here, as long as it is kept, the latest last. */
  readonly overwritten: readonly ThingVersion[]
}

/** An open account: what the screens are given, and all that they know of the outside. */
export interface OpenApp {
  readonly replica: Replica
  readonly state: Observable<AppState>
  /** Keeps what was done, so that it can be taken back in a later visit. */
  readonly deeds: ActionLog
  /** What is typed and not added or saved yet. */
  readonly drafts: Drafts
  /** Names the account. */
  readonly account: string
  /** The name of the store that holds the replica, for workers that read it. */
  readonly store: string
  /** Tries at once what waits. */
  readonly wake: () => void
  /**
   * Leads to the sign-in page; what waits is kept.
   * @throws ClientError `network`, `not_offered` where the server has no such page
   */
  readonly signIn: () => Promise<void>
  /** Does work in several steps that nothing may break off: the account is not closed before its end. */
  readonly hold: <T>(work: () => Promise<T>) => Promise<T>
  /** Ends the session, and that of this browser at the server's pages; with `forget` what this browser keeps goes, too. */
  readonly signOut: (options?: { readonly forget?: boolean }) => Promise<void>
}

/** What an open account is made of. */
export interface AccountOptions {
  readonly client: Client
  readonly store: IndexedDbStore
  readonly account: string
  readonly signIn: OpenApp['signIn']
  readonly signOut: OpenApp['signOut']
  readonly live?: LiveOptions
  /** How far the clock of this device is ahead, in milliseconds. */
  readonly clockAhead?: Observable<number>
  readonly deeds: ActionLog
  readonly drafts: Drafts
  /** Whether the server still knows a browser that has signed out. */
  readonly isLeaving?: Observable<boolean>
}

/** An open account that its owner has to close. */
export interface AccountHandle {
  readonly app: OpenApp
  /** Resolves when nothing is under way any more. */
  readonly close: () => Promise<void>
}

// Each write of a first listing waits for the disk, and notes where to go on when the listing is cut off. So a page may be
// long; it is read while it arrives.
const entriesPerWrite = 2_500
const pageSize = 100_000
// Nobody reads more, and all of them are kept as versions.
const maxOverwritten = 100

const storeProblemOf = (error: unknown): AppState['storeProblem'] => {
  if (isClientError(error, 'store_full')) return 'full'
  return isClientError(error, 'store_forbidden') || isClientError(error, 'store_gone') ? 'forbidden' : undefined
}

type Edits = Pick<Replica, 'create' | 'change' | 'remove' | 'setTag' | 'editAll' | 'restoreVersion' | 'forgetLostEdit'>

/** Edits, that tell of each whether the browser could keep it. */
const watchEdits = (edits: Edits, tell: (problem: AppState['storeProblem']) => void): Edits => {
  const watched =
    <Given extends readonly unknown[], Result>(edit: (...given: Given) => Promise<Result>) =>
    async (...given: Given): Promise<Result> => {
      try {
        const result = await edit(...given)
        tell(undefined)
        return result
      } catch (error) {
        const problem = storeProblemOf(error)
        if (problem !== undefined) tell(problem)
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

/** Takes up the replica of an account, and keeps it in step until it is closed. */
export const openAccount = async (options: AccountOptions): Promise<AccountHandle> => {
  const { client, store, account, signIn, signOut } = options
  const replica = await createReplica({ client, store, entriesPerWrite, pageSize })
  const first = { refused: [], overwritten: [] as AppState['overwritten'] }
  const live = replica.live({
    ...options.live,
    onState: (next) => {
      const { storeProblem: _, ...before } = state.read()
      const problem = storeProblemOf(next.lastError)
      state.set({ ...before, ...next, ...(problem === undefined ? {} : { storeProblem: problem }) })
    },
    onSync: ({ refused, overwritten }) => {
      state.set({ ...state.read(), refused })
      tellOverwritten(overwritten)
    },
  })
  const state = createObservable<AppState>({ ...live.state(), ...first })
  /** Each once: what is read of an earlier visit may have come in this one. */
  const tellOverwritten = (versions: AppState['overwritten']) => {
    const known = new Map([...state.read().overwritten, ...versions].map((version) => [version.name, version]))
    const all = [...known.values()].sort((one, other) => one.replacedAt - other.replacedAt)
    state.set({ ...state.read(), overwritten: all.slice(-maxOverwritten) })
  }
  const tellStore = (problem: AppState['storeProblem']) => {
    const { storeProblem, ...rest } = state.read()
    if (problem !== storeProblem) state.set(problem === undefined ? rest : { ...rest, storeProblem: problem })
  }
  const tellClock = () => {
    const { clockAhead: _, ...rest } = state.read()
    const clockAhead = options.clockAhead?.read() ?? 0
    state.set(clockAhead === 0 ? rest : { ...rest, clockAhead })
  }
  const unwatchClock = options.clockAhead?.watch(tellClock)
  const tellLeaving = () => {
    const { isLeaving: _, ...rest } = state.read()
    state.set(options.isLeaving?.read() === true ? { ...rest, isLeaving: true } : rest)
  }
  tellLeaving()
  const unwatchLeaving = options.isLeaving?.watch(tellLeaving)
  const held = new Set<Promise<unknown>>()
  const earlier = replica.listOverwritten().then(tellOverwritten, (error: unknown) => tellStore(storeProblemOf(error)))
  held.add(earlier)
  const app: OpenApp = {
    replica: { ...replica, ...watchEdits(replica, tellStore) },
    state,
    account,
    store: store.name,
    deeds: options.deeds,
    drafts: options.drafts,
    wake: live.wake,
    signIn,
    signOut,
    hold: (work) => {
      const holding = work()
      held.add(holding)
      const letGo = () => void held.delete(holding)
      holding.then(letGo, letGo)
      return holding
    },
  }
  return {
    app,
    close: async () => {
      await Promise.allSettled(held)
      unwatchClock?.()
      unwatchLeaving?.()
      await live.stop()
      store.close()
    },
  }
}
