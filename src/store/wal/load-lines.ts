import type { FileOperations } from '../disk/file-operations.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import { followOn, type StepSink } from '../record/step-sink.ts'
import { takeSteps } from '../record/take-steps.ts'
import type { RecoveredLine } from './found-lines.ts'
import { readGroups } from './read-lines.ts'

/** Hands on the steps of a line that `readLine` has read. @throws DamagedFile when they do not go on from those before */
const takeWrite = (line: Buffer, write: number, sink: StepSink): void => {
  if (!takeSteps(line, sink, followOn(sink)))
    throw new DamagedFile(`the steps of write ${write} are not complete, or do not follow position ${sink.position()}`)
}

/** Hands on the steps of writes to an account, in order. @throws DamagedFile, LineChanged */
export const loadLines = async (
  files: FileOperations,
  lines: readonly RecoveredLine[],
  sink: StepSink,
): Promise<void> => {
  for await (const group of readGroups(files, lines))
    for (const { write, bytes } of group) takeWrite(bytes, write, sink)
}

const lineBreak = Buffer.from('\n')

/** The bytes of lines, each with a line break behind it, some at once. @throws LineChanged */
export async function* copyLines(files: FileOperations, lines: readonly RecoveredLine[]): AsyncGenerator<Buffer> {
  for await (const group of readGroups(files, lines))
    yield Buffer.concat(group.flatMap(({ bytes }) => [bytes, lineBreak]))
}
