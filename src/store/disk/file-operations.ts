import type * as promises from 'node:fs/promises'
import { StoreFailed } from '../store.ts'

/** What the JSON-file store asks of the file system: these functions of `node:fs/promises`. */
export type FileOperations = Pick<
  typeof promises,
  'copyFile' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'unlink' | 'writeFile'
>

/** True when the operating system refused something, with this code if one is given (`ENOSPC`, `EIO`, …). */
export const isSystemError = (error: unknown, code?: string): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'code' in error && (code === undefined || error.code === code)

/** What the system gives, or the fallback where it says that there is no such file or folder. */
export const orIfMissing = async <Found, Fallback>(
  found: Promise<Found>,
  fallback: Fallback,
): Promise<Found | Fallback> => {
  try {
    return await found
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return fallback
    throw error
  }
}

/** Thrown where a file is to be read and a folder, a pipe or a device stands in its place: nothing can be said about it. */
export class NoFile extends StoreFailed {
  constructor(path: string) {
    super(`${path} is no file; move it out of the data folder`)
  }
}

/** What else stands in the place of a file may be read for ever. @throws NoFile, the system's error */
export const checkFile = async (files: Pick<FileOperations, 'stat'>, path: string): Promise<void> => {
  if (!(await files.stat(path)).isFile()) throw new NoFile(path)
}

/** Opens a file to be read, and nothing else. @throws NoFile, the system's error */
export const openFile = async (
  files: Pick<FileOperations, 'open' | 'stat'>,
  path: string,
): Promise<promises.FileHandle> => {
  await checkFile(files, path)
  return files.open(path, 'r')
}

/** Works with a file that is being opened, and closes it. */
export const withHandle = async <Result>(
  opening: Promise<promises.FileHandle>,
  work: (handle: promises.FileHandle) => Promise<Result>,
): Promise<Result> => {
  const handle = await opening
  try {
    return await work(handle)
  } finally {
    await handle.close()
  }
}
