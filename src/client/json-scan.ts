/** The character code of a double quote. */
export const quote = 34
const backslash = 92

/** True for the white space of JSON. */
export const isSpace = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** True for the first character of an object or an array. */
export const isOpening = (code: number): boolean => code === 123 || code === 91

/** True for the last character of an object or an array. */
export const isClosing = (code: number): boolean => code === 125 || code === 93

const endsScalar = (code: number) => code === 44 || isClosing(code) || isSpace(code)

/** Looks at the next chunk from `start` on. */
export type Scan = (text: string, start: number) => number

/**
 * Finds where a name, a value that is given whole, or a number ends, over any number of chunks: gives the index behind
 * it, or -1 when it goes on in the next chunk. `first` is its first character.
 */
export const createScan = (first: number): Scan => {
  const isScalar = first !== quote && !isOpening(first)
  let depth = 0
  let isInText = false
  let isEscaped = false

  return (text, start) => {
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isScalar) {
        if (endsScalar(code)) return at
      } else if (isInText) {
        if (isEscaped) isEscaped = false
        else if (code === backslash) isEscaped = true
        else if (code === quote) {
          isInText = false
          if (depth === 0) return at + 1
        }
      } else if (code === quote) isInText = true
      else if (isOpening(code)) depth++
      else if (isClosing(code) && --depth === 0) return at + 1
    }
    return -1
  }
}
