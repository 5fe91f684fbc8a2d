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
export interface SegmentEnd {
  readonly files: FileOperations
  readonly folder: string
  /** A folder of the same file system to write new files aside. */
  readonly asideFolder: string
  readonly ownership: Ownership
}

/** A segment that is open at its end, of which this many bytes are known. */
const useSegment = async (
  { files, folder, ownership }: SegmentEnd,
  path: string,
  handle: FileHandle,
  startSize: number,
): Promise<SegmentFile> => {
  const { ino } = await files.stat(path, { bigint: true })
  let size = startSize

  /** Neither may anybody else have made the file grow, nor another one stand in its place. */
  const checkSize = async (expected: number): Promise<void> => {
    const found = await files.stat(path, { bigint: true }).catch((error: unknown) => {
      throw isSystemError(error, 'ENOENT') ? new OwnershipLost(`${path} was taken away`, error) : error
    })
    if (found.ino !== ino || found.size !== BigInt(expected))
      throw new OwnershipLost(`${path} was changed by another process`)
  }

  const takeBack = async (tried: number): Promise<unknown> => {
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
      const failure = await takeBack(length)
      throw failure === undefined ? error : new SyncError(path, true, failure)
    }
    try {
      await handle.datasync()
    } catch (error) {
      // What was answered as failed must not be there after a restart.
      await takeBack(length)
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
        // It is on disk, so it cannot be called refused.
        throw isSystemError(error) ? new SyncError(path, true, error) : error
      })
      size = written
    },
    close: () => handle.close(),
  }
}

/** The key of the line that every segment begins with, and of the journal's other lines about itself. */
export const headKey = 'journal'

const version = 1
const nameDigits = 12

/** The path of a segment; its name is the number of the first write in it, which is its head's. */
export const locateSegment = (folder: string, firstWrite: number): string =>
  join(folder, `${String(firstWrite).padStart(nameDigits, '0')}.ndjson`)

const findFirstWrite = (name: string): number | undefined =>
  /^\d{12}\.ndjson$/.test(name) ? Number(name.slice(0, nameDigits)) : undefined

/** The first writes of the segments in a folder, oldest first; none where it is missing. */
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
 * Makes a segment, with its head. It gets its name when it is on disk, and is open before: where no file can be opened
 * there is no such segment.
 * @throws SyncFailed when it is not known what the disk holds, FolderLost; the system's error when there is no such
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
 * Gives the newest segment to a new owner alone: what one that was suspended still appends goes to a file without a
 * name. @throws SyncFailed, FolderLost, the system's error
 */
export const replaceSegment = (place: SegmentEnd, path: string): Promise<void> => copyDurable(path, { ...place, path })

/** How the newest segment was found. */
interface FoundEnd {
  readonly size: number
  /** Behind its last whole line, with the line break or where it should be. */
  readonly end: number
  /** False when that line break is missing. */
  readonly isEnded: boolean
  readonly firstWrite: number
}

/**
 * Opens the newest segment to go on with it: what follows `end` is cut off, a last line break that is missing is put
 * back, and a head that a crash prevented is written.
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
    // Asked when the file is open: who takes the folder over after that has a file of its own (`ownership.ts`).
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
