import type { ReplicaThing } from '../../client/src/index.ts'
import { textAt } from './reading/joined-texts.ts'
import { flag, type ThingPart } from './reading/thing-part.ts'

/** What a list shows of a thing. */
export interface Row {
  /** Names the thing in the search, and stays the same when it gets its `_id`. */
  readonly number: number
  readonly id: string
  readonly title: string
  readonly tags: readonly string[]
  readonly date: number
  readonly url?: string
  readonly archived: boolean
  readonly todoStatus?: boolean
  readonly hasNote: boolean
  readonly isPending: boolean
}

/** Rows by id and number, with the counts of their tags. */
export interface Rows {
  readonly put: (thing: ReplicaThing) => Row
  /** Gives the numbers of the things, in their order. */
  readonly putPart: (part: ThingPart) => Uint32Array<ArrayBuffer>
  /** Gives the number that is free now. */
  readonly remove: (id: string) => number | undefined
  /** Says that the thing with this id is known by another one now; false when that one is a row of its own. */
  readonly rename: (id: string, next: string) => boolean
  readonly findById: (id: string) => Row | undefined
  readonly findByNumber: (number: number) => Row | undefined
  readonly list: () => Iterable<Row>
  readonly count: () => number
  readonly tagCounts: () => ReadonlyMap<string, number>
}

/** The tags in a text of tags (interface 2.1). */
export const splitTags = (tags: string): readonly string[] => [...new Set(tags.split(' ').filter((tag) => tag !== ''))]

/** No rows yet. */
export const createRows = (): Rows => {
  const byNumber: (Row | undefined)[] = []
  const numbers = new Map<string, number>()
  const tagCounts = new Map<string, number>()
  // Most things carry the same few sets of tags; one copy of each saves a third of the memory.
  const tagSets = new Map<string, readonly string[]>()

  const count = (row: Row | undefined, step: 1 | -1) => {
    for (const tag of row?.tags ?? []) {
      const next = (tagCounts.get(tag) ?? 0) + step
      if (next === 0) tagCounts.delete(tag)
      else tagCounts.set(tag, next)
    }
  }
  const readTags = (text: string): readonly string[] => {
    const tags = tagSets.get(text) ?? splitTags(text)
    tagSets.set(text, tags)
    return tags
  }
  const findById = (id: string) => {
    const number = numbers.get(id)
    return number === undefined ? undefined : byNumber[number]
  }
  const set = (row: Row): Row => {
    count(byNumber[row.number], -1)
    numbers.set(row.id, row.number)
    byNumber[row.number] = row
    count(row, 1)
    return row
  }
  return {
    put: ({ id, title, tags, date, url, html, archived, todoStatus, isPending }) =>
      set({
        number: numbers.get(id) ?? byNumber.length,
        id,
        title,
        tags: readTags(tags),
        date,
        archived,
        hasNote: html !== undefined,
        isPending,
        ...(url === undefined ? {} : { url }),
        ...(todoStatus === undefined ? {} : { todoStatus }),
      }),
    putPart: ({ ids, titles, tags, urls, dates, flags }) =>
      Uint32Array.from(dates, (date, place) => {
        const id = textAt(ids, place)
        const url = textAt(urls, place)
        const flagged = flags[place] ?? 0
        return set({
          number: numbers.get(id) ?? byNumber.length,
          id,
          title: textAt(titles, place),
          tags: readTags(textAt(tags, place)),
          date,
          archived: (flagged & flag.archived) !== 0,
          hasNote: (flagged & flag.note) !== 0,
          isPending: (flagged & flag.pending) !== 0,
          ...(url === '' ? {} : { url }),
          ...((flagged & flag.todo) === 0 ? {} : { todoStatus: (flagged & flag.done) !== 0 }),
        }).number
      }),
    remove: (id) => {
      const number = numbers.get(id)
      if (number === undefined) return undefined
      count(byNumber[number], -1)
      numbers.delete(id)
      byNumber[number] = undefined
      return number
    },
    rename: (id, next) => {
      const number = numbers.get(id)
      if (number === undefined || numbers.has(next)) return false
      numbers.delete(id)
      numbers.set(next, number)
      return true
    },
    findById,
    findByNumber: (number) => byNumber[number],
    list: () => byNumber.filter((row) => row !== undefined),
    count: () => numbers.size,
    tagCounts: () => tagCounts,
  }
}
