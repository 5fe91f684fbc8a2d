import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { Inventory } from '../files/inventory.ts'
import { missingAdvice } from '../files/missing-files.ts'
import { createFileReader } from '../files/read-pieces.ts'
import { StoreFailed } from '../store.ts'
import type { StoreLog } from '../store-log.ts'
import type { SegmentFile, SegmentPlace } from './append-segment.ts'
import { noteErrandsOf } from './find-errand-steps.ts'
import { directoryKey } from './journal-keys.ts'
import { createKeptErrands, type KeptErrands } from './kept-errands.ts'
import { type DamagedStretch, scanSegment } from './scan-segment.ts'
import {
  continueSegment,
  createSegment,
  findFirstWrite,
  headKey,
  replaceSegment,
  showSegmentPath,
} from './segment-file.ts'
import { createSegments, type Segments } from './segments.ts'

/** Where a write stands in the journal. */
export interface RecoveredLine {
  readonly path: string
  readonly write: number
  readonly start: number
  readonly end: number
}

/** A stretch of the journal that cannot be read. */
export interface Damage extends Pick<DamagedStretch, 'first' | 'last' | 'keys'> {
  readonly path: string
  readonly start: number
}

/** A journal as it was found, ready to go on. */
export interface RecoveredJournal {
  readonly segments: Segments
  readonly newest: SegmentFile
  readonly lastWrite: number
  /** The writes by key, in order. */
  readonly lines: Map<string, readonly RecoveredLine[]>
  readonly damages: readonly Damage[]
  /** What the lines say of errands. */
  readonly errands: KeptErrands
}

/** What a journal works with. */
export interface JournalParts extends SegmentPlace {
  readonly log: StoreLog
  /** What the journal held when that was last written down; undefined when it never was. */
  readonly known: Pick<Inventory, 'first' | 'write'> | undefined
}

const listFirstWrites = async ({ files, folder }: JournalParts): Promise<readonly number[]> =>
  (await files.readdir(folder))
    .map(findFirstWrite)
    .filter((first) => first !== undefined)
    .sort((a, b) => a - b)

const noteDamage = async ({ files, log }: JournalParts, path: string, bytes: Buffer, stretch: DamagedStretch) => {
  const { start, end, first, last, keys } = stretch
  const copy = `${path}.damaged-${start}`
  await files.writeFile(copy, bytes.subarray(start, end), { mode: 0o600 })
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

/** Refuses a journal of which something is gone that once was on disk: its numbers and positions would be given again. */
const refuseLoss = (
  { folder, known }: JournalParts,
  firstFound: number | undefined,
  end: { readonly path: string; readonly lastWrite: number } | undefined,
): void => {
  if (known === undefined) return
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
  const lines = new Map<string, RecoveredLine[]>()
  const damages: Damage[] = []
  const errands = createKeptErrands()
  const firstWrites = await listFirstWrites(parts)
  refuseLoss(parts, firstWrites[0], undefined)
  let lastWrite = (firstWrites[0] ?? 1) - 1
  let newest: SegmentFile | undefined

  const read = createFileReader(files)

  const collect = async (path: string, bytes: Buffer, stretch: DamagedStretch): Promise<void> => {
    const { start, first, last, keys } = stretch
    damages.push({ path, start, first, last, keys })
    // The segment stays as long as anybody misses what stood there.
    if (keys === undefined) segments.noteLine(headKey, Number.POSITIVE_INFINITY)
    else for (const key of keys) if (key !== headKey) segments.noteLine(key, last)
    await noteDamage(parts, path, bytes, stretch)
  }

  for (const [index, firstWrite] of firstWrites.entries()) {
    const path = showSegmentPath(folder, firstWrite)
    const next = firstWrites[index + 1]
    if (next === undefined && parts.ownership.mayHaveRival) await replaceSegment(parts, path)
    const bytes = await read(path)
    const scanned = scanSegment(bytes, lastWrite, next)
    segments.add(path)
    for (const { key, write, start, end } of scanned.lines) {
      if (key === headKey) continue
      segments.noteLine(key, write)
      const ofKey = lines.get(key) ?? []
      lines.set(key, ofKey)
      ofKey.push({ path, write, start, end })
      if (noteErrandsOf(errands, { key, write }, bytes.subarray(start, end))) segments.noteLine(directoryKey, write)
    }
    for (const stretch of scanned.damaged) await collect(path, bytes, stretch)
    lastWrite = scanned.lastWrite
    if (next !== undefined) continue
    lastWrite = Math.max(lastWrite, firstWrite)
    refuseLoss(parts, firstWrites[0], { path, lastWrite: scanned.end === 0 ? firstWrite - 1 : lastWrite })
    await keepCut(parts, path, { cut: bytes.subarray(scanned.end), lastWrite })
    newest = await continueSegment(parts, path, bytes, { end: scanned.end, firstWrite })
  }

  newest ??= await createSegment(parts, lastWrite + 1)
  if (firstWrites.length === 0) {
    segments.add(newest.path)
    lastWrite += 1
  }
  return { segments, newest, lastWrite, lines, damages, errands }
}
