import * as nodeFiles from 'node:fs/promises'
import { createStore } from './create-store.ts'
import { openFileKeeper } from './files/file-keeper.ts'
import type { FileOperations } from './files/file-operations.ts'
import { type Ownership, soleOwner } from './files/ownership.ts'
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
  /** Size at which a file of the journal is full, and what is in it is brought to the accounts' files; 64 MiB. */
  readonly segmentBytes?: number
  /** What is known of the folder's one owner; without it nobody else is looked for. */
  readonly ownership?: Ownership
  /** The functions of `node:fs/promises`, for tests of a disk that fails. */
  readonly files?: FileOperations
}

const defaultSegmentBytes = 64 * 1024 * 1024

/**
 * Opens the store that keeps everything as JSON files in one folder: every write is a line under `journal/` first, and
 * comes later to `directory.json` (users, apps and sessions) or to the account's file under `accounts/`.
 * @throws StoreFailed when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = async (options: JsonFileStoreOptions): Promise<Store> => {
  const {
    folder,
    form,
    now = Date.now,
    log = silentLog,
    files = nodeFiles,
    segmentBytes = defaultSegmentBytes,
    ownership = soleOwner,
  } = options
  const keeper = await openFileKeeper({ folder, files, log, now, segmentBytes, ownership })
  try {
    return await createStore({ form, now, keeper })
  } catch (error) {
    await keeper.close()
    throw error
  }
}
