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
  const decoded = Buffer.allocUnsafe(bytes.length)
  const end = bytes.length

  let at = 0
  /** Decodes from `at` up to `&`, or up to `=` in a name; undefined when the component is malformed. */
  const decodeComponent = (inName: boolean): string | undefined => {
    let length = 0
    let seen = 0
    let wellFormed = true
    for (; at < end; at++) {
      let byte = bytes[at] as number
      if (byte === percent) {
        const high = at + 2 < end ? (hexDigits[bytes[at + 1] as number] as number) : -1
        const low = at + 2 < end ? (hexDigits[bytes[at + 2] as number] as number) : -1
        if (high < 0 || low < 0) wellFormed = false
        else {
          byte = (high << 4) | low
          at += 2
        }
      } else if (byte === plus) byte = space
      else if (byte === ampersand || (inName && byte === equals)) break
      decoded[length++] = byte
      seen |= byte
    }
    if (!wellFormed) return undefined
    if (seen < 0x80) return decoded.toString('latin1', 0, length)
    return isUtf8(decoded.subarray(0, length)) ? decoded.toString('utf8', 0, length) : undefined
  }

  for (; at < end; at++) {
    if (bytes[at] === ampersand) continue
    if (fields.length === maxFields) {
      throw new Refused('tooManyItems', { parameter: 'The form', reason: `has more than ${maxFields} fields` })
    }
    const name = decodeComponent(true)
    const hasValue = bytes[at] === equals
    if (hasValue) at++
    const value = hasValue ? decodeComponent(false) : ''
    if (name === undefined || value === undefined) {
      const parameter = name === undefined ? 'A parameter name' : showName(name)
      throw new Refused('parameterInvalid', { parameter, reason: 'is not percent-encoded UTF-8' })
    }
    fields.push([name, value])
  }
  return fields
}
