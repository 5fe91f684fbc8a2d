import { guessKey, type JournalLine, lineOpening, readLine } from './journal-line.ts'

/** A line of a segment that is whole, and where it stands. `end` is behind its last byte before the line break. */
export interface ScannedLine extends JournalLine {
  readonly start: number
  readonly end: number
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

/** A crash leaves a line without its end, or a tail of bytes that were never written. */
const isTorn = (rest: Buffer): boolean => !rest.includes(lineBreak) || rest.at(-1) === 0

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

/**
 * Reads a segment whose first line must be of write `after + 1`. Only the end of the last segment may be torn; anything
 * else that is not a whole line, and any missing number, is damage.
 */
export const scanSegment = (bytes: Buffer, after: number, isLastSegment: boolean): ScannedSegment => {
  const lines: ScannedLine[] = []
  const damaged: DamagedStretch[] = []
  let lastWrite = after
  let wholeEnd = 0

  const noteDamage = (end: number, nextWrite: number | undefined): void => {
    const pieces = splitLines(bytes.subarray(wholeEnd, end))
    const first = lastWrite + 1
    const keys = pieces.map(guessKey).filter((key) => key !== undefined)
    const last = nextWrite === undefined ? lastWrite + Math.max(1, keys.length) : nextWrite - 1
    const isTold = keys.length === last - lastWrite || last === lastWrite
    damaged.push({ start: wholeEnd, end, first, last, keys: isTold ? keys : undefined })
    lastWrite = last
    wholeEnd = end
  }

  for (let start = 0; start < bytes.length; ) {
    const { line, end } = readAt(bytes, start)
    if (line !== undefined && line.write > lastWrite) {
      if (start > wholeEnd || line.write > lastWrite + 1) noteDamage(start, line.write)
      lines.push({ ...line, start, end })
      lastWrite = line.write
      wholeEnd = end + 1
    }
    start = end + 1
  }

  const rest = bytes.subarray(wholeEnd)
  const isUnfinished = isLastSegment && isTorn(rest)
  if (rest.length > 0 && !isUnfinished) noteDamage(bytes.length, undefined)
  return { lines, damaged, end: wholeEnd, lastWrite }
}
