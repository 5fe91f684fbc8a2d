import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runToEnd } from '../../scheduling.ts'
import {
  copyDurable,
  type FileOperations,
  isSystemError,
  orIfMissing,
  replaceFile,
  SyncError,
  syncFolder,
} from '../disk/files.ts'
import { checkOwnership, type Ownership, OwnershipLost } from '../disk/ownership.ts'
import { encodeLine } from '../record/checked-lines.ts'

/** A segment that accepts lines at its end. */
export interface SegmentFile {
  readonly path: string
  readonly size: () => number
  /**
   * Appends UTF-8 text, in pieces, and waits until it is on disk.
   * @throws SyncError when the content of the disk is unknown; OwnershipLost when another process writes the journal;
   * the system's error when the disk holds no part of the text
   */
  readonly append: (pieces: readonly Buffer[]) => Promise<void>
  readonly close: () => Promise<void>
}

/** The dependencies of writing segments. */
export interface SegmentEnd {
  readonly files: FileOperations
  readonly folder: string
  /** A folder of the same file system for new files that have no final name yet. */
  readonly asideFolder: string
  readonly ownership: Ownership
}

/** Creates a segment from a file that is open for appending, with the known size of the file. */
const useSegment = async (
  { files, folder, ownership }: SegmentEnd,
  path: string,
  handle: FileHandle,
  startSize: number,
): Promise<SegmentFile> => {
  const { ino } = await files.stat(path, { bigint: true })
  let size = startSize

  /** Checks that no other process made the file grow or replaced it. */
  const checkSize = async (expected: number): Promise<void> => {
    const found = await files.stat(path, { bigint: true }).catch((error: unknown) => {
      throw isSystemError(error, 'ENOENT') ? new OwnershipLost(`${path} was removed`, error) : error
    })
    if (found.ino !== ino || found.size !== BigInt(expected))
      throw new OwnershipLost(`${path} was changed by another process`)
  }

  const undoAppend = async (tried: number): Promise<unknown> => {
    try {
      await checkOwnership(folder, ownership)
      if ((await handle.stat()).size > size + tried) throw new OwnershipLost(`${path} was changed by another process`)
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
      const failure = await undoAppend(length)
      throw failure === undefined ? error : new SyncError(path, true, failure)
    }
    try {
      await handle.datasync()
    } catch (error) {
      // A write that was reported as failed must not be there after a restart.
      await undoAppend(length)
      throw new SyncError(path, true, error)
    }
  }

  return {
    path,
    size: () => size,
    append: async (pieces) => {
      await checkSize(size)
      await write(pieces)
      const written = pieces.reduce((sum, piece) => sum + piece.length, size)
      await checkOwnership(folder, ownership)
      await checkSize(written).catch((error: unknown) => {
        // The text is on disk, so the write cannot be reported as failed.
        throw isSystemError(error) ? new SyncError(path, true, error) : error
      })
      size = written
    },
    close: () => handle.close(),
  }
}

/** The key of the first line of each segment, and of the journal's other lines about itself. */
export const headKey = 'journal'

const version = 1
const nameDigits = 12

/** Returns the path of a segment. Its name is the number of its first write, which is its head. */
export const locateSegment = (folder: string, firstWrite: number): string =>
  join(folder, `${String(firstWrite).padStart(nameDigits, '0')}.ndjson`)

const findFirstWrite = (name: string): number | undefined =>
  /^\d{12}\.ndjson$/.test(name) ? Number(name.slice(0, nameDigits)) : undefined

/** Lists the first writes of the segments in a folder, oldest first; the list is empty when the folder is missing. */
export const listFirstWrites = async (
  files: Pick<FileOperations, 'readdir'>,
  folder: string,
): Promise<readonly number[]> =>
  (await orIfMissing(files.readdir(folder), []))
    .map(findFirstWrite)
    .filter((first) => first !== undefined)
    .sort((a, b) => a - b)

const encodeHead = (firstWrite: number): Buffer =>
  Buffer.concat(
    runToEnd(
      encodeLine({ write: firstWrite, batch: firstWrite, key: headKey }, [
        Buffer.from(JSON.stringify({ format: 'thingsync journal', version })),
      ]),
    ),
  )

/**
 * Creates a segment, with its head. The file is opened before it gets its name, and gets its name when it is on disk.
 * So where no file can be opened, there is no such segment.
 * @throws SyncError when the content of the disk is unknown, OwnershipLost; the system's error when there is no such
 * segment
 */
export const createSegment = async (place: SegmentEnd, firstWrite: number): Promise<SegmentFile> => {
  const path = locateSegment(place.folder, firstWrite)
  const head = encodeHead(firstWrite)
  let handle: FileHandle | undefined
  try {
    await replaceFile({ ...place, path }, [head], async (aside) => {
      handle = await place.files.open(aside, 'a')
    })
    return await useSegment(place, path, handle as FileHandle, head.length)
  } catch (error) {
    await handle?.close()
    throw error
  }
}

/**
 * Replaces the newest segment by a copy that only the new owner has open. Late appends of a suspended owner then go to
 * a file without a name. @throws SyncError, OwnershipLost, the system's error
 */
export const replaceSegment = (place: SegmentEnd, path: string): Promise<void> => copyDurable(path, { ...place, path })

/** The state of the newest segment after a scan. */
interface FoundEnd {
  readonly size: number
  /** The offset after its last whole line, with the line break or the place where it should be. */
  readonly end: number
  /** False when that line break is missing. */
  readonly isEnded: boolean
  readonly firstWrite: number
}

/**
 * Opens the newest segment for more writes. It cuts off what follows `end`, restores a missing last line break, and
 * writes a head that a crash prevented.
 */
export const continueSegment = async (
  place: SegmentEnd,
  path: string,
  { size, end, isEnded, firstWrite }: FoundEnd,
): Promise<SegmentFile> => {
  const { files, folder, ownership } = place
  const handle = await files.open(path, 'a', 0o600)
  try {
    const wholeEnd = isEnded ? end : end - 1
    // Checked after the file is open: a later owner copies the file (`ownership.ts`).
    await checkOwnership(folder, ownership)
    if (size !== wholeEnd) await handle.truncate(wholeEnd)
    const segment = await useSegment(place, path, handle, wholeEnd)
    if (end === 0) await segment.append([encodeHead(firstWrite)])
    else await segment.append([Buffer.from(isEnded ? '' : '\n')])
    await syncFolder(files, dirname(path))
    return segment
  } catch (error) {
    await handle.close()
    throw error
  }
}
