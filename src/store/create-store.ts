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
import {
  type CommitOutcome,
  createPipeline,
  createSerialQueue,
  type EncodedWrite,
  type Pipeline,
} from './write/commit-queue.ts'

/**
 * What makes the changes of a store last. Changes of one account, and those of the registry, arrive in order, and each
 * may arrive before the one before it is durable. Whatever a backend fails with but StoreFailed is a bug.
 */
export interface Backend {
  readonly loadRegistry: () => Promise<StoredRegistry>
  readonly commitRegistry: (changes: RegistryChanges, outcome: CommitOutcome) => void
  readonly loadAccount: (userId: string, begin: BeginLoading) => Promise<Account>
  readonly commitAccount: (userId: string, write: EncodedWrite, outcome: CommitOutcome, haste: Priority) => void
  /** Resolves when the account is forgotten for good. No changes of it may arrive meanwhile. */
  readonly removeAccount: (userId: string) => Promise<void>
  /**
   * Resolves with true when an account of which nothing is on its way can leave the memory: what is loaded then is what
   * it is now.
   * @throws StoreFailed
   */
  readonly releaseAccount: (userId: string) => Promise<boolean>
  /** From now on the backend may look at what the store holds, to keep it in a shorter form. */
  readonly begin: (source: BackendSource) => void
  /** Brings all that is kept into the plain form that a person can read. @throws StoreFailed */
  readonly checkpoint: () => Promise<void>
  /** Throws StoreFailed when nothing could be kept now. */
  readonly check: () => Promise<void>
  /** Resolves when all that arrived is kept, and everything is released. */
  readonly close: () => Promise<void>
}

/** The registry as it was stored, the changes that were made to it since, and the errands of all accounts. */
export interface StoredRegistry {
  readonly document: RegistryDocument
  readonly writes: readonly RegistryChanges[]
  readonly errands: readonly OutboxEntry[]
}

/** The visible state of a store. */
export interface BackendSource {
  readonly visibleRegistry: () => RegistryDocument
  /** Undefined while the account is not in memory. */
  readonly visibleAccount: (userId: string) => AccountDocument | undefined
  /** While durable changes of an account are being made visible: resolves when they are. */
  readonly whenVisible: (userId: string) => Promise<void> | undefined
  /** Begins to load an account that nobody but the backend gets to see. */
  readonly beginAccount: BeginLoading
}

/** A backend that keeps nothing beyond the process. */
export const memoryBackend: Backend = {
  loadRegistry: async () => ({ document: emptyRegistry, writes: [], errands: [] }),
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

function* listAccount(userId: string, { document, errands }: AccountCopy): Generator<StoreItem, void, undefined> {
  yield { account: userId, position: document.position }
  for (const tag of document.tags) yield { tag }
  for (const thing of document.things) yield { thing }
  for (const tombstone of document.tombstones) yield { tombstone }
  for (const record of document.records) yield { record }
  for (const [key, dueAt] of errands) yield { errand: { key, dueAt } }
}

/** The registry, then the account of each of its users, each as it is when its turn comes. */
export async function* listItems(
  registry: RegistryDocument,
  copyAccount: (userId: string) => Promise<AccountCopy>,
): AsyncGenerator<StoreItem, void, undefined> {
  yield* listRegistry(registry)
  for (const { id } of registry.users) yield* listAccount(id, await copyAccount(id))
}

/** Open listings in process memory, of all sessions. Each stays for `pagedDownloadSeconds`, unless too many are open. */
interface OpenListings {
  readonly remember: (userId: string, writer: string, name: string, listing: OpenListing) => void
  readonly find: (userId: string, writer: string, name: string) => OpenListing | undefined
  /** The lowest position of a user's listings. */
  readonly lowestPosition: (userId: string) => number | undefined
  /** Frees what is over. To be called now and then: a listing may hold all ids of a large upload. */
  readonly dropExpired: () => void
  /** Forgets the listings of a user who was removed. */
  readonly forget: (userId: string) => void
}

const maxSessions = 10_000
const maxPerSession = 16

interface Remembered {
  readonly listing: OpenListing
  readonly expiresAt: number
}

/** The listings of a session by their names, the newest last. */
interface SessionListings {
  readonly userId: string
  readonly listings: Map<string, Remembered>
}

/** Puts an entry at the end; the oldest ones beyond `max` are dropped. */
const putNewest = <Value>(entries: Map<string, Value>, key: string, value: Value, max: number): void => {
  entries.delete(key)
  entries.set(key, value)
  for (const oldest of entries.keys()) {
    if (entries.size <= max) break
    entries.delete(oldest)
  }
}

/**
 * No open listings. `elapsed` gives milliseconds since whenever and is never set back. One session's listings never push
 * out another's.
 */
export const createOpenListings = (elapsed: () => number): OpenListings => {
  const sessions = new Map<string, SessionListings>()
  const nameSession = (userId: string, writer: string): string => `${JSON.stringify(userId)} ${writer}`

  // All last as long, so in both maps the one that ends first stands first.
  const dropExpired = (): void => {
    for (const [name, session] of sessions) {
      for (const [listing, { expiresAt }] of session.listings) {
        if (expiresAt > elapsed()) break
        session.listings.delete(listing)
      }
      if (session.listings.size === 0) sessions.delete(name)
    }
  }

  const remember: OpenListings['remember'] = (userId, writer, name, listing) => {
    const sessionName = nameSession(userId, writer)
    const session = sessions.get(sessionName) ?? { userId, listings: new Map<string, Remembered>() }
    putNewest(session.listings, name, { listing, expiresAt: elapsed() + pagedDownloadSeconds * 1000 }, maxPerSession)
    putNewest(sessions, sessionName, session, maxSessions)
  }

  const find: OpenListings['find'] = (userId, writer, name) => {
    const remembered = sessions.get(nameSession(userId, writer))?.listings.get(name)
    return remembered === undefined || remembered.expiresAt <= elapsed() ? undefined : remembered.listing
  }

  const lowestPosition = (userId: string): number | undefined => {
    let lowest: number | undefined
    // Of all sessions: it is asked for once a second at most, while an account is written to.
    for (const session of sessions.values()) {
      if (session.userId !== userId) continue
      for (const { listing, expiresAt } of session.listings.values())
        if (expiresAt > elapsed()) lowest = Math.min(listing.position, lowest ?? listing.position)
    }
    return lowest
  }

  const forget = (userId: string): void => {
    for (const [name, session] of sessions) if (session.userId === userId) sessions.delete(name)
  }

  return { remember, find, lowestPosition, dropExpired, forget }
}

/** An account in memory, and the writes to it. */
interface OpenAccount {
  readonly account: Account
  readonly pipeline: Pipeline
}

/** An account at one moment. */
export interface AccountCopy {
  readonly document: AccountDocument
  /** When its errands are due, by key. */
  readonly errands: ReadonlyMap<string, number>
}

/** The accounts in memory; each is brought there when it is first asked for. */
interface OpenAccounts extends Pick<BackendSource, 'visibleAccount' | 'whenVisible' | 'beginAccount'> {
  /** @throws StoreFailed when it cannot be read; it is tried again the next time */
  readonly open: (userId: string) => Promise<OpenAccount>
  /** What an account and its errands are now; one that is not in memory does not stay there. @throws StoreFailed */
  readonly copy: (userId: string) => Promise<AccountCopy>
  readonly drop: (userId: string) => void
  /** The accounts that nobody has asked for since the last page of any listing could be asked for. */
  readonly listIdle: () => readonly string[]
  /** Takes an account that is idle out of the memory, if the backend can bring it back. @throws StoreFailed */
  readonly closeIdle: (userId: string) => Promise<void>
  /** How many are in memory. */
  readonly count: () => number
  /** Resolves when all that is durable is visible. */
  readonly settle: () => Promise<void>
}

const idleMilliseconds = pagedDownloadSeconds * 1000

/** What open accounts work with. */
interface OpenAccountsParts {
  readonly form: ThingForm
  readonly backend: Backend
  /** Milliseconds since whenever; never set back. */
  readonly elapsed: () => number
  /** See `EarlierReaders`. */
  readonly lowestListed: (userId: string) => number | undefined
  readonly listErrands: (userId: string) => ReadonlyMap<string, number>
  /** Told of a write in the moment in which it becomes visible: its errands, and whether the position is another one. */
  readonly onVisible: (
    userId: string,
    errands: readonly EntryChange[],
    hasMoved: boolean,
    change: VisibleChange,
  ) => void
}

/** No account is in memory. */
const createOpenAccounts = (parts: OpenAccountsParts): OpenAccounts => {
  const { form, backend, elapsed } = parts
  const opening = new Map<string, Promise<OpenAccount>>()
  const opened = new Map<string, OpenAccount>()
  const usedAt = new Map<string, number>()

  const load = async (userId: string): Promise<OpenAccount> => {
    const readers = { elapsed, lowestListed: () => parts.lowestListed(userId) }
    const account = await backend.loadAccount(userId, (position) => beginAccount(form, readers, position))
    const pipeline = createPipeline(account, {
      listErrands: () => parts.listErrands(userId),
      becameVisible: (errandSteps, hasMoved, writer) => {
        // What becomes visible in an account that was removed meanwhile is nobody's.
        if (opened.get(userId)?.account === account)
          parts.onVisible(userId, errandSteps, hasMoved, { position: account.position(), writer })
      },
    })
    return { account, pipeline }
  }

  const open = (userId: string): Promise<OpenAccount> => {
    usedAt.set(userId, elapsed())
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
    // An errand that was settled while the account was read from the disk may belong to what was read.
    const before = parts.listErrands(userId)
    const { account } = await (opening.get(userId) ?? load(userId))
    return { document: documentOf(account), errands: new Map([...before, ...parts.listErrands(userId)]) }
  }

  const isIdle = (userId: string): boolean => elapsed() - (usedAt.get(userId) ?? elapsed()) > idleMilliseconds

  const closeIdle = async (userId: string): Promise<void> => {
    const account = opened.get(userId)
    // Views that were given stay what they are; only writes must find one and the same account.
    const canClose = (): boolean => isIdle(userId) && account?.pipeline.isIdle() === true
    if (canClose() && (await backend.releaseAccount(userId)) && canClose()) drop(userId)
  }

  return {
    open,
    count: () => opened.size,
    copy,
    beginAccount: (position) => beginAccount(form, { elapsed, lowestListed: () => undefined }, position),
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

/** What every store in memory is made of. */
interface StoreParts {
  readonly form: ThingForm
  /** Milliseconds since whenever, never set back: how long earlier positions and idle accounts stay. */
  readonly elapsed: () => number
  readonly backend: Backend
}

/** What those who watch errands watch. */
const outboxTopic = 'errands'

const sweepMilliseconds = 60_000

/** A store whose accounts are in memory while in use, and are made to last by a backend before anybody sees a change. */
export const createStore = async ({ form, elapsed, backend }: StoreParts): Promise<Store> => {
  const turns = createSerialQueue()
  const registryTurns = createSerialQueue()
  const listings = createOpenListings(elapsed)
  const storedRegistry = await backend.loadRegistry()
  const registryState = createRegistryState(storedRegistry.document)
  for (const changes of storedRegistry.writes) registryState.apply(changes)
  const watchers = createListeners<VisibleChange>()
  const errandWatchers = createListeners<void>()
  const sessionWatchers = createListeners<void>()
  const errands = createOutboxIndex(storedRegistry.errands, () => errandWatchers.notify(outboxTopic, undefined))
  const accounts = createOpenAccounts({
    ...{ form, backend, elapsed },
    lowestListed: listings.lowestPosition,
    listErrands: errands.list,
    onVisible: (userId, errandSteps, hasMoved, change) => {
      errands.apply(userId, errandSteps)
      if (hasMoved) watchers.notify(userId, change)
    },
  })
  let isClosed = false

  const closeIdleAccounts = async (): Promise<void> => {
    for (const userId of accounts.listIdle()) {
      if (isClosed) return
      try {
        await turns.run(userId, () => accounts.closeIdle(userId))
      } catch (error) {
        // What cannot be saved now stays in memory, and keeps no other account there; the backend says why.
        if (!(error instanceof StoreError)) throw error
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
    if (isClosed) throw new StoreError('the store is closed')
  }

  const write: Store['write'] = async (userId, writer, work, haste = 'now') => {
    checkOpen()
    const { result, sent } = await turns.run(userId, async () => {
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
    await turns.run(userId, async () => {
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
      return registryTurns.run('registry', async () => {
        const staging = stageRegistry(registryState.reader)
        const result = await work(staging.draft)
        const changes = staging.finish()
        if (Object.values(changes).every(({ size }) => size === 0)) return result
        await new Promise<void>((resolve, failed) => {
          const durable = (): void => {
            registryState.apply(changes)
            for (const [id, session] of changes.sessions) {
              if (session === undefined || session.isSuspended === true) sessionWatchers.notify(id, undefined)
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
    takeOutboxEntry: async (now) => {
      checkOpen()
      return errands.take(now)
    },
    nextOutboxEntryAt: async () => errands.nextAt(),
    listOutboxEntries: async () => errands.listAll(),
    watchOutbox: (onChange) => errandWatchers.listen(outboxTopic, onChange),
    watch: (userId, onChange) => watchers.listen(userId, onChange),
    watchSession: (sessionId, onEnd) => sessionWatchers.listen(sessionId, onEnd),
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
