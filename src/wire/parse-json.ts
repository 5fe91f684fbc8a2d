import { Refused } from '../refused.ts'
import type { Work } from '../slices.ts'
import { findInText, findMark } from './json-scan.ts'

/**
 * The value of a JSON text that was checked for what it holds (`check-json.ts`); refuses text that is not valid JSON
 * (`parameterInvalid`, naming `parameter`).
 */
export const parseJson = (text: string, parameter: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new Refused('parameterInvalid', { parameter, reason: 'is not valid JSON' })
    throw error
  }
}

/** True for what JSON calls an object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const arrayStart = 0x5b
const arrayEnd = 0x5d
const objectStart = 0x7b
const objectEnd = 0x7d
const isOpening = (byte: number) => byte === arrayStart || byte === objectStart
const isClosing = (byte: number) => byte === arrayEnd || byte === objectEnd
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** How much of an array is parsed at once, at least: a dozen things, in some tens of microseconds. */
const pieceBytes = 4096

/**
 * The items of a JSON array, parsed a few at a time; undefined when the bytes, which are UTF-8, are not exactly an array
 * and white space around it.
 */
export function* parseArray(bytes: Buffer): Work<unknown[] | undefined> {
  const start = skipSpace(bytes, 0)
  const array = bytes[start] === arrayStart ? yield* parseArrayAt(bytes, start) : undefined
  return array !== undefined && skipSpace(bytes, array.end) === bytes.length ? array.items : undefined
}

/** True for a text that is a JSON array, if it is JSON at all. */
export const beginsArray = (text: unknown): text is string | Buffer =>
  Buffer.isBuffer(text)
    ? text[skipSpace(text, 0)] === arrayStart
    : typeof text === 'string' && /^[ \t\r\n]*\[/.test(text)

/** True for bytes that are a JSON object, if they are JSON at all. */
export const beginsObject = (bytes: Buffer): boolean => bytes[skipSpace(bytes, 0)] === objectStart

/**
 * The members of a JSON object in the order of their names' first appearance, of which arrays are parsed a few items at
 * a time; undefined when the bytes, which are UTF-8, are not exactly an object and white space around it.
 */
export function* parseObject(bytes: Buffer): Work<Record<string, unknown> | undefined> {
  const members: [string, unknown][] = []
  let at = skipSpace(bytes, 0)
  if (bytes[at] !== objectStart) return undefined
  const first = skipSpace(bytes, at + 1)
  if (bytes[first] === objectEnd) return skipSpace(bytes, first + 1) === bytes.length ? {} : undefined
  do {
    const nameStart = skipSpace(bytes, at + 1)
    const nameEnd = bytes[nameStart] === quote ? findClosingQuote(bytes, nameStart + 1) + 1 : nameStart
    const [name] = parsePiece(bytes, nameStart, nameEnd) ?? []
    const colonAt = skipSpace(bytes, nameEnd)
    if (typeof name !== 'string' || bytes[colonAt] !== colon) return undefined
    const value = yield* parseValueAt(bytes, skipSpace(bytes, colonAt + 1))
    if (value === undefined) return undefined
    members.push([name, value.items[0]])
    at = skipSpace(bytes, value.end)
    yield
  } while (bytes[at] === comma)
  const isWhole = bytes[at] === objectEnd && skipSpace(bytes, at + 1) === bytes.length
  return isWhole ? Object.fromEntries(members) : undefined
}

/** Items that were parsed, and where the text goes on behind them. */
interface Parsed {
  readonly items: unknown[]
  readonly end: number
}

function* parseValueAt(bytes: Buffer, start: number): Work<Parsed | undefined> {
  if (bytes[start] === arrayStart) {
    const array = yield* parseArrayAt(bytes, start)
    return array && { items: [array.items], end: array.end }
  }
  const end = findPieceEnd(bytes, start, 0)
  const items = parsePiece(bytes, start, end)
  return items?.length === 1 ? { items, end } : undefined
}

/**
 * Cutting an array is safe: pieces that are valid between brackets of their own, joined by commas between brackets, are
 * a valid array with the same items.
 */
function* parseArrayAt(bytes: Buffer, opening: number): Work<Parsed | undefined> {
  const items: unknown[] = []
  for (let start = opening + 1; ; ) {
    const end = findPieceEnd(bytes, start, pieceBytes)
    const piece = parsePiece(bytes, start, end)
    if (piece === undefined) return undefined
    for (const item of piece) items.push(item)
    if (bytes[end] !== comma) {
      const isEnded = bytes[end] === arrayEnd && (piece.length > 0 || start === opening + 1)
      return isEnded ? { items, end: end + 1 } : undefined
    }
    // Nothing before a comma.
    if (piece.length === 0) return undefined
    start = end + 1
    yield
  }
}

/** Where a piece ends: at a comma between two values, at what closes the whole, or at the end of all bytes. */
const findPieceEnd = (bytes: Buffer, start: number, least: number): number => {
  const { length } = bytes
  let depth = 0
  for (let at = findMark(bytes, start, length); at < length; at = findMark(bytes, at + 1, length)) {
    const byte = bytes[at] as number
    if (byte === quote) at = findClosingQuote(bytes, at + 1)
    else if (isOpening(byte)) depth++
    else if (isClosing(byte)) {
      if (depth === 0) return at
      depth--
    } else if (byte === comma && depth === 0 && at - start >= least) return at
  }
  return bytes.length
}

const findClosingQuote = (bytes: Buffer, start: number): number => {
  const { length } = bytes
  let at = findInText(bytes, start, length)
  while (at < length && bytes[at] === backslash) at = findInText(bytes, at + 2, length)
  return at
}

/** The values between two bytes. These become brackets for as long as that is read: a text put together is copied. */
const parsePiece = (bytes: Buffer, start: number, end: number): unknown[] | undefined => {
  const [before, behind] = [bytes[start - 1], bytes[end]]
  if (before === undefined || behind === undefined) return undefined
  bytes[start - 1] = arrayStart
  bytes[end] = arrayEnd
  const text = bytes.toString('utf8', start - 1, end + 1)
  bytes[start - 1] = before
  bytes[end] = behind
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const skipSpace = (bytes: Buffer, start: number): number => {
  let at = start
  while (at < bytes.length && isSpace(bytes[at])) at++
  return at
}
