import { isUtf8 } from 'node:buffer'
import { Refused } from '../refused.ts'
import { showName } from './show-name.ts'

/** One field of a form or a query string: its name and its value, decoded. */
export type FormField = [name: string, value: string]

const ampersand = 0x26
const equals = 0x3d
const percent = 0x25
const plus = 0x2b
const space = 0x20

const hexDigits = new Int8Array(256).fill(-1)
for (const digit of '0123456789abcdefABCDEF') hexDigits[digit.charCodeAt(0)] = Number.parseInt(digit, 16)

/**
 * Decodes `application/x-www-form-urlencoded` bytes, a body or a query string, into its fields: all of them, in order,
 * repeated names included (interface 4.3, submitting several things). A field without `=` has an empty value; empty
 * fields (`&&`) are skipped. Refused are: an escape that is not `%` and two hex digits and bytes that are not UTF-8
 * (`parameterInvalid`, naming the parameter), and more than `maxFields` fields (`tooManyItems`).
 */
export const decodeForm = (bytes: Uint8Array, maxFields = 1_000_000): FormField[] => {
  const fields: FormField[] = []
  // No component is longer decoded than encoded, so one buffer serves them all.
  const room = Buffer.allocUnsafe(bytes.length)
  const find = (byte: number, from: number) => {
    const at = bytes.indexOf(byte, from)
    return at < 0 ? bytes.length : at
  }

  // The next = is looked for only when the last one is passed: a form without any must not be searched again and again.
  let nextEquals = find(equals, 0)
  for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
    end = find(ampersand, start)
    if (end === start) continue
    if (fields.length === maxFields) {
      throw new Refused('tooManyItems', { parameter: 'The form', reason: `has more than ${maxFields} fields` })
    }
    if (nextEquals < start) nextEquals = find(equals, start)
    const nameEnd = Math.min(nextEquals, end)
    const name = decodeComponent(bytes, start, nameEnd, room)
    const value = nameEnd < end ? decodeComponent(bytes, nameEnd + 1, end, room) : ''
    if (name === undefined || value === undefined) {
      const parameter = name === undefined ? 'A parameter name' : showName(name)
      throw new Refused('parameterInvalid', { parameter, reason: 'is not percent-encoded UTF-8' })
    }
    fields.push([name, value])
  }
  return fields
}

/** Decodes the bytes from `start` to `end`, using `room`; undefined when they are malformed. */
const decodeComponent = (bytes: Uint8Array, start: number, end: number, room: Buffer): string | undefined => {
  let length = 0
  let seen = 0
  for (let at = start; at < end; at++) {
    let byte = bytes[at] as number
    if (byte === percent) {
      if (at + 2 >= end) return undefined
      // A digit that is none is -1 and makes the whole negative.
      byte = ((hexDigits[bytes[at + 1] as number] as number) << 4) | (hexDigits[bytes[at + 2] as number] as number)
      if (byte < 0) return undefined
      at += 2
    } else if (byte === plus) byte = space
    room[length++] = byte
    seen |= byte
  }
  if (seen < 0x80) return room.toString('latin1', 0, length)
  return isUtf8(room.subarray(0, length)) ? room.toString('utf8', 0, length) : undefined
}
