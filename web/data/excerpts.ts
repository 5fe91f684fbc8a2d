import type { ReplicaThing } from '../../client/src/index.ts'
import { foldText, readNoteText, readQuery } from '../search/query.ts'
import type { Row } from './item-parts.ts'
import { createObservable, type Observable } from './observable.ts'

/** The texts of the notes of visible rows, read on demand: all notes together would need too much memory. */
export interface Excerpts {
  /** Changes when texts have been read. */
  readonly revision: Observable<number>
  /** Returns the text of the note of a row; undefined without a note, or until the text is read. */
  readonly read: (row: Row) => string | undefined
}

/** Options of `createExcerpts`. */
interface ExcerptsOptions {
  readonly findThings: (ids: readonly string[]) => Promise<ReadonlyMap<string, Pick<ReplicaThing, 'html'>>>
  /** Runs work a little later, so that rows that a user scrolls past are not read. */
  readonly later: (work: () => Promise<void>) => void
}

/** More than a large screen shows, several times. */
const maxKept = 400
/** More than a large screen shows. Rows that were requested earlier are no longer visible. */
const maxWaiting = 80
/** The length of the searched beginning of a note. */
const maxNoteCharacters = 20_000

/** Creates an empty cache of the texts of notes. */
export const createExcerpts = ({ findThings, later }: ExcerptsOptions): Excerpts => {
  const revision = createObservable(0)
  const kept = new Map<number, { readonly row: Row; readonly text: string }>()
  const waiting = new Map<number, Row>()
  let isScheduled = false

  const keep = (row: Row, text: string) => {
    kept.delete(row.number)
    kept.set(row.number, { row, text })
    for (const number of kept.keys()) {
      if (kept.size <= maxKept) break
      kept.delete(number)
    }
  }
  const readWaiting = async () => {
    isScheduled = false
    const rows = [...waiting.values()].slice(-maxWaiting)
    waiting.clear()
    const things = await findThings(rows.map(({ id }) => id))
    for (const row of rows) keep(row, readNoteText(things.get(row.id)?.html ?? '').slice(0, maxNoteCharacters))
    revision.set(revision.read() + 1)
  }
  return {
    revision,
    read: (row) => {
      if (!row.hasNote) return undefined
      const entry = kept.get(row.number)
      if (entry?.row !== row) {
        waiting.delete(row.number)
        waiting.set(row.number, row)
        if (!isScheduled) later(readWaiting)
        isScheduled = true
      }
      // The previous text stays until the current one is read.
      return entry?.text
    },
  }
}

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
