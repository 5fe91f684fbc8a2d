import type { FileOperations } from '../disk/file-operations.ts'
import { readLine, readSteps } from '../record/journal-line.ts'
import type { RecoveredLine } from './found-lines.ts'

/** A write of one account or of the registry, read back. */
export interface KeptWrite {
  readonly write: number
  readonly steps: unknown
}

/** The same as it stands in the journal, without its line break. */
export interface KeptLine {
  readonly write: number
  readonly bytes: Buffer
}

/** What is read at once of many lines. */
const windowBytes = 1024 * 1024

/** Thrown when a line of the journal is not what it was when the journal was opened. */
export class LineChanged extends Error {
  override readonly name = 'LineChanged'
}

/** Splits lines into stretches of one file that are read at once; only one of a single line may be large. */
export const groupLines = <Line extends Pick<RecoveredLine, 'start' | 'end'> & { readonly path?: string }>(
  lines: readonly Line[],
): readonly (readonly Line[])[] => {
  const groups: Line[][] = []
  for (const line of lines) {
    const group = groups.at(-1)
    const first = group?.[0]
    if (first !== undefined && first.path === line.path && line.end - first.start <= windowBytes) group?.push(line)
    else groups.push([line])
  }
  return groups
}

const sizeOf = (group: readonly RecoveredLine[]): number => (group.at(-1)?.end ?? 0) - (group[0]?.start ?? 0)

const readGroup = async (
  files: FileOperations,
  group: readonly RecoveredLine[],
  room: Buffer,
): Promise<readonly KeptLine[]> => {
  const [first] = group
  if (first === undefined) return []
  const handle = await files.open(first.path, 'r')
  try {
    await handle.read(room, 0, sizeOf(group), first.start)
    return group.map(({ path, start, end, write }) => {
      const line = room.subarray(start - first.start, end - first.start)
      if (readLine(line)?.write !== write) throw new LineChanged(`${path} has changed at byte ${start}`)
      return { write, bytes: line }
    })
  } finally {
    await handle.close()
  }
}

/** Reads lines back, in order, some at once. Their bytes are there until the next ones. @throws LineChanged, the system's error */
export async function* readGroups(
  files: FileOperations,
  lines: readonly RecoveredLine[],
): AsyncGenerator<readonly KeptLine[]> {
  let room = Buffer.alloc(0)
  for (const group of groupLines(lines)) {
    if (sizeOf(group) > room.length) room = Buffer.allocUnsafeSlow(Math.max(sizeOf(group), 2 * room.length))
    yield await readGroup(files, group, room)
  }
}

/** Reads writes back, in order. @throws LineChanged, SyntaxError in a line that a person repaired */
export const readLines = async (
  files: FileOperations,
  lines: readonly RecoveredLine[],
): Promise<readonly KeptWrite[]> => {
  const writes: KeptWrite[] = []
  for await (const group of readGroups(files, lines))
    for (const { write, bytes } of group) writes.push({ write, steps: readSteps(bytes) })
  return writes
}
