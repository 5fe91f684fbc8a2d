/**
 * Goes through JSON text in bytes, which are taken to be UTF-8, and passes only what JSON.stringify writes. When a step
 * fails, what stands there is something else, and the cursor has to be set anew. It may go beyond what is meant to be
 * read, but only on: where it ends tells.
 */
export interface JsonCursor {
  readonly set: (bytes: Buffer, at: number) => void
  readonly at: () => number
  /** Passes these bytes. */
  readonly pass: (expected: Uint8Array) => boolean
  /** Passes a text with its quotes. */
  readonly passText: () => boolean
  /** Passes a whole number of at most 15 digits; gives it, or -1 for anything else. */
  readonly readWhole: () => number
  /** The same with a minus before it, perhaps; it is not read. */
  readonly passInteger: () => boolean
  /** Passes `true` or `false`; gives 1 or 0, or -1 for anything else. */
  readonly readFlag: () => number
}

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const [quote, backslash, minus, zero] = [0x22, 0x5c, 0x2d, 0x30]
const firstPrintable = 0x20
// Numbers of so many digits are exact, and are written without an exponent.
const maxDigits = 15

/** What JSON.stringify writes behind a backslash, but for `u`, which is rare enough to be left out. */
const isEscape = new Uint8Array(256)
for (const character of Buffer.from('"\\bfnrt')) isEscape[character] = 1

/** A cursor over nothing. */
export const createJsonCursor = (): JsonCursor => {
  let bytes: Buffer = Buffer.alloc(0)
  let position = 0

  const pass = (expected: Uint8Array): boolean => {
    for (let index = 0; index < expected.length; index += 1)
      if (bytes[position + index] !== expected[index]) return false
    position += expected.length
    return true
  }

  const passText = (): boolean => {
    if (bytes[position] !== quote) return false
    const text = bytes
    const { length } = text
    for (let at = position + 1; at < length; at += 1) {
      const byte = text[at] as number
      if (byte === quote) {
        position = at + 1
        return true
      }
      if (byte < firstPrintable) return false
      if (byte !== backslash) continue
      at += 1
      if (at === length || isEscape[text[at] as number] === 0) return false
    }
    return false
  }

  const digitAt = (at: number): number => (at < bytes.length ? (bytes[at] as number) - zero : -1)

  const readWhole = (): number => {
    const start = position
    let value = 0
    for (let digit = digitAt(position); digit >= 0 && digit <= 9; digit = digitAt(position)) {
      value = value * 10 + digit
      position += 1
    }
    const digits = position - start
    return digits === 0 || digits > maxDigits || (digits > 1 && digitAt(start) === 0) ? -1 : value
  }

  const passInteger = (): boolean => {
    if (bytes[position] !== minus) return readWhole() >= 0
    position += 1
    // There is no -0 in what JSON.stringify writes.
    return readWhole() > 0
  }

  return {
    set: (next, at) => {
      bytes = next
      position = at
    },
    at: () => position,
    pass,
    passText,
    readWhole,
    passInteger,
    readFlag: () => (pass(yes) ? 1 : pass(no) ? 0 : -1),
  }
}
