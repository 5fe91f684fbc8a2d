/**
 * A local store in the browser's IndexedDB, which keeps a replica for the next visit; also for workers. Uses idb, and is an
 * entry of its own (`thingsync-client/indexeddb`), so that programs without it need not have it.
 */
import type { IDBPDatabase } from 'idb'
import { deleteDatabase, entriesTable, openDatabase, packKeysTable, packsTable } from './indexeddb-database.ts'
import { storeGone, throwWhileOpen } from './indexeddb-errors.ts'
import { readPack as readPackValues } from './indexeddb-pack.ts'
import { createPackIndex, listRuns, type PackIndex, type PackRun } from './indexeddb-packs.ts'
import { planWrite } from './indexeddb-write.ts'
import { toRange } from './key-range.ts'
import type { LocalStore } from './local-store.ts'
import { createTurns } from './turns.ts'

/** A local store that holds a connection to a database. */
export interface IndexedDbStore extends LocalStore {
  /** The name with which it was opened. */
  readonly name: string
  readonly getMany: NonNullable<LocalStore['getMany']>
  readonly listParts: NonNullable<LocalStore['listParts']>
  /** Lets go of the database; a second time is fine. Call it after `stop` of a live replica. */
  readonly close: () => void
}

const formatVersion = 1
/** Read in one transaction, which does not live longer than a step of a listing. */
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
 * Opens the store of this name, and makes it at the first time. What is written is on disk when `write` resolves (durability
 * `strict`). A tab that wants to delete the store gets its way: then every call here fails as `store_gone`.
 * @throws ClientError `store_forbidden`, `store_blocked`, `store_newer`, `store_full`
 */
export const openIndexedDbStore = async (name: string): Promise<IndexedDbStore> => {
  let isGone = false
  let listings = 0
  const database = await openDatabase(name, formatVersion, () => {
    isGone = true
  })
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isGone) throw storeGone()
    return await work().catch(throwWhileOpen)
  }
  const index = await use(() => readIndex(database))
  const inTurn = createTurns()
  let writing: Promise<unknown> | undefined
  /** The index tells of a write only when it is done. */
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
      for (const [place, key] of (JSON.parse(keysText) as string[]).entries()) {
        if (wanted.has(key) && index.findPack(key) === pack) packed.set(key, values[place])
      }
    }
    const [singles] = await Promise.all([
      // Also where the index knows of none: tabs may share a store of few entries.
      Promise.all(keys.map((key) => (index.findPack(key) === undefined ? entries.get(key) : undefined))),
      ...[...packs].map(readPack),
    ])
    return keys.map((key, place) => singles[place] ?? packed.get(key))
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
      yield keys.map((key, place) => [String(key), values[place]] as const)
      after = keys.length < entriesPerStep ? undefined : String(keys.at(-1))
    } while (after !== undefined)
  }
  async function* listPacked(prefix: string, last: number, masked: ReadonlySet<string>) {
    for (const run of listRuns(index.listPacks(prefix), last, packsPerStep)) {
      const [numbers, keyTexts, texts] = await readPacks(run)
      for (const [place, number] of numbers.entries()) {
        const pack = Number(number)
        const keys: string[] = JSON.parse(keyTexts[place])
        if (!keys.some((key) => key.startsWith(prefix))) continue
        const values = readPackValues(texts[place])
        const isRead = (key: string) => key.startsWith(prefix) && !masked.has(key) && index.isReadIn(key, pack, last)
        yield keys.flatMap((key, at) => (isRead(key) ? [[key, values[at]] as const] : []))
      }
    }
  }
  async function* listAll(prefix: string) {
    await use(whenWritten)
    const last = index.lastPack()
    const masked = new Set(index.singles)
    // What is packed while the entries are read is in no pack up to the last one of now.
    const left = new Set([...masked].filter((key) => key.startsWith(prefix)))
    for await (const entries of listEntries(prefix)) {
      for (const [key] of entries) left.delete(key)
      yield entries.filter(([, value]) => value !== undefined)
    }
    const values = left.size === 0 ? [] : await use(() => getMany([...left]))
    yield [...left].map((key, place) => [key, values[place]] as const).filter(([, value]) => value !== undefined)
    yield* listPacked(prefix, last, masked)
  }
  const write = async (changes: ReadonlyMap<string, unknown>): Promise<void> => {
    const plan = planWrite(changes, index, listings === 0)
    const transaction = database.transaction(plan.tables, 'readwrite', { durability: 'strict' })
    // The first one says why; those of the other requests and of the transaction only that it was broken off.
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
    // Packs are not removed under a listing.
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
      inTurn(() =>
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
      isGone = true
      database.close()
    },
  }
}

/**
 * Deletes the store of this name, as after a sign-out; one that is not there is fine. Tabs that have it open lose it.
 * @throws ClientError `store_forbidden`, `store_blocked` when a program holds it that does not give way
 */
export const deleteIndexedDbStore = (name: string): Promise<void> => deleteDatabase(name)
