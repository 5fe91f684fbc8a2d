import type { Work } from '../slices.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const arrayStart = 0x5b
const arrayEnd = 0x5d
const isOpening = (byte: number) => byte === arrayStart || byte === 0x7b
const isClosing = (byte: number) => byte === arrayEnd || byte === 0x7d
const isSpace = (byte: number) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** How much is parsed at once, at least: a few things. */
const pieceBytes = 1024

/**
 * The items of a JSON array, parsed a few at a time; undefined when the bytes, which are UTF-8, are not exactly an array
 * and white space behind it. Cutting it is safe: pieces that are valid between brackets of their own, joined by commas
 * between brackets, are a valid array with the same items.
 */
export function* parseLongArray(bytes: Buffer): Work<unknown[] | undefined> {
  if (bytes[0] !== arrayStart) return undefined
  const items: unknown[] = []
  for (let start = 1; ; ) {
    const end = findPieceEnd(bytes, start)
    const piece = parsePiece(bytes, start, end)
    if (piece === undefined) return undefined
    for (const item of piece) items.push(item)
    if (bytes[end] !== comma) {
      const isWhole = bytes[end] === arrayEnd && isBlank(bytes, end + 1)
      return isWhole && (piece.length > 0 || start === 1) ? items : undefined
    }
    // Nothing before a comma.
    if (piece.length === 0) return undefined
    start = end + 1
    yield
  }
}

/** Where a piece ends: at a comma between two items, at what closes the array, or at the end of all bytes. */
const findPieceEnd = (bytes: Buffer, start: number): number => {
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at] as number
    if (byte === quote) at = findClosingQuote(bytes, at + 1)
    else if (isOpening(byte)) depth++
    else if (isClosing(byte)) {
      if (depth === 0) return at
      depth--
    } else if (byte === comma && depth === 0 && at - start >= pieceBytes) return at
  }
  return bytes.length
}

const findClosingQuote = (bytes: Buffer, start: number): number => {
  let at = start
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1
  return at
}

const parsePiece = (bytes: Buffer, start: number, end: number): unknown[] | undefined => {
  try {
    return JSON.parse(`[${bytes.toString('utf8', start, end)}]`)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const isBlank = (bytes: Buffer, start: number): boolean => {
  for (let at = start; at < bytes.length; at++) if (!isSpace(bytes[at] as number)) return false
  return true
}
