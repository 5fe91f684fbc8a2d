/**
 * Which pairs of neighbouring letters a text has, in 512 bits. They say of most texts that they do not hold a word, without
 * a look at the text; never that of one that does.
 */
const wordsPerText = 16

// The upper 9 bits of the product: neighbouring letters differ in the lower ones.
const placeOf = (first: number, second: number): number =>
  (Math.imul(first, 0x9e37_79b1) ^ Math.imul(second, 0x85eb_ca6b)) >>> 23

/** Room for the pairs of texts with numbers below this; what was noted stays. */
export const growPairs = (pairs: Uint32Array<ArrayBuffer>, count: number): Uint32Array<ArrayBuffer> => {
  if (pairs.length >= count * wordsPerText) return pairs
  const grown = new Uint32Array(count * wordsPerText)
  grown.set(pairs)
  return grown
}

/** Notes the pairs of a text in the place of those of the text that had its number. */
export const notePairs = (pairs: Uint32Array<ArrayBuffer>, number: number, text: string): void => {
  const start = number * wordsPerText
  pairs.fill(0, start, start + wordsPerText)
  let before = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    for (const place of [placeOf(before, code), placeOf(0, code)]) {
      const word = start + (place >>> 5)
      pairs[word] = (pairs[word] ?? 0) | (1 << (place & 31))
    }
    before = code
  }
}

/** The places of the pairs of a word, or of its only letter. */
export const readPairs = (word: string): readonly number[] => {
  const places = new Set<number>()
  for (let at = 0; at < word.length; at++) {
    places.add(at === 0 ? placeOf(0, word.charCodeAt(0)) : placeOf(word.charCodeAt(at - 1), word.charCodeAt(at)))
  }
  return [...places]
}

/** False when the text with this number has not all of the pairs. */
export const mayHold = (pairs: Uint32Array<ArrayBuffer>, number: number, places: readonly number[]): boolean => {
  for (const place of places) {
    const word = pairs[number * wordsPerText + (place >>> 5)] ?? 0
    if ((word & (1 << (place & 31))) === 0) return false
  }
  return true
}
