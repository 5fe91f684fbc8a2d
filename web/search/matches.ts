import { foldText, readQuery } from './query.ts'

/** The start and the end of a match in a text, as offsets of UTF-16 units. */
export type Match = readonly [start: number, end: number]

/** Returns the folded words that an item must contain; excluded words, tags and states match no text. */
export const readSearchedWords = (query: string): readonly string[] =>
  readQuery(query).flatMap(({ kind, value, isNot }) => (kind === 'word' && !isNot && value !== '' ? [value] : []))

interface FoldedText {
  readonly folded: string
  /** Returns the offset in the text of the character that folds to this offset. */
  readonly offsetAt: (index: number) => number
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isPlain = /^[\u0000-\u007f]*$/u

/** Folds each character alone, so that each offset of the result has an offset in the text. */
const foldWithOffsets = (text: string): FoldedText => {
  if (isPlain.test(text)) return { folded: text.toLowerCase(), offsetAt: (index) => index }
  const offsets: number[] = []
  let folded = ''
  let at = 0
  for (const character of text) {
    const part = foldText(character)
    for (let unit = 0; unit < part.length; unit++) offsets.push(at)
    folded += part
    at += character.length
  }
  return { folded, offsetAt: (index) => offsets[index] ?? text.length }
}

/** A text with more matches is a text of one letter, where marks help nobody. */
const maxMatches = 20

/** Finds the folded words in a text; returns the matches in order, without overlaps. */
export const findMatches = (text: string, words: readonly string[]): readonly Match[] => {
  if (words.length === 0) return []
  const { folded, offsetAt } = foldWithOffsets(text)
  const found: Match[] = []
  for (const word of words) {
    let at = folded.indexOf(word)
    for (let count = 0; at !== -1 && count < maxMatches; count++) {
      found.push([offsetAt(at), offsetAt(at + word.length)])
      at = folded.indexOf(word, at + word.length)
    }
  }
  const merged: Match[] = []
  for (const [start, end] of found.sort(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last !== undefined && start <= last[1]) merged[merged.length - 1] = [last[0], Math.max(last[1], end)]
    else merged.push([start, end])
  }
  return merged
}

/** The length of an excerpt, which is more than the widest row shows. */
const maxExcerptCharacters = 240
/** The length of the text before the match in an excerpt. */
const leadCharacters = 24

/** Returns the part of a text that a list shows: around the first match, or else the beginning. */
export const cutExcerpt = (text: string, words: readonly string[]): string => {
  // Folding keeps the length of most texts. Otherwise the part begins a little too early or too late.
  const folded = words.length === 0 ? '' : foldText(text)
  const places = words.map((word) => folded.indexOf(word)).filter((place) => place >= 0)
  const match = Math.min(...places, text.length)
  if (places.length === 0 || match <= leadCharacters) return text.slice(0, maxExcerptCharacters)
  const space = text.indexOf(' ', match - leadCharacters)
  const start = space === -1 || space > match ? match - leadCharacters : space + 1
  return `… ${text.slice(start, start + maxExcerptCharacters)}`
}
