import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import { isSystemError } from '../../disk/file-operations.ts'
import type { JournalReader } from '../../wal/journal.ts'
import { createJournalIndex, type JournalIndex, type Outlier } from '../../wal/journal-index.ts'
import { readLines } from '../../wal/read-lines.ts'
import { findFirstWithoutGap, scanJournal } from '../../wal/scan-journal.ts'
import type { DamagedStretch } from '../../wal/scan-segment.ts'
import { headKey, listFirstWrites } from '../../wal/segment-file.ts'

/** One segment of a journal, and what is wrong with it. */
export interface FoundSegment {
  readonly file: string
  readonly bytes: number
  readonly damaged: readonly DamagedStretch[]
  /** Bytes at its end of a write that was never finished, or is just being written. */
  readonly unfinishedBytes: number
}

/** A journal as it stands in a folder; nothing was changed in it. What its lines hold is read when it is asked for. */
export interface FoundJournal extends JournalReader, Pick<JournalIndex, 'list' | 'listKeys' | 'damages'> {
  readonly segments: readonly FoundSegment[]
  readonly writeCount: number
  /** Number of the first write in it. */
  readonly firstFound: number | undefined
  /** Number of the last write in it. */
  readonly lastFound: number
}

/**
 * Reads the journal of a data folder, while a server writes it or not; `readOutliers` is asked behind the list of its
 * files. @throws the system's error
 */
export const readJournal = async (
  folder: string,
  readOutliers: () => Promise<readonly Outlier[]>,
): Promise<FoundJournal> => readDespiteRemoval(() => readOnce(join(folder, 'journal'), readOutliers))

/** Reads once more when the server removed a segment meanwhile: what was in it stands in other files by then. */
export const readDespiteRemoval = async <Result>(read: () => Promise<Result>, mostAttempts = 100): Promise<Result> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await read()
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || attempt === mostAttempts) throw error
    }
  }
}

const readOnce = async (folder: string, readOutliers: () => Promise<readonly Outlier[]>): Promise<FoundJournal> => {
  const listed = { firstWrites: await listFirstWrites(files, folder), outliers: await readOutliers() }
  const segments: FoundSegment[] = []
  const index = createJournalIndex()
  let writeCount = 0
  const lastFound = await scanJournal(files, folder, listed, async (segment) => {
    const { path, firstWrite, size, end, damaged, lines } = segment
    index.addSegment(path, firstWrite, segment)
    writeCount += lines.filter(({ key }) => key !== headKey).length
    const file = join(basename(folder), basename(path))
    segments.push({ file, bytes: size, damaged, unfinishedBytes: size - end })
  })
  return {
    ...index,
    segments,
    writeCount,
    firstFound: findFirstWithoutGap(listed),
    lastFound,
    folder,
    // A server may go on with it while the other files are read; what is beyond it is judged when they were.
    lastWrite: () => Number.POSITIVE_INFINITY,
    read: (key, range) => readLines(files, index.list(key, range)),
  }
}
