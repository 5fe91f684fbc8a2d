import type { FileHandle } from 'node:fs/promises'
import { SyncFailed } from '../disk/durable-json-file.ts'
import { type FileOperations, isSystemError } from '../disk/file-operations.ts'
import { checkHeld, FolderLost, type Ownership } from '../disk/ownership.ts'

/** A segment that takes lines at its end. */
export interface SegmentFile {
  readonly path: string
  readonly size: () => number
  /**
   * Adds UTF-8 text, in pieces, and waits until it is on disk.
   * @throws SyncFailed when it is not known what the disk holds; FolderLost when another process writes the journal; the
   * system's error when it holds nothing of the text
   */
  readonly append: (pieces: readonly Buffer[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** What segments are written with. */
export interface SegmentPlace {
  readonly files: FileOperations
  readonly folder: string
  /** A folder of the same file system to write new files aside. */
  readonly asideFolder: string
  readonly ownership: Ownership
}

/** A segment that is open at its end, of which this many bytes are known. */
export const useSegment = async (
  { files, folder, ownership }: SegmentPlace,
  path: string,
  handle: FileHandle,
  startSize: number,
): Promise<SegmentFile> => {
  const { ino } = await files.stat(path, { bigint: true })
  let size = startSize

  /** Neither may anybody else have made the file grow, nor another one stand in its place. */
  const checkSize = async (expected: number): Promise<void> => {
    const found = await files.stat(path, { bigint: true }).catch((error: unknown) => {
      throw isSystemError(error, 'ENOENT') ? new FolderLost(`${path} was taken away`, error) : error
    })
    if (found.ino !== ino || found.size !== BigInt(expected))
      throw new FolderLost(`${path} was changed by another process`)
  }

  const takeBack = async (tried: number): Promise<unknown> => {
    try {
      await checkHeld(folder, ownership)
      if ((await handle.stat()).size > size + tried) throw new FolderLost(`${path} was changed by another process`)
      await handle.truncate(size)
      await handle.datasync()
      return undefined
    } catch (error) {
      return error
    }
  }

  const write = async (pieces: readonly Buffer[]): Promise<void> => {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
    try {
      for (const piece of pieces) await handle.appendFile(piece)
    } catch (error) {
      const failure = await takeBack(length)
      throw failure === undefined ? error : new SyncFailed(path, true, failure)
    }
    try {
      await handle.datasync()
    } catch (error) {
      // What was answered as failed must not be there after a restart.
      await takeBack(length)
      throw new SyncFailed(path, true, error)
    }
  }

  return {
    path,
    size: () => size,
    append: async (pieces) => {
      await checkSize(size)
      await write(pieces)
      const written = pieces.reduce((sum, piece) => sum + piece.length, size)
      await checkHeld(folder, ownership)
      await checkSize(written).catch((error: unknown) => {
        // It is on disk, so it cannot be called refused.
        throw isSystemError(error) ? new SyncFailed(path, true, error) : error
      })
      size = written
    },
    close: () => handle.close(),
  }
}
