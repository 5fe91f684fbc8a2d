import { join } from 'node:path'
import { DamagedFile } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { makeFolder, makeFolders, removeFile } from './durable-json-file.ts'
import { type FileOperations, isSystemError, NoFile } from './file-operations.ts'
import { findPlace, readFormat, writeFormat } from './format-file.ts'
import type { Inventory } from './inventory.ts'
import { listNames, refuseMissing } from './missing-files.ts'
import type { Raise } from './raises.ts'
import { readRegistry, writeRegistry } from './registry-file.ts'
import { findWayBack, type WayBack } from './way-back.ts'

/** A data folder, and who is told what was changed in it. */
export interface DataFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** Unix time in milliseconds. */
  readonly now: () => number
}

/** What was found when a data folder was prepared. */
export interface PreparedFolder {
  readonly journalFolder: string
  /** Where the folder is now (format-file.ts). */
  readonly place: string
  /** Why the folder may be an earlier state of itself, such as a backup; undefined when nothing says so. */
  readonly wayBack: WayBack | undefined
  readonly raises: readonly Raise[]
  readonly inventory: Inventory | undefined
}

/**
 * Removes what an interrupted write left, before anything is read: an owner that was taken over can then give nothing
 * its name any more (`ownership.ts`).
 * @throws NoFile of a folder, which no write has left; the system's error
 */
const emptyAsideFolder = async ({ files, log }: DataFolder, asideFolder: string): Promise<void> => {
  for (const name of await listNames(files, asideFolder)) {
    const path = join(asideFolder, name)
    await removeFile(files, path).catch((error: unknown) => {
      throw isSystemError(error, 'EISDIR') ? new NoFile(path) : error
    })
    log.warn({ file: name }, `removed ${name}, which an interrupted write had left unfinished; nothing was lost`)
  }
}

/**
 * Creates a data folder, or opens one of this program's format.
 * @throws StoreFailed when the folder is of a later format, its `directory.json` is damaged, or a file that it must have
 * is missing; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<PreparedFolder> => {
  const { folder, files } = data
  await makeFolders(files, folder)
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')

  const find = async (): Promise<PreparedFolder> => {
    // A folder of a later format is left as it is.
    await readFormat(folder, files)
    await emptyAsideFolder(data, asideFolder)
    const found = await readFormat(folder, files)
    await refuseMissing(folder, files, found)
    await makeFolder(files, asideFolder)
    const wayBack = found === null ? undefined : await findWayBack(data, found)
    for (const path of [join(folder, 'accounts'), journalFolder]) await makeFolder(files, path)
    const place = await findPlace(journalFolder, files)
    // A folder with a `format.json` and without this file would be refused.
    if (found === null) await writeRegistry(folder, files, await readRegistry(folder, files))
    const format = { raises: found?.raises ?? [], inventory: found?.inventory }
    // The sign must outlive what is changed before the positions are raised, should a crash come between.
    if (found === null || wayBack !== undefined)
      await writeFormat(folder, files, { ...format, place: wayBack === undefined ? place : '' })
    return { ...format, journalFolder, place, wayBack }
  }

  try {
    return await find()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    const path = join(folder, 'directory.json')
    throw new StoreFailed(`${path} or format.json beside it is damaged: ${error.message}`, { cause: error })
  }
}
