import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runWhole } from '../../../slices.ts'
import type { Change } from '../../record/change.ts'
import { encodeLine, readSteps } from '../../record/journal-line.ts'
import { encodeStep, readChanges } from '../../record/write-steps.ts'
import { findNext } from '../../wal/recover-journal.ts'
import { type ScannedLine, scanSegment } from '../../wal/scan-segment.ts'
import { bytesInMemory } from '../../wal/segment-bytes.ts'
import { findFirstWrite } from '../../wal/segment-file.ts'
import type { Outlier } from '../../wal/segments.ts'

/** The steps of a line of an account; undefined for any other, and where a person repaired it and left none. */
const findChanges = (line: Buffer): readonly Change[] | undefined => {
  try {
    return readChanges(readSteps(line))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const convertLine = (line: Buffer, head: ScannedLine): Buffer => {
  const changes = findChanges(line)
  // What is no list of steps stays as it is, and is named when somebody asks for its account.
  if (changes === undefined || changes.length === 0) return line
  const steps = Buffer.from(`[${changes.map(encodeStep).join(',')}]`)
  return Buffer.concat(runWhole(encodeLine(head, [steps]))).subarray(0, -1)
}

/** The bytes of each file of a journal, by name, with the steps of accounts as they are today; what is damaged stays so. */
export async function* convertJournal(
  folder: string,
  names: readonly string[],
  outliers: readonly Outlier[],
): AsyncGenerator<[string, Buffer]> {
  const segments = names.filter((name) => findFirstWrite(name) !== undefined).sort()
  const firstWrites = segments.map((name) => findFirstWrite(name) ?? 0)
  let lastWrite = 0
  for (const [index, name] of segments.entries()) {
    const bytes = await readFile(join(folder, name))
    const firstWrite = firstWrites[index] ?? 0
    if (index === 0 || findNext(firstWrites, index - 1, outliers) !== firstWrite) lastWrite = firstWrite - 1
    const scanned = await scanSegment(bytesInMemory(bytes), lastWrite, findNext(firstWrites, index, outliers))
    const pieces: Buffer[] = []
    let done = 0
    for (const line of scanned.lines) {
      pieces.push(bytes.subarray(done, line.start), convertLine(bytes.subarray(line.start, line.end), line))
      done = line.end
    }
    lastWrite = scanned.lastWrite
    yield [name, Buffer.concat([...pieces, bytes.subarray(done)])]
  }
}
