import * as nodeFiles from 'node:fs/promises'
import { createStore } from './create-store.ts'
import { openFileBackend } from './disk/file-backend.ts'
import type { FileOperations } from './disk/file-operations.ts'
import { type Ownership, soleOwner } from './disk/ownership.ts'
import type { Store, ThingForm } from './store.ts'
import { type StoreLog, silentLog } from './store-log.ts'

/** Options of a JSON-file store. */
export interface JsonFileStoreOptions {
  /** The data folder; made when it is missing. One process at a time may have it open. */
  readonly folder: string
  readonly form: ThingForm
  /** Unix time in milliseconds; `Date.now` when left out. Only how far positions are raised after a restore depends on it. */
  readonly now?: () => number
  /** Milliseconds since whenever, never set back; `performance.now` when left out. */
  readonly elapsed?: () => number
  /** Told what was repaired and what is damaged; nobody when left out. */
  readonly log?: StoreLog
  /** Size at which a file of the journal is full, and what is in it is brought to the accounts' files; 64 MiB. */
  readonly segmentBytes?: number
  /** What is known of the folder's one owner; without it nobody else is looked for. */
  readonly ownership?: Ownership
  /** Told of each batch of writes that became durable, and how long that took; nobody when left out. */
  readonly onCommit?: (writes: number, milliseconds: number) => void
  /** The functions of `node:fs/promises`, for tests of a disk that fails. */
  readonly files?: FileOperations
}

const defaultSegmentBytes = 64 * 1024 * 1024

/**
 * Opens the store that has everything as JSON files in one folder: every write is a line under `journal/` first, and
 * comes later to `directory.json` (users, apps and sessions) or to the account's file under `accounts/`.
 * @throws StoreFailed when the folder cannot be used or `directory.json` is damaged
 */
export const openJsonFileStore = async (options: JsonFileStoreOptions): Promise<Store> => {
  const {
    folder,
    form,
    now = Date.now,
    elapsed = () => performance.now(),
    log = silentLog,
    files = nodeFiles,
    segmentBytes = defaultSegmentBytes,
    ownership = soleOwner,
    onCommit = () => undefined,
  } = options
  const backend = await openFileBackend({ folder, files, log, now, segmentBytes, ownership, onCommit })
  try {
    return await createStore({ form, elapsed, backend })
  } catch (error) {
    await backend.close()
    throw error
  }
}
