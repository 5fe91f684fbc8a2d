import { join } from 'node:path'
import { DamagedFile } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { makeFolder, makeFolders, removeFile } from './durable-json-file.ts'
import { type FileOperations, isSystemError, NoFile } from './file-operations.ts'
import { type DataFormat, findPlace, readFormat, writeFormat } from './format-file.ts'
import type { Inventory } from './inventory.ts'
import { finishMigration, isHalfMoved, migrateFolder, oldEnding, renameKnown } from './migrate/migrate-folder.ts'
import { listAccountFiles, listNames, refuseMissing } from './missing-files.ts'
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

/** True for a folder of the first format with something in it. */
const hasOldAccounts = async (files: FileOperations, folder: string): Promise<boolean> => {
  const names = await listNames(files, folder)
  if (names.includes('directory.json') && !names.includes('journal')) return true
  return (await listAccountFiles(files, folder)).some((path) => path.endsWith(oldEnding))
}

/** Nothing that an earlier copy holds may be mixed with what the folder holds now. */
const refuseCopy = (folder: string, names: readonly string[], copyName: string): void => {
  if (names.includes(copyName))
    throw new StoreFailed(
      `${folder} is of an earlier version, and is to be kept in ${join(folder, copyName)}, which is there already; ` +
        'move that out of the folder, and start again',
    )
}

/** The signs in a folder as it is, or as it was before its files were moved, half or all of them, to a copy in it. */
const findOldWayBack = async (data: DataFolder, format: DataFormat, copyName: string | undefined) => {
  const { folder, files } = data
  const copy = copyName === undefined ? undefined : join(folder, copyName)
  const isMoved = copy !== undefined && (await listNames(files, copy)).includes('journal')
  return findWayBack({ ...data, journalFolder: join(isMoved ? copy : folder, 'journal') }, format)
}

const renameInventory = (format: DataFormat | null): Inventory | undefined =>
  format?.inventory && { ...format.inventory, accounts: renameKnown(format.inventory.accounts) }

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
 * Makes a data folder one of this program's format. What a folder of an earlier version held is kept in it, in
 * `before-version-5`, or `before-journal` where it had none.
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
    await readFormat(folder, files, 'write')
    await emptyAsideFolder(data, asideFolder)
    const found = await readFormat(folder, files, 'write')
    const names = await listNames(files, folder)
    const copyName = found === null ? 'before-journal' : 'before-version-5'
    const isMoving = isHalfMoved(names)
    const isOld = found === null ? await hasOldAccounts(files, folder) : found.isEarlier === true
    if (!isMoving) await refuseMissing(folder, files, found)
    if (isOld && !isMoving) refuseCopy(folder, names, copyName)
    await makeFolder(files, asideFolder)
    const isMigrated = isOld || (isMoving && found === null)
    // Before anything of it is moved: the signs are in what is there.
    const wayBack =
      found === null ? undefined : await findOldWayBack(data, found, isMoving && isOld ? copyName : undefined)
    if (isMigrated) await migrateFolder({ ...data, copyName })
    for (const path of [join(folder, 'accounts'), journalFolder]) await makeFolder(files, path)
    const place = await findPlace(journalFolder, files)
    // Its newer version keeps programs out that know of no journal.
    if (found === null) await writeRegistry(folder, files, await readRegistry(folder, files))
    const format = { raises: found?.raises ?? [], inventory: isOld ? renameInventory(found) : found?.inventory }
    // From here on an earlier program refuses the folder: it would drop what it does not know. And a sign must outlive
    // what is changed before the positions are raised, should a crash come between.
    if (found === null || isOld || wayBack !== undefined)
      await writeFormat(folder, files, { ...format, place: wayBack === undefined ? place : '' })
    if (isMigrated || isMoving) await finishMigration(folder, files)
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
