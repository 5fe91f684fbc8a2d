import { join } from 'node:path'
import { StoreFailed } from '../store.ts'
import { isSegmentName, showSegmentPath } from '../wal/segment-file.ts'
import { type FileOperations, isSystemError } from './file-operations.ts'
import { type DataFormat, findPlace } from './format-file.ts'
import { findSavedWrite } from './saved-write.ts'

/** The names in a folder; none where it is missing. */
export const listNames = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  try {
    return await files.readdir(folder)
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
}

/** The files of accounts in a data folder, by their paths, of whatever version. */
export const listAccountFiles = async (files: FileOperations, folder: string): Promise<readonly string[]> => {
  const accountsFolder = join(folder, 'accounts')
  try {
    const names = await files.readdir(accountsFolder, { recursive: true })
    return names.filter((name) => /\.(nd)?json$/.test(name)).map((name) => join(accountsFolder, name))
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return []
    throw error
  }
}

/** The highest number of a write that the files of accounts and of the registry name; 0 when there is none. */
export const findLastSaved = async (files: FileOperations, folder: string): Promise<number> => {
  let last = 0
  for (const path of [join(folder, 'directory.json'), ...(await listAccountFiles(files, folder))])
    last = Math.max(last, await findSavedWrite(files, path))
  return last
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
  const segments = (await listNames(files, journalFolder)).filter(isSegmentName)
  // In a folder of the first format, and in one whose making was interrupted, no file names a write.
  if (format === null) {
    if (segments.length > 0 || (await findLastSaved(files, folder)) > 0)
      throw new StoreFailed(`${join(folder, 'format.json')} is missing; ${missingAdvice}`)
    return
  }
  if (!names.includes('directory.json'))
    throw new StoreFailed(`${join(folder, 'directory.json')} is missing, with all users and sessions; ${missingAdvice}`)
  if (segments.length > 0) return
  // Earlier versions made the journal's first file last; such a folder is where it was made, and no file names a write.
  const isBegun =
    format.inventory !== undefined ||
    !names.includes('journal') ||
    format.place !== (await findPlace(journalFolder, files)) ||
    (await findLastSaved(files, folder)) > 0
  if (!isBegun) return
  const oldest = format.inventory === undefined ? journalFolder : showSegmentPath(journalFolder, format.inventory.first)
  throw new StoreFailed(`${oldest} is missing; ${missingAdvice}`)
}
