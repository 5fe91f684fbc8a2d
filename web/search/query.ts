/** Letters that have no accent that could be taken away, and that people type as others; Σ at the end of a word is ς. */
const alike: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i', ς: 'σ' }

/** Combining marks on one letter that are compared. Scripts need no more than ten. */
const maxMarks = 64

/** Marks, and the two halfwidth signs that become marks when they are normalized. */
const markPattern = /^[\p{M}\uff9e\uff9f]/u

const isMarkAt = (text: string, at: number): boolean =>
  markPattern.test(String.fromCodePoint(text.codePointAt(at) ?? 0))

/** Where the character that ends before this place begins. */
const positionBefore = (text: string, at: number): number => {
  const code = text.charCodeAt(at - 1)
  const isSecondHalf = code >= 0xdc00 && code <= 0xdfff && at > 1
  return isSecondHalf && (text.codePointAt(at - 2) ?? 0) > 0xffff ? at - 2 : at - 1
}

/**
 * The text with at most some `maxMarks` marks in a row. Normalization sorts the marks in a row, in a time that grows with
 * the square of their number. Looks at every 64th character only: no longer row of marks can lie between two of them.
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
    // Never half of a character.
    limited += text.slice(taken, positionBefore(text, start + maxMarks + 1))
    taken = end
    at = end
  }
  return taken === 0 ? text : limited + text.slice(taken)
}

/**
 * Text as it is compared in a search: without case, without the accents of Latin, Greek and Cyrillic letters, and without the
 * vowel signs of Hebrew and Arabic, which few people type. Takes a time that grows with the length of the text, whatever it is.
 */
export const foldText = (text: string): string =>
  // Most text has no accents; the long way costs ten times as much.
  isPlain.test(text)
    ? text.toLowerCase()
    : limitMarks(text.toLowerCase())
        .normalize('NFKD')
        .replace(/[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]+/gu, '')
        .replace(/[ßæœøłđıς]/gu, (letter) => alike[letter] ?? letter)

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isPlain = /^[\u0000-\u007f]*$/u

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

/** Characters of the text of one note that are searched, without its markup: more than a thick book has. */
export const maxSearchedCharacters = 200_000

/** The note without its scripts and styles, whose content is no text. One that has no end is left as it is. */
const dropHidden = (html: string): string => {
  const begin = /<(?:(script)|style)\b/giu
  // A first end that is not there is not looked for again: a note may have a million beginnings.
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

/** The text between the tags of a note, piece by piece, up to `maxSearchedCharacters`. */
const readPieces = (html: string): readonly string[] => {
  const pieces: string[] = []
  let room = maxSearchedCharacters
  let at = 0
  while (at < html.length && room > 0) {
    const start = html.indexOf('<', at)
    const end = start === -1 ? -1 : html.indexOf('>', start)
    // A tag without an end is text, and so is all that follows it.
    const piece = html.slice(at, end === -1 ? html.length : start).trim()
    if (piece !== '') pieces.push(piece.length > room ? piece.slice(0, positionBefore(piece, room + 1)) : piece)
    room -= piece.length
    at = end === -1 ? html.length : end + 1
  }
  return pieces
}

/** The words of a note, to be searched; never to be shown. A very long note is read up to `maxSearchedCharacters`. */
export const readNoteText = (html: string): string =>
  readPieces(dropHidden(html))
    .join(' ')
    .replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/giu, (whole, decimal, hex, name) => {
      const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
      if (name !== undefined) return entities[name.toLowerCase()] ?? whole
      return code > 0x10ffff ? whole : String.fromCodePoint(code)
    })
    // Single blanks, which are most, stay as they are.
    .replace(/ \s+|[^\S ]\s*/gu, ' ')
    .trim()

/** States that `is:` may ask for. */
const states = ['todo', 'open', 'done', 'archived', 'pending'] as const

/** A state of a thing: a todo, one that is not done, one that is, archived, or with edits that wait for the server. */
type AskedState = (typeof states)[number]

/** One demand of a query, which a thing has to meet, or must not meet. */
export interface Term {
  readonly kind: 'word' | 'tag' | 'is'
  /** Folded words and tags; the name of the state. */
  readonly value: string
  readonly isNot: boolean
}

/** Characters of a query that count: a query may come with a link, and each of its words is compared with each other. */
export const maxQueryCharacters = 1_000

const termPattern = /(-?)(?:"([^"]*)"?|(\S+))/gu

const isState = (name: string): name is AskedState => (states as readonly string[]).includes(name)

/**
 * Reads what was typed into the search: words, `"several words"`, `#tag`, `is:todo`, `is:open`, `is:done`, `is:archived`,
 * `is:pending`, and any of them after `-`. What is none of these is a word; nothing is an error. What follows
 * `maxQueryCharacters` does not count.
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

/** The same text with this tag asked for, or without it when it was. */
export const toggleTagIn = (text: string, tag: string): string => {
  const words = text.split(/\s+/u).filter((word) => word !== '')
  const wanted = foldText(`#${tag}`)
  const others = words.filter((word) => foldText(word) !== wanted)
  return (others.length < words.length ? others : [...words, `#${tag}`]).join(' ')
}
