import { createSerialQueue } from '../scheduling.ts'
import { type Account, type AccountDocument, type BeginLoading, beginAccount, documentOf } from './account/account.ts'
import { viewAccount } from './account/view.ts'
import { createListeners } from './listeners.ts'
import { createOutboxIndex } from './outbox/outbox.ts'
import { itemNames, type StoreItem } from './record/backup-format.ts'
import type { EntryChange } from './record/change.ts'
import type { Registry } from './registry/registry.ts'
import {
  createRegistryState,
  emptyRegistry,
  type RegistryChanges,
  type RegistryDocument,
  registryKinds,
  stageRegistry,
} from './registry/registry-state.ts'
import {
  type OpenListing,
  type OutboxEntry,
  type Priority,
  pagedDownloadSeconds,
  type Store,
  StoreError,
  type ThingForm,
  type VisibleChange,
} from './store.ts'
import { type CommitOutcome, createPipeline, type EncodedWrite, type Pipeline } from './transaction.ts'

/**
 * Makes the changes of a store durable. The changes of one account, and the changes of the registry, arrive in order.
 * Each may arrive before the previous one is durable. An error of a backend that is not a StoreError is a bug.
 */
export interface Backend {
  readonly loadRegistry: () => Promise<StoredRegistry>
  readonly commitRegistry: (changes: RegistryChanges, outcome: CommitOutcome) => void
  readonly loadAccount: (userId: string, begin: BeginLoading) => Promise<Account>
  readonly commitAccount: (userId: string, write: EncodedWrite, outcome: CommitOutcome, priority: Priority) => void
  /** Resolves when the account is deleted permanently. The caller must send no changes of it meanwhile. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Prepares an account without pending changes for its removal from memory. Resolves with true when a later load gives
   * the same account.
   * @throws StoreError
   */
  readonly releaseAccount: (userId: string) => Promise<boolean>
  /** Starts background work: from now on the backend may read what the store holds, to store it in a shorter form. */
  readonly begin: (source: BackendSource) => void
  /** Writes all stored data into plain, readable files. @throws StoreError */
  readonly checkpoint: () => Promise<void>
  /** Checks that the backend can store changes now. @throws StoreError when it cannot */
  readonly check: () => Promise<void>
  /** Resolves when all changes that arrived are stored and all resources are released. */
  readonly close: () => Promise<void>
}

/** The stored registry, the later changes to it, and the outbox entries of all accounts. */
export interface StoredRegistry {
  readonly document: RegistryDocument
  readonly writes: readonly RegistryChanges[]
  readonly outboxEntries: readonly OutboxEntry[]
}

/** The visible state of a store. */
export interface BackendSource {
  readonly visibleRegistry: () => RegistryDocument
  /** Undefined while the account is not in memory. */
  readonly visibleAccount: (userId: string) => AccountDocument | undefined
  /** Returns a promise while durable changes of the account become visible. It resolves when they are visible. */
  readonly whenVisible: (userId: string) => Promise<void> | undefined
  /** Begins to load an account that only the backend sees. */
  readonly beginAccount: BeginLoading
}

/** A backend that stores nothing: all data ends with the process. */
export const memoryBackend: Backend = {
  loadRegistry: async () => ({ document: emptyRegistry, writes: [], outboxEntries: [] }),
  commitRegistry: (_changes, outcome) => outcome.durable(),
  loadAccount: async (_userId, begin) => begin(0).finish(),
  commitAccount: (_userId, _write, outcome) => outcome.durable(),
  removeAccount: async () => undefined,
  releaseAccount: async () => false,
  begin: () => undefined,
  checkpoint: async () => undefined,
  check: async () => undefined,
  close: async () => undefined,
}

function* listRegistry(registry: RegistryDocument): Generator<StoreItem, void, undefined> {
  for (const kind of registryKinds)
    for (const item of registry[kind]) yield { [itemNames[kind]]: item } as unknown as StoreItem
}

function* listAccount(userId: string, { document, outboxEntries }: AccountCopy): Generator<StoreItem, void, undefined> {
  yield { account: userId, position: document.position }
  for (const tag of document.tags) yield { tag }
  for (const thing of document.things) yield { thing }
  for (const tombstone of document.tombstones) yield { tombstone }
  for (const record of document.records) yield { record }
  for (const [key, dueAt] of outboxEntries) yield { entry: { key, dueAt } }
}

/** Lists the registry, then the account of each of its users. Each account is copied when the listing reaches it. */
export async function* listItems(
  registry: RegistryDocument,
  copyAccount: (userId: string) => Promise<AccountCopy>,
): AsyncGenerator<StoreItem, void, undefined> {
  yield* listRegistry(registry)
  for (const { id } of registry.users) yield* listAccount(id, await copyAccount(id))
}

/**
 * Open listings of all sessions, in process memory. Each stays for `pagedDownloadSeconds`, unless too many are open.
 */
interface OpenListings {
  readonly remember: (userId: string, writer: string, name: string, listing: OpenListing) => void
  readonly find: (userId: string, writer: string, name: string) => OpenListing | undefined
  /** The lowest position of the user's listings. */
  readonly lowestPosition: (userId: string) => number | undefined
  /** Frees expired listings. Call it periodically: a listing may hold all ids of a large upload. */
  readonly dropExpired: () => void
  /** Removes the listings of a removed user. */
  readonly forget: (userId: string) => void
}

const maxSessions = 10_000
const maxPerSession = 16

interface Remembered {
  readonly listing: OpenListing
  readonly expiresAt: number
}

/** The listings of a session by name, the newest last. */
interface SessionListings {
  readonly userId: string
  readonly listings: Map<string, Remembered>
}

/** Puts an entry at the end and drops the oldest entries beyond `max`. */
const putNewest = <Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void => {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= max) break
    entries.delete(oldest)
  }
}

/**
 * Creates an empty table of open listings. `monotonicMs` is a monotonic clock in milliseconds. The listings of one session
 * never evict listings of another session.
 */
export const createOpenListings = (monotonicMs: () => number): OpenListings => {
  const sessions = new Map<string, SessionListings>()
  const nameSession = (userId: string, writer: string): string => `${JSON.stringify(userId)} ${writer}`

  // All entries live equally long, so in both maps the entry that expires first is the first entry.
  const dropExpired = (): void => {
    for (const [name, session] of sessions) {
      for (const [listing, { expiresAt }] of session.listings) {
        if (expiresAt > monotonicMs()) break
        session.listings.delete(listing)
      }
      if (session.listings.size === 0) sessions.delete(name)
    }
  }

  const remember: OpenListings['remember'] = (userId, writer, name, listing) => {
    const sessionName = nameSession(userId, writer)
    const session = sessions.get(sessionName) ?? { userId, listings: new Map<string, Remembered>() }
    putNewest(
      session.listings,
      name,
      { listing, expiresAt: monotonicMs() + pagedDownloadSeconds * 1000 },
      maxPerSession,
    )
    putNewest(sessions, sessionName, session, maxSessions)
  }

  const find: OpenListings['find'] = (userId, writer, name) => {
    const remembered = sessions.get(nameSession(userId, writer))?.listings.get(name)
    return remembered === undefined || remembered.expiresAt <= monotonicMs() ? undefined : remembered.listing
  }

  const lowestPosition = (userId: string): number | undefined => {
    let lowest: number | undefined
    // The loop visits all sessions: the caller calls it at most once a second, while an account is written to.
    for (const session of sessions.values()) {
      if (session.userId !== userId) continue
      for (const { listing, expiresAt } of session.listings.values())
        if (expiresAt > monotonicMs()) lowest = Math.min(listing.position, lowest ?? listing.position)
    }
    return lowest
  }

  const forget = (userId: string): void => {
    for (const [name, session] of sessions) if (session.userId === userId) sessions.delete(name)
  }

  return { remember, find, lowestPosition, dropExpired, forget }
}

/** An account in memory, and its write pipeline. */
interface OpenAccount {
  readonly account: Account
  readonly pipeline: Pipeline
}

/** An account at one moment. */
export interface AccountCopy {
  readonly document: AccountDocument
  /** The due times of its outbox entries, by key. */
  readonly outboxEntries: ReadonlyMap<string, number>
}

/** The accounts in memory. The first request for an account loads it. */
interface OpenAccounts extends Pick<BackendSource, 'visibleAccount' | 'whenVisible' | 'beginAccount'> {
  /** Loads the account, if necessary. @throws StoreError when it cannot be read; the next call tries again */
  readonly open: (userId: string) => Promise<OpenAccount>
  /** Copies an account and its outbox entries as they are now. Leaves no new account in memory. @throws StoreError */
  readonly copy: (userId: string) => Promise<AccountCopy>
  readonly drop: (userId: string) => void
  /** Lists the accounts without a request for so long that every listing of them is expired. */
  readonly listIdle: () => readonly string[]
  /** Removes an idle account from memory, if the backend can load it again. @throws StoreError */
  readonly closeIdle: (userId: string) => Promise<void>
  /** Number of accounts in memory. */
  readonly count: () => number
  /** Resolves when all durable changes are visible. */
  readonly settle: () => Promise<void>
}

const idleMilliseconds = pagedDownloadSeconds * 1000

/** The dependencies of open accounts. */
interface OpenAccountsParts {
  readonly form: ThingForm
  readonly backend: Backend
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number
  /** See `EarlierReaders`. */
  readonly lowestListed: (userId: string) => number | undefined
  readonly listOutboxEntries: (userId: string) => ReadonlyMap<string, number>
  /** Called at the moment a write becomes visible, with its outbox entries; `hasMoved` is true for a new position. */
  readonly onVisible: (
    userId: string,
    entryChanges: readonly EntryChange[],
    hasMoved: boolean,
    change: VisibleChange,
  ) => void
}

/** Creates the table of open accounts, with no account in memory. */
const createOpenAccounts = (parts: OpenAccountsParts): OpenAccounts => {
  const { form, backend, monotonicMs } = parts
  const opening = new Map<string, Promise<OpenAccount>>()
  const opened = new Map<string, OpenAccount>()
  const usedAt = new Map<string, number>()

  const load = async (userId: string): Promise<OpenAccount> => {
    const readers = { monotonicMs, lowestListed: () => parts.lowestListed(userId) }
    const account = await backend.loadAccount(userId, (position) => beginAccount(form, readers, position))
    const pipeline = createPipeline(account, {
      listOutboxEntries: () => parts.listOutboxEntries(userId),
      onVisible: (entryChanges, hasMoved, writer) => {
        // An account that was removed meanwhile has no visible changes.
        if (opened.get(userId)?.account === account)
          parts.onVisible(userId, entryChanges, hasMoved, { position: account.position(), writer })
      },
    })
    return { account, pipeline }
  }

  const open = (userId: string): Promise<OpenAccount> => {
    usedAt.set(userId, monotonicMs())
    return opening.get(userId) ?? begin(userId)
  }

  const begin = (userId: string): Promise<OpenAccount> => {
    const found = load(userId).then(
      (account) => {
        if (opening.get(userId) === found) opened.set(userId, account)
        return account
      },
      (error: unknown) => {
        if (opening.get(userId) === found) drop(userId)
        throw error
      },
    )
    opening.set(userId, found)
    return found
  }

  const drop = (userId: string): void => {
    opening.delete(userId)
    opened.delete(userId)
    usedAt.delete(userId)
  }

  const copy = async (userId: string): Promise<AccountCopy> => {
    // An entry that was deleted during the load may belong to the account as it was read.
    const before = parts.listOutboxEntries(userId)
    const { account } = await (opening.get(userId) ?? load(userId))
    return { document: documentOf(account), outboxEntries: new Map([...before, ...parts.listOutboxEntries(userId)]) }
  }

  const isIdle = (userId: string): boolean => monotonicMs() - (usedAt.get(userId) ?? monotonicMs()) > idleMilliseconds

  const closeIdle = async (userId: string): Promise<void> => {
    const account = opened.get(userId)
    // Existing views stay valid; only writes must all use the same account object.
    const canClose = (): boolean => isIdle(userId) && account?.pipeline.isIdle() === true
    if (canClose() && (await backend.releaseAccount(userId)) && canClose()) drop(userId)
  }

  return {
    open,
    count: () => opened.size,
    copy,
    beginAccount: (position) => beginAccount(form, { monotonicMs, lowestListed: () => undefined }, position),
    listIdle: () => [...opened.keys()].filter(isIdle),
    closeIdle,
    visibleAccount: (userId) => {
      const found = opened.get(userId)
      return found && documentOf(found.account)
    },
    whenVisible: (userId) => opened.get(userId)?.pipeline.whenVisible(),
    settle: async () => {
      await Promise.all([...opened.values()].map(({ pipeline }) => pipeline.whenVisible()))
    },
    drop,
  }
}

/** The dependencies of a store with accounts in memory. */
interface StoreParts {
  readonly form: ThingForm
  /** A monotonic clock in milliseconds, which limits how long earlier positions and idle accounts stay. */
  readonly monotonicMs: () => number
  readonly backend: Backend
}

/** The single topic of outbox listeners. */
const outboxTopic = 'outbox'

const sweepMilliseconds = 60_000

/** Creates a store that holds accounts in memory while they are in use. The backend makes each change durable first. */
export const createStore = async ({ form, monotonicMs, backend }: StoreParts): Promise<Store> => {
  const accountQueue = createSerialQueue()
  const registryQueue = createSerialQueue()
  const listings = createOpenListings(monotonicMs)
  const storedRegistry = await backend.loadRegistry()
  const registryState = createRegistryState(storedRegistry.document)
  for (const changes of storedRegistry.writes) registryState.apply(changes)
  const accountListeners = createListeners<VisibleChange>()
  const outboxListeners = createListeners<void>()
  const sessionListeners = createListeners<void>()
  const outbox = createOutboxIndex(storedRegistry.outboxEntries, () => outboxListeners.notify(outboxTopic, undefined))
  const accounts = createOpenAccounts({
    ...{ form, backend, monotonicMs },
    lowestListed: listings.lowestPosition,
    listOutboxEntries: outbox.list,
    onVisible: (userId, entryChanges, hasMoved, change) => {
      outbox.apply(userId, entryChanges)
      if (hasMoved) accountListeners.notify(userId, change)
    },
  })
  let isClosed = false

  const closeIdleAccounts = async (): Promise<void> => {
    for (const userId of accounts.listIdle()) {
      if (isClosed) return
      try {
        await accountQueue.run(userId, () => accounts.closeIdle(userId))
      } catch (error) {
        // An account that cannot be saved now stays in memory, and does not stop the others; the backend logs why.
        if (!(error instanceof StoreError)) throw error
      }
    }
  }
  // One sweep at a time: on a slow disk a second sweep would only wait for the first.
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
    if (isClosed) throw new StoreError('the store is closed')
  }

  const write: Store['write'] = async (userId, writer, work, priority = 'now') => {
    checkOpen()
    const { result, sent } = await accountQueue.run(userId, async () => {
      const { pipeline } = await accounts.open(userId)
      const staging = pipeline.stage(writer)
      const result = await work(staging.draft)
      const { sent } = staging.send((written, outcome) => backend.commitAccount(userId, written, outcome, priority))
      return { result, sent }
    })
    // Meanwhile the next write works, and both may go to the disk together.
    await sent
    return result
  }

  const removeAccount = async (userId: string): Promise<void> => {
    checkOpen()
    await accountQueue.run(userId, async () => {
      await backend.removeAccount(userId)
      accounts.drop(userId)
      outbox.removeAccount(userId)
      accountListeners.forget(userId)
      listings.forget(userId)
    })
  }

  const registry: Registry = {
    ...registryState.reader,
    change: async (work) => {
      checkOpen()
      return registryQueue.run('registry', async () => {
        const staging = stageRegistry(registryState.reader)
        const result = await work(staging.draft)
        const changes = staging.finish()
        if (Object.values(changes).every(({ size }) => size === 0)) return result
        await new Promise<void>((resolve, failed) => {
          const durable = (): void => {
            registryState.apply(changes)
            for (const [id, session] of changes.sessions) {
              if (session === undefined || session.isSuspended === true) sessionListeners.notify(id, undefined)
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
      return viewAccount(account, account.position(), outbox.list(userId))
    },
    readAsOf: async (userId, position) => {
      checkOpen()
      const { account } = await accounts.open(userId)
      const isKnown = position >= account.readableFrom() && position <= account.position()
      return isKnown ? viewAccount(account, position, outbox.list(userId)) : undefined
    },
    rememberListing: async (userId, writer, name, listing) => listings.remember(userId, writer, name, listing),
    findListing: async (userId, writer, name) => listings.find(userId, writer, name),
    takeOutboxEntry: async (now) => {
      checkOpen()
      return outbox.take(now)
    },
    nextOutboxEntryAt: async () => outbox.nextAt(),
    listOutboxEntries: async () => outbox.listAll(),
    watchOutbox: (onChange) => outboxListeners.listen(outboxTopic, onChange),
    watch: (userId, onChange) => accountListeners.listen(userId, onChange),
    watchSession: (sessionId, onEnd) => sessionListeners.listen(sessionId, onEnd),
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
      // No caller waits for the sweep: a bug in it appears here.
      if (fault !== undefined) throw fault
      await backend.check()
    },
    close: async () => {
      isClosed = true
      clearInterval(sweep)
      await Promise.all([accountQueue.settle(), registryQueue.settle(), closing])
      await backend.close()
      accountListeners.forgetAll()
      outboxListeners.forgetAll()
      sessionListeners.forgetAll()
      await accounts.settle()
    },
  }
}
