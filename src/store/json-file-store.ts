import * as nodeFiles from 'node:fs/promises'
import { createStore } from './create-store.ts'
import { openFileKeeper } from './file-keeper.ts'
import type { FileOperations } from './file-operations.ts'
import type { Store, ThingForm } from './store.ts'
import { type StoreLog, silentLog } from './store-log.ts'

/** Options of a JSON-file store. */
export interface JsonFileStoreOptions {
  /** The data folder; made when it is missing. One process at a time may have it open. */
  readonly folder: string
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` when left out. */
  readonly now?: () => number
  /** Told what was repaired and what is damaged; nobody when left out. */
  readonly log?: StoreLog
  /** The functions of `node:fs/promises`, for tests of a disk that fails. */
  readonly files?: FileOperations
}

/**
 * Opens the store that keeps everything as JSON files in one folder: `directory.json` for users, apps and sessions, and
 * a file per account under `accounts/`. Each is plain JSON with one item a line and a checksum at the end.
 * @throws StoreFailed when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = async (options: JsonFileStoreOptions): Promise<Store> => {
  const { folder, form, now = Date.now, log = silentLog, files = nodeFiles } = options
  const keeper = await openFileKeeper({ folder, files, log })
  return createStore({ form, now, keeper })
}
