import type { FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runWhole } from '../../slices.ts'
import { copyDurable, replaceFile, syncFolder } from '../disk/durable-json-file.ts'
import { type FileOperations, orIfMissing } from '../disk/file-operations.ts'
import { checkHeld } from '../disk/ownership.ts'
import { encodeLine } from '../record/journal-line.ts'
import { type SegmentFile, type SegmentPlace, useSegment } from './append-segment.ts'

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
    runWhole(
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
export const createSegment = async (place: SegmentPlace, firstWrite: number): Promise<SegmentFile> => {
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
export const replaceSegment = (place: SegmentPlace, path: string): Promise<void> =>
  copyDurable(path, { ...place, path })

/** How the newest segment was found. */
export interface FoundEnd {
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
  place: SegmentPlace,
  path: string,
  { size, end, isEnded, firstWrite }: FoundEnd,
): Promise<SegmentFile> => {
  const { files, folder, ownership } = place
  const handle = await files.open(path, 'a', 0o600)
  try {
    const wholeEnd = isEnded ? end : end - 1
    // Asked when the file is open: who takes the folder over after that has a file of its own (`ownership.ts`).
    await checkHeld(folder, ownership)
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
