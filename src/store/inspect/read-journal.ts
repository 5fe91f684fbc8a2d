import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSystemError } from '../files/file-operations.ts'
import type { KeptJournal } from '../files/load-kept.ts'
import { noteErrandsOf } from '../journal/find-errand-steps.ts'
import { readSteps } from '../journal/journal-line.ts'
import { createKeptErrands } from '../journal/kept-errands.ts'
import type { KeptWrite } from '../journal/read-lines.ts'
import type { Damage } from '../journal/recover-journal.ts'
import { type DamagedStretch, scanSegment } from '../journal/scan-segment.ts'
import { findFirstWrite, headKey } from '../journal/segment-file.ts'

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

/** Reads the journal of a data folder, while a server writes it or not. @throws the system's error */
export const readJournal = async (folder: string): Promise<FoundJournal> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await readOnce(join(folder, 'journal'))
    } catch (error) {
      // The server removed a segment that it needs no more.
      if (!isSystemError(error, 'ENOENT') || attempt === 100) throw error
    }
  }
}

const readOnce = async (folder: string): Promise<FoundJournal> => {
  const { segments: names, firstWrites } = await listSegments(folder)
  const segments: FoundSegment[] = []
  const lines = new Map<string, { readonly write: number; readonly line: Buffer }[]>()
  const damages: Damage[] = []
  const errands = createKeptErrands()
  let lastWrite = (firstWrites[0] ?? 1) - 1

  for (const [index, name] of names.entries()) {
    const path = join(folder, name)
    const bytes = await files.readFile(path)
    const scanned = scanSegment(bytes, lastWrite, firstWrites[index + 1])
    for (const { key, write, start, end } of scanned.lines) {
      if (key === headKey) continue
      const ofKey = lines.get(key) ?? []
      lines.set(key, ofKey)
      const line = bytes.subarray(start, end)
      ofKey.push({ write, line })
      noteErrandsOf(errands, { key, write }, line)
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
    writeCount: [...lines.values()].reduce((count, ofKey) => count + ofKey.length, 0),
    firstFound: firstWrites[0],
    lastFound: lastWrite,
    folder,
    errands,
    // A server may go on with it while the other files are read; what is beyond it is judged when they were.
    lastWrite: () => Number.POSITIVE_INFINITY,
    lastUntold: Math.max(0, ...damages.filter(({ keys }) => keys === undefined).map(({ last }) => last)),
    readWrites,
    findDamage: (key, saved) => damages.find(({ keys, last }) => last > saved && (keys?.includes(key) ?? true)),
  }
}
