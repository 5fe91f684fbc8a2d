import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { ClientError, type ClientErrorCode } from './client-error.ts'
import { createRunInOrder } from './environment.ts'
import type { LocalStore } from './local-store.ts'

type Known = Readonly<Record<string, readonly [code: ClientErrorCode, message: string]>>

const full: Known[string] = ['store_full', 'the device has no room left; nothing of this write was kept']
const forbidden: Known[string] = ['store_forbidden', 'the browser does not let this page store data']

/** The errors of opening a store, by name; browsers have several names for a window that may not store anything. */
const whileOpening: Known = {
  QuotaExceededError: full,
  SecurityError: forbidden,
  NotAllowedError: forbidden,
  InvalidStateError: forbidden,
  UnknownError: forbidden,
  VersionError: ['store_newer', 'a newer version of the program has used this store; reload the page'],
}

const closedText: Known[string] = [
  'store_gone',
  'another tab has deleted or changed this store, or it was closed; open it again',
]

const whileOpen: Known = { QuotaExceededError: full, InvalidStateError: closedText, NotFoundError: closedText }

const nameOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'name' in error ? String(error.name) : ''

const throwAs =
  (known: Known) =>
  (error: unknown): never => {
    const [code, message] = known[nameOf(error)] ?? []
    if (code === undefined || message === undefined) throw error
    throw new ClientError(code, message, { cause: error })
  }

/**
 * Throws the error of opening or deleting as a ClientError if the application can react to it; rethrows other errors.
 */
const throwWhileOpening = throwAs(whileOpening)

/** Does the same for the errors of an open store. */
const throwWhileOpen = throwAs(whileOpen)

/** Creates the error of a store that was deleted or closed while the program used it. */
const createClosedError = (): ClientError => new ClientError(closedText[0], closedText[1])

/** Creates the error of a store that another tab keeps open. */
const createBlockedError = (): ClientError =>
  new ClientError('store_blocked', 'another tab has this store open and does not release it; close or reload that tab')

/** Single entries, by their keys. */
const entriesTable = 'entries'
/** The values of each pack as one JSON text, by the number of the pack. */
const packsTable = 'packs'
/** The keys of each pack as one JSON text, by the number of the pack. */
const packKeysTable = 'packKeys'

const tables = [entriesTable, packsTable, packKeysTable]

const requireIndexedDb = (): void => {
  try {
    if (globalThis.indexedDB) return
  } catch (error) {
    // In frames without an origin even the property throws.
    throwWhileOpening(error)
  }
  throw new ClientError('store_forbidden', 'there is no IndexedDB here')
}

/** Waits for the work, unless another tab blocks it. Then it throws, and releases a late result. */
const settleUnlessBlocked = async <T>(
  beginNow: (blocked: () => void) => Promise<T>,
  release: (late: T) => void = () => undefined,
): Promise<T> => {
  let block = () => {}
  const blocked = new Promise<'blocked'>((resolve) => {
    block = () => resolve('blocked')
  })
  // Some browsers throw synchronously.
  const work = (async () => await beginNow(block))()
  const first = await Promise.race([work.then((value) => ({ value })), blocked]).catch(throwWhileOpening)
  if (first !== 'blocked') return first.value
  // No caller waits for the work any more, so its error is ignored.
  work.then(release, () => undefined)
  throw createBlockedError()
}

/**
 * Opens a database in this version. Calls `onLost` when another tab or the browser closes or deletes it.
 * @throws ClientError `store_forbidden`, `store_blocked`, `store_newer`, `store_full`
 */
export const openDatabase = async (name: string, version: number, onLost: () => void): Promise<IDBPDatabase> => {
  requireIndexedDb()
  const begin = (blocked: () => void) =>
    openDB(name, version, {
      upgrade: (database) => {
        for (const name of tables) database.createObjectStore(name)
      },
      blocked,
      blocking: (_current, _blocked, event) => {
        onLost()
        if (event.target instanceof IDBDatabase) event.target.close()
      },
      terminated: onLost,
    })
  return await settleUnlessBlocked(begin, (late) => late.close())
}

/** Deletes a database; does nothing if it does not exist. */
const deleteDatabase = async (name: string): Promise<void> => {
  requireIndexedDb()
  await settleUnlessBlocked((blocked) => deleteDB(name, { blocked }))
}

/** One record of many entries, before it gets its number. */
interface Pack {
  readonly keys: readonly string[]
  /** The values as JSON in UTF-8: half the size that the engine needs for text with letters beyond Latin-1. */
  readonly value: Uint8Array<ArrayBuffer>
}

const entriesPerPack = 100
// Browsers store records beyond 64 KB in separate files, and to write or read a file costs more than a pack.
const charactersPerPack = 30_000

/** Divides entries into packs, in their order. Every value must have a JSON text. */
const fillPacks = (entries: readonly (readonly [key: string, value: unknown])[]): readonly Pack[] => {
  const encoder = new TextEncoder()
  const packs: Pack[] = []
  let keys: string[] = []
  let texts: string[] = []
  let characters = 0
  const close = () => {
    if (keys.length > 0) packs.push({ keys, value: encoder.encode(`[${texts.join(',')}]`) })
    keys = []
    texts = []
    characters = 0
  }
  for (const [key, value] of entries) {
    const text = JSON.stringify(value)
    if (keys.length === entriesPerPack || characters + text.length > charactersPerPack) close()
    keys.push(key)
    texts.push(text)
    characters += text.length
  }
  close()
  return packs
}

/** Decodes the values of a stored pack. */
const readPackValues = (stored: Uint8Array): unknown[] => JSON.parse(new TextDecoder().decode(stored))

/** The index of the entries in packs: many entries in one record, which a browser writes and reads much faster. */
interface PackIndex {
  /** Returns the pack that holds the value of this key; undefined for single entries and unknown keys. */
  readonly findPack: (key: string) => number | undefined
  /** Lists the packs that may have keys with this prefix, in their order. */
  readonly listPacks: (prefix: string) => readonly number[]
  /** Returns the number of the last pack. */
  readonly lastPack: () => number
  /** Returns whether a listing must read the key in this pack, if `last` was the last pack when the listing began. */
  readonly isReadIn: (key: string, pack: number, last: number) => boolean
  /** Keys of single entries, also of entries that hide a removed key of a pack. */
  readonly singles: ReadonlySet<string>
  readonly isPacked: (key: string) => boolean
  /** Notes written and removed single entries. */
  readonly noteSingles: (put: readonly string[], removed: readonly string[]) => void
  /** Notes a written pack. */
  readonly notePack: (pack: number, keys: readonly string[]) => void
  /** Lists the packs whose entries are all replaced or removed. */
  readonly listDead: () => readonly number[]
  /** Notes removed packs. */
  readonly noteRemoved: (packs: readonly number[]) => void
}

/** Returns the kind of a key: `thing/` for `thing/4711`; undefined without a slash. */
const kindOf = (key: string): string | undefined => {
  const end = key.indexOf('/')
  return end === -1 ? undefined : key.slice(0, end + 1)
}

/** Creates the index of a store with these single entries and packs, in the order of the packs. */
const createPackIndex = (
  singleKeys: Iterable<string>,
  packs: Iterable<readonly [pack: number, keys: readonly string[]]>,
): PackIndex => {
  const singles = new Set(singleKeys)
  const packOf = new Map<string, number>()
  /** Number of keys of each pack that are not replaced. */
  const living = new Map<number, number>()
  /** The packs that have had keys of each kind. */
  const packsOfKind = new Map<string | undefined, Set<number>>()
  let last = 0

  const count = (key: string, step: 1 | -1) => {
    const pack = packOf.get(key)
    if (pack !== undefined) living.set(pack, (living.get(pack) ?? 0) + step)
  }
  const notePack = (pack: number, keys: readonly string[]) => {
    last = Math.max(last, pack)
    let left = 0
    let kind: string | undefined
    for (const key of keys) {
      // Usually all keys of a pack have one kind.
      if (kind === undefined || !key.startsWith(kind)) {
        kind = kindOf(key)
        packsOfKind.set(kind, (packsOfKind.get(kind) ?? new Set()).add(pack))
      }
      if (!singles.has(key)) {
        count(key, -1)
        left++
      }
      packOf.set(key, pack)
    }
    living.set(pack, left)
  }
  for (const [pack, keys] of packs) notePack(pack, keys)
  return {
    singles,
    findPack: (key) => (singles.has(key) ? undefined : packOf.get(key)),
    listPacks: (prefix) => {
      const kind = kindOf(prefix)
      return [...(kind === undefined ? living.keys() : (packsOfKind.get(kind) ?? []))]
    },
    lastPack: () => last,
    isReadIn: (key, pack, lastThen) => {
      const now = packOf.get(key)
      return now === pack || (now !== undefined && now > lastThen)
    },
    isPacked: (key) => packOf.has(key),
    noteSingles: (put, removed) => {
      for (const key of put) {
        if (!singles.has(key)) count(key, -1)
        singles.add(key)
      }
      for (const key of removed) {
        if (singles.delete(key)) count(key, 1)
      }
    },
    notePack,
    listDead: () => [...living].filter(([, number]) => number === 0).map(([pack]) => pack),
    noteRemoved: (removed) => {
      for (const pack of removed) {
        living.delete(pack)
        for (const packs of packsOfKind.values()) packs.delete(pack)
      }
      for (const [key, pack] of packOf) if (!living.has(pack)) packOf.delete(key)
    },
  }
}

/** Packs that one request reads. */
type PackRun = readonly [first: number, last: number]

/** Groups the packs up to `last` into runs of consecutive numbers, each with at most `max` packs. */
const listRuns = (packs: readonly number[], last: number, max: number): readonly PackRun[] => {
  const runs: [first: number, last: number][] = []
  for (const pack of packs) {
    const run = runs.at(-1)
    if (pack > last) break
    if (run !== undefined && pack === run[1] + 1 && pack - run[0] < max) run[1] = pack
    else runs.push([pack, pack])
  }
  return runs
}

/** A change of one record of one table. */
type WriteStep = { readonly table: string; readonly key: string | number } & (
  | { readonly isRemoved: true }
  | { readonly isRemoved?: false; readonly value: unknown }
)

/** The steps of a write, in one transaction. */
interface WritePlan {
  readonly tables: string | string[]
  readonly steps: readonly WriteStep[]
  /** Updates the index; call it when the transaction is done. */
  readonly confirm: () => void
}

/** Minimum entries of a write that are stored in packs. */
const minPacked = 64
/** Minimum dead packs to remove together, because each removal reads all keys. */
const minRemoved = 32

/** Plans the write of these changes. `mayRemove` allows to remove dead packs: no listing reads them. */
const planWrite = (changes: ReadonlyMap<string, unknown>, index: PackIndex, mayRemove: boolean): WritePlan => {
  const steps: WriteStep[] = []
  const set = [...changes].filter(([, value]) => value !== undefined)
  const isPacked = set.length >= minPacked
  const putKeys: string[] = []
  const removedKeys: string[] = []
  const packs: (readonly [pack: number, keys: readonly string[]])[] = []

  for (const [key, value] of changes) {
    if (value !== undefined && isPacked) {
      if (index.singles.has(key)) steps.push({ table: entriesTable, key, isRemoved: true })
      removedKeys.push(key)
    } else if (value !== undefined || index.isPacked(key)) {
      // An entry with the value undefined hides the value in the pack.
      steps.push({ table: entriesTable, key, value })
      putKeys.push(key)
    } else {
      steps.push({ table: entriesTable, key, isRemoved: true })
      removedKeys.push(key)
    }
  }
  for (const { keys, value } of isPacked ? fillPacks(set) : []) {
    const key = index.lastPack() + packs.length + 1
    steps.push({ table: packsTable, key, value }, { table: packKeysTable, key, value: JSON.stringify(keys) })
    packs.push([key, keys])
  }
  const dead = mayRemove ? index.listDead() : []
  const removed = dead.length < minRemoved ? [] : dead
  for (const key of removed) {
    steps.push({ table: packsTable, key, isRemoved: true }, { table: packKeysTable, key, isRemoved: true })
  }
  return {
    tables: isPacked || removed.length > 0 ? [entriesTable, packsTable, packKeysTable] : entriesTable,
    steps,
    confirm: () => {
      // First the removed packs: the entries of this write must stay in the index.
      if (removed.length > 0) index.noteRemoved(removed)
      index.noteSingles(putKeys, removedKeys)
      for (const [pack, keys] of packs) index.notePack(pack, keys)
    },
  }
}

/** Returns the first key after all keys with the prefix; undefined when there is none. */
const findEnd = (prefix: string): string | undefined => {
  for (let length = prefix.length; length > 0; length--) {
    const last = prefix.charCodeAt(length - 1)
    if (last < 0xffff) return prefix.slice(0, length - 1) + String.fromCharCode(last + 1)
  }
  return undefined
}

/** Returns the range of the keys with the prefix; with `after`, only of the keys behind it. */
const toRange = (prefix: string, after?: string): IDBKeyRange => {
  const end = findEnd(prefix)
  const isAfter = after !== undefined
  return end === undefined
    ? IDBKeyRange.lowerBound(after ?? prefix, isAfter)
    : IDBKeyRange.bound(after ?? prefix, end, isAfter, true)
}

/**
 * A local store in the IndexedDB of a browser, in pages and workers. It keeps a replica for the next visit. It uses
 * idb, and has its own entry point (`thingsync-client/indexeddb`), so that other programs do not need idb.
 */

/** A local store with an open connection to a database. */
export interface IndexedDbStore extends LocalStore {
  /** The name with which it was opened. */
  readonly name: string
  readonly getMany: NonNullable<LocalStore['getMany']>
  readonly listParts: NonNullable<LocalStore['listParts']>
  /** Closes the connection; a second call does nothing. Call it after `stop` of a live replica. */
  readonly close: () => void
}

const formatVersion = 1
/** Entries that one transaction reads: a transaction cannot stay open between two steps of a listing. */
const entriesPerStep = 1_000
const packsPerStep = 8

const readIndex = async (database: IDBPDatabase): Promise<PackIndex> => {
  const transaction = database.transaction([entriesTable, packKeysTable])
  const packs = transaction.objectStore(packKeysTable)
  const [singles, numbers, texts] = await Promise.all([
    transaction.objectStore(entriesTable).getAllKeys(),
    packs.getAllKeys(),
    packs.getAll(),
  ])
  const keysOf = (index: number): string[] => JSON.parse(texts[index])
  return createPackIndex(
    singles.map(String),
    Array.from(numbers, (pack, index) => [Number(pack), keysOf(index)] as const),
  )
}

/**
 * Opens the store of this name, and creates it the first time. Writes are on disk when `write` resolves (durability
 * `strict`). Another tab may delete the store: then every call here fails with `store_gone`.
 * @throws ClientError `store_forbidden`, `store_blocked`, `store_newer`, `store_full`
 */
export const openIndexedDbStore = async (name: string): Promise<IndexedDbStore> => {
  let isClosed = false
  let listings = 0
  const database = await openDatabase(name, formatVersion, () => {
    isClosed = true
  })
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isClosed) throw createClosedError()
    return await work().catch(throwWhileOpen)
  }
  const index = await use(() => readIndex(database))
  const runInOrder = createRunInOrder()
  let writing: Promise<unknown> | undefined
  /** Waits for the running write: only then has the index its entries. */
  const whenWritten = async (): Promise<void> => {
    while (writing !== undefined) await writing
  }

  const getMany = async (keys: readonly string[]): Promise<unknown[]> => {
    await whenWritten()
    const packs = new Set(keys.flatMap((key) => index.findPack(key) ?? []))
    const transaction = database.transaction([entriesTable, packsTable, packKeysTable])
    const entries = transaction.objectStore(entriesTable)
    const packed = new Map<string, unknown>()
    const wanted = new Set(keys)
    const readPack = async (pack: number) => {
      const [keysText, text] = await Promise.all([
        transaction.objectStore(packKeysTable).get(pack),
        transaction.objectStore(packsTable).get(pack),
      ])
      const values = readPackValues(text)
      for (const [keyIndex, key] of (JSON.parse(keysText) as string[]).entries()) {
        if (wanted.has(key) && index.findPack(key) === pack) packed.set(key, values[keyIndex])
      }
    }
    const [singles] = await Promise.all([
      // Also for keys that the index does not have: other tabs may write single entries to the same store.
      Promise.all(keys.map((key) => (index.findPack(key) === undefined ? entries.get(key) : undefined))),
      ...[...packs].map(readPack),
    ])
    return keys.map((key, keyIndex) => singles[keyIndex] ?? packed.get(key))
  }
  const readEntries = (range: IDBKeyRange) =>
    use(async () => {
      const { store } = database.transaction(entriesTable)
      return await Promise.all([store.getAllKeys(range, entriesPerStep), store.getAll(range, entriesPerStep)])
    })
  const readPacks = ([first, last]: PackRun) =>
    use(async () => {
      const range = IDBKeyRange.bound(first, last)
      const transaction = database.transaction([packsTable, packKeysTable])
      const [keys, values] = [transaction.objectStore(packKeysTable), transaction.objectStore(packsTable)]
      return await Promise.all([values.getAllKeys(range), keys.getAll(range), values.getAll(range)])
    })
  async function* listEntries(prefix: string) {
    let after: string | undefined
    do {
      const [keys, values] = await readEntries(toRange(prefix, after))
      yield keys.map((key, keyIndex) => [String(key), values[keyIndex]] as const)
      after = keys.length < entriesPerStep ? undefined : String(keys.at(-1))
    } while (after !== undefined)
  }
  async function* listPacked(prefix: string, last: number, masked: ReadonlySet<string>) {
    for (const run of listRuns(index.listPacks(prefix), last, packsPerStep)) {
      const [numbers, keyTexts, texts] = await readPacks(run)
      for (const [packIndex, number] of numbers.entries()) {
        const pack = Number(number)
        const keys: string[] = JSON.parse(keyTexts[packIndex])
        if (!keys.some((key) => key.startsWith(prefix))) continue
        const values = readPackValues(texts[packIndex])
        const isRead = (key: string) => key.startsWith(prefix) && !masked.has(key) && index.isReadIn(key, pack, last)
        yield keys.flatMap((key, at) => (isRead(key) ? [[key, values[at]] as const] : []))
      }
    }
  }
  async function* listAll(prefix: string) {
    await use(whenWritten)
    const last = index.lastPack()
    const masked = new Set(index.singles)
    // Single entries that are packed during this listing are in none of the packs up to `last`.
    const left = new Set([...masked].filter((key) => key.startsWith(prefix)))
    for await (const entries of listEntries(prefix)) {
      for (const [key] of entries) left.delete(key)
      yield entries.filter(([, value]) => value !== undefined)
    }
    const values = left.size === 0 ? [] : await use(() => getMany([...left]))
    yield [...left].map((key, keyIndex) => [key, values[keyIndex]] as const).filter(([, value]) => value !== undefined)
    yield* listPacked(prefix, last, masked)
  }
  const write = async (changes: ReadonlyMap<string, unknown>): Promise<void> => {
    const plan = planWrite(changes, index, listings === 0)
    const transaction = database.transaction(plan.tables, 'readwrite', { durability: 'strict' })
    // Only the first error has the reason; the errors of other requests and of the transaction say that it was aborted.
    const failures: unknown[] = []
    const note = (failure: unknown) => failures.push(failure)
    try {
      for (const step of plan.steps) {
        const store = transaction.objectStore(step.table)
        const request: Promise<unknown> = step.isRemoved ? store.delete(step.key) : store.put(step.value, step.key)
        request.catch(note)
      }
    } catch (error) {
      note(error)
      transaction.abort()
    }
    await transaction.done.catch(note)
    if (failures.length > 0) throw failures[0]
    plan.confirm()
  }
  async function* listParts(prefix: string) {
    // No packs are removed during a listing.
    listings++
    try {
      yield* listAll(prefix)
    } finally {
      listings--
    }
  }
  return {
    name,
    get: (key) => use(async () => (await getMany([key]))[0]),
    getMany: (keys) => use(() => getMany(keys)),
    async *list(prefix) {
      for await (const part of listParts(prefix)) yield* part
    },
    listParts,
    write: (changes) =>
      runInOrder(() =>
        use(async () => {
          const work = write(changes)
          writing = work.catch(() => undefined)
          try {
            await work
          } finally {
            writing = undefined
          }
        }),
      ),
    close: () => {
      isClosed = true
      database.close()
    },
  }
}

/**
 * Deletes the store of this name, for example after a sign-out; does nothing if it does not exist. Tabs that have it
 * open lose it.
 * @throws ClientError `store_forbidden`, or `store_blocked` when another program does not close it
 */
export const deleteIndexedDbStore = (name: string): Promise<void> => deleteDatabase(name)
