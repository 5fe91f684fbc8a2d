import { isUtf8 } from 'node:buffer'
import { ApiError, sanitizeName } from '../api-error.ts'
import { runToEnd, type Work } from '../scheduling.ts'
import { longBytes } from './request-body.ts'

/** One field of a form or a query string: its name and its value, decoded, a long one as its bytes in UTF-8. */
type FormField = [name: string, value: string | Buffer]

const ampersand = 0x26
const equals = 0x3d
const percent = 0x25
const plus = 0x2b
const space = 0x20

const hexDigits = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** Fields that are counted at once. */
const fieldsInPiece = 4096

/**
 * Decodes `application/x-www-form-urlencoded` bytes, a body or a query string, into its fields: all of them, in order,
 * repeated names included (interface 4.3, submitting several things). A field without `=` has an empty value; empty
 * fields (`&&`) are skipped. ApiError are: an escape that is not `%` and two hex digits and bytes that are not UTF-8
 * (`parameterInvalid`, naming the parameter), and before anything is decoded more than `maxFields` fields, empty ones
 * included (`tooManyItems`). The bytes are decoded where they stand, so they are not what they were. Values of `longBytes`
 * or more stay bytes: what is parsed piece by piece need never be one text.
 */
export const decodeForm = (bytes: Buffer, maxFields: number): Work<FormField[]> =>
  decodeFields(bytes, { maxFields, longest: longBytes }) as Work<FormField[]>

/** The fields of a short form, all as texts. */
export const decodeTextFields = (bytes: Buffer, maxFields: number): [name: string, value: string][] =>
  runToEnd(decodeForm(bytes, maxFields)).map(([name, value]) => [name, value.toString()])

/** A field whose value is undefined when it cannot be decoded. */
type LenientField = [name: string, value: string | undefined]

/**
 * The same, for whom one bad value must not hide the others: it is undefined, and refuses nothing. A field whose very name
 * cannot be decoded is passed over, like one that nobody knows.
 */
export const decodeFormLeniently = (bytes: Buffer, maxFields: number): LenientField[] =>
  runToEnd(
    decodeFields(bytes, { maxFields, longest: Number.POSITIVE_INFINITY, keepsUnreadable: true }),
  ) as LenientField[]

type DecodedField = [name: string, value: string | Buffer | undefined]

function* decodeFields(
  bytes: Buffer,
  { maxFields, longest, keepsUnreadable = false }: { maxFields: number; longest: number; keepsUnreadable?: boolean },
): Work<DecodedField[]> {
  // Each field takes a byte at least.
  if (bytes.length >= maxFields) yield* rejectTooMany(bytes, maxFields)
  const fields: DecodedField[] = []
  const find = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at < 0 ? bytes.length : at
  }

  // The next = is looked for only when the last one is passed: a form without any must not be searched again and again.
  let nextEquals = find(equals, 0)
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = find(ampersand, start)
    if (end === start) continue
    if (nextEquals < start) nextEquals = find(equals, start)
    const nameEnd = Math.min(nextEquals, end)
    const name = readText(bytes, start, yield* decodeComponent(bytes, start, nameEnd))
    const valueStart = Math.min(nameEnd + 1, end)
    const value = yield* decodeComponent(bytes, valueStart, end)
    const isLong = value !== undefined && value.end - valueStart >= longest
    const decoded = isLong ? readBytes(bytes, valueStart, value) : readText(bytes, valueStart, value)
    if (!keepsUnreadable && (name === undefined || decoded === undefined)) {
      const parameter = name === undefined ? 'A parameter name' : sanitizeName(name)
      throw new ApiError('parameterInvalid', { parameter, reason: 'is not percent-encoded UTF-8' })
    }
    if (name !== undefined) fields.push([name, decoded])
    yield
  }
  return fields
}

function* rejectTooMany(bytes: Buffer, maxFields: number): Work<void> {
  let separators = 0
  for (let at = bytes.indexOf(ampersand); at >= 0; at = bytes.indexOf(ampersand, at + 1)) {
    separators++
    if (separators >= maxFields) {
      throw new ApiError('tooManyItems', { parameter: 'The form', reason: `has more than ${maxFields} fields` })
    }
    if (separators % fieldsInPiece === 0) yield
  }
}

/** What a component was decoded to, from its start on. */
interface Decoded {
  readonly end: number
  readonly isAscii: boolean
}

/** Decodes the bytes from `start` to `end` where they stand; undefined when an escape is malformed. */
function* decodeComponent(bytes: Buffer, start: number, end: number): Work<Decoded | undefined> {
  const progress: Progress = { from: start, to: start, seen: 0 }
  while (progress.from < end) {
    if (!decodePiece(bytes, progress, end)) return undefined
    if (progress.from < end) yield
  }
  return { end: progress.to, isAscii: progress.seen < 0x80 }
}

/** How far a component is decoded: what was read, what was written, and all bits that were. */
interface Progress {
  from: number
  to: number
  seen: number
}

/** Decodes up to `longBytes` bytes more, except that an escape is never split. */
const decodePiece = (bytes: Buffer, progress: Progress, end: number): boolean => {
  const stop = Math.min(end, progress.from + longBytes)
  let { from, to, seen } = progress
  for (; from < stop; from++) {
    let byte = bytes[from] as number
    // Most bytes stand for themselves and are above both: asked first, they cost least.
    if (byte <= plus) {
      if (byte === plus) byte = space
      else if (byte === percent) {
        if (from + 2 >= end) return false
        const high = hexDigits[bytes[from + 1] as number] as number
        // A digit that is none is -1 and makes the whole negative.
        byte = (high << 4) | (hexDigits[bytes[from + 2] as number] as number)
        if (byte < 0) return false
        from += 2
      }
    }
    bytes[to++] = byte
    seen |= byte
  }
  Object.assign(progress, { from, to, seen })
  return true
}

const readText = (bytes: Buffer, start: number, decoded: Decoded | undefined): string | undefined => {
  if (decoded === undefined) return undefined
  if (decoded.isAscii) return bytes.toString('latin1', start, decoded.end)
  return isUtf8(bytes.subarray(start, decoded.end)) ? bytes.toString('utf8', start, decoded.end) : undefined
}

const readBytes = (bytes: Buffer, start: number, { end }: Decoded): Buffer | undefined => {
  const value = bytes.subarray(start, end)
  return isUtf8(value) ? value : undefined
}
