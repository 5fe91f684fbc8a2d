/**
 * Steps through JSON text in bytes, which are taken to be UTF-8. Each is given where it begins and tells where it ends,
 * or -1 when something else stands there than JSON.stringify writes.
 */
export type Step = (bytes: Buffer, start: number) => number

const [quote, backslash, minus, zero, nine] = [0x22, 0x5c, 0x2d, 0x30, 0x39]
const firstPrintable = 0x20
// Numbers of so many digits are exact, and are written without an exponent.
const maxDigits = 15

/** What may stand behind a backslash, but for `u`, which is rare enough to be left out. */
const isEscape = new Uint8Array(256)
for (const character of Buffer.from('"\\bfnrt')) isEscape[character] = 1

/** A step over these very bytes. */
export const passBytes = (bytes: Buffer, start: number, expected: Uint8Array): number => {
  const { length } = expected
  if (start < 0 || start + length > bytes.length) return -1
  for (let index = 0; index < length; index += 1) if (bytes[start + index] !== expected[index]) return -1
  return start + length
}

/** A step over a text with its quotes. */
export const passText: Step = (bytes, start) => {
  const { length } = bytes
  if (start < 0 || start >= length || bytes[start] !== quote) return -1
  for (let at = start + 1; at < length; at += 1) {
    const byte = bytes[at] as number
    if (byte > quote && byte !== backslash) continue
    if (byte === quote) return at + 1
    if (byte < firstPrintable) return -1
    if (byte !== backslash) continue
    at += 1
    if (at === length || isEscape[bytes[at] as number] === 0) return -1
  }
  return -1
}

/** A step over a whole number from 0 on, of at most 15 digits. */
export const passWhole: Step = (bytes, start) => {
  if (start < 0) return -1
  let at = start
  while (at < bytes.length && (bytes[at] as number) >= zero && (bytes[at] as number) <= nine) at += 1
  const digits = at - start
  return digits === 0 || digits > maxDigits || (digits > 1 && bytes[start] === zero) ? -1 : at
}

/** The same, with a minus before it perhaps. There is no -0. */
export const passInteger: Step = (bytes, start) => {
  if (start < 0 || start >= bytes.length || bytes[start] !== minus) return passWhole(bytes, start)
  return bytes[start + 1] === zero ? -1 : passWhole(bytes, start + 1)
}

/** The number that `passWhole` passed. */
export const readWhole = (bytes: Buffer, start: number, end: number): number => {
  let value = 0
  for (let at = start; at < end; at += 1) value = value * 10 + (bytes[at] as number) - zero
  return value
}
