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

  /** Where a text ends, found by the engine's own search; mostly it is the next quote. */
  const leaveText = (text: string, start: number): number => {
    let at = start
    while (at < text.length) {
      if (isEscaped) {
        isEscaped = false
        at++
        continue
      }
      const found = text.indexOf('"', at)
      const stop = found === -1 ? text.length : found
      // Backslashes in pairs are text themselves.
      let slashes = 0
      while (stop - slashes > at && text.charCodeAt(stop - slashes - 1) === backslash) slashes++
      const isOdd = slashes % 2 === 1
      if (found !== -1 && !isOdd) {
        isInText = false
        return found + 1
      }
      isEscaped = found === -1 && isOdd
      at = stop + 1
    }
    return text.length
  }
  return (text, start) => {
    let at = start
    while (at < text.length) {
      if (isInText) {
        at = leaveText(text, at)
        if (!isInText && depth === 0) return at
        continue
      }
      const code = text.charCodeAt(at)
      if (isScalar) {
        if (endsScalar(code)) return at
      } else if (code === quote) isInText = true
      else if (isOpening(code)) depth++
      else if (isClosing(code) && --depth === 0) return at + 1
      at++
    }
    return -1
  }
}
