import type { ErrandSteps } from '../errands/kept-errands.ts'
import { findErrandSteps } from '../record/find-errand-steps.ts'
import { findKey, type JournalLine, lineOpening, readLine } from '../record/journal-line.ts'
import type { SegmentBytes } from './segment-bytes.ts'

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

const splitLines = (bytes: Buffer): readonly Buffer[] => {
  const lines: Buffer[] = []
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(lineBreak, start)
    const end = found === -1 ? bytes.length : found
    lines.push(bytes.subarray(start, end))
    start = end + 1
  }
  return lines
}

const findEnd = (bytes: Buffer, start: number, mark: number | string): number => {
  const found = bytes.indexOf(mark, start)
  return found === -1 ? bytes.length : found
}

/** The line that begins at `start`, also when nothing but its line break is damaged; or where to go on. */
const readAt = (bytes: Buffer, start: number): { readonly line: JournalLine | undefined; readonly end: number } => {
  const end = findEnd(bytes, start, lineBreak)
  const line = readLine(bytes.subarray(start, end))
  if (line !== undefined) return { line, end }
  const breakAt = Math.min(end + 1, findEnd(bytes, start + 1, lineOpening)) - 1
  const unbroken = breakAt < bytes.length ? readLine(bytes.subarray(start, breakAt)) : undefined
  return unbroken === undefined ? { line: undefined, end } : { line: unbroken, end: breakAt }
}

const findLines = async (bytes: SegmentBytes): Promise<readonly ScannedLine[]> => {
  const found: ScannedLine[] = []
  // One text for all lines of a key: there may be hundreds of thousands.
  const keys = new Map<string, string>()
  let before = 0
  for await (const piece of bytes.pieces()) {
    for (let start = 0; start < piece.length; ) {
      const { line, end } = readAt(piece, start)
      if (line !== undefined) {
        const { write, batch } = line
        const key = keys.get(line.key) ?? line.key
        keys.set(key, key)
        const errands = findErrandSteps(line, piece.subarray(start, end))
        found.push({ write, batch, key, start: before + start, end: before + end, errands })
      }
      start = end + 1
    }
    before += piece.length
  }
  return found
}

/**
 * Where the writes of the newest segment end that reached the disk. A crash leaves a line without its end, or bytes
 * that were never written; behind these there may be whole lines, but only of the batch whose sync it prevented.
 */
const findTear = async (
  { size, read }: SegmentBytes,
  found: readonly ScannedLine[],
  after: number,
): Promise<number> => {
  let end = 0
  let lastWrite = after
  for (const line of found) {
    const isHole = line.start > end && (await read(end, line.start)).includes(neverWritten)
    const missing = lastWrite + 1
    if (isHole && found.every(({ start, batch }) => start < line.start || batch <= missing)) return end
    end = line.end + 1
    lastWrite = Math.max(lastWrite, line.write)
  }
  const rest = await read(end, size)
  return !rest.includes(lineBreak) || rest.at(-1) === 0 || rest.includes(neverWritten) ? end : size
}

/**
 * Reads a segment whose first line must be of write `after + 1`, and whose last one is of write `next - 1`, or may be
 * any in the newest segment, where `next` is undefined. Only the newest segment may end in a write that was never
 * finished; anything else that is not a whole line, and any missing number, is damage.
 */
export const scanSegment = async (
  bytes: SegmentBytes,
  after: number,
  next: number | undefined,
): Promise<ScannedSegment> => {
  const found = await findLines(bytes)
  const end = next === undefined ? await findTear(bytes, found, after) : bytes.size
  const lines: ScannedLine[] = []
  const damaged: DamagedStretch[] = []
  let lastWrite = after
  let wholeEnd = 0

  const noteDamage = async (stretchEnd: number, nextWrite: number | undefined): Promise<void> => {
    const pieces = splitLines(await bytes.read(wholeEnd, stretchEnd))
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
  return { lines, damaged, end: wholeEnd, lastWrite }
}
