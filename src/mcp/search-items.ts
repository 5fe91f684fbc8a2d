import type { Replica } from '../../client/src/replica.ts'
import type { ReplicaThing } from '../../client/src/replica-records.ts'
import { readPlainText } from '../transfer/html.ts'

/** The kind of an item, as users name it: a to-do has a tag that gives it a checkbox, a link has a URL. */
export const itemKinds = ['link', 'note', 'to-do'] as const
export type ItemKind = (typeof itemKinds)[number]

/** Returns the kind of an item. */
export const kindOf = (item: ReplicaThing): ItemKind =>
  item.todoStatus !== undefined ? 'to-do' : item.url === undefined ? 'note' : 'link'

/** Returns the tags in a text of tags, each once. */
export const listTagsIn = (text: string): string[] => [...new Set(text.split(' ').filter((name) => name !== ''))]

/** The maximum number of characters of the HTML of one note that are searched. */
export const searchedHtmlCharacters = 400_000

const longMarks = /(\p{M}{32})\p{M}+/gu

/** Folds text for a comparison without case, accents and width of letters, in linear time. */
export const foldText = (text: string): string =>
  // Normalization sorts a sequence of combining marks in quadratic time, so a hostile one is shortened before.
  isAscii.test(text)
    ? text.toLowerCase()
    : text
        .replace(longMarks, '$1')
        .normalize('NFKD')
        .replace(/\p{M}+/gu, '')
        .toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const isAscii = /^[\u0000-\u007f]*$/u

/** What a search wants. Every word and every tag must match. */
export interface ItemQuery {
  /** Words, and phrases in double quotes; empty for all items. */
  readonly text: string
  readonly tags: readonly string[]
  readonly kind?: ItemKind | undefined
  /** Only done, or only open, to-dos. */
  readonly isDone?: boolean | undefined
  readonly archived: 'exclude' | 'include' | 'only'
  /** Unix time in seconds of the earliest and of the latest creation, both included. */
  readonly from?: number | undefined
  readonly to?: number | undefined
}

/** One item in the index. */
interface Row {
  readonly title: string
  readonly tags: readonly string[]
  readonly url: string
  readonly note: string
  readonly kind: ItemKind
  readonly isDone: boolean | undefined
  readonly archived: boolean
  readonly date: number
  /** URL and tags as they are written. */
  readonly exact: { readonly url: string | undefined; readonly tags: string }
}

/** The index of all items of a replica, in memory. */
export interface ItemIndex {
  /**
   * Returns all items that match: with words, first those that have them in the title, then in tags, URL and note; the
   * newest first among equals.
   */
  readonly search: (query: ItemQuery) => Promise<readonly string[]>
  /** Returns the ids of the items with this URL, written in the same way. */
  readonly findUrl: (url: string) => Promise<readonly string[]>
  /** Counts the items of each tag, as the tag is written. */
  readonly countTags: () => Promise<ReadonlyMap<string, number>>
}

const toRow = (item: ReplicaThing): Row => ({
  title: foldText(item.title),
  tags: listTagsIn(item.tags).map(foldText),
  url: foldText(item.url ?? ''),
  note: item.html === undefined ? '' : foldText(readPlainText(item.html.slice(0, searchedHtmlCharacters))),
  kind: kindOf(item),
  isDone: item.todoStatus,
  archived: item.archived,
  date: item.date,
  exact: { url: item.url, tags: item.tags },
})

/** Splits the text of a query into folded words and phrases, each once. */
export const readWords = (text: string): readonly string[] => {
  const words = Array.from(text.matchAll(/"([^"]*)"?|([^\s"]+)/gu), ([, phrase, word]) =>
    foldText(phrase ?? word ?? ''),
  )
  return [...new Set(words.map((word) => word.trim()).filter((word) => word !== ''))]
}

/** Returns how well a word matches: 4 in the title, 3 as a tag, 2 in the URL, 1 in the note, 0 nowhere. */
const rank = ({ title, tags, url, note }: Row, word: string): number => {
  if (title.includes(word)) return 4
  if (tags.some((tag) => tag === word || `#${tag}` === word)) return 3
  if (url.includes(word) || tags.some((tag) => tag.includes(word))) return 2
  return note.includes(word) ? 1 : 0
}

const rankAll = (row: Row, words: readonly string[]): number => {
  let sum = 0
  for (const word of words) {
    const one = rank(row, word)
    if (one === 0) return 0
    sum += one
  }
  return sum
}

const passes = (row: Row, { kind, isDone, archived, from, to }: ItemQuery, tags: readonly string[]): boolean =>
  (archived === 'include' || row.archived === (archived === 'only')) &&
  (kind === undefined || row.kind === kind || (kind === 'link' && row.url !== '')) &&
  (isDone === undefined || row.isDone === isDone) &&
  (from === undefined || row.date >= from) &&
  (to === undefined || row.date <= to) &&
  tags.every((tag) => row.tags.includes(tag))

/**
 * Creates the index of a replica. It reads all items at the first call, and then follows the changes of the replica.
 */
export const createItemIndex = (replica: Pick<Replica, 'listThingParts' | 'findThings' | 'watch'>): ItemIndex => {
  const rows = new Map<string, Row>()
  let changed = new Set<string>()
  let mustReadAll = true
  let last: Promise<void> = Promise.resolve()

  replica.watch(({ ids, tags }) => {
    for (const id of ids) changed.add(id)
    // A tag can make its items to-dos.
    if (tags.size > 0) mustReadAll = true
  })
  const readAll = async (): Promise<void> => {
    rows.clear()
    for await (const part of replica.listThingParts()) for (const item of part) rows.set(item.id, toRow(item))
  }
  const readChanged = async (ids: ReadonlySet<string>): Promise<void> => {
    const items = await replica.findThings(ids)
    for (const id of ids) rows.delete(id)
    for (const item of items.values()) rows.set(item.id, toRow(item))
  }
  const update = async (): Promise<void> => {
    while (mustReadAll || changed.size > 0) {
      const [ids, isAll] = [changed, mustReadAll]
      changed = new Set()
      mustReadAll = false
      try {
        await (isAll ? readAll() : readChanged(ids))
      } catch (error) {
        // The rows may be incomplete now.
        mustReadAll = true
        throw error
      }
    }
  }
  /** Updates the index in the order of the calls: two updates at the same time could mix two states. */
  const read = (): Promise<void> => {
    const next = last.then(update, update)
    last = next
    return next
  }
  return {
    search: async (query) => {
      await read()
      const words = readWords(query.text)
      const tags = query.tags.map(foldText)
      const found: { readonly id: string; readonly rank: number; readonly date: number }[] = []
      for (const [id, row] of rows) {
        if (!passes(row, query, tags)) continue
        const sum = rankAll(row, words)
        if (sum > 0 || words.length === 0) found.push({ id, rank: sum, date: row.date })
      }
      found.sort((a, b) => b.rank - a.rank || b.date - a.date || (a.id < b.id ? -1 : 1))
      return found.map(({ id }) => id)
    },
    findUrl: async (url) => {
      await read()
      return [...rows].flatMap(([id, row]) => (row.exact.url === url ? [id] : []))
    },
    countTags: async () => {
      await read()
      const counts = new Map<string, number>()
      for (const { exact } of rows.values())
        for (const tag of listTagsIn(exact.tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
      return counts
    },
  }
}
