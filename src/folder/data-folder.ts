import { randomBytes } from 'node:crypto'
import { access, constants, type FileHandle, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** A data folder that cannot be used now. The message is one sentence for the administrator and says what to do. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; check the path, or choose another folder with --data or THINGSYNC_DATA',
  ENOTDIR: 'is not a folder, or part of its path is a file; give a folder with --data or THINGSYNC_DATA',
  EEXIST: 'is a file; give a folder with --data or THINGSYNC_DATA',
  EACCES:
    'may not be written by this user; change its owner or mode, or choose another folder with --data or THINGSYNC_DATA',
  EPERM:
    'does not allow what a data folder needs (private files, hard links); choose another folder with --data or THINGSYNC_DATA',
  EROFS: 'is on a read-only file system; choose another folder with --data or THINGSYNC_DATA',
  ENOSPC: 'is on a full disk; free some space',
}

/**
 * Runs work on the files of a data folder.
 * @throws FolderError for conditions that the administrator can change; every other error of `work`
 */
export async function withFolderAdvice<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (advice[code]) throw new FolderError(`data folder: ${folder} ${advice[code]}`, { cause: error })
    throw error
  }
}

/**
 * Creates a data folder and the folders above it if they are missing, readable by their owner only (mode 0700). Checks
 * that the folder can be written. Returns the uppermost created folder, if there is one.
 * @throws FolderError with what to do when that is impossible
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  return withFolderAdvice(folder, async () => {
    const created = await createMissingFolders(resolve(folder))
    if (!(await stat(folder)).isDirectory()) throw createFileError(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return created
  })
}

/** Creates missing folders. Not with `recursive`: Node never ends where a file system rejects all names (`/proc`). */
async function createMissingFolders(path: string): Promise<string | undefined> {
  if (await exists(path)) return undefined
  const above = await createMissingFolders(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process has created it in the meantime.
    if (code === 'EEXIST') return above
    if (code === 'ENOENT')
      throw new FolderError(
        `data folder: ${path} cannot be created on this file system; choose another folder with --data or THINGSYNC_DATA`,
      )
    throw error
  }
  return above ?? path
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && dirname(path) !== path) return false
    throw error
  }
}

const createFileError = (folder: string): FolderError =>
  new FolderError(`data folder: ${folder} is a file; give a folder with --data or THINGSYNC_DATA`)

/**
 * Checks that a data folder exists, and creates nothing.
 * @throws FolderError when it is missing or is no folder
 */
export async function requireFolder(folder: string): Promise<void> {
  const found = await withFolderAdvice(folder, () => stat(folder))
  if (!found.isDirectory()) throw createFileError(folder)
}

/**
 * Creates a file atomically, readable by its owner only. Returns false when a file of this name exists already. `write`
 * gets the inode of the new file, and returns its content.
 */
export async function createFileAtomically(file: string, write: (inode: bigint) => string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await fill(handle, write)
    // A link never replaces a file. So of several processes one wins, and no process reads half a file.
    await link(temporary, file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  } finally {
    await handle.close()
    await unlink(temporary)
  }
}

async function fill(handle: FileHandle, write: (inode: bigint) => string): Promise<void> {
  const { ino } = await handle.stat({ bigint: true })
  await handle.writeFile(write(ino))
  await handle.sync()
}
