import { constants } from 'node:fs'
import { dirname, join } from 'node:path'
import { directoryForm, emptyDirectorySnapshot } from './directory-file.ts'
import {
  type DurableFile,
  makeFolder,
  readDurable,
  syncFolder,
  type TextForm,
  writeDurable,
} from './durable-json-file.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { DamagedFile, decodeSealed, encodeSealed } from './sealed-json.ts'
import { StoreFailed } from './store.ts'
import type { StoreLog } from './store-log.ts'

/** A data folder, and who is told what was changed in it. */
export interface DataFolder {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
}

/** What `format.json` says, in the place of the format, while a folder is not to be opened, and what to do about it. */
const unfinishedFormats = {
  restore: 'thingsync data, half restored: empty this folder and restore the backup again',
  repair: 'thingsync data, half repaired: run thingsync verify --repair again',
}

const head = { format: 'thingsync data', version: 2 }

const formatForm: TextForm<boolean> = {
  encode: () => encodeSealed(head, {}),
  decode: (text) => decodeSealed(text, head) !== undefined,
}

/** `format.json`: it is there, and says that the folder is of this program's format. */
export const showFormatFile = ({ folder, files }: Omit<DataFolder, 'log'>): DurableFile<boolean> => ({
  path: join(folder, 'format.json'),
  asideFolder: join(folder, 'unfinished'),
  form: formatForm,
  files,
})

/** Makes a folder one that a store opens. */
export const writeFormat = (data: Omit<DataFolder, 'log'>): Promise<void> => writeDurable(showFormatFile(data), true)

/** Keeps stores from opening a folder until `writeFormat`. */
export const writeUnfinishedFormat = (
  data: Omit<DataFolder, 'log'>,
  work: keyof typeof unfinishedFormats,
): Promise<void> => {
  const encode = () => encodeSealed({ ...head, format: unfinishedFormats[work] }, {})
  return writeDurable({ ...showFormatFile(data), form: { ...formatForm, encode } }, true)
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

/**
 * Makes a data folder one of this program's format, which has a journal. A folder of the format before is copied to
 * `before-journal` in it first; its account files stay as they are.
 * @throws StoreFailed when the folder is of a later format or its `directory.json` is damaged; the system's error
 */
export const prepareDataFolder = async (data: DataFolder): Promise<void> => {
  const { folder, files } = data
  const made = await files.mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) await syncFolder(files, dirname(made))
  const asideFolder = join(folder, 'unfinished')
  const formatFile = showFormatFile(data)
  const directoryFile = { path: join(folder, 'directory.json'), asideFolder, form: directoryForm, files }
  try {
    if (await readDurable(formatFile, false)) return
    await makeFolder(files, asideFolder)
    const isCopied = (await listNames(files, folder)).includes('before-journal')
    if (!isCopied && (await hasData(files, folder))) await copyFirstFormat(data)
    // Its newer version keeps programs out that know of no journal.
    await writeDurable(directoryFile, await readDurable(directoryFile, emptyDirectorySnapshot))
    await writeFormat(data)
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error
    throw new StoreFailed(`${directoryFile.path} or ${formatFile.path} is damaged: ${error.message}`, { cause: error })
  }
}
