import { isUtf8 } from 'node:buffer'
import { ApiError } from '../api-error.ts'
import type { Work } from '../scheduling.ts'
import { longBytes } from './request-body.ts'

/** Creates a search for the first of some bytes from `start`; it returns `end` without a match. It must be fast. */
const createSearch = (characters: string) => {
  const isMatch = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) isMatch[byte] = 1
  return (bytes: Uint8Array, start: number, end: number): number => {
    let at = start
    while (at < end && isMatch[bytes[at] as number] === 0) at++
    return at
  }
}

/** Finds the next quote or backslash of a JSON string. */
export const findInText = createSearch('"\\')

/** Finds the next quote, comma or bracket outside of JSON strings. */
export const findMark = createSearch('",[]{}')

/**
 * The limits of the JSON in one request. A limit of bytes is not enough: two bytes of JSON can need two hundred in
 * memory.
 */
export interface JsonLimits {
  /** Nested lists and objects. */
  readonly maxJsonDepth: number
  /** Members of an object. */
  readonly maxJsonMembers: number
  /** Values of all kinds, lists and objects included. */
  readonly maxJsonValues: number
  /** Values that are parsed at once: the values of a thing, or of a map. */
  readonly maxJsonValuesAtOnce: number
}

/**
 * The default limits. The tag settings of a request may name 10,000 tags (openapi.yaml): as many members, and 40,000
 * values that are parsed at once. 100,000 things with eight fields are 900,000 values.
 */
export const defaultJsonLimits: JsonLimits = {
  maxJsonDepth: 32,
  maxJsonMembers: 10_000,
  maxJsonValues: 1_000_000,
  maxJsonValuesAtOnce: 50_000,
}

/** The offsets at which a long text is cut into pieces that are parsed one after the other. */
export type JsonCuts = 'nowhere' | 'between items' | 'between members and items'

/** Checks the JSON texts of one request before they are parsed, and counts the values of all of them together. */
export interface JsonMeter {
  /**
   * Checks a text against the limits. The parser, not the meter, checks that it is valid JSON.
   * @throws ApiError `parameterInvalid` for a text that is nested too deep, `tooManyItems` for one with too many values
   */
  readonly check: (text: string | Buffer, parameter: string, cuts: JsonCuts) => Work<void>
}

/** The progress of checking a text. The counts of the open lists and objects are stored by depth. */
interface Progress {
  at: number
  depth: number
  isString: boolean
  valuesAtOnce: number
  /** By depth. Not typed arrays: creating them costs more than checking a small text. */
  readonly commas: number[]
  readonly isList: boolean[]
}

const cutDepths: Readonly<Record<JsonCuts, number>> = {
  nowhere: 0,
  'between items': 1,
  'between members and items': 2,
}

/** Creates a meter for a request. */
export const createJsonMeter = (limits: JsonLimits): JsonMeter => {
  const { maxJsonDepth, maxJsonMembers, maxJsonValues, maxJsonValuesAtOnce } = limits
  let values = 0
  // Shared, because the texts of a request are checked one after the other.
  const progress: Progress = {
    at: 0,
    depth: 0,
    isString: false,
    valuesAtOnce: 0,
    commas: [0],
    isList: [true],
  }

  const checkCounts = (parameter: string): void => {
    const { depth, commas, isList, valuesAtOnce } = progress
    if (isList[depth] === false && (commas[depth] as number) >= maxJsonMembers) {
      throw createTooManyError(parameter, `holds an object of more than ${maxJsonMembers} members`)
    }
    if (values > maxJsonValues) throw createTooManyError(parameter, `holds more than ${maxJsonValues} values`)
    if (valuesAtOnce > maxJsonValuesAtOnce) {
      throw createTooManyError(parameter, `holds a thing or a map of more than ${maxJsonValuesAtOnce} values`)
    }
  }

  const open = (byte: number, parameter: string): void => {
    progress.depth++
    if (progress.depth > maxJsonDepth) {
      throw new ApiError('parameterInvalid', { parameter, reason: `is nested deeper than ${maxJsonDepth} levels` })
    }
    progress.commas[progress.depth] = 0
    progress.isList[progress.depth] = byte === arrayStart
  }

  const countValue = (byte: number, parameter: string, cutDepth: number): void => {
    const { depth, commas, isList } = progress
    values++
    progress.valuesAtOnce++
    if (byte === comma) {
      commas[depth] = (commas[depth] as number) + 1
      if (depth < cutDepth || (depth === cutDepth && isList[depth] === true)) progress.valuesAtOnce = 0
    } else open(byte, parameter)
    checkCounts(parameter)
  }

  const countPiece = (bytes: Buffer, parameter: string, cutDepth: number): void => {
    const stop = Math.min(bytes.length, progress.at + longBytes)
    let { at, isString } = progress
    while (at < stop) {
      at = isString ? findInText(bytes, at, stop) : findMark(bytes, at, stop)
      if (at >= stop) break
      const byte = bytes[at++] as number
      if (byte === quote) isString = !isString
      else if (isString) at++
      else if (byte !== arrayEnd && byte !== objectEnd) countValue(byte, parameter, cutDepth)
      else if (progress.depth > 0) progress.depth--
    }
    progress.at = at
    progress.isString = isString
  }

  const check: JsonMeter['check'] = (text, parameter, cuts) => {
    // A shorter text cannot exceed a limit.
    const checked = text.length <= maxJsonDepth ? '' : text
    const bytes = typeof checked === 'string' ? Buffer.from(checked) : checked
    progress.at = 0
    progress.depth = 0
    progress.isString = false
    progress.valuesAtOnce = 0
    return countInPieces(bytes, progress, () => countPiece(bytes, parameter, cutDepths[cuts]))
  }

  return { check }
}

function* countInPieces({ length }: Buffer, progress: Readonly<Progress>, countNext: () => void): Work<void> {
  while (progress.at < length) {
    countNext()
    yield
  }
}

const createTooManyError = (parameter: string, reason: string) => new ApiError('tooManyItems', { parameter, reason })

/**
 * Parses a JSON text that a `JsonMeter` has checked.
 * @throws ApiError `parameterInvalid`, which names `parameter`, for text that is not valid JSON
 */
export const parseJson = (text: string, parameter: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) throw new ApiError('parameterInvalid', { parameter, reason: 'is not valid JSON' })
    throw error
  }
}

/** True for a JSON object: neither null nor an array. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const lowerU = 0x75
/** The length of `\\u0061`. */
const unicodeEscapeBytes = 6
const colon = 0x3a
const arrayStart = 0x5b
const arrayEnd = 0x5d
const objectStart = 0x7b
const objectEnd = 0x7d
const isOpening = (byte: number) => byte === arrayStart || byte === objectStart
const isClosing = (byte: number) => byte === arrayEnd || byte === objectEnd
const isContinuation = (byte: number) => (byte & 0xc0) === 0x80
const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Minimum bytes of an array that are parsed at once: about a dozen things. */
const minPieceBytes = 4096

/**
 * Parses the items of a JSON array, a few at a time. Undefined when the bytes, which must be UTF-8, are anything but an
 * array with optional white space around it.
 */
export function* parseArray(bytes: Buffer): Work<unknown[] | undefined> {
  const start = skipSpace(bytes, 0)
  const array = bytes[start] === arrayStart ? yield* parseArrayAt(bytes, start) : undefined
  return array !== undefined && skipSpace(bytes, array.end) === bytes.length ? array.items : undefined
}

/** True for a text that is a JSON array, if it is valid JSON. */
export const beginsArray = (text: unknown): text is string | Buffer =>
  Buffer.isBuffer(text)
    ? text[skipSpace(text, 0)] === arrayStart
    : typeof text === 'string' && /^[ \t\r\n]*\[/.test(text)

/** True for bytes that are a JSON object, if they are valid JSON. */
export const beginsObject = (bytes: Buffer): boolean => bytes[skipSpace(bytes, 0)] === objectStart

/**
 * Parses the members of a JSON object, in the order in which their names first appear; arrays and long values in
 * pieces. Undefined when the bytes, which must be UTF-8, are anything but an object with optional white space around
 * it.
 */
export function* parseObject(bytes: Buffer): Work<Record<string, unknown> | undefined> {
  if (!beginsObject(bytes)) return undefined
  const parsed = yield* parseObjectAt(bytes, skipSpace(bytes, 0))
  const isWhole = parsed !== undefined && skipSpace(bytes, parsed.end) === bytes.length
  return isWhole ? (parsed.items[0] as Record<string, unknown>) : undefined
}

/**
 * Checks and parses the object of a long JSON text in a form, in pieces (`parseObject`).
 * @throws ApiError like `JsonMeter.check`, and `parameterInvalid` for bytes that are not valid JSON
 */
export function* readLongObject(bytes: Buffer, parameter: string, meter: JsonMeter): Work<Record<string, unknown>> {
  yield* meter.check(bytes, parameter, 'nowhere')
  const object = yield* parseObject(bytes)
  if (object === undefined) throw new ApiError('parameterInvalid', { parameter, reason: 'is not valid JSON' })
  return object
}

/** Parsed items, and the position behind them. */
interface Parsed {
  readonly items: unknown[]
  readonly end: number
}

function* parseObjectAt(bytes: Buffer, opening: number): Work<Parsed | undefined> {
  const members: [string, unknown][] = []
  let at = skipSpace(bytes, opening + 1)
  if (bytes[at] === objectEnd) return { items: [{}], end: at + 1 }
  at = opening
  do {
    const nameStart = skipSpace(bytes, at + 1)
    const name = bytes[nameStart] === quote ? yield* parseTextAt(bytes, nameStart) : undefined
    if (name === undefined) return undefined
    const colonAt = skipSpace(bytes, name.end)
    if (bytes[colonAt] !== colon) return undefined
    const value = yield* parseValueAt(bytes, skipSpace(bytes, colonAt + 1))
    if (value === undefined) return undefined
    members.push([name.items[0] as string, value.items[0]])
    at = skipSpace(bytes, value.end)
    yield
  } while (bytes[at] === comma)
  return bytes[at] === objectEnd ? { items: [Object.fromEntries(members)], end: at + 1 } : undefined
}

function* parseValueAt(bytes: Buffer, start: number): Work<Parsed | undefined> {
  if (bytes[start] === arrayStart) {
    const array = yield* parseArrayAt(bytes, start)
    return array && { items: [array.items], end: array.end }
  }
  const stop = Math.min(bytes.length, start + longBytes)
  let { end } = findPieceEnd(bytes, start, 0, stop)
  if (end === stop && stop < bytes.length) {
    if (bytes[start] === objectStart) return yield* parseObjectAt(bytes, start)
    if (bytes[start] === quote) return yield* parseTextAt(bytes, start)
    end = findPieceEnd(bytes, start, 0, bytes.length).end
  }
  const items = parsePiece(bytes, start, end)
  return items?.length === 1 ? { items, end } : undefined
}

/** Parses a JSON string, a long one in pieces: decoding millions of escapes at once would block all other requests. */
function* parseTextAt(bytes: Buffer, opening: number): Work<Parsed | undefined> {
  const { length } = bytes
  let text = ''
  for (let start = opening + 1; ; ) {
    const stop = Math.min(length, start + longBytes)
    let at = findInText(bytes, start, stop)
    while (at < stop && bytes[at] === backslash) {
      at += bytes[at + 1] === lowerU ? unicodeEscapeBytes : 2
      at = at < stop ? findInText(bytes, at, stop) : at
    }
    const isEnd = at < stop
    // Never cuts within a character.
    while (!isEnd && at < length && isContinuation(bytes[at] as number)) at++
    if (at >= length) return undefined
    const piece = parseBetween(bytes, start, at, quote, quote)
    if (piece === undefined) return undefined
    text += piece as string
    if (isEnd) return { items: [text], end: at + 1 }
    start = at
    yield
  }
}

/**
 * Parses an array in pieces. Cutting is safe: pieces that are valid in brackets of their own, joined by commas, form a
 * valid array with the same items.
 */
function* parseArrayAt(bytes: Buffer, opening: number): Work<Parsed | undefined> {
  const items: unknown[] = []
  for (let start = opening + 1; ; ) {
    const stop = Math.min(bytes.length, start + longBytes)
    const found = findPieceEnd(bytes, start, minPieceBytes, stop)
    const isLong = found.end === stop && stop < bytes.length
    let end = isLong && found.lastComma !== none ? found.lastComma : found.end
    let piece: unknown[] | undefined
    if (isLong && found.lastComma === none) {
      const item = yield* parseValueAt(bytes, skipSpace(bytes, start))
      piece = item?.items
      end = item === undefined ? end : skipSpace(bytes, item.end)
    } else piece = parsePiece(bytes, start, end)
    if (piece === undefined) return undefined
    for (const item of piece) items.push(item)
    if (bytes[end] !== comma) {
      const isEnded = bytes[end] === arrayEnd && (piece.length > 0 || start === opening + 1)
      return isEnded ? { items, end: end + 1 } : undefined
    }
    // No item before a comma.
    if (piece.length === 0) return undefined
    start = end + 1
    yield
  }
}

/**
 * Stands for no position. It is not undefined, because V8's compiler Maglev (Node 26.10) miscompiles a loop around a
 * variable that is sometimes a number and sometimes undefined: the server then rejects valid JSON.
 */
const none = -1

/** The end of a piece, and the last comma before it between two of its values, or `none`. */
interface PieceEnd {
  readonly end: number
  readonly lastComma: number
}

/** Finds the end of a piece: a comma between two values, the bracket that closes the array, or `stop`. */
const findPieceEnd = (bytes: Buffer, start: number, minBytes: number, stop: number): PieceEnd => {
  let depth = 0
  let lastComma = none
  for (let at = findMark(bytes, start, stop); at < stop; at = findMark(bytes, at + 1, stop)) {
    const byte = bytes[at] as number
    if (byte === quote) at = findClosingQuote(bytes, at + 1, stop)
    else if (isOpening(byte)) depth++
    else if (isClosing(byte)) {
      if (depth === 0) return { end: at, lastComma }
      depth--
    } else if (byte === comma && depth === 0) {
      if (at - start >= minBytes) return { end: at, lastComma }
      lastComma = at
    }
  }
  return { end: stop, lastComma }
}

const findClosingQuote = (bytes: Buffer, start: number, stop: number): number => {
  let at = findInText(bytes, start, stop)
  while (at < stop && bytes[at] === backslash) at = findInText(bytes, at + 2, stop)
  return at
}

/** Parses the values from `start` to `end`. */
const parsePiece = (bytes: Buffer, start: number, end: number): unknown[] | undefined =>
  parseBetween(bytes, start, end, arrayStart, arrayEnd) as unknown[] | undefined

/**
 * Parses the bytes from `start` to `end` between two other bytes. Those temporarily replace the bytes around the range,
 * because joining texts would copy them.
 */
const parseBetween = (bytes: Buffer, start: number, end: number, first: number, last: number): unknown => {
  const [before, behind] = [bytes[start - 1], bytes[end]]
  if (before === undefined || behind === undefined) return undefined
  bytes[start - 1] = first
  bytes[end] = last
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

const wholeBody = 'The request body'

const createBodyError = (reason: string) => new ApiError('parameterInvalid', { parameter: wholeBody, reason })

/**
 * Decodes the fields of an `application/json` body, which has the parameters of the form as members of an object
 * (contract, requests). An empty body has no fields.
 * @throws ApiError like `JsonMeter.check`, before any parsing; `parameterInvalid` for bytes that are not UTF-8, invalid
 * JSON, or JSON that is no object
 */
export function* decodeJsonBody(bytes: Buffer, limits: JsonLimits): Work<[name: string, value: unknown][]> {
  if (bytes.length === 0) return []
  if (!isUtf8(bytes)) throw createBodyError('is not UTF-8')
  yield* createJsonMeter(limits).check(bytes, wholeBody, 'between members and items')
  const body = yield* parseObject(bytes)
  if (body === undefined) throw createBodyError(beginsObject(bytes) ? 'is not valid JSON' : 'must be a JSON object')
  return Object.entries(body)
}
