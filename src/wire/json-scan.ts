/** Where the first of some bytes stands, from a place on, or `end`. Most of the time that is spent on JSON goes here. */
const createSearch = (characters: string) => {
  const isSought = new Uint8Array(256)
  for (const byte of Buffer.from(characters)) isSought[byte] = 1
  return (bytes: Uint8Array, start: number, end: number): number => {
    let at = start
    while (at < end && isSought[bytes[at] as number] === 0) at++
    return at
  }
}

/** The next quote or backslash of a text. */
export const findInText = createSearch('"\\')

/** The next quote, comma or bracket, outside of texts. */
export const findMark = createSearch('",[]{}')
