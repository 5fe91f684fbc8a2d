import { deleteDB, type IDBPDatabase, openDB } from 'idb'
import { ClientError } from './client-error.ts'
import { storeBlocked, throwWhileOpening } from './indexeddb-errors.ts'

/** Entries that stand alone, by their keys. */
export const entriesTable = 'entries'
/** The values of packs, as one JSON text each, by the number of the pack. */
export const packsTable = 'packs'
/** The keys of packs, in the same way. */
export const packKeysTable = 'packKeys'

const tables = [entriesTable, packsTable, packKeysTable]

const requireIndexedDb = (): void => {
  try {
    if (globalThis.indexedDB) return
  } catch (error) {
    // Frames without an origin may not even ask.
    throwWhileOpening(error)
  }
  throw new ClientError('store_forbidden', 'there is no IndexedDB here')
}

/** Does not wait for a tab that does not give way, and lets go of what comes too late. */
const settleUnlessBlocked = async <T>(
  beginNow: (blocked: () => void) => Promise<T>,
  letGo: (late: T) => void = () => undefined,
): Promise<T> => {
  let block = () => {}
  const blocked = new Promise<'blocked'>((resolve) => {
    block = () => resolve('blocked')
  })
  // Some browsers refuse by throwing at once.
  const work = (async () => await beginNow(block))()
  const first = await Promise.race([work.then((value) => ({ value })), blocked]).catch(throwWhileOpening)
  if (first !== 'blocked') return first.value
  // Nobody waits for it any more, whatever becomes of it.
  work.then(letGo, () => undefined)
  throw storeBlocked()
}

/** Opens a database in this version; `onLost` is called when another tab or the browser takes it away. */
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

/** Deletes a database; one that is not there is fine. */
export const deleteDatabase = async (name: string): Promise<void> => {
  requireIndexedDb()
  await settleUnlessBlocked((blocked) => deleteDB(name, { blocked }))
}
