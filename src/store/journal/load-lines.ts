import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import type { AccountLoading } from '../account/account.ts'
import type { FileOperations } from '../files/file-operations.ts'
import { readPieces } from '../files/read-pieces.ts'
import { type LineHead, readLineHead } from './journal-line.ts'
import { groupLines, LineChanged, readGroup } from './read-lines.ts'
import { createStepReader, findStepsCut } from './read-steps.ts'
import type { RecoveredLine } from './recover-journal.ts'

const loadLine = (line: Buffer, loading: AccountLoading): boolean => {
  const head = readLineHead(line)
  const steps = createStepReader(loading)
  return head !== undefined && isUtf8(line) && steps.take(line.subarray(head.stepsStart)) && steps.isComplete()
}

/** A line that may be large is not read as a whole. */
const loadLongLine = async (files: FileOperations, line: RecoveredLine, loading: AccountLoading): Promise<boolean> => {
  const steps = createStepReader(loading)
  let head: LineHead | undefined
  let checksum = 0
  const handle = await files.open(line.path, 'r')
  try {
    for await (const piece of readPieces(handle, line, findStepsCut)) {
      const isFirst = head === undefined
      head ??= readLineHead(piece)
      if (head?.write !== line.write || !isUtf8(piece)) return false
      checksum = crc32(isFirst ? piece.subarray(head.sealedStart) : piece, checksum)
      if (!steps.take(isFirst ? piece.subarray(head.stepsStart) : piece)) return false
    }
  } finally {
    await handle.close()
  }
  return steps.isComplete() && head?.fits(checksum) === true
}

const loadGroup = async (
  files: FileOperations,
  group: readonly RecoveredLine[],
  loading: AccountLoading,
): Promise<boolean> => {
  const [first] = group
  if (group.length === 1 && first !== undefined) return loadLongLine(files, first, loading)
  return (await readGroup(files, group)).every((line) => loadLine(line, loading))
}

/**
 * Makes writes again in an account that is being loaded. False when a line is not exactly what was written: it may be
 * changed, or repaired, or say that the account was removed.
 */
export const loadLines = async (
  files: FileOperations,
  lines: readonly RecoveredLine[],
  loading: AccountLoading,
): Promise<boolean> => {
  try {
    for (const group of groupLines(lines)) if (!(await loadGroup(files, group, loading))) return false
    return true
  } catch (error) {
    if (error instanceof LineChanged) return false
    throw error
  }
}
