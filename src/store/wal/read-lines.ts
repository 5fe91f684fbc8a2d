import type { FileHandle } from 'node:fs/promises'
import { type FileOperations, withHandle } from '../disk/file-operations.ts'
import { readLine } from '../record/journal-line.ts'
import { DamagedFile } from '../record/sealed-json.ts'
import { followOn, type StepSink } from '../record/step-sink.ts'
import { takeSteps } from '../record/take-steps.ts'
import type { LinePlace } from './journal-index.ts'

/** A write of one key as it stands in the journal, without its line break. */
export interface ReadLine {
  readonly write: number
  readonly bytes: Buffer
}

/** Some at once, whose bytes are there until the next ones. */
export type ReadLines = AsyncIterable<readonly ReadLine[]>

/** What is read at once of many lines. */
const windowBytes = 1024 * 1024

/** Splits lines into stretches of one file that are read at once; only one of a single line may be large. */
const groupLines = (lines: readonly LinePlace[]): readonly (readonly LinePlace[])[] => {
  const groups: LinePlace[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (first !== undefined && first.path === line.path && line.end - first.start <= windowBytes) group?.push(line)
    else groups.push([line])
  }
  return groups
}

const sizeOf = (group: readonly LinePlace[]): number => (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0)

const readGroup = async (
  handle: FileHandle,
  group: readonly LinePlace[],
  room: Buffer,
): Promise<readonly ReadLine[]> => {
  const begin = group[0]?.start ?? 0
  await handle.read(room, 0, sizeOf(group), begin)
  return group.map(({ path, start, end, write }) => {
    const bytes = room.subarray(start - begin, end - begin)
    if (readLine(bytes)?.write !== write) throw new DamagedFile(`${path} has changed at byte ${start}`)
    return { write, bytes }
  })
}

/** Reads lines back, in order. @throws DamagedFile when one is not what it was, the system's error */
export async function* readLines(
  files: FileOperations,
  lines: readonly LinePlace[],
): AsyncGenerator<readonly ReadLine[]> {
  let room = Buffer.alloc(0)
  for (const group of groupLines(lines)) {
    if (sizeOf(group) > room.length) room = Buffer.allocUnsafeSlow(Math.max(sizeOf(group), 2 * room.length))
    yield await withHandle(files.open(group[0]?.path ?? '', 'r'), (handle) => readGroup(handle, group, room))
  }
}

/** Hands on the steps of writes to an account, in order. @throws DamagedFile, and what the lines throw */
export const takeLines = async (lines: ReadLines, sink: StepSink): Promise<void> => {
  for await (const group of lines)
    for (const { write, bytes } of group)
      if (!takeSteps(bytes, sink, followOn(sink)))
        throw new DamagedFile(
          `the steps of write ${write} are not complete, or do not follow position ${sink.position()}`,
        )
}
