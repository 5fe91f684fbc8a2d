import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Inventory } from '../disk/inventory.ts'
import { missingAdvice } from '../disk/missing-files.ts'
import { registryKey } from '../record/journal-keys.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import type { SegmentFile, SegmentPlace } from './append-segment.ts'
import { createFoundLines, type FoundLines } from './found-lines.ts'
import { type DamagedStretch, type ScannedLine, scanSegment } from './scan-segment.ts'
import { type SegmentBytes, withBytesOfFile } from './segment-bytes.ts'
import {
  continueSegment,
  createSegment,
  findFirstWrite,
  headKey,
  replaceSegment,
  showSegmentPath,
} from './segment-file.ts'
import { createSegments, type Outlier, type Segments } from './segments.ts'

/** A journal as it was found, ready to go on. */
export interface RecoveredJournal {
  readonly segments: Segments
  readonly newest: SegmentFile
  readonly lastWrite: number
  readonly found: FoundLines
}

/** What a journal works with. */
export interface JournalParts extends SegmentPlace {
  readonly log: StoreLog
  /** What the journal held when that was last written down; undefined when it never was. */
  readonly known: Pick<Inventory, 'first' | 'write' | 'outliers'> | undefined
}

const listFirstWrites = async ({ files, folder }: JournalParts): Promise<readonly number[]> =>
  (await files.readdir(folder))
    .map(findFirstWrite)
    .filter((first) => first !== undefined)
    .sort((a, b) => a - b)

const noteDamage = async ({ files, log }: JournalParts, path: string, bytes: SegmentBytes, stretch: DamagedStretch) => {
  const { start, end, first, last, keys } = stretch
  const copy = `${path}.damaged-${start}`
  await files.writeFile(copy, await bytes.read(start, end), { mode: 0o600 })
  const whose = keys === undefined ? 'whose cannot be told, so no account with older files is served' : keys.join(', ')
  log.error(
    { file: path, offset: start, bytes: end - start, writes: [first, last], copy },
    `${path} is damaged at byte ${start} (${whose}); repair the line there, put -------- in the place of its checksum, ` +
      `and restart; a copy of the damaged bytes is ${basename(copy)}`,
  )
}

/** Says what is cut off the newest segment, and keeps it aside when it holds more than the beginning of a line. */
const keepCut = async (
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

/** The first of the segments between which none is missing. */
export const findFirstWithoutGap = (firstWrites: readonly number[], outliers: readonly Outlier[]): number | undefined =>
  firstWrites.find((found) => !outliers.some(({ first }) => first === found))

/** The number behind the last write of a segment; undefined for the newest. */
export const findNext = (
  firstWrites: readonly number[],
  index: number,
  outliers: readonly Outlier[],
): number | undefined => outliers.find(({ first }) => first === firstWrites[index])?.next ?? firstWrites[index + 1]

/** Refuses a journal of which something is gone that once was on disk: its numbers and positions would be given again. */
const refuseLoss = (
  { folder, known }: JournalParts,
  firstWrites: readonly number[],
  end: { readonly path: string; readonly lastWrite: number } | undefined,
): void => {
  if (known === undefined) return
  const lost = known.outliers.find(({ first }) => !firstWrites.includes(first))
  if (lost !== undefined) throw new StoreFailed(`${showSegmentPath(folder, lost.first)} is missing; ${missingAdvice}`)
  const firstFound = findFirstWithoutGap(firstWrites, known.outliers)
  if (firstFound === undefined || firstFound > known.first)
    throw new StoreFailed(`${showSegmentPath(folder, known.first)} is missing; ${missingAdvice}`)
  if (end !== undefined && end.lastWrite < known.write)
    throw new StoreFailed(
      `${end.path} has lost its end: it ends at write ${end.lastWrite}, and write ${known.write} was on disk; ${missingAdvice}`,
    )
}

/** Reads all segments; makes the first one when there is none. @throws StoreFailed when some of it is gone */
export const recoverJournal = async (parts: JournalParts): Promise<RecoveredJournal> => {
  const { folder, files } = parts
  const segments = createSegments()
  const found = createFoundLines()
  const firstWrites = await listFirstWrites(parts)
  const outliers = parts.known?.outliers ?? []
  refuseLoss(parts, firstWrites, undefined)
  let lastWrite = (firstWrites[0] ?? 1) - 1
  let newest: SegmentFile | undefined

  const collect = async (path: string, bytes: SegmentBytes, stretch: DamagedStretch): Promise<void> => {
    const { start, first, last, keys } = stretch
    found.damages.push({ path, start, first, last, keys })
    // The segment stays as long as anybody misses what stood there.
    if (keys === undefined) segments.noteLine(headKey, Number.POSITIVE_INFINITY)
    else for (const key of keys) if (key !== headKey) segments.noteLine(key, last)
    await noteDamage(parts, path, bytes, stretch)
  }

  const noteLine = (path: string, line: ScannedLine): void => {
    const { key, write, errands } = line
    found.note(path, line)
    if (key !== headKey) segments.noteLine(key, write)
    if (errands !== undefined) segments.noteLine(registryKey, write)
  }

  const recover = async (path: string, firstWrite: number, next: number | undefined, bytes: SegmentBytes) => {
    const scanned = await scanSegment(bytes, lastWrite, next)
    for (const line of scanned.lines) noteLine(path, line)
    for (const stretch of scanned.damaged) await collect(path, bytes, stretch)
    lastWrite = scanned.lastWrite
    if (next !== undefined) return
    lastWrite = Math.max(lastWrite, firstWrite)
    const { end } = scanned
    refuseLoss(parts, firstWrites, { path, lastWrite: end === 0 ? firstWrite - 1 : lastWrite })
    await keepCut(parts, path, { cut: await bytes.read(end, bytes.size), lastWrite })
    const isEnded = end === 0 || (await bytes.read(end - 1, end)).toString() === '\n'
    newest = await continueSegment(parts, path, { size: bytes.size, end, isEnded, firstWrite })
  }

  for (const [index, firstWrite] of firstWrites.entries()) {
    const path = showSegmentPath(folder, firstWrite)
    const next = findNext(firstWrites, index, outliers)
    // What stood between was saved, and its removal written down.
    if (index > 0 && findNext(firstWrites, index - 1, outliers) !== firstWrite) lastWrite = firstWrite - 1
    if (next === undefined && parts.ownership.mayHaveRival) await replaceSegment(parts, path)
    segments.add(path, firstWrite, next === firstWrites[index + 1] ? undefined : next)
    await withBytesOfFile(files, path, (bytes) => recover(path, firstWrite, next, bytes))
  }

  newest ??= await createSegment(parts, lastWrite + 1)
  if (firstWrites.length === 0) {
    segments.add(newest.path, lastWrite + 1)
    lastWrite += 1
  }
  return { segments, newest, lastWrite, found }
}
