import { basename } from 'node:path'
import { crc32 } from 'node:zlib'
import type { FileOperations } from '../files/file-operations.ts'
import { createFileReader } from '../files/read-pieces.ts'
import type { StoreLog } from '../store-log.ts'
import { type DamagedStretch, scanSegment } from './scan-segment.ts'
import {
  continueSegment,
  createSegment,
  findFirstWrite,
  headKey,
  type SegmentFile,
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
export interface Damage extends Pick<DamagedStretch, 'last' | 'keys'> {
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
}

/** What a journal works with. */
export interface JournalParts {
  readonly folder: string
  readonly files: FileOperations
  readonly log: StoreLog
  /** The highest number of a write in the files of accounts and of the directory; asked when there is no journal. */
  readonly findLastSaved: () => Promise<number>
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
const keepCut = async ({ files, log }: JournalParts, path: string, cut: Buffer): Promise<void> => {
  if (cut.length === 0) return
  const hasLines = cut.includes('\n')
  const copy = `${path}.cut-${crc32(cut).toString(16).padStart(8, '0')}`
  if (hasLines) await files.writeFile(copy, cut, { mode: 0o600 })
  log.warn(
    { file: path, bytes: cut.length, ...(hasLines ? { copy } : {}) },
    `cut ${cut.length} bytes off ${path}: a write that was interrupted; nothing was lost`,
  )
}

/** Reads all segments; makes the first one when there is none. */
export const recoverJournal = async (parts: JournalParts): Promise<RecoveredJournal> => {
  const { folder, files } = parts
  const segments = createSegments()
  const lines = new Map<string, RecoveredLine[]>()
  const damages: Damage[] = []
  const firstWrites = await listFirstWrites(parts)
  // A journal that somebody took away must not give its numbers again: files would seem to hold what is written next.
  let lastWrite = firstWrites[0] === undefined ? await parts.findLastSaved() : firstWrites[0] - 1
  let newest: SegmentFile | undefined

  const read = createFileReader(files)

  const collect = async (path: string, bytes: Buffer, stretch: DamagedStretch): Promise<void> => {
    const { start, last, keys } = stretch
    damages.push({ path, start, last, keys })
    // The segment stays as long as anybody misses what stood there.
    if (keys === undefined) segments.noteLine(headKey, Number.POSITIVE_INFINITY)
    else for (const key of keys) if (key !== headKey) segments.noteLine(key, last)
    await noteDamage(parts, path, bytes, stretch)
  }

  for (const [index, firstWrite] of firstWrites.entries()) {
    const path = showSegmentPath(folder, firstWrite)
    const next = firstWrites[index + 1]
    const bytes = await read(path)
    const scanned = scanSegment(bytes, lastWrite, next)
    segments.add(path)
    for (const { key, write, start, end } of scanned.lines) {
      if (key === headKey) continue
      segments.noteLine(key, write)
      const ofKey = lines.get(key) ?? []
      lines.set(key, ofKey)
      ofKey.push({ path, write, start, end })
    }
    for (const stretch of scanned.damaged) await collect(path, bytes, stretch)
    lastWrite = scanned.lastWrite
    if (next !== undefined) continue
    await keepCut(parts, path, bytes.subarray(scanned.end))
    newest = await continueSegment(files, path, bytes, { end: scanned.end, firstWrite })
    lastWrite = Math.max(lastWrite, firstWrite)
  }

  newest ??= await createSegment(files, folder, lastWrite + 1)
  if (firstWrites.length === 0) {
    segments.add(newest.path)
    lastWrite += 1
  }
  return { segments, newest, lastWrite, lines, damages }
}
