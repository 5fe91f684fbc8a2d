/** A data folder that cannot be used now. The message is one sentence for the operator and says what to do. */
export class FolderRefused extends Error {
  override readonly name = 'FolderRefused'
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

/** Runs work on the files of a data folder; conditions that an operator can change come out as FolderRefused. */
export async function withFolderAdvice<T>(folder: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    if (advice[code]) throw new FolderRefused(`data folder: ${folder} ${advice[code]}`, { cause: error })
    throw error
  }
}
