import { StoreError, type StoreLog } from '../store.ts'
import { type FileOperations, isSystemError, SyncError } from './files.ts'

/**
 * A store's knowledge about the single writer of its folder. The system may suspend an owner at any moment. Another
 * process may then take over the folder, and the old owner may continue without knowing. Three rules prevent harm:
 *
 * - The store acknowledges an append only if it still owned the folder *after* the append was on disk. A new owner
 *   first makes its ownership known and then reads. So the new owner has read everything that was acknowledged before.
 * - Whole files get their names by a rename out of `unfinished/`. The store tries the rename only if it still owned the
 *   folder after the file was there. A new owner empties `unfinished/` before it reads, so a late rename finds no file.
 * - A new owner that did not see the old owner end copies the newest file of the journal. Late appends of the old owner
 *   then go to a file that has no name any more.
 */
export interface Ownership {
  /** Returns false when another process has taken over the folder. */
  readonly isHeld: () => Promise<boolean>
  /** True when the previous owner was not seen to end. */
  readonly mayHavePreviousOwner: boolean
}

/**
 * Another process writes the data folder, or may do so. The other process may or may not find what was just written.
 * This process must write nothing more.
 */
export class OwnershipLost extends Error {
  override readonly name = 'OwnershipLost'

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause })
  }
}

/** The ownership of a folder that no other process can take over. */
export const soleOwner: Ownership = { isHeld: async () => true, mayHavePreviousOwner: false }

/** Checks that this process still owns the folder. @throws OwnershipLost when it does not */
export const checkOwnership = async (folder: string, { isHeld }: Ownership): Promise<void> => {
  let isStillHeld: boolean
  try {
    isStillHeld = await isHeld()
  } catch (error) {
    // A process that cannot check its ownership must not acknowledge writes either.
    throw new OwnershipLost(`${folder} cannot find out whether another process has taken it over`, error)
  }
  if (!isStillHeld) throw new OwnershipLost(`${folder} was taken over by another process`)
}

/** Wraps file operations: operations that remove or assign a file's name first check the ownership of the folder. */
export const guardNames = (files: FileOperations, folder: string, ownership: Ownership): FileOperations => ({
  ...files,
  rename: async (from, to) => {
    await checkOwnership(folder, ownership)
    await files.rename(from, to)
  },
  unlink: async (path) => {
    await checkOwnership(folder, ownership)
    await files.unlink(path)
  },
})

/** Guards the access of a backend to its disk: it turns errors of the disk into StoreError. */
export interface DiskGuard {
  readonly reading: <T>(work: () => Promise<T>) => Promise<T>
  /**
   * Runs work that writes. After a failed sync of a file or folder in use, the guard permits no more writes: the state
   * of the disk is unknown until a restart. The same applies after a loss of ownership. After a failure to write a file
   * aside, later writes are permitted: that file just does not exist.
   */
  readonly writing: <T>(work: () => Promise<T>) => Promise<T>
}

/** Creates a guard for a disk that has not failed yet. */
export const createDiskGuard = (log: StoreLog): DiskGuard => {
  let lost: SyncError | OwnershipLost | undefined

  const reading: DiskGuard['reading'] = async (work) => {
    try {
      return await work()
    } catch (error) {
      if (isSystemError(error)) throw new StoreError(`data folder: ${error.message}`, { cause: error })
      throw error
    }
  }

  const createLostError = (cause: SyncError | OwnershipLost): StoreError =>
    new StoreError(`${cause.message}; nothing more is written until a restart`, { cause })

  const writing: DiskGuard['writing'] = (work) =>
    reading(async () => {
      if (lost !== undefined) throw createLostError(lost)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof SyncError || error instanceof OwnershipLost)) throw error
        if (error instanceof SyncError && !error.isInUse) throw new StoreError(error.message, { cause: error })
        lost = error
        log.error({ err: error }, createLostError(error).message)
        throw createLostError(error)
      }
    })

  return { reading, writing }
}
