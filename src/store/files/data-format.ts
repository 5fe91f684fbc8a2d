import { constants } from 'node:fs'
import { join } from 'node:path'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { directoryForm, emptyDirectorySnapshot } from './directory-file.ts'
import { makeFolder, makeFolders, readDurable, removeFile, syncFolder, writeDurable } from './durable-json-file.ts'
import type { FileOperations } from './file-operations.ts'
import { findPlace, readFormat, writeFormat } from './format-file.ts'
import type { Inventory } from './inventory.ts'
import { listNames, refuseMissing } from './missing-files.ts'
import type { Raise } from './raises.ts'
import { DamagedFile } from './sealed-json.ts'

/** A data folder, and who is told what was changed in it. */
export interface DataFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
}

const copyFile = async (files: FileOperations, from: string, to: string): Promise<void> => {
  await files.copyFile(from, to, constants.COPYFILE_FICLONE)
  const handle = await files.open(to, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const copyFolder = async (files: FileOperations, from: string, to: string): Promise<void> => {
  await makeFolder(files, to)
  for (const entry of await files.readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    await (entry.isDirectory() ? copyFolder(files, source, target) : copyFile(files, source, target))
  }
  await syncFolder(files, to)
}

/** A copy of everything that a folder without a journal held, made before anything in it is changed. */
const copyFirstFormat = async ({ folder, files, log }: DataFolder): Promise<void> => {
  const copy = join(folder, 'before-journal')
  const unfinished = `${copy}.unfinished`
  await files.rm(unfinished, { recursive: true, force: true })
  await makeFolder(files, unfinished)
  const names = await listNames(files, folder)
  if (names.includes('directory.json'))
    await copyFile(files, join(folder, 'directory.json'), join(unfinished, 'directory.json'))
  if (names.includes('accounts')) await copyFolder(files, join(folder, 'accounts'), join(unfinished, 'accounts'))
  await syncFolder(files, unfinished)
  await files.rename(unfinished, copy)
  await syncFolder(files, folder)
  log.warn({ folder, copy }, `${folder} is brought to a newer format; all that it held was copied to ${copy} before`)
}

const hasData = async (files: FileOperations, folder: string): Promise<boolean> =>
  (await listNames(files, folder)).includes('directory.json') ||
  (await listNames(files, join(folder, 'accounts'))).length > 0

/** What was found when a data folder was prepared. */
export interface PreparedFolder {
  readonly journalFolder: string
  /** Where the folder is now (format-file.ts). */
  readonly place: string
  /** True when the folder was brought here as a copy, such as a backup, since it was last open. */
  readonly isCopy: boolean
  readonly raises: readonly Raise[]
  readonly inventory: Inventory | undefined
}

/**
 * Removes what an interrupted write left, before anything is read: an owner that was taken over can then give nothing
 * its name any more (`ownership.ts`).
 */
const emptyAsideFolder = async ({ files, log }: DataFolder, asideFolder: string): Promise<void> => {
  for (const name of await listNames(files, asideFolder)) {
    await removeFile(files, join(asideFolder, name))
    log.warn({ file: name }, `removed ${name}, which an interrupted write had left unfinished; nothing was lost`)
  }
}

/**
 * Makes a data folder one of this program's format, which has a journal. A folder of the format before is copied to
 * `before-journal` in it first; its account files stay as they are.
 * @throws StoreFailed when the folder is of a later format, its `directory.json` is damaged, or a file that it must have
 * is missing; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<PreparedFolder> => {
  const { folder, files } = data
  await makeFolders(files, folder)
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')
  const directoryFile = { path: join(folder, 'directory.json'), asideFolder, form: directoryForm, files }

  const find = async (): Promise<PreparedFolder> => {
    // A folder of a later format is left as it is.
    await readFormat(folder, files)
    await emptyAsideFolder(data, asideFolder)
    const found = await readFormat(folder, files)
    await refuseMissing(folder, files, found)
    await makeFolder(files, asideFolder)
    const names = await listNames(files, folder)
    // The journal's folder is made behind the copy; with it in place there is nothing left to copy.
    const isCopied = names.includes('before-journal') || names.includes('journal')
    if (found === null && !isCopied && (await hasData(files, folder))) await copyFirstFormat(data)
    await makeFolder(files, journalFolder)
    const place = await findPlace(journalFolder, files)
    // From here on an earlier program refuses the folder: it would drop what it does not know.
    if (found?.isEarlier === true) await writeFormat(folder, files, found)
    if (found !== null) return { ...found, journalFolder, place, isCopy: found.place !== place }
    // Its newer version keeps programs out that know of no journal.
    await writeDurable(directoryFile, await readDurable(directoryFile, emptyDirectorySnapshot))
    const format = { place, raises: [], inventory: undefined }
    await writeFormat(folder, files, format)
    return { ...format, journalFolder, isCopy: false }
  }

  try {
    return await find()
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new StoreFailed(`${directoryFile.path} or format.json beside it is damaged: ${error.message}`, {
      cause: error,
    })
  }
}
