import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import { SyncFailed } from './durable-json-file.ts'
import { isSystemError } from './file-operations.ts'
import { FolderLost } from './ownership.ts'

/** Between a backend and its disk: what the disk refuses becomes StoreFailed. */
export interface DiskGuard {
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * After a failed sync of a file or folder that is in use nothing is written any more: the disk's word is worth nothing
   * until a restart. Neither is it when the folder was lost to another process. A file that could not be written aside
   * is only what it is: one that is not there.
   */
  readonly writing: <T>(work: () => Promise<T>) => Promise<T>
}

/** A guard of a disk that has not failed yet. */
export const createDiskGuard = (log: StoreLog): DiskGuard => {
  let lost: SyncFailed | FolderLost | undefined

  const reading: DiskGuard['reading'] = async (work) => {
    try {
      return await work()
    } catch (error) {
      if (isSystemError(error)) throw new StoreFailed(`data folder: ${error.message}`, { cause: error })
      throw error
    }
  }

  const refuse = (cause: SyncFailed | FolderLost): StoreFailed =>
    new StoreFailed(`${cause.message}; nothing more is written until a restart`, { cause })

  const writing: DiskGuard['writing'] = (work) =>
    reading(async () => {
      if (lost !== undefined) throw refuse(lost)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof SyncFailed || error instanceof FolderLost)) throw error
        if (error instanceof SyncFailed && !error.isInUse) throw new StoreFailed(error.message, { cause: error })
        lost = error
        log.error({ err: error }, refuse(error).message)
        throw refuse(error)
      }
    })

  return { reading, writing }
}
