import type * as promises from 'node:fs/promises'

/** What the JSON-file store asks of the file system: these functions of `node:fs/promises`. */
export type FileOperations = Pick<
  typeof promises,
  'copyFile' | 'mkdir' | 'open' | 'readdir' | 'readFile' | 'rename' | 'rm' | 'stat' | 'unlink' | 'writeFile'
>

/** True when the operating system refused something, with this code if one is given (`ENOSPC`, `EIO`, …). */
export const isSystemError = (error: unknown, code?: string): error is NodeJS.ErrnoException =>
  error instanceof Error && 'errno' in error && 'code' in error && (code === undefined || error.code === code)
