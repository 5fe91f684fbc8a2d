import { isUtf8 } from 'node:buffer'
import { ApiError, sanitizeName } from '../api-error.ts'
import { runToEnd, type Work } from '../scheduling.ts'
import { longBytes } from './request-body.ts'

/** A decoded field of a form or a query string: name and value. A long value is given as its bytes in UTF-8. */
type FormField = [name: string, value: string | Buffer]

const ampersand = 0x26
const equals = 0x3d
const percent = 0x25
const plus = 0x2b
const space = 0x20

const hexDigits = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/** Fields that are counted in one piece of work. */
const fieldsInPiece = 4096

/**
 * Decodes `application/x-www-form-urlencoded` bytes, a body or a query string, into all its fields in order, repeated
 * names included (interface 4.3, submitting several things). A field without `=` has an empty value; empty fields
 * (`&&`) are skipped. It decodes in place and so overwrites the bytes. Values of `longBytes` or more stay bytes,
 * because values that are parsed in pieces need never be one text.
 * @throws ApiError `tooManyItems`, before any decoding, for more than `maxFields` fields, empty ones included;
 * `parameterInvalid` for a malformed escape or bytes that are not UTF-8
 */
export const decodeForm = (bytes: Buffer, maxFields: number): Work<FormField[]> =>
  decodeFields(bytes, { maxFields, minLongBytes: longBytes }) as Work<FormField[]>

/** Decodes the fields of a short form, all as texts. @throws ApiError like `decodeForm` */
export const decodeTextFields = (bytes: Buffer, maxFields: number): [name: string, value: string][] =>
  runToEnd(decodeForm(bytes, maxFields)).map(([name, value]) => [name, value.toString()])

/** A field whose value is undefined when it cannot be decoded. */
type LenientField = [name: string, value: string | undefined]

/**
 * Decodes the fields of a short form without an error for a malformed field, so that it does not hide the others. A
 * malformed value is undefined. A field with a malformed name is skipped, like an unknown field.
 */
export const decodeFormLeniently = (bytes: Buffer, maxFields: number): LenientField[] =>
  runToEnd(
    decodeFields(bytes, { maxFields, minLongBytes: Number.POSITIVE_INFINITY, keepsMalformed: true }),
  ) as LenientField[]

type DecodedField = [name: string, value: string | Buffer | undefined]

function* decodeFields(
  bytes: Buffer,
  {
    maxFields,
    minLongBytes,
    keepsMalformed = false,
  }: { maxFields: number; minLongBytes: number; keepsMalformed?: boolean },
): Work<DecodedField[]> {
  // Each field has at least a byte.
  if (bytes.length >= maxFields) yield* rejectTooMany(bytes, maxFields)
  const fields: DecodedField[] = []
  const find = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at < 0 ? bytes.length : at
  }

  // Searches for the next = only behind the previous one: a form without any must be searched only once.
  let nextEquals = find(equals, 0)
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = find(ampersand, start)
    if (end === start) continue
    if (nextEquals < start) nextEquals = find(equals, start)
    const nameEnd = Math.min(nextEquals, end)
    const name = readText(bytes, start, yield* decodeComponent(bytes, start, nameEnd))
    const valueStart = Math.min(nameEnd + 1, end)
    const value = yield* decodeComponent(bytes, valueStart, end)
    const isLong = value !== undefined && value.end - valueStart >= minLongBytes
    const decoded = isLong ? readBytes(bytes, valueStart, value) : readText(bytes, valueStart, value)
    if (!keepsMalformed && (name === undefined || decoded === undefined)) {
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

/** A decoded component, from its start up to `end`. */
interface Decoded {
  readonly end: number
  readonly isAscii: boolean
}

/** Decodes the bytes from `start` to `end` in place; undefined when an escape is malformed. */
function* decodeComponent(bytes: Buffer, start: number, end: number): Work<Decoded | undefined> {
  const progress: Progress = { from: start, to: start, seen: 0 }
  while (progress.from < end) {
    if (!decodePiece(bytes, progress, end)) return undefined
    if (progress.from < end) yield
  }
  return { end: progress.to, isAscii: progress.seen < 0x80 }
}

/** The progress of decoding a component: the next byte to read, the next to write, and all bits that were written. */
interface Progress {
  from: number
  to: number
  seen: number
}

/** Decodes up to `longBytes` more bytes, but never splits an escape. Returns false for a malformed escape. */
const decodePiece = (bytes: Buffer, progress: Progress, end: number): boolean => {
  const stop = Math.min(end, progress.from + longBytes)
  let { from, to, seen } = progress
  for (; from < stop; from++) {
    let byte = bytes[from] as number
    // Most bytes stand for themselves and are above both, so this test comes first.
    if (byte <= plus) {
      if (byte === plus) byte = space
      else if (byte === percent) {
        if (from + 2 >= end) return false
        const high = hexDigits[bytes[from + 1] as number] as number
        // An invalid digit is -1 and makes the byte negative.
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
