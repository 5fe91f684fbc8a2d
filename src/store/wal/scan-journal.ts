import type { FileHandle } from 'node:fs/promises'
import { type FileOperations, openFile, withHandle } from '../disk/file-operations.ts'
import type { Outlier } from './journal-index.ts'
import { type ScannedSegment, scanSegment } from './scan-segment.ts'
import { locateSegment } from './segment-file.ts'

/** The segments of a journal by their first writes, oldest first, and behind which of them some are gone. */
export interface ListedSegments {
  readonly firstWrites: readonly number[]
  readonly outliers: readonly Outlier[]
}

/** The first of the segments between which none is missing. */
export const findFirstWithoutGap = ({ firstWrites, outliers }: ListedSegments): number | undefined =>
  firstWrites.find((found) => !outliers.some(({ first }) => first === found))

/** A segment whose file is open. */
export interface OpenSegment extends ScannedSegment {
  readonly path: string
  readonly handle: FileHandle
  readonly firstWrite: number
  /** The number behind its last write; undefined for the newest. */
  readonly next: number | undefined
}

/**
 * Reads the segments of a journal, one after the other; gives the number of the last write. @throws NoFile, the
 * system's error
 */
export const scanJournal = async (
  files: Pick<FileOperations, 'open' | 'stat'>,
  folder: string,
  { firstWrites, outliers }: ListedSegments,
  visit: (segment: OpenSegment) => Promise<void>,
): Promise<number> => {
  let lastWrite = 0
  let expected: number | undefined
  for (const [index, firstWrite] of firstWrites.entries()) {
    const next = outliers.find(({ first }) => first === firstWrite)?.next ?? firstWrites[index + 1]
    // What stood between was saved, and its removal written down.
    if (expected !== firstWrite) lastWrite = firstWrite - 1
    expected = next
    const path = locateSegment(folder, firstWrite)
    await withHandle(openFile(files, path), async (handle) => {
      const scanned = await scanSegment(handle, lastWrite, next)
      lastWrite = scanned.lastWrite
      await visit({ ...scanned, path, handle, firstWrite, next })
    })
  }
  return lastWrite
}
