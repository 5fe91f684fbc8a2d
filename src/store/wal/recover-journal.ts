import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import { readBytes } from '../disk/file-lines.ts'
import type { Inventory } from '../disk/inventory.ts'
import { missingAdvice } from '../disk/missing-files.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import type { SegmentFile, SegmentPlace } from './append-segment.ts'
import { createJournalIndex, type JournalIndex } from './journal-index.ts'
import { findFirstWithoutGap, type ListedSegments, type OpenSegment, scanJournal } from './scan-journal.ts'
import type { DamagedStretch } from './scan-segment.ts'
import { continueSegment, createSegment, listFirstWrites, locateSegment, replaceSegment } from './segment-file.ts'

/** A journal as it was found, ready to go on. */
export interface RecoveredJournal {
  readonly index: JournalIndex
  readonly newest: SegmentFile
  readonly lastWrite: number
}

/** What a journal works with. */
export interface JournalParts extends SegmentPlace {
  readonly log: StoreLog
  /** What the journal held when that was last written down; undefined when it never was. */
  readonly known: Pick<Inventory, 'first' | 'write' | 'outliers'> | undefined
}

const reportDamage = async (
  { files, log }: JournalParts,
  { path, handle }: OpenSegment,
  { start, end, first, last, keys }: DamagedStretch,
): Promise<void> => {
  const copy = `${path}.damaged-${start}`
  await files.writeFile(copy, await readBytes(handle, start, end), { mode: 0o600 })
  const whose = keys === undefined ? 'whose cannot be told, so no account with older files is served' : keys.join(', ')
  log.error(
    { file: path, offset: start, bytes: end - start, writes: [first, last], copy },
    `${path} is damaged at byte ${start} (${whose}); repair the line there, put -------- in the place of its checksum, ` +
      `and restart; a copy of the damaged bytes is ${basename(copy)}`,
  )
}

/** Says what is cut off the newest segment, and copies it when it holds more than the beginning of a line. */
const copyCut = async (
  { files, log }: JournalParts,
  path: string,
  { cut, lastWrite }: { readonly cut: Buffer; readonly lastWrite: number },
): Promise<void> => {
  if (cut.length === 0) return
  const hasLines = cut.includes('\n')
  const copy = `${path}.cut-${crc32(cut).toString(16).padStart(8, '0')}`
  if (hasLines) await files.writeFile(copy, cut, { mode: 0o600 })
  log.warn(
    { file: path, bytes: cut.length, ...(hasLines ? { copy } : {}) },
    `cut ${cut.length} bytes off ${path}: a write that was interrupted before it was answered, unless the file was ` +
      `changed by something else; the last whole write is ${lastWrite}`,
  )
}

/** Refuses a journal of which something is gone that once was on disk: its numbers and positions would be given again. */
const refuseLoss = (
  { folder, known }: JournalParts,
  listed: ListedSegments,
  end: { readonly path: string; readonly lastWrite: number } | undefined,
): void => {
  if (known === undefined) return
  const firstFound = findFirstWithoutGap(listed)
  const lost =
    listed.outliers.find(({ first }) => !listed.firstWrites.includes(first))?.first ??
    (firstFound === undefined || firstFound > known.first ? known.first : undefined)
  if (lost !== undefined) throw new StoreFailed(`${locateSegment(folder, lost)} is missing; ${missingAdvice}`)
  if (end !== undefined && end.lastWrite < known.write)
    throw new StoreFailed(
      `${end.path} has lost its end: it ends at write ${end.lastWrite}, and write ${known.write} was on disk; ${missingAdvice}`,
    )
}

/** Reads all segments; makes the first one when there is none. @throws StoreFailed when some of it is gone */
export const recoverJournal = async (parts: JournalParts): Promise<RecoveredJournal> => {
  const { folder, files, known, ownership } = parts
  const index = createJournalIndex()
  const listed = { firstWrites: await listFirstWrites(files, folder), outliers: known?.outliers ?? [] }
  refuseLoss(parts, listed, undefined)
  const newestFound = listed.firstWrites.at(-1)
  if (newestFound === undefined) {
    const newest = await createSegment(parts, 1)
    index.addSegment(newest.path, 1)
    return { index, newest, lastWrite: 1 }
  }
  if (ownership.mayHaveRival) await replaceSegment(parts, locateSegment(folder, newestFound))

  let newest = undefined as SegmentFile | undefined
  const goOn = async ({ path, handle, firstWrite, size, end, lastWrite }: OpenSegment): Promise<void> => {
    refuseLoss(parts, listed, { path, lastWrite: end === 0 ? firstWrite - 1 : lastWrite })
    await copyCut(parts, path, { cut: await readBytes(handle, end, size), lastWrite })
    const isEnded = end === 0 || (await readBytes(handle, end - 1, end)).toString() === '\n'
    newest = await continueSegment(parts, path, { size, end, isEnded, firstWrite })
  }

  const recover = async (segment: OpenSegment): Promise<void> => {
    const { path, firstWrite, next } = segment
    index.addSegment(path, firstWrite, segment, next)
    for (const stretch of segment.damaged) await reportDamage(parts, segment, stretch)
    if (next === undefined) await goOn({ ...segment, lastWrite: Math.max(segment.lastWrite, firstWrite) })
  }

  const lastWrite = await scanJournal(files, folder, listed, recover)
  if (newest === undefined) throw new Error(`${folder} has no newest segment`)
  return { index, newest, lastWrite: Math.max(lastWrite, newestFound) }
}
