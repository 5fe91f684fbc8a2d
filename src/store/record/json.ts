import { maxPosition } from '../model.ts'

/**
 * Steps through JSON text in bytes, which must be UTF-8. A cursor gets the offset where a value begins, and returns the
 * offset of its end. It returns -1 for anything that JSON.stringify does not write.
 */
type Cursor = (bytes: Buffer, start: number) => number

const [quote, backslash, minus, zero, nine] = [0x22, 0x5c, 0x2d, 0x30, 0x39]
const firstPrintable = 0x20
// Numbers with so many digits are exact, and are written without an exponent.
const maxDigits = String(maxPosition).length

/** 1 for the characters that may follow a backslash, except `u`. */
const isEscape = new Uint8Array(256)
for (const character of Buffer.from('"\\bfnrt')) isEscape[character] = 1

// Control characters without a short escape, and lone surrogates.
const unicodeEscape = /^\\u(?:00(?:0[0-7be-f]|1[\da-f])|d[89a-f][\da-f]{2})$/
const unicodeEscapeBytes = 6

/** Returns the end of the escape at a backslash, or -1. */
const passEscape: Cursor = (bytes, start) => {
  if (isEscape[bytes[start + 1] as number] === 1) return start + 2
  const end = start + unicodeEscapeBytes
  return unicodeEscape.test(bytes.toString('latin1', start, end)) ? end : -1
}

/** Passes exactly these bytes. */
export const passBytes = (bytes: Buffer, start: number, expected: Uint8Array): number => {
  const { length } = expected
  if (start < 0 || start + length > bytes.length) return -1
  for (let index = 0; index < length; index += 1) if (bytes[start + index] !== expected[index]) return -1
  return start + length
}

/** 1 for the bytes that need no escape in a string. */
const isPlain = new Uint8Array(256).fill(1, firstPrintable)
isPlain[quote] = 0
isPlain[backslash] = 0

const plainAt = (bytes: Buffer, at: number): number => isPlain[bytes[at] as number] as number

/** Passes bytes that need no escape. Four at a time without branches: most of the time is spent here. */
const passPlain: Cursor = (bytes, start) => {
  const { length } = bytes
  let at = start
  while (
    at + 4 <= length &&
    (plainAt(bytes, at) & plainAt(bytes, at + 1) & plainAt(bytes, at + 2) & plainAt(bytes, at + 3)) === 1
  )
    at += 4
  while (at < length && plainAt(bytes, at) === 1) at += 1
  return at
}

/** Passes a string with its quotes. */
export const passText: Cursor = (bytes, start) => {
  const { length } = bytes
  if (start < 0 || start >= length || bytes[start] !== quote) return -1
  let at = passPlain(bytes, start + 1)
  while (at + 1 < length && bytes[at] === backslash) {
    const next = passEscape(bytes, at)
    if (next < 0) return -1
    at = passPlain(bytes, next)
  }
  return at < length && bytes[at] === quote ? at + 1 : -1
}

/** Passes a whole number from 0 on, with at most as many digits as the maximum position. */
export const passWhole: Cursor = (bytes, start) => {
  if (start < 0) return -1
  let at = start
  while (at < bytes.length && (bytes[at] as number) >= zero && (bytes[at] as number) <= nine) at += 1
  const digits = at - start
  return digits === 0 || digits > maxDigits || (digits > 1 && bytes[start] === zero) ? -1 : at
}

// As JSON.stringify writes it; no number has more characters.
const number = /^(?!-0(?![.]))-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?(?:e[+-][1-9]\d*)?(?![\d.eE+-])/
const maxCharacters = 32

/** Passes any finite number. */
export const passNumber: Cursor = (bytes, start) => {
  if (start < 0) return -1
  const wholeEnd = passWhole(bytes, bytes[start] === minus && bytes[start + 1] !== zero ? start + 1 : start)
  if (wholeEnd >= 0 && !isNumberPart[bytes[wholeEnd] as number]) return wholeEnd
  const found = number.exec(bytes.toString('latin1', start, start + maxCharacters))
  return found === null ? -1 : start + found[0].length
}

/** 1 for the characters that may follow the digits within a number. */
const isNumberPart = new Uint8Array(256)
for (const character of Buffer.from('.eE+-0123456789')) isNumberPart[character] = 1

/** Reads the number that `passWhole` passed. */
export const readWhole = (bytes: Buffer, start: number, end: number): number => {
  let value = 0
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] as number) - zero
  return value
}

/** Parses JSON; returns undefined when the text is no JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const openings = new Set(Buffer.from('{['))
const closings = new Set(Buffer.from('}]'))

/** Finds the end of the JSON object or list at `start`, after its bracket; -1 when it has no end. */
export const findValueEnd = (bytes: Buffer, start: number): number => {
  let depth = 0
  let isText = false
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at] as number
    if (byte === quote) isText = !isText
    else if (isText && byte === backslash) at += 1
    else if (!isText && openings.has(byte)) depth += 1
    else if (!isText && closings.has(byte)) {
      depth -= 1
      if (depth === 0) return at + 1
    }
    if (depth === 0) return -1
  }
  return -1
}
