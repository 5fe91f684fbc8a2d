import { type Client, createReplica, isClientError, type LiveOptions, type Replica } from '../../client/src/index.ts'
import type { IndexedDbStore } from '../../client/src/indexeddb.ts'
import type { Drafts } from './drafts.ts'
import type { DeedKeeper } from './keep-deeds.ts'
import { createObservable, type Observable } from './observable.ts'
import type { AppState, OpenApp } from './open-app.ts'

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
  readonly deeds: DeedKeeper
  readonly drafts: Drafts
  /** Whether the server still knows a browser that has signed out. */
  readonly isLeaving?: Observable<boolean>
}

/** An open account that its owner has to close. */
export interface HeldAccount {
  readonly app: OpenApp
  /** Resolves when nothing is under way any more. */
  readonly close: () => Promise<void>
}

// Each write of a first listing waits for the disk, and notes where to go on when the listing is cut off. So a page may be
// long; it is read while it arrives.
const entriesPerWrite = 2_500
const pageSize = 100_000
// Nobody reads more, and all of them are kept as versions.
const mostOverwritten = 100

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
export const openAccount = async (options: AccountOptions): Promise<HeldAccount> => {
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
    state.set({ ...state.read(), overwritten: all.slice(-mostOverwritten) })
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
