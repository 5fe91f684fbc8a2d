import { randomBytes } from 'node:crypto'
import { access, constants, type FileHandle, link, mkdir, open, stat, unlink } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** A data folder that cannot be used now. The message is one sentence for the operator and says what to do. */
export class FolderError extends Error {
  override readonly name = 'FolderError'
}

const advice: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist; create it or set THINGSYNC_DATA',
  ENOTDIR: 'is not a folder, or part of its path is a file; set THINGSYNC_DATA to a folder',
  EEXIST: 'is a file; set THINGSYNC_DATA to a folder',
  EACCES: 'may not be written by this user; change its owner or mode, or set THINGSYNC_DATA',
  EPERM: 'does not allow what a data folder needs (private files, hard links); choose another one with THINGSYNC_DATA',
  EROFS: 'is on a read-only file system; choose another one with THINGSYNC_DATA',
  ENOSPC: 'is on a full disk; free some space',
}

/** Runs work on the files of a data folder; conditions that an operator can change come out as FolderError. */
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
 * Makes sure that a data folder is there and can be written. A missing one is created, readable by its owner only
 * (mode 0700), as are the missing folders above it. Gives the uppermost one that was created, if any.
 * @throws FolderError with what to do when that is impossible
 */
export async function createFolder(folder: string): Promise<string | undefined> {
  return withFolderAdvice(folder, async () => {
    const made = await createMissingFolders(resolve(folder))
    if (!(await stat(folder)).isDirectory()) throw isFile(folder)
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
    return made
  })
}

/** Not `recursive`: where the system takes no names in a folder that is there (`/proc`), Node would try for ever. */
async function createMissingFolders(path: string): Promise<string | undefined> {
  if (await exists(path)) return undefined
  const above = await createMissingFolders(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // Another process made it in the meantime.
    if (code === 'EEXIST') return above
    if (code === 'ENOENT')
      throw new FolderError(`data folder: ${path} cannot be made, its file system takes none; set THINGSYNC_DATA`)
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

const isFile = (folder: string): FolderError =>
  new FolderError(`data folder: ${folder} is a file; set THINGSYNC_DATA to a folder`)

/**
 * Makes sure that a data folder is there, without creating anything.
 * @throws FolderError when it is missing or no folder
 */
export async function requireFolder(folder: string): Promise<void> {
  const found = await withFolderAdvice(folder, () => stat(folder))
  if (!found.isDirectory()) throw isFile(folder)
}

/**
 * Makes a file at once and whole, readable by its owner only; false when there is one of this name already. `write` is
 * given the inode that the file will have.
 */
export async function createFileAtomically(file: string, write: (inode: bigint) => string): Promise<boolean> {
  const temporary = `${file}.${randomBytes(8).toString('hex')}`
  const handle = await open(temporary, 'wx', 0o600)
  try {
    await fill(handle, write)
    // A link never replaces a file, so of all that arrive together one wins, and nobody ever reads half a file.
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
