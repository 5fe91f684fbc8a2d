import type { FileHandle } from 'node:fs/promises'
import { type JournalLine, lineOpening, readLine } from '../record/journal-line.ts'

/** What is read at once: a few milliseconds of work. */
const pieceBytes = 1024 * 1024
const lineBreak = 0x0a

const takeAll = (bytes: Buffer): number => bytes.length

const cutAtLineBreak = (bytes: Buffer): number => bytes.lastIndexOf(lineBreak) + 1

/**
 * Reads a stretch of a file piece by piece. `findCut` tells how much of some bytes can be worked on by itself, 0 when
 * more is needed for that. Every piece stands in the same memory, which the next one overwrites.
 */
export async function* readPieces(
  handle: FileHandle,
  { start, end }: { readonly start: number; readonly end: number },
  findCut = takeAll,
): AsyncGenerator<Buffer, void, undefined> {
  let room = Buffer.allocUnsafeSlow(Math.min(pieceBytes, end - start))
  let filled = 0
  for (let at = start; at < end; ) {
    const { bytesRead } = await handle.read(room, filled, Math.min(room.length - filled, end - at), at)
    at += bytesRead
    filled += bytesRead
    const isLast = at === end || bytesRead === 0
    const cut = isLast ? filled : findCut(room.subarray(0, filled))
    if (cut > 0) yield room.subarray(0, cut)
    if (isLast) return
    room.copyWithin(0, cut, filled)
    filled -= cut
    if (filled < room.length) continue
    const larger = Buffer.allocUnsafeSlow(room.length * 2)
    room.copy(larger)
    room = larger
  }
}

/** The bytes between two places of a file; none behind its end. */
export const readBytes = async (handle: FileHandle, start: number, end: number): Promise<Buffer> => {
  const room = Buffer.alloc(Math.max(0, end - start))
  for (let filled = 0; filled < room.length; ) {
    const { bytesRead } = await handle.read(room, filled, room.length - filled, start + filled)
    if (bytesRead === 0) return room.subarray(0, filled)
    filled += bytesRead
  }
  return room
}

/** A line of a file. */
export interface FileLine {
  readonly start: number
  /** Without its line break. */
  readonly bytes: Buffer
  /** With it, or what stands there. */
  readonly whole: Buffer
  /** Undefined when it is not what was written. */
  readonly line: JournalLine | undefined
  /** False when its line break is damaged or missing. */
  readonly isEnded: boolean
}

/** The line that begins at a place, also when nothing but its line break is damaged; and its bytes without that. */
const readLineAt = (piece: Buffer, start: number): Pick<FileLine, 'line' | 'bytes'> => {
  const found = piece.indexOf(lineBreak, start)
  const bytes = piece.subarray(start, found === -1 ? piece.length : found)
  const line = readLine(bytes)
  const nextOpening = line === undefined ? bytes.indexOf(lineOpening, 1) : -1
  if (nextOpening === -1) return { line, bytes }
  const unbroken = readLine(bytes.subarray(0, nextOpening - 1))
  return unbroken === undefined ? { line, bytes } : { line: unbroken, bytes: bytes.subarray(0, nextOpening - 1) }
}

function* splitPiece(piece: Buffer, before: number): Generator<FileLine> {
  for (let start = 0; start < piece.length; ) {
    const { line, bytes } = readLineAt(piece, start)
    const end = start + bytes.length
    const whole = piece.subarray(start, Math.min(end + 1, piece.length))
    yield { start: before + start, bytes, whole, line, isEnded: piece[end] === lineBreak }
    start += whole.length
  }
}

/** Reads the lines of a file up to a place, those of a piece at once. They are there until the next piece. */
export async function* readFileLines(handle: FileHandle, fileEnd: number): AsyncGenerator<Iterable<FileLine>> {
  let before = 0
  for await (const piece of readPieces(handle, { start: 0, end: fileEnd }, cutAtLineBreak)) {
    yield splitPiece(piece, before)
    before += piece.length
  }
}
