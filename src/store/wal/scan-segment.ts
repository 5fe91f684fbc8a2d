import type { FileHandle } from 'node:fs/promises'
import { readBytes, readFileLines } from '../disk/file-lines.ts'
import type { ErrandSteps } from '../errands/stored-errands.ts'
import { findErrandSteps } from '../record/find-errand-steps.ts'
import { findKey, type JournalLine } from '../record/journal-line.ts'

/** A line of a segment that is whole, and where it stands. `end` is behind its last byte before the line break. */
export interface ScannedLine extends JournalLine {
  readonly start: number
  readonly end: number
  /** What it did to the errands of its account; undefined for nothing. */
  readonly errands: ErrandSteps | undefined
}

/** A stretch of a segment that is not what was written. */
export interface DamagedStretch {
  readonly start: number
  readonly end: number
  /** Numbers of the writes that stood there, from first to last; none when `first` is above `last`. */
  readonly first: number
  readonly last: number
  /** Whose they were, or undefined where that cannot be made out. */
  readonly keys: readonly string[] | undefined
}

/** What a segment holds. */
export interface ScannedSegment {
  readonly size: number
  readonly lines: readonly ScannedLine[]
  readonly damaged: readonly DamagedStretch[]
  /** How much of it is whole or damaged, with line breaks; what follows is a write that was never finished. */
  readonly end: number
  /** Number of the last write, those in damaged stretches included. */
  readonly lastWrite: number
}

const lineBreak = 0x0a

/** No line holds such bytes; they stand where the size of a file grew and its content did not reach the disk. */
const neverWritten = '\0\0'

const splitLines = (bytes: Buffer): readonly Buffer[] =>
  (bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []).map((line) => Buffer.from(line, 'latin1'))

const findLines = async (handle: FileHandle, size: number): Promise<readonly ScannedLine[]> => {
  const found: ScannedLine[] = []
  // One text for all lines of a key: there may be hundreds of thousands.
  const keys = new Map<string, string>()
  for await (const lines of readFileLines(handle, size))
    for (const { line, bytes, start } of lines) {
      if (line === undefined) continue
      const { write, batch } = line
      const key = keys.get(line.key) ?? line.key
      keys.set(key, key)
      found.push({ write, batch, key, start, end: start + bytes.length, errands: findErrandSteps(line, bytes) })
    }
  return found
}

/**
 * Where the writes of the newest segment end that reached the disk. A crash leaves a line without its end, or bytes
 * that were never written; behind these there may be whole lines, but only of the batch whose sync it prevented.
 */
const findTear = async (
  handle: FileHandle,
  size: number,
  found: readonly ScannedLine[],
  after: number,
): Promise<number> => {
  let end = 0
  let lastWrite = after
  for (const line of found) {
    const isHole = line.start > end && (await readBytes(handle, end, line.start)).includes(neverWritten)
    const missing = lastWrite + 1
    if (isHole && found.every(({ start, batch }) => start < line.start || batch <= missing)) return end
    end = line.end + 1
    lastWrite = Math.max(lastWrite, line.write)
  }
  const rest = await readBytes(handle, end, size)
  return !rest.includes(lineBreak) || rest.at(-1) === 0 || rest.includes(neverWritten) ? end : size
}

/**
 * Reads a segment whose first line must be of write `after + 1`, and whose last one is of write `next - 1`, or may be
 * any in the newest segment, where `next` is undefined. Only the newest segment may end in a write that was never
 * finished; anything else that is not a whole line, and any missing number, is damage.
 */
export const scanSegment = async (
  handle: FileHandle,
  after: number,
  next: number | undefined,
): Promise<ScannedSegment> => {
  const { size } = await handle.stat()
  const found = await findLines(handle, size)
  const end = next === undefined ? await findTear(handle, size, found, after) : size
  const lines: ScannedLine[] = []
  const damaged: DamagedStretch[] = []
  let lastWrite = after
  let wholeEnd = 0

  const noteDamage = async (stretchEnd: number, nextWrite: number | undefined): Promise<void> => {
    const pieces = splitLines(await readBytes(handle, wholeEnd, stretchEnd))
    const keys = pieces.map(findKey).filter((key) => key !== undefined)
    const last = nextWrite === undefined ? lastWrite + Math.max(1, pieces.length) : nextWrite - 1
    const isTold = keys.length === last - lastWrite || last === lastWrite
    damaged.push({ start: wholeEnd, end: stretchEnd, first: lastWrite + 1, last, keys: isTold ? keys : undefined })
    lastWrite = last
    wholeEnd = stretchEnd
  }

  for (const line of found) {
    if (line.start >= end || line.write <= lastWrite) continue
    if (line.start > wholeEnd || line.write > lastWrite + 1) await noteDamage(line.start, line.write)
    lines.push(line)
    lastWrite = line.write
    wholeEnd = line.end + 1
  }
  const isCutShort = next !== undefined && lastWrite < next - 1
  if (wholeEnd < end || isCutShort) await noteDamage(end, next)
  return { size, lines, damaged, end: wholeEnd, lastWrite }
}
