// One account in several windows. One window leads: it has the replica and the connection to the server. The other
// windows follow: their calls travel over a BroadcastChannel, and the leader announces changes and its state. When the
// leader is closed, a follower leads and the others continue with it; their screens stay as they are.

import {
  ClientError,
  type ClientErrorCode,
  createLocalId,
  isClientError,
  openReplicaReader,
  type Replica,
  type ReplicaChange,
  type ReplicaEdit,
  type ReplicaThing,
} from '../../client/src/index.ts'
import { openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { createObservable } from './observable.ts'
import { type AccountHandle, type AppState, holdWork, type OpenApp, type SharedReplica } from './open-account.ts'
import type { ActionLog } from './undo.ts'

/** What a window asks of the leader. A call may arrive twice, so that a window can repeat it after a lost response. */
interface Calls {
  readonly findThings: (ids: readonly string[]) => Promise<ReadonlyMap<string, ReplicaThing>>
  readonly listNewest: Replica['listNewest']
  readonly listTags: Replica['listTags']
  readonly resolveId: Replica['resolveId']
  /** Each creation has a `localId`. */
  readonly editAll: Replica['editAll']
  readonly listVersions: Replica['listVersions']
  readonly restoreVersion: Replica['restoreVersion']
  readonly listLostEdits: Replica['listLostEdits']
  readonly forgetLostEdit: Replica['forgetLostEdit']
  readonly listOverwritten: Replica['listOverwritten']
  readonly readActions: ActionLog['read']
  readonly readInverse: ActionLog['readInverse']
  readonly writeAction: ActionLog['write']
  readonly forgetActions: ActionLog['forget']
  readonly syncNow: () => Promise<void>
  readonly signOut: OpenApp['signOut']
}

type CallName = keyof Calls

/** Leaves out the creations that were written before a response was lost. */
const skipWritten = async (replica: Replica, edits: readonly ReplicaEdit[]): Promise<readonly ReplicaEdit[]> => {
  const ids = edits.flatMap((edit) => (edit.kind === 'create' && edit.localId !== undefined ? [edit.localId] : []))
  const found = await replica.findThings(ids)
  const isWritten = async (id: string) => found.has(id) || (await replica.resolveId(id)) !== id
  const written = new Set<string>()
  for (const id of ids) if (await isWritten(id)) written.add(id)
  return edits.filter((edit) => edit.kind !== 'create' || !written.has(edit.localId ?? ''))
}

const createCalls = ({ app }: AccountHandle): Calls & { readonly replica: Replica } => {
  const { replica, actionLog } = app
  return {
    replica,
    findThings: replica.findThings,
    listNewest: replica.listNewest,
    listTags: replica.listTags,
    resolveId: replica.resolveId,
    editAll: replica.editAll,
    listVersions: replica.listVersions,
    restoreVersion: replica.restoreVersion,
    listLostEdits: replica.listLostEdits,
    forgetLostEdit: replica.forgetLostEdit,
    listOverwritten: replica.listOverwritten,
    readActions: actionLog.read,
    readInverse: actionLog.readInverse,
    writeAction: actionLog.write,
    forgetActions: actionLog.forget,
    syncNow: async () => app.syncNow(),
    signOut: app.signOut,
  }
}

/** An error as data, because a message loses the class of an error. */
type ErrorData = Pick<ClientError, 'message' | 'status' | 'error' | 'description' | 'retryAfterSeconds'> & {
  /** Absent for an error of another class. */
  readonly code?: ClientErrorCode
}

const encodeError = (error: unknown): ErrorData => {
  if (!(error instanceof ClientError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { message, status: undefined, error: undefined, description: undefined, retryAfterSeconds: undefined }
  }
  const { code, message, status, error: name, description, retryAfterSeconds } = error
  return { code, message, status, error: name, description, retryAfterSeconds }
}

const decodeError = ({ code, message, ...details }: ErrorData): Error => {
  if (code === undefined) return new Error(message)
  const known = Object.entries(details).filter(([, value]) => value !== undefined)
  return new ClientError(code, message, Object.fromEntries(known))
}

/** The state of an account as data. */
type StateData = Omit<AppState, 'lastError' | 'rejected'> & {
  readonly lastError: ErrorData | undefined
  readonly rejected: readonly (Omit<AppState['rejected'][number], 'error'> & { readonly error: ErrorData })[]
}

const encodeState = (state: AppState): StateData => ({
  ...state,
  lastError: state.lastError === undefined ? undefined : encodeError(state.lastError),
  rejected: state.rejected.map((one) => ({ ...one, error: encodeError(one.error) })),
})

const decodeState = (state: StateData): AppState => ({
  ...state,
  lastError: state.lastError === undefined ? undefined : decodeError(state.lastError),
  rejected: state.rejected.map((one) => ({ ...one, error: decodeError(one.error) as ClientError })),
})

/** The messages between the windows of an account. `leader` and `from` name windows. */
type Message =
  /** Asks for the leader. */
  | { readonly kind: 'who' }
  /** The leader is there, or its state has changed. */
  | { readonly kind: 'leader'; readonly leader: string; readonly state: StateData }
  /** The leader has ended after all its changes were announced. */
  | { readonly kind: 'bye'; readonly leader: string }
  | { readonly kind: 'change'; readonly change: ReplicaChange }
  /** The action log has changed. */
  | { readonly kind: 'actions' }
  | {
      readonly kind: 'call'
      readonly leader: string
      readonly from: string
      readonly id: number
      readonly name: CallName
      readonly given: readonly unknown[]
      readonly isRepeated: boolean
    }
  | { readonly kind: 'result'; readonly from: string; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly from: string; readonly id: number; readonly error: ErrorData }

/** A call that has no result yet. */
interface OpenCall {
  readonly name: CallName
  readonly given: readonly unknown[]
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
  wasSent: boolean
}

/** Calls the listeners until they are removed. */
const createListeners = <T>() => {
  const listeners = new Map<object, (value: T) => void>()
  return {
    call: (value: T) => {
      for (const listener of [...listeners.values()]) listener(value)
    },
    watch: (listener: (value: T) => void) => {
      const key = {}
      listeners.set(key, listener)
      return () => void listeners.delete(key)
    },
  }
}

/** A follower that lives responds to a new leader sooner. */
const followerTimeoutMilliseconds = 5_000

/** Options of `openSharedAccount`. */
interface SharedAccountOptions {
  /** The name of the channel; the same for all windows of the account. */
  readonly channel: string
  /** The name of the store that holds the replica. */
  readonly store: string
  /** A number that no other open window has. */
  readonly window: number
  readonly account: string
  readonly drafts: OpenApp['drafts']
  readonly sharedTexts: OpenApp['sharedTexts']
  readonly signIn: OpenApp['signIn']
}

/** The account in this window. */
export interface SharedAccount {
  /** The account for the screens. It stays the same, whichever window leads. */
  readonly app: OpenApp
  /** Resolves when a leader is known, so that `app.state` is true. */
  readonly ready: Promise<void>
  /** Leads with this replica until `pause` resolves. */
  readonly lead: (handle: AccountHandle) => void
  /** Asks for the leader. */
  readonly follow: () => void
  /** Resolves when the work of the screens that `app.hold` holds has ended. */
  readonly settle: () => Promise<void>
  /** Stops leading: later calls wait for the next leader. Resolves when the running calls have ended. */
  readonly pause: () => Promise<void>
  /** Tells the other windows that this window has led to its end. */
  readonly announceEnd: () => void
  /** Ends the account in this window; waiting calls fail with `store_gone`. */
  readonly close: () => Promise<void>
}

/** Opens an account in this window, which neither leads nor knows a leader yet. */
export const openSharedAccount = (options: SharedAccountOptions): SharedAccount => {
  const me = createLocalId()
  const channel = new BroadcastChannel(options.channel)
  const state = createObservable<AppState>({
    status: 'connecting',
    pending: 0,
    progress: undefined,
    syncedAt: undefined,
    nextTryAt: undefined,
    lastError: undefined,
    rejected: [],
    overwritten: [],
  })
  const missed = createObservable(0)
  const changes = createListeners<ReplicaChange>()
  const actions = createListeners<void>()
  const open = new Map<number, OpenCall>()
  const running = new Set<Promise<unknown>>()
  const served = new Set<string>()
  const held = new Set<Promise<unknown>>()
  let lastCall = 0
  let isClosed = false
  let local: ReturnType<typeof createCalls> | undefined
  let leader: string | undefined
  /** Whether all changes of the previous leader have arrived. */
  let hasAllChanges = true
  let unwatch = () => {}
  let setReady = () => {}
  const ready = new Promise<void>((resolve) => {
    setReady = resolve
  })

  const post = (message: Message) => {
    if (!isClosed) channel.postMessage(message)
  }
  // Most accounts are open in one window, and copies of changes cost time.
  let heardAt = 0
  let isAlone = false
  const checkAlone = () => {
    isAlone = Date.now() - heardAt > followerTimeoutMilliseconds
  }
  /** Posts a message for followers, if there may be any. */
  const tell = (message: Message) => {
    if (!isAlone) post(message)
  }
  const track = <T>(work: Promise<T>): Promise<T> => {
    running.add(work)
    const end = () => void running.delete(work)
    work.then(end, end)
    return work
  }
  /** Runs a call with the replica of this window. */
  const run = (calls: NonNullable<typeof local>, name: CallName, given: readonly unknown[], isRepeated: boolean) =>
    track(
      (async (): Promise<unknown> => {
        if (name === 'editAll' && isRepeated) {
          const edits = given[0] as readonly ReplicaEdit[]
          await calls.editAll(await skipWritten(calls.replica, edits))
          return edits.flatMap((edit) => (edit.kind === 'create' ? [edit.localId ?? ''] : []))
        }
        const result = await (calls[name] as (...given: readonly unknown[]) => Promise<unknown>)(...given)
        if (name === 'writeAction' || name === 'forgetActions') post({ kind: 'actions' })
        return result
      })(),
    )
  const send = (id: number) => {
    const one = open.get(id)
    if (one === undefined) return
    const { name, given, wasSent } = one
    if (local === undefined && leader === undefined) return
    one.wasSent = true
    if (local === undefined) {
      post({ kind: 'call', leader: leader ?? '', from: me, id, name, given, isRepeated: wasSent })
      return
    }
    open.delete(id)
    run(local, name, given, wasSent).then((value) => one.resolve(value as never), one.reject)
  }
  const call = <Name extends CallName>(name: Name, ...given: Parameters<Calls[Name]>): ReturnType<Calls[Name]> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new ClientError('store_gone', 'the account is closed in this window'))
      const id = ++lastCall
      open.set(id, { name, given, resolve, reject, wasSent: false })
      send(id)
    }) as ReturnType<Calls[Name]>
  /** Goes on with another leader. */
  const goOn = () => {
    if (!hasAllChanges) missed.set(missed.read() + 1)
    // From now on, only a leader that ends in order has announced all its changes.
    hasAllChanges = false
    for (const id of [...open.keys()]) send(id)
    setReady()
  }
  const serve = async ({ from, id, name, given, isRepeated }: Extract<Message, { kind: 'call' }>) => {
    const key = `${from} ${id}`
    // A window repeats its calls each time it hears of a leader; the first one may be running.
    if (local === undefined || served.has(key)) return
    served.add(key)
    try {
      const value = await run(local, name, given, isRepeated)
      if (name === 'writeAction' || name === 'forgetActions') actions.call()
      post({ kind: 'result', from, id, value })
    } catch (error) {
      post({ kind: 'failure', from, id, error: encodeError(error) })
    } finally {
      served.delete(key)
    }
  }
  const settleCall = (id: number, settle: (one: OpenCall) => void) => {
    const one = open.get(id)
    open.delete(id)
    if (one !== undefined) settle(one)
  }
  const announce = () => {
    if (!isAlone) post({ kind: 'leader', leader: me, state: encodeState(state.read()) })
  }

  channel.onmessage = ({ data }: MessageEvent<Message>) => {
    if (isClosed) return
    if (data.kind === 'who' || data.kind === 'call') {
      heardAt = Number.POSITIVE_INFINITY
      isAlone = false
    }
    if (data.kind === 'who') {
      if (local !== undefined) announce()
    } else if (data.kind === 'leader') {
      // A message from before this window led.
      if (local !== undefined) return
      const isNext = leader !== data.leader
      leader = data.leader
      state.set(decodeState(data.state))
      if (!isNext) return
      // The leader must know of this window.
      post({ kind: 'who' })
      goOn()
    } else if (data.kind === 'bye') {
      if (leader !== data.leader) return
      leader = undefined
      hasAllChanges = true
    } else if (data.kind === 'change') changes.call(data.change)
    else if (data.kind === 'actions') actions.call()
    else if (data.kind === 'call') {
      if (data.leader === me) void serve(data)
    } else if (data.from !== me) return
    else if (data.kind === 'result') settleCall(data.id, ({ resolve }) => resolve(data.value as never))
    else settleCall(data.id, ({ reject }) => reject(decodeError(data.error)))
  }

  async function* listThingParts() {
    // A listing of the leader ends before its store is closed.
    let end = () => {}
    if (local !== undefined) {
      track(
        new Promise<void>((resolve) => {
          end = resolve
        }),
      )
    }
    const store = local === undefined ? await openIndexedDbStore(options.store) : undefined
    try {
      const reader = store === undefined ? local?.replica : await openReplicaReader(store)
      if (reader !== undefined) yield* reader.listThingParts()
    } finally {
      store?.close()
      end()
    }
  }
  const editAll: Replica['editAll'] = (edits) =>
    call(
      'editAll',
      edits.map((edit) => (edit.kind === 'create' ? { ...edit, localId: edit.localId ?? createLocalId() } : edit)),
    )
  const replica: SharedReplica = {
    findThing: async (id) => (await call('findThings', [id])).get(id),
    findThings: (ids) => call('findThings', [...ids]),
    listNewest: (count) => call('listNewest', count),
    async *listThings() {
      for await (const part of listThingParts()) yield* part
    },
    listThingParts,
    listTags: () => call('listTags'),
    resolveId: (id) => call('resolveId', id),
    editAll,
    create: async (fields) => (await editAll([{ kind: 'create', fields }]))[0] ?? '',
    change: async (id, fields) => void (await editAll([{ kind: 'change', id, fields }])),
    remove: async (id) => void (await editAll([{ kind: 'remove', id }])),
    setTag: async (name, change) => void (await editAll([{ kind: 'tag', name, change }])),
    listVersions: (id) => call('listVersions', id),
    restoreVersion: (id, name) => call('restoreVersion', id, name),
    listLostEdits: () => call('listLostEdits'),
    forgetLostEdit: (id) => call('forgetLostEdit', id),
    listOverwritten: () => call('listOverwritten'),
    watch: changes.watch,
  }
  const app: OpenApp = {
    replica,
    state,
    missed,
    actionLog: {
      window: options.window,
      read: () => call('readActions'),
      readInverse: (key) => call('readInverse', key),
      write: (saved, inverse, forgotten) => call('writeAction', saved, inverse, forgotten),
      forget: (forgotten) => call('forgetActions', forgotten),
      watch: actions.watch,
    },
    drafts: options.drafts,
    sharedTexts: options.sharedTexts,
    account: options.account,
    store: options.store,
    syncNow: () =>
      void call('syncNow').catch((error: unknown) => {
        // The account was closed before a leader was found.
        if (!isClientError(error, 'store_gone')) throw error
      }),
    signIn: options.signIn,
    signOut: (given) => call('signOut', given),
    hold: (work) => holdWork(held, work),
  }
  return {
    app,
    ready,
    lead: (handle) => {
      local = createCalls(handle)
      leader = undefined
      heardAt = Date.now()
      isAlone = false
      setTimeout(checkAlone, followerTimeoutMilliseconds + 1)
      const showState = () => {
        state.set(handle.app.state.read())
        announce()
      }
      const unwatchState = handle.app.state.watch(showState)
      const unwatchChanges = handle.app.replica.watch((change) => {
        changes.call(change)
        tell({ kind: 'change', change })
      })
      unwatch = () => {
        unwatchState()
        unwatchChanges()
      }
      showState()
      goOn()
    },
    follow: () => post({ kind: 'who' }),
    settle: async () => void (await Promise.allSettled(held)),
    pause: async () => {
      local = undefined
      await Promise.allSettled(running)
    },
    announceEnd: () => {
      unwatch()
      unwatch = () => {}
      hasAllChanges = true
      post({ kind: 'bye', leader: me })
    },
    close: async () => {
      isClosed = true
      unwatch()
      channel.close()
      const error = new ClientError('store_gone', 'the account was closed in this window')
      for (const { reject } of open.values()) reject(error)
      open.clear()
      await Promise.allSettled(held)
    },
  }
}
