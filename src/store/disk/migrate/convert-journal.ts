import * as files from 'node:fs/promises'
import { join } from 'node:path'
import { runWhole } from '../../../slices.ts'
import { encodeLine } from '../../record/journal-line.ts'
import { parseSteps } from '../../record/take-steps.ts'
import { encodeStep } from '../../record/write-steps.ts'
import { groupLines } from '../../wal/read-lines.ts'
import { findNext } from '../../wal/recover-journal.ts'
import { type ScannedLine, type ScannedSegment, scanSegment } from '../../wal/scan-segment.ts'
import { type SegmentBytes, withBytesOfFile } from '../../wal/segment-bytes.ts'
import { findFirstWrite } from '../../wal/segment-file.ts'
import type { Outlier } from '../../wal/segments.ts'

const convertLine = (line: Buffer, head: ScannedLine): Buffer => {
  const changes = parseSteps(line)
  // What is no list of steps stays as it is, and is named when somebody asks for its account.
  if (changes === undefined || changes.length === 0) return line
  const steps = Buffer.from(`[${changes.map(encodeStep).join(',')}]`)
  return Buffer.concat(runWhole(encodeLine(head, [steps]))).subarray(0, -1)
}

async function* convertSegment({ read, size }: SegmentBytes, { lines }: ScannedSegment): AsyncGenerator<Buffer> {
  let done = 0
  for (const group of groupLines(lines)) {
    const before = done
    const bytes = await read(before, group.at(-1)?.end ?? before)
    const pieces = group.flatMap((line) => {
      const gap = bytes.subarray(done - before, line.start - before)
      done = line.end
      return [gap, convertLine(bytes.subarray(line.start - before, line.end - before), line)]
    })
    yield Buffer.concat(pieces)
  }
  yield await read(done, size)
}

/**
 * Gives each file of a journal to `write`, by its name and piece by piece, with the steps of accounts as they are today;
 * what is damaged stays so.
 */
export const convertJournal = async (
  folder: string,
  names: readonly string[],
  outliers: readonly Outlier[],
  write: (name: string, bytes: AsyncIterable<Buffer>) => Promise<void>,
): Promise<void> => {
  const segments = names.filter((name) => findFirstWrite(name) !== undefined).sort()
  const firstWrites = segments.map((name) => findFirstWrite(name) ?? 0)
  let lastWrite = 0
  for (const [index, name] of segments.entries()) {
    const firstWrite = firstWrites[index] ?? 0
    if (index === 0 || findNext(firstWrites, index - 1, outliers) !== firstWrite) lastWrite = firstWrite - 1
    const after = lastWrite
    lastWrite = await withBytesOfFile(files, join(folder, name), async (bytes) => {
      const scanned = await scanSegment(bytes, after, findNext(firstWrites, index, outliers))
      await write(name, convertSegment(bytes, scanned))
      return scanned.lastWrite
    })
  }
}
