import {
  type Client,
  type ClientOptions,
  createClient,
  createReplica,
  isClientError,
  type RejectedEdit,
  type Replica,
  type TokenStorage,
  type Tokens,
} from '../../client/src/index.ts'
import { deleteIndexedDbStore, type IndexedDbStore, openIndexedDbStore } from '../../client/src/indexeddb.ts'
import { type MenuCapture, shorten, toAddedFields, toChangedFields, toNewFields } from './capture.ts'
import { type ItemIndex, openItemIndex } from './item-index.ts'
import {
  type Capture,
  type LocalStorageArea,
  type Problem,
  readState,
  type Session,
  type SyncStatus,
  storageKeys,
} from './platform.ts'

/** An error that the user can solve; `code` chooses its text in words.ts. */
export class ExtensionError extends Error {
  override readonly name = 'ExtensionError'
  readonly problem: Problem
  constructor(code: string, reason?: string) {
    super(reason ?? code)
    this.problem = { code, ...(reason === undefined ? {} : { reason }) }
  }
}

/** Describes an error as a problem, for messages between the parts of the extension. */
export const toProblem = (error: unknown): Problem => {
  if (error instanceof ExtensionError) return error.problem
  if (!isClientError(error)) return { code: 'other', reason: error instanceof Error ? error.message : String(error) }
  const reason = error.description ?? error.message
  return { code: error.code, reason }
}

/** The account in the background: the only part of the extension that holds the replica and the tokens. */
export interface Account {
  /**
   * Begins to use an account after its sign-in. The same account keeps its items and its waiting edits.
   * @throws ExtensionError `other_account` while edits of another account wait
   */
  readonly signedIn: (session: Session, tokens: Tokens) => Promise<void>
  /** Ends the session on the server if it can be reached, and deletes everything from this browser. */
  readonly signOut: () => Promise<void>
  /**
   * Stores a capture in the replica; it is safe on this device when this resolves. With `id` the user edits that item.
   * Without it, a page that is saved already gets the tags and the note in addition.
   * @throws ExtensionError `not_signed_in`, ClientError `store_…`
   */
  readonly save: (capture: Capture | MenuCapture, id?: string) => Promise<void>
  /**
   * Uploads waiting edits and downloads changes. Failures are stored in the status, which it returns. Concurrent calls
   * share one sync; none runs while the account changes.
   * @throws ExtensionError `not_signed_in`
   */
  readonly sync: () => Promise<SyncStatus | undefined>
  /** Returns the stored status; undefined while no user has signed in. */
  readonly readStatus: () => Promise<SyncStatus | undefined>
  /** Stores a problem in the status until the next sync, and returns it; undefined while no user has signed in. */
  readonly reportProblem: (problem: Problem) => Promise<SyncStatus | undefined>
  /** Resolves when all work has ended, and closes the stores. */
  readonly close: () => Promise<void>
}

/** The options of `createAccount`. */
export interface AccountOptions {
  readonly storage: LocalStorageArea
  /** Sends requests; the global fetch by default. */
  readonly fetch?: ClientOptions['fetch']
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

interface OpenAccount {
  readonly session: Session
  readonly client: Client
  readonly store: IndexedDbStore
  readonly replica: Replica
  readonly index: ItemIndex
  /** Resolves when the index has all changes of the replica so far. */
  readonly settle: () => Promise<void>
}

const replicaName = 'thingsync replica'
// A first sync resumes at the last page when the browser ends the background meanwhile.
const pageSize = 2_000
const entriesPerWrite = 500

/** Creates the token storage of the extension; only the background uses it. */
const createTokenStorage = (storage: LocalStorageArea): TokenStorage => ({
  read: async () => (await storage.get([storageKeys.tokens]))[storageKeys.tokens] as Tokens | undefined,
  write: (tokens) => storage.set({ [storageKeys.tokens]: tokens }),
  clear: () => storage.remove([storageKeys.tokens]),
})

const isSameAccount = (one: Session, other: Session): boolean =>
  one.home === other.home && one.account === other.account && one.since === other.since

const rebuildIndex = async (replica: Replica, index: ItemIndex): Promise<void> => {
  await index.clear()
  await index.setStale(true)
  for await (const part of replica.listThingParts()) await index.apply({ put: part, remove: [] })
  await index.setStale(false)
}

/** Describes an edit that the server did not accept, with the title of its item; undefined without one. */
const describeRejection = async (
  replica: Replica,
  rejected: RejectedEdit | undefined,
): Promise<Problem | undefined> => {
  if (rejected === undefined) return undefined
  const { error, name } = rejected
  const title = (await replica.findThing(name))?.title ?? name
  return { code: 'edit_rejected', reason: `“${shorten(title)}”: ${error.description ?? error.message}` }
}

/** Creates the account of this extension. It opens its stores with the first call that needs them. */
export const createAccount = ({ storage, fetch, now = Date.now }: AccountOptions): Account => {
  let opening: Promise<OpenAccount | undefined> | undefined
  let syncing: Promise<SyncStatus> | undefined
  let isSyncWanted = false
  /** True while the account changes; no sync begins then. */
  let isChanging = false
  let stopSync = new AbortController()
  let changes = 0
  let last: Promise<unknown> = Promise.resolve()
  /** Runs saves and changes of the account one after the other; a failed work rejects only its own promise. */
  const runInOrder = <T>(work: () => Promise<T>): Promise<T> => {
    const next = last.then(work, work)
    last = next.catch(() => undefined)
    return next
  }

  const open = async (session: Session): Promise<OpenAccount> => {
    const tokens = createTokenStorage(storage)
    const { baseUrl, clientId } = session
    const client = createClient({ baseUrl, clientId, tokens, now, ...(fetch === undefined ? {} : { fetch }) })
    const [store, index] = await Promise.all([openIndexedDbStore(replicaName), openItemIndex()])
    const replica = await createReplica({ client, store, now, pageSize, entriesPerWrite })
    if (await index.isStale()) await rebuildIndex(replica, index)
    let indexing: Promise<void> = Promise.resolve()
    replica.watch(({ ids }) => {
      if (ids.size === 0) return
      indexing = indexing.then(async () => {
        const found = await replica.findThings(ids)
        // An ID that was only assigned leads to the same item as the new one.
        const put = new Map([...found.values()].map((thing) => [thing.id, thing]))
        await index.apply({ put: put.values(), remove: [...ids].filter((id) => !put.has(id)) })
      })
      // `settle` reports a failure; until then it must not count as unhandled.
      indexing.catch(() => undefined)
    })
    const settle = async (): Promise<void> => {
      // Changes are reported in a microtask after each write.
      await Promise.resolve()
      await indexing
    }
    return { session, client, store, replica, index, settle }
  }
  const findOpen = (): Promise<OpenAccount | undefined> => {
    opening ??= readState(storage).then(({ session }) => (session === undefined ? undefined : open(session)))
    opening.catch(() => {
      opening = undefined
    })
    return opening
  }
  const requireOpen = async (): Promise<OpenAccount> => {
    const opened = await findOpen()
    if (opened === undefined) throw new ExtensionError('not_signed_in')
    return opened
  }
  const closeStores = async (): Promise<void> => {
    const opened = await opening?.catch(() => undefined)
    opening = undefined
    opened?.store.close()
    opened?.index.close()
  }
  const writeStatus = async (status: SyncStatus): Promise<SyncStatus> => {
    await storage.set({ [storageKeys.status]: status })
    return status
  }
  /** Changes the replica, by a save or a sync or both. Until the index has all changes, it counts as stale. */
  const change = async <T>({ index, settle }: OpenAccount, work: () => Promise<T>): Promise<T> => {
    changes++
    await index.setStale(true)
    try {
      return await work()
    } finally {
      await settle()
      changes--
      if (changes === 0) await index.setStale(false)
    }
  }
  /** Runs a change of the account, when all saves before it are stored and no sync runs. */
  const changeAccount = <T>(work: () => Promise<T>): Promise<T> =>
    runInOrder(async () => {
      isChanging = true
      stopSync.abort()
      try {
        await syncing
        return await work()
      } finally {
        stopSync = new AbortController()
        isChanging = false
      }
    })
  const deleteAll = async (): Promise<void> => {
    const opened = await findOpen()
    await opened?.index.clear()
    await closeStores()
    await deleteIndexedDbStore(replicaName)
    await storage.remove(Object.values(storageKeys))
  }

  const runSync = async (): Promise<SyncStatus> => {
    const opened = await requireOpen()
    const { replica } = opened
    const before = (await readState(storage)).status
    const isFirst = before?.syncedAt === undefined
    const kept = isFirst ? {} : { syncedAt: before.syncedAt }
    let reported = 0
    try {
      const result = await change(opened, () =>
        replica.sync({
          signal: stopSync.signal,
          onProgress: ({ listed }) => {
            if (!isFirst || listed - reported < pageSize / 4) return
            reported = listed
            void storage.set({ [storageKeys.status]: { pending: replica.countPending(), listed } satisfies SyncStatus })
          },
        }),
      )
      const problem = await describeRejection(replica, result.rejected[0])
      const pending = replica.countPending()
      return await writeStatus({ pending, syncedAt: now(), ...(problem === undefined ? {} : { problem }) })
    } catch (error) {
      const pending = replica.countPending()
      if (stopSync.signal.aborted) return { ...before, pending }
      if (isClientError(error, 'signed_out')) return await writeStatus({ pending, ...kept, isSignedOut: true })
      // What is no error of the network or of the server is shown as well: the edits are safe and wait.
      return await writeStatus({ pending, ...kept, problem: toProblem(error) })
    }
  }
  const readStatus = async (): Promise<SyncStatus | undefined> => {
    const { session, status = { pending: 0 } } = await readState(storage)
    return session === undefined ? undefined : status
  }
  const sync = async (): Promise<SyncStatus | undefined> => {
    if (isChanging) return await readStatus()
    if (syncing !== undefined) {
      isSyncWanted = true
      return syncing
    }
    const run = async (): Promise<SyncStatus> => {
      let status: SyncStatus
      do {
        isSyncWanted = false
        status = await runSync()
      } while (isSyncWanted && !isChanging)
      return status
    }
    syncing = run().finally(() => {
      syncing = undefined
    })
    return await syncing
  }
  const saveNow = async (capture: Capture | MenuCapture, id: string | undefined): Promise<void> => {
    const opened = await requireOpen()
    const { replica, index } = opened
    const quote = 'quote' in capture ? capture.quote : ''
    const edited = id === undefined ? undefined : await replica.findThing(id)
    const existing = edited ?? (await findExisting(replica, index, capture.url))
    await change(opened, async () => {
      if (existing === undefined) return void (await replica.create(toNewFields(capture, quote)))
      const fields = edited === undefined ? toAddedFields(existing, capture, quote) : toChangedFields(existing, capture)
      if (Object.keys(fields).length > 0) await replica.change(existing.id, fields)
    })
    const { status } = await readState(storage)
    await writeStatus({ ...status, pending: replica.countPending() })
  }

  return {
    signedIn: (session, tokens) =>
      changeAccount(async () => {
        const opened = await findOpen()
        if (opened !== undefined && !isSameAccount(opened.session, session)) {
          if (opened.replica.countPending() > 0) throw new ExtensionError('other_account', opened.session.account)
          await deleteAll()
        }
        const pending = opened?.replica.countPending() ?? 0
        // The client and its redirects may differ for the same account.
        await closeStores()
        await storage.set({
          [storageKeys.session]: session,
          [storageKeys.tokens]: tokens,
          [storageKeys.status]: { pending } satisfies SyncStatus,
        })
      }),
    signOut: () =>
      changeAccount(async () => {
        const opened = await findOpen()
        await opened?.client.signOut()
        await deleteAll()
      }),
    save: (capture, id) => runInOrder(() => saveNow(capture, id)),
    sync,
    readStatus,
    reportProblem: async (problem) => {
      const status = await readStatus()
      return status === undefined ? undefined : await writeStatus({ ...status, problem })
    },
    close: () => changeAccount(closeStores),
  }
}

const findExisting = async (replica: Replica, index: ItemIndex, url: string) => {
  const found = await index.findByUrl(url)
  return found === undefined ? undefined : await replica.findThing(found.id)
}
