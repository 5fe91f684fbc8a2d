import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { removeFile, SyncFailed, syncFolder } from '../files/durable-json-file.ts'
import { type FileOperations, isSystemError } from '../files/file-operations.ts'
import { encodeLine } from './journal-line.ts'

/** The key of the line that every segment begins with, and of the journal's other lines about itself. */
export const headKey = 'journal'

const version = 1
const nameDigits = 12

/** The path of a segment; its name is the number of the first write in it, which is its head's. */
export const showSegmentPath = (folder: string, firstWrite: number): string =>
  join(folder, `${String(firstWrite).padStart(nameDigits, '0')}.ndjson`)

/** The number in a segment's name, or undefined for the name of another file. */
export const findFirstWrite = (name: string): number | undefined =>
  /^\d{12}\.ndjson$/.test(name) ? Number(name.slice(0, nameDigits)) : undefined

/** A segment that takes lines at its end. */
export interface SegmentFile {
  readonly path: string
  readonly size: () => number
  /**
   * Adds UTF-8 text, in pieces, and waits until it is on disk.
   * @throws SyncFailed when it is not known what the disk holds; the system's error when it holds nothing of the text
   */
  readonly append: (pieces: readonly Buffer[]) => Promise<void>
  readonly close: () => Promise<void>
}

const appendDurably = async (
  path: string,
  handle: FileHandle,
  pieces: readonly Buffer[],
  size: number,
): Promise<void> => {
  const takeBack = async (): Promise<unknown> => {
    try {
      await handle.truncate(size)
      await handle.datasync()
      return undefined
    } catch (error) {
      return error
    }
  }

  try {
    for (const piece of pieces) await handle.appendFile(piece)
  } catch (error) {
    const failure = await takeBack()
    throw failure === undefined ? error : new SyncFailed(path, true, failure)
  }
  try {
    await handle.datasync()
  } catch (error) {
    // What was answered as failed must not be there after a restart.
    const failure = await takeBack()
    throw new SyncFailed(path, failure !== undefined, error)
  }
}

const useSegment = (path: string, handle: FileHandle, startSize: number): SegmentFile => {
  let size = startSize
  return {
    path,
    size: () => size,
    append: async (pieces) => {
      await appendDurably(path, handle, pieces, size)
      for (const piece of pieces) size += piece.length
    },
    close: () => handle.close(),
  }
}

const showHead = (firstWrite: number): string =>
  encodeLine(
    { write: firstWrite, batch: firstWrite, key: headKey },
    JSON.stringify({ format: 'thingsync journal', version }),
  )

/**
 * Makes a segment, with its head.
 * @throws SyncFailed when it is not known what the disk holds; the system's error when there is no such segment
 */
export const createSegment = async (
  files: FileOperations,
  folder: string,
  firstWrite: number,
): Promise<SegmentFile> => {
  const path = showSegmentPath(folder, firstWrite)
  const handle = await files.open(path, 'ax', 0o600)
  const segment = useSegment(path, handle, 0)
  try {
    await segment.append([Buffer.from(showHead(firstWrite))])
    await syncFolder(files, folder)
    return segment
  } catch (error) {
    await handle.close()
    if (!(error instanceof SyncFailed)) await removeUnused(files, path)
    throw error
  }
}

const removeUnused = async (files: FileOperations, path: string): Promise<void> => {
  try {
    await removeFile(files, path)
    await syncFolder(files, dirname(path))
  } catch (error) {
    throw isSystemError(error) ? new SyncFailed(path, true, error) : error
  }
}

/**
 * Opens the newest segment to go on with it: what follows `end` is cut off, a last line break that is missing is put
 * back, and a head that a crash prevented is written.
 */
export const continueSegment = async (
  files: FileOperations,
  path: string,
  bytes: Buffer,
  { end, firstWrite }: { readonly end: number; readonly firstWrite: number },
): Promise<SegmentFile> => {
  const handle = await files.open(path, 'a', 0o600)
  try {
    const isEnded = end === 0 || bytes[end - 1] === '\n'.charCodeAt(0)
    const wholeEnd = isEnded ? end : end - 1
    if (bytes.length !== wholeEnd) await handle.truncate(wholeEnd)
    const segment = useSegment(path, handle, wholeEnd)
    if (end === 0) await segment.append([Buffer.from(showHead(firstWrite))])
    else await segment.append([Buffer.from(isEnded ? '' : '\n')])
    await syncFolder(files, dirname(path))
    return segment
  } catch (error) {
    await handle.close()
    throw error
  }
}
