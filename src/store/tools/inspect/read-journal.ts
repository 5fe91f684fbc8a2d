import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSystemError } from '../../disk/file-operations.ts'
import type { KeptJournal } from '../../disk/load-kept.ts'
import { createKeptErrands } from '../../errands/kept-errands.ts'
import { findUserId } from '../../record/journal-keys.ts'
import { readSteps } from '../../record/journal-line.ts'
import { removal } from '../../record/write-steps.ts'
import { takeWrite } from '../../wal/load-lines.ts'
import type { KeptWrite } from '../../wal/read-lines.ts'
import { type Damage, findFirstWithoutGap, findNext } from '../../wal/recover-journal.ts'
import { type DamagedStretch, scanSegment } from '../../wal/scan-segment.ts'
import { bytesInMemory } from '../../wal/segment-bytes.ts'
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

/** A journal as it stands in a folder; nothing was changed in it. */
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
): Promise<FoundJournal> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(join(folder, 'journal'), readOutliers)
    } catch (error) {
      // The server removed a segment that it needs no more.
      if (!isSystemError(error, 'ENOENT') || attempt === 100) throw error
    }
  }
}

const readOnce = async (folder: string, readOutliers: () => Promise<readonly Outlier[]>): Promise<FoundJournal> => {
  const { segments: names, firstWrites } = await listSegments(folder)
  const outliers = await readOutliers()
  const segments: FoundSegment[] = []
  const lines = new Map<string, { readonly write: number; readonly line: Buffer }[]>()
  const removals = new Map<string, number>()
  const damages: Damage[] = []
  const errands = createKeptErrands()
  let lastWrite = (firstWrites[0] ?? 1) - 1
  let writeCount = 0

  for (const [index, name] of names.entries()) {
    const path = join(folder, name)
    const bytes = await files.readFile(path)
    const firstWrite = firstWrites[index] ?? 0
    if (index > 0 && findNext(firstWrites, index - 1, outliers) !== firstWrite) lastWrite = firstWrite - 1
    const scanned = await scanSegment(bytesInMemory(bytes), lastWrite, findNext(firstWrites, index, outliers))
    for (const { key, write, start, end, errands: steps } of scanned.lines) {
      if (key === headKey) continue
      const line = bytes.subarray(start, end)
      const ofKey = lines.get(key) ?? []
      lines.set(key, ofKey)
      writeCount += 1
      if (steps !== undefined) errands.note(findUserId(key) ?? '', write, steps)
      if (steps === removal) {
        removals.set(key, write)
        ofKey.splice(0)
      } else ofKey.push({ write, line })
    }
    damages.push(...scanned.damaged.map((stretch) => ({ ...stretch, path })))
    lastWrite = scanned.lastWrite
    const file = join(basename(folder), name)
    segments.push({ file, bytes: bytes.length, damaged: scanned.damaged, unfinishedBytes: bytes.length - scanned.end })
  }

  const readWrites = async (key: string): Promise<readonly KeptWrite[]> =>
    (lines.get(key) ?? []).map(({ write, line }) => ({ write, steps: readSteps(line) }))

  return {
    segments,
    keys: [...lines.keys()],
    writeCount,
    firstFound: findFirstWithoutGap(firstWrites, outliers),
    lastFound: lastWrite,
    folder,
    errands,
    // A server may go on with it while the other files are read; what is beyond it is judged when they were.
    lastWrite: () => Number.POSITIVE_INFINITY,
    lastUntold: Math.max(0, ...damages.filter(({ keys }) => keys === undefined).map(({ last }) => last)),
    readWrites,
    loadWrites: async (key, { after, before }, sink) => {
      for (const { write, line } of lines.get(key) ?? [])
        if (write > after && write < before) takeWrite(line, write, sink)
    },
    findRemoval: (key) => removals.get(key),
    hasWrites: (key, after) => (lines.get(key)?.at(-1)?.write ?? 0) > after,
    findNamedDamage: (key, saved) => damages.find(({ keys, last }) => last > saved && keys?.includes(key)),
    findDamage: (key, saved) => damages.find(({ keys, last }) => last > saved && (keys?.includes(key) ?? true)),
  }
}
