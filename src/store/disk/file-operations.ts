import type * as promises from 'node:fs/promises'

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
