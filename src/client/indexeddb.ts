/**
 * A local store in the browser's IndexedDB, which keeps a replica for the next visit; also for workers. Uses idb, and is an
 * entry of its own (`thingsync-client/indexeddb`), so that programs without it need not have it.
 */
import { deleteDatabase, openDatabase, table } from './indexeddb-database.ts'
import { storeGone, throwWhileOpen } from './indexeddb-errors.ts'
import { toRange } from './key-range.ts'
import type { LocalStore } from './local-store.ts'

/** A local store that holds a connection to a database. */
export interface IndexedDbStore extends LocalStore {
  /** Lets go of the database; a second time is fine. Call it after `stop` of a live replica. */
  readonly close: () => void
}

const formatVersion = 1
/** Read in one transaction, which does not live longer than a step of a listing. */
const entriesPerStep = 1_000

/**
 * Opens the store of this name, and makes it at the first time. What is written is on disk when `write` resolves (durability
 * `strict`). A tab that wants to delete the store gets its way: then every call here fails as `store_gone`.
 * @throws ClientError `store_forbidden`, `store_blocked`, `store_newer`, `store_full`
 */
export const openIndexedDbStore = async (name: string): Promise<IndexedDbStore> => {
  let isGone = false
  const database = await openDatabase(name, formatVersion, () => {
    isGone = true
  })
  const use = async <T>(work: () => Promise<T>): Promise<T> => {
    if (isGone) throw storeGone()
    return await work().catch(throwWhileOpen)
  }
  const readStep = (range: IDBKeyRange) =>
    use(async () => {
      const { store } = database.transaction(table)
      return await Promise.all([store.getAllKeys(range, entriesPerStep), store.getAll(range, entriesPerStep)])
    })
  const write = async (changes: ReadonlyMap<string, unknown>): Promise<void> => {
    const transaction = database.transaction(table, 'readwrite', { durability: 'strict' })
    const { store } = transaction
    // The first one says why; those of the other requests and of the transaction only that it was broken off.
    const failures: unknown[] = []
    const note = (failure: unknown) => failures.push(failure)
    try {
      for (const [key, value] of changes) {
        const request: Promise<unknown> = value === undefined ? store.delete(key) : store.put(value, key)
        request.catch(note)
      }
    } catch (error) {
      note(error)
      transaction.abort()
    }
    await transaction.done.catch(note)
    if (failures.length > 0) throw failures[0]
  }
  return {
    get: (key) => use(() => database.get(table, key)),
    async *list(prefix) {
      let after: string | undefined
      do {
        const [keys, values] = await readStep(toRange(prefix, after))
        for (const [index, key] of keys.entries()) yield [String(key), values[index]] as const
        after = keys.length < entriesPerStep ? undefined : String(keys.at(-1))
      } while (after !== undefined)
    },
    write: (changes) => use(() => write(changes)),
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
