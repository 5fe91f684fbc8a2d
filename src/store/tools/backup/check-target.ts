import { lstat, realpath, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemError, orIfMissing } from '../../disk/file-operations.ts'
import { BackupRefused } from './backup-refused.ts'

/** Where a backup is to stand, and of which data folder it is. */
export interface BackupTarget {
  readonly file: string
  /** Undefined when it is of a database. */
  readonly dataFolder: string | undefined
}

/**
 * Makes sure that a backup, or what else is written whole, may stand at a path: a regular file, which it replaces, or a
 * name that is not taken, and not in the data folder itself, by whatever path.
 * @throws BackupRefused with what to do; the system's error
 */
export const checkTarget = async (file: string, dataFolder: string | undefined, what = 'backup'): Promise<void> => {
  const folder = await realpath(dirname(file))
  const kind = await findKind(file)
  if (kind !== undefined)
    throw new BackupRefused(`${what}: ${file} is ${kind}; give the name of a new file, or - for standard output`)
  if (dataFolder !== undefined && (await isInside(folder, dataFolder)))
    throw new BackupRefused(`${what}: ${file} is in the data folder; give a file somewhere else`)
}

/** The same before anything is begun. @throws BackupRefused */
export const refuseTarget = async ({ file, dataFolder }: BackupTarget): Promise<void> => {
  try {
    await checkTarget(file, dataFolder)
  } catch (error) {
    throw isSystemError(error) ? describeUnwritable(file, error) : error
  }
}

/** What is said of a file that the system lets nobody write. */
export const describeUnwritable = (
  file: string,
  { code = '', message }: NodeJS.ErrnoException,
  what = 'backup',
): BackupRefused => {
  const folder = dirname(file)
  const whys: Readonly<Record<string, string>> = {
    ENOENT: `there is no folder ${folder}`,
    ENOTDIR: `${folder} is no folder`,
    EACCES: `this user may not write in ${folder}`,
    EROFS: `${folder} is on a read-only file system`,
    ENOSPC: `${folder} is on a full disk`,
  }
  return new BackupRefused(`${what}: ${file} cannot be written: ${whys[code] ?? message}`)
}

/** What stands there, when a backup may not replace it. */
const findKind = async (file: string): Promise<string | undefined> => {
  const found = await orIfMissing(lstat(file), undefined)
  if (found === undefined || found.isFile()) return undefined
  if (found.isSymbolicLink()) return 'a link'
  return found.isDirectory() ? 'a folder' : 'no regular file'
}

/** True for a data folder and what is in it. Compares what the file system calls them, so that a second mount is found too. */
export const isInside = async (folder: string, dataFolder: string): Promise<boolean> => {
  const data = await stat(dataFolder, { bigint: true })
  for (let path = folder; ; path = dirname(path)) {
    const { dev, ino } = await stat(path, { bigint: true })
    if (dev === data.dev && ino === data.ino) return true
    if (path === dirname(path)) return false
  }
}
