import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSystemError } from '../../disk/file-operations.ts'
import type { KeptJournal } from '../../disk/load-kept.ts'
import { createFoundLines } from '../../wal/found-lines.ts'
import { loadLines } from '../../wal/load-lines.ts'
import { type KeptLine, readGroups, readLines } from '../../wal/read-lines.ts'
import { findFirstWithoutGap, findNext } from '../../wal/recover-journal.ts'
import { type DamagedStretch, scanSegment } from '../../wal/scan-segment.ts'
import { withBytesOfFile } from '../../wal/segment-bytes.ts'
import { findFirstWrite, headKey } from '../../wal/segment-file.ts'
import type { Outlier } from '../../wal/segments.ts'

/** One segment of a journal, and what is wrong with it. */
export interface FoundSegment {
  readonly file: string
  readonly bytes: number
  readonly damaged: readonly DamagedStretch[]
  /** Bytes at its end of a write that was never finished, or is just being written. */
  readonly unfinishedBytes: number
}

/** A journal as it stands in a folder; nothing was changed in it. What its lines hold is read when it is asked for. */
export interface FoundJournal extends KeptJournal {
  readonly segments: readonly FoundSegment[]
  readonly keys: readonly string[]
  readonly writeCount: number
  /** Number of the first write in it. */
  readonly firstFound: number | undefined
  /** Number of the last write in it. */
  readonly lastFound: number
  /** Number of the last write of whose account nothing can be told; 0 when there is none. */
  readonly lastUntold: number
  /** True when it holds writes of a key after one. */
  readonly hasWrites: (key: string, after: number) => boolean
  /** The lines of a key, some at once. @throws LineChanged, the system's error */
  readonly readLines: (key: string) => AsyncIterable<readonly KeptLine[]>
}

const none = { segments: [], firstWrites: [] as number[] }

const listSegments = async (folder: string) => {
  try {
    const names = (await files.readdir(folder)).filter((name) => findFirstWrite(name) !== undefined).sort()
    return { segments: names, firstWrites: names.map((name) => findFirstWrite(name) ?? 0) }
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return none
    throw error
  }
}

/** Reads the journal of a data folder, while a server writes it or not; `readOutliers` is asked behind the list of its files. @throws the system's error */
export const readJournal = async (
  folder: string,
  readOutliers: () => Promise<readonly Outlier[]>,
): Promise<FoundJournal> => readDespiteRemoval(() => readOnce(join(folder, 'journal'), readOutliers))

/** Reads once more when the server removed a segment meanwhile: what was in it stands in other files by then. */
export const readDespiteRemoval = async <Result>(read: () => Promise<Result>): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || attempt === 100) throw error
    }
  }
}

const readOnce = async (folder: string, readOutliers: () => Promise<readonly Outlier[]>): Promise<FoundJournal> => {
  const { segments: names, firstWrites } = await listSegments(folder)
  const outliers = await readOutliers()
  const segments: FoundSegment[] = []
  const found = createFoundLines()
  const { lines, removals, damages } = found
  let lastWrite = (firstWrites[0] ?? 1) - 1
  let writeCount = 0

  for (const [index, name] of names.entries()) {
    const path = join(folder, name)
    const firstWrite = firstWrites[index] ?? 0
    if (index > 0 && findNext(firstWrites, index - 1, outliers) !== firstWrite) lastWrite = firstWrite - 1
    const after = lastWrite
    const { size, ...scanned } = await withBytesOfFile(files, path, async (bytes) => ({
      size: bytes.size,
      ...(await scanSegment(bytes, after, findNext(firstWrites, index, outliers))),
    }))
    for (const line of scanned.lines) {
      found.note(path, line)
      if (line.key !== headKey) writeCount += 1
    }
    damages.push(...scanned.damaged.map((stretch) => ({ ...stretch, path })))
    lastWrite = scanned.lastWrite
    const file = join(basename(folder), name)
    segments.push({ file, bytes: size, damaged: scanned.damaged, unfinishedBytes: size - scanned.end })
  }

  return {
    segments,
    keys: [...new Set([...lines.keys(), ...removals.keys()])],
    writeCount,
    firstFound: findFirstWithoutGap(firstWrites, outliers),
    lastFound: lastWrite,
    folder,
    errands: found.errands,
    // A server may go on with it while the other files are read; what is beyond it is judged when they were.
    lastWrite: () => Number.POSITIVE_INFINITY,
    lastUntold: Math.max(0, ...damages.filter(({ keys }) => keys === undefined).map(({ last }) => last)),
    readLines: (key) => readGroups(files, lines.get(key) ?? []),
    readWrites: (key, after) => readLines(files, found.list(key, { after, before: Number.POSITIVE_INFINITY })),
    loadWrites: (key, range, sink) => loadLines(files, found.list(key, range), sink),
    findRemoval: (key) => removals.get(key),
    hasWrites: (key, after) => (lines.get(key)?.at(-1)?.write ?? 0) > after,
    findNamedDamage: found.findNamedDamage,
    findDamage: found.findDamage,
  }
}
