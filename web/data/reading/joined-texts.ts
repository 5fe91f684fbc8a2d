/** Many texts as one, which a browser clones and keeps at the cost of one. */
export interface JoinedTexts {
  readonly joined: string
  /** Where each text ends. */
  readonly ends: Uint32Array<ArrayBuffer>
}

/** Joins texts. */
export const joinTexts = (texts: readonly string[]): JoinedTexts => {
  const ends = new Uint32Array(texts.length)
  let end = 0
  for (const [place, text] of texts.entries()) {
    end += text.length
    ends[place] = end
  }
  return { joined: texts.join(''), ends }
}

/** The text at this place; longer ones are views of all of them. */
export const textAt = ({ joined, ends }: JoinedTexts, place: number): string =>
  joined.slice(place === 0 ? 0 : ends[place - 1], ends[place])
