import type { FileOperations } from './file-operations.ts'

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
export class FolderLost extends Error {
  override readonly name = 'FolderLost'

  constructor(sentence: string, cause?: unknown) {
    super(sentence, { cause })
  }
}

/** A folder that nobody else is said to know. */
export const soleOwner: Ownership = { isHeld: async () => true, mayHaveRival: false }

/** Throws when the folder is not owned any more. @throws FolderLost */
export const checkHeld = async (folder: string, { isHeld }: Ownership): Promise<void> => {
  let isStillHeld: boolean
  try {
    isStillHeld = await isHeld()
  } catch (error) {
    // Whoever cannot find out must not answer either.
    throw new FolderLost(`${folder} cannot tell whether another process has taken it over`, error)
  }
  if (!isStillHeld) throw new FolderLost(`${folder} was taken over by another process`)
}

/** The same operations, of which those that take a name from a file or give it one need the folder to be owned. */
export const guardNames = (files: FileOperations, folder: string, ownership: Ownership): FileOperations => ({
  ...files,
  rename: async (from, to) => {
    await checkHeld(folder, ownership)
    await files.rename(from, to)
  },
  unlink: async (path) => {
    await checkHeld(folder, ownership)
    await files.unlink(path)
  },
})
