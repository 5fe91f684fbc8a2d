import { join } from 'node:path'
import { StoreFailed } from '../store.ts'
import { listFirstWrites, locateSegment } from '../wal/segment-file.ts'
import { accountEnding } from './account-path.ts'
import { readBytes } from './file-lines.ts'
import { type FileOperations, openFile, orIfMissing, withHandle } from './file-operations.ts'
import { type DataFormat, findPlace } from './format-file.ts'

/** The names in a folder; none where it is missing. */
export const listNames = (files: FileOperations, folder: string): Promise<readonly string[]> =>
  orIfMissing(files.readdir(folder), [])

/** The files of accounts in a data folder, by their paths. */
export const listAccountFiles = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  const accountsFolder = join(folder, 'accounts')
  const names = await orIfMissing(files.readdir(accountsFolder, { recursive: true }), [])
  return names.filter((name) => name.endsWith(accountEnding)).map((name) => join(accountsFolder, name))
}

const headBytes = 4096

/** True when a file of an account or of the registry, damaged or not, names in its first lines a write that it holds. */
const namesWrite = async (files: FileOperations, path: string): Promise<boolean> => {
  const reading = withHandle(openFile(files, path), (handle) => readBytes(handle, 0, headBytes))
  const [, write] = /"write": *(\d{1,15})[,}]/.exec(String(await orIfMissing(reading, ''))) ?? []
  return Number(write ?? 0) > 0
}

const isAnyWriteSaved = async (files: FileOperations, folder: string): Promise<boolean> => {
  for (const path of [join(folder, 'directory.json'), ...(await listAccountFiles(files, folder))])
    if (await namesWrite(files, path)) return true
  return false
}

/** What to do about a file that is gone. */
export const missingAdvice =
  'put it back from a copy of the folder, or restore a backup, or run "thingsync verify --repair" to go on without it'

/**
 * Refuses a data folder that lacks what it must have had, before anything in it is changed: it would be taken for an
 * empty or an older one, and its clients would lose what they are told is gone.
 * @throws StoreFailed
 */
export const refuseMissing = async (
  folder: string,
  files: FileOperations,
  format: DataFormat | null,
): Promise<void> => {
  const names = await listNames(files, folder)
  const journalFolder = join(folder, 'journal')
  const segments = await listFirstWrites(files, journalFolder)
  // In a folder whose creation was interrupted no file names a write.
  if (format === null) {
    if (segments.length > 0 || (await isAnyWriteSaved(files, folder)))
      throw new StoreFailed(`${join(folder, 'format.json')} is missing; ${missingAdvice}`)
    return
  }
  const registry = join(folder, 'directory.json')
  // Not by its name: a link may lead to a disk that is not there.
  if ((await orIfMissing(files.stat(registry), undefined)) === undefined)
    throw new StoreFailed(`${registry} is missing, with all users and sessions; ${missingAdvice}`)
  if (segments.length > 0) return
  // The journal's first file is created last: until then the folder is where it was created, and no file names a write.
  const isBegun =
    format.inventory !== undefined ||
    !names.includes('journal') ||
    format.place !== (await findPlace(journalFolder, files)) ||
    (await isAnyWriteSaved(files, folder))
  if (!isBegun) return
  const oldest = format.inventory === undefined ? journalFolder : locateSegment(journalFolder, format.inventory.first)
  throw new StoreFailed(`${oldest} is missing; ${missingAdvice}`)
}
