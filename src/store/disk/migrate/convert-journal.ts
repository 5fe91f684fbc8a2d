import type { FileHandle } from 'node:fs/promises'
import { runWhole } from '../../../slices.ts'
import { encodeLine } from '../../record/journal-line.ts'
import { parseSteps } from '../../record/take-steps.ts'
import { encodeStep } from '../../record/write-steps.ts'
import { groupLines } from '../../wal/read-lines.ts'
import type { ScannedLine, ScannedSegment } from '../../wal/scan-segment.ts'
import { readBytes } from '../file-lines.ts'

const convertLine = (line: Buffer, head: ScannedLine): Buffer => {
  const changes = parseSteps(line)
  // What is no list of steps stays as it is, and is named when somebody asks for its account.
  if (changes === undefined || changes.length === 0) return line
  const steps = Buffer.from(`[${changes.map(encodeStep).join(',')}]`)
  return Buffer.concat(runWhole(encodeLine(head, [steps]))).subarray(0, -1)
}

/** The bytes of a segment with the steps of accounts as they are today; what is damaged stays so. */
export async function* convertSegment(
  handle: FileHandle,
  { lines, size }: ScannedSegment,
): AsyncGenerator<Buffer, void, undefined> {
  let done = 0
  for (const group of groupLines(lines)) {
    const before = done
    const bytes = await readBytes(handle, before, group.at(-1)?.end ?? before)
    const pieces = group.flatMap((line) => {
      const gap = bytes.subarray(done - before, line.start - before)
      done = line.end
      return [gap, convertLine(bytes.subarray(line.start - before, line.end - before), line)]
    })
    yield Buffer.concat(pieces)
  }
  yield await readBytes(handle, done, size)
}
