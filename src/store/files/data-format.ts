import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { directoryForm, emptyDirectorySnapshot } from './directory-file.ts'
import { makeFolder, readDurable, syncFolder, writeDurable } from './durable-json-file.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { findPlace, readFormat, writeFormat } from './format-file.ts'
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

const listNames = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  try {
    return await files.readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
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
}

/**
 * Makes a data folder one of this program's format, which has a journal. A folder of the format before is copied to
 * `before-journal` in it first; its account files stay as they are.
 * @throws StoreFailed when the folder is of a later format or its `directory.json` is damaged; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<PreparedFolder> => {
  const { folder, files } = data
  const made = await files.mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(files, dirname(made))
  const asideFolder = join(folder, 'unfinished')
  const journalFolder = join(folder, 'journal')
  const directoryFile = { path: join(folder, 'directory.json'), asideFolder, form: directoryForm, files }

  const find = async (): Promise<PreparedFolder> => {
    const found = await readFormat(folder, files)
    await makeFolder(files, asideFolder)
    const names = await listNames(files, folder)
    // The journal's folder is made behind the copy; with it in place there is nothing left to copy.
    const isCopied = names.includes('before-journal') || names.includes('journal')
    if (found === null && !isCopied && (await hasData(files, folder))) await copyFirstFormat(data)
    await makeFolder(files, journalFolder)
    const place = await findPlace(journalFolder, files)
    if (found !== null) return { journalFolder, place, isCopy: found.place !== place, raises: found.raises }
    // Its newer version keeps programs out that know of no journal.
    await writeDurable(directoryFile, await readDurable(directoryFile, emptyDirectorySnapshot))
    await writeFormat(folder, files, { place, raises: [] })
    return { journalFolder, place, isCopy: false, raises: [] }
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
