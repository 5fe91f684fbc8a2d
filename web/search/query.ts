/** Letters that normalization does not decompose, but that users type as other letters; a final Σ is ς. */
const equivalentLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ς: 'σ',
}

/** The maximum number of compared combining marks on one letter; scripts need at most ten. */
const maxMarks = 64

/** Combining marks, and the two halfwidth characters that become marks through normalization. */
const markPattern = /^[\p{M}\uff9e\uff9f]/u

const isMarkAt = (text: string, at: number): boolean =>
  markPattern.test(String.fromCodePoint(text.codePointAt(at) ?? 0))

/** Returns the start of the character that ends before this offset. */
const positionBefore = (text: string, at: number): number => {
  const code = text.charCodeAt(at - 1)
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff && at > 1
  return isLowSurrogate && (text.codePointAt(at - 2) ?? 0) > 0xffff ? at - 2 : at - 1
}

/**
 * Shortens sequences of combining marks to about `maxMarks`, because normalization sorts a sequence in quadratic time.
 * Checks every 64th character only: no longer sequence fits between two of them.
 */
const limitMarks = (text: string): string => {
  let limited = ''
  let taken = 0
  for (let at = maxMarks; at < text.length; at += maxMarks) {
    if (text.charCodeAt(at) < 0x300) continue
    let start = positionBefore(text, at + 1)
    let end = start
    while (end < text.length && isMarkAt(text, end)) end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
    if (end === start) continue
    while (start > taken && isMarkAt(text, positionBefore(text, start))) start = positionBefore(text, start)
    if (end - start <= maxMarks) continue
    // The cut must not split a surrogate pair.
    limited += text.slice(taken, positionBefore(text, start + maxMarks + 1))
    taken = end
    at = end
  }
  return taken === 0 ? text : limited + text.slice(taken)
}

/**
 * Folds text for comparison in a search: removes case, accents of Latin, Greek and Cyrillic letters, and vowel signs of
 * Hebrew and Arabic, which few users type. Runs in linear time for every text.
 */
export const foldText = (text: string): string =>
  // Most text is plain ASCII, for which lowercase is enough and much faster.
  isPlain.test(text)
    ? text.toLowerCase()
    : limitMarks(text.toLowerCase())
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]+/gu, '')
        .replace(/[ßæœøłđıς]/gu, (letter) => equivalentLetters[letter] ?? letter)

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isPlain = /^[\u0000-\u007f]*$/u

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** The maximum number of searched characters of the text of one note, without its markup. */
export const maxSearchedCharacters = 200_000

/** Removes scripts and styles from a note, because their content is no text. Keeps an element without an end tag. */
const dropHidden = (html: string): string => {
  const begin = /<(?:(script)|style)\b/giu
  // After a missing end tag, the function does not search for it again: a note may have a million start tags.
  const ends = [/<\/script\s*>/giu, /<\/style\s*>/giu] as const
  const isEndless = [false, false]
  let kept = ''
  let at = 0
  for (let found = begin.exec(html); found !== null; found = begin.exec(html)) {
    const which = found[1] === undefined ? 1 : 0
    if (isEndless[which]) continue
    const end = ends[which]
    end.lastIndex = begin.lastIndex
    isEndless[which] = !end.test(html)
    if (isEndless[which]) continue
    kept += `${html.slice(at, found.index)} `
    at = end.lastIndex
    begin.lastIndex = at
  }
  return at === 0 ? html : kept + html.slice(at)
}

/** Returns the pieces of text between the tags of a note, up to `maxSearchedCharacters`. */
const readPieces = (html: string): readonly string[] => {
  const pieces: string[] = []
  let room = maxSearchedCharacters
  let at = 0
  while (at < html.length && room > 0) {
    const start = html.indexOf('<', at)
    const end = start === -1 ? -1 : html.indexOf('>', start)
    // A tag without `>` is text, and so is everything after it.
    const piece = html.slice(at, end === -1 ? html.length : start).trim()
    if (piece !== '') pieces.push(piece.length > room ? piece.slice(0, positionBefore(piece, room + 1)) : piece)
    room -= piece.length
    at = end === -1 ? html.length : end + 1
  }
  return pieces
}

/** Returns the text of a note for the search, up to `maxSearchedCharacters`; not safe for display. */
export const readNoteText = (html: string): string =>
  readPieces(dropHidden(html))
    .join(' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/giu, (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      return code > 0x10ffff ? whole : String.fromCodePoint(code)
    })
    // The pattern skips single spaces, which are the most frequent.
    .replace(/ \s+|[^\S ]\s*/gu, ' ')
    .trim()

/** The states for `is:`. */
const states = ['todo', 'open', 'done', 'archived', 'pending'] as const

/** A state of an item: a to-do, an open or done to-do, archived, or with edits that wait for the server. */
type ThingState = (typeof states)[number]

/** A term of a query, which an item must match, or must not match (`isNot`). */
export interface Term {
  readonly kind: 'word' | 'tag' | 'is'
  /** The folded word or tag, or the name of the state. */
  readonly value: string
  readonly isNot: boolean
}

/** The orders of a list of items, the default first. */
export const sorts = ['newest', 'oldest', 'title', 'changed'] as const

/** By date, by title, or by the last change that this browser has seen. */
export type Sort = (typeof sorts)[number]

/** The maximum length of a query. A link may contain a query, and the index compares its terms in quadratic time. */
export const maxQueryCharacters = 1_000

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu

const isState = (name: string): name is ThingState => (states as readonly string[]).includes(name)

/**
 * Parses a search query: words, `"several words"`, `#tag`, `is:todo`, `is:open`, `is:done`, `is:archived`,
 * `is:pending`, and any of them after `-` (not). Everything else is a word; no query is an error. Ignores the text
 * after `maxQueryCharacters`.
 */
export const readQuery = (text: string): readonly Term[] =>
  [...text.slice(0, maxQueryCharacters).matchAll(termPattern)].flatMap(
    ([, minus, phrase, word = '']): readonly Term[] => {
      const isNot = minus === '-'
      if (phrase !== undefined) return phrase === '' ? [] : [{ kind: 'word', value: foldText(phrase), isNot }]
      if (word.startsWith('#')) return word === '#' ? [] : [{ kind: 'tag', value: foldText(word.slice(1)), isNot }]
      const state = /^is:(.+)$/iu.exec(word)?.[1]?.toLowerCase()
      if (state !== undefined && isState(state)) return [{ kind: 'is', value: state, isNot }]
      return [{ kind: 'word', value: foldText(word), isNot }]
    },
  )

/**
 * Returns the query that excludes done items. A query that asks for done items stays as it is. The term is the first
 * word, because a quotation mark without its end takes all words that follow it.
 */
export const hideDoneIn = (text: string): string =>
  readQuery(text).some(({ kind, value, isNot }) => kind === 'is' && value === 'done' && !isNot)
    ? text
    : `-is:done ${text}`.trimEnd()

/** Adds a tag to a query, or removes it if the query contains it. */
export const toggleTagIn = (text: string, tag: string): string => {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const wanted = foldText(`#${tag}`)
  const others = words.filter((word) => foldText(word) !== wanted)
  return (others.length < words.length ? others : [...words, `#${tag}`]).join(' ')
}
