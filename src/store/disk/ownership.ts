import { StoreError, type StoreLog } from '../store.ts'
import { type FileOperations, isSystemError, SyncError } from './files.ts'

/**
 * What a store knows of the one writer of its folder. An owner may be suspended at any moment, taken over, and go on
 * without knowing; these rules keep it from harm:
 *
 * - What it appends is answered only when it still owned the folder *after* that was on disk. Who takes over first makes
 *   its being the owner known, and then reads; so what was answered before was read.
 * - Whole files get their names by a rename out of `unfinished/`, which is tried only when the folder was still owned
 *   after the file was there. Who takes over empties that folder before it reads anything, so a late rename finds nothing.
 * - Who takes over from an owner that was only silent gives the newest file of the journal its own copy: what is appended
 *   late goes to a file that has no name any more.
 */
export interface Ownership {
  /** False when another process has taken the folder over. */
  readonly isHeld: () => Promise<boolean>
  /** True when the owner before was not seen to end. */
  readonly mayHaveRival: boolean
}

/**
 * Thrown when another process writes the data folder, or may do so. What was just written may be found there or not;
 * nothing more may be written by this process.
 */
export class OwnershipLost extends Error {
  override readonly name = 'FolderLost'

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause })
  }
}

/** A folder that nobody else is said to know. */
export const soleOwner: Ownership = { isHeld: async () => true, mayHaveRival: false }

/** Throws when the folder is not owned any more. @throws FolderLost */
export const checkOwnership = async (folder: string, { isHeld }: Ownership): Promise<void> => {
  let isStillHeld: boolean
  try {
    isStillHeld = await isHeld()
  } catch (error) {
    // Whoever cannot find out must not answer either.
    throw new OwnershipLost(`${folder} cannot tell whether another process has taken it over`, error)
  }
  if (!isStillHeld) throw new OwnershipLost(`${folder} was taken over by another process`)
}

/** The same operations, of which those that take a name from a file or give it one need the folder to be owned. */
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
  let lost: SyncError | OwnershipLost | undefined

  const reading: DiskGuard['reading'] = async (work) => {
    try {
      return await work()
    } catch (error) {
      if (isSystemError(error)) throw new StoreError(`data folder: ${error.message}`, { cause: error })
      throw error
    }
  }

  const refuse = (cause: SyncError | OwnershipLost): StoreError =>
    new StoreError(`${cause.message}; nothing more is written until a restart`, { cause })

  const writing: DiskGuard['writing'] = (work) =>
    reading(async () => {
      if (lost !== undefined) throw refuse(lost)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof SyncError || error instanceof OwnershipLost)) throw error
        if (error instanceof SyncError && !error.isInUse) throw new StoreError(error.message, { cause: error })
        lost = error
        log.error({ err: error }, refuse(error).message)
        throw refuse(error)
      }
    })

  return { reading, writing }
}
