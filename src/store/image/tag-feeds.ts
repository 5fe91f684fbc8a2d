import type { Work } from '../../slices.ts'
import { createRowFeed, type RowFeed } from './feed.ts'

/** The feeds of tags. */
export interface TagFeeds {
  /** The rows of a tag; undefined without any. For reading: rows are added and replaced here. */
  readonly get: (tag: string) => RowFeed | undefined
  /** How many tags have rows. */
  readonly size: number
  /** How many rows of a tag live at a position. */
  readonly countOf: (tag: string, position: number) => number
  /**
   * Counts the rows of each tag that live at a position, and hands over each tag with some once. Rows may be added,
   * replaced and swept meanwhile.
   */
  readonly countAt: (position: number, note: (tag: string, count: number) => void) => Work<void>
  /** Adds a living row; its position is above all that the tag has. */
  readonly append: (tag: string, position: number) => void
  /** Notes that a later row replaced the one at a position. */
  readonly replace: (tag: string, position: number, at: number) => void
  /** Drops the rows that were replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** Position and `replacedAt` of each row, one after the other. */
type FewRows = number[]

/** A feed costs almost a kilobyte, and an upload of 30 MB may bring four million tags that one thing carries. */
const mostFewRows = 8

/** How many are counted, and how many are swept, between two possible interruptions. */
const tagsAtOnce = { counted: 128, swept: 1024 } as const

const openFeed = (few: FewRows): RowFeed => {
  const feed = createRowFeed()
  for (let at = 0; at < few.length; at += 2) feed.append(few[at] as number)
  for (let at = 0; at < few.length; at += 2) {
    const replacedAt = few[at + 1] as number
    if (replacedAt !== Number.POSITIVE_INFINITY) feed.replace(few[at] as number, replacedAt)
  }
  return feed
}

const listSince = (few: FewRows, floor: number): FewRows => {
  const left: FewRows = []
  for (let at = 0; at < few.length; at += 2) {
    if ((few[at + 1] as number) > floor) left.push(few[at] as number, few[at + 1] as number)
  }
  return left
}

const countFew = (few: FewRows, position: number): number => {
  let count = 0
  for (let at = 0; at < few.length; at += 2) {
    if ((few[at] as number) <= position && (few[at + 1] as number) > position) count += 1
  }
  return count
}

const isFew = (rows: FewRows | RowFeed): rows is FewRows => Array.isArray(rows)

const countRowsOf = (rows: FewRows | RowFeed, position: number): number =>
  isFew(rows) ? countFew(rows, position) : rows.at(position).count(0)

/** Feeds of no tag. */
export const createTagFeeds = (): TagFeeds => {
  // Most tags have few rows: these have a list of numbers, of which a feed is made for each who asks. One map of both: a
  // tag keeps its place when it comes to have many rows, so that whoever goes through the map meets each tag once.
  const tags = new Map<string, FewRows | RowFeed>()

  const append = (tag: string, position: number): void => {
    const rows = tags.get(tag)
    if (rows === undefined) tags.set(tag, [position, Number.POSITIVE_INFINITY])
    else if (!isFew(rows)) rows.append(position)
    else {
      rows.push(position, Number.POSITIVE_INFINITY)
      if (rows.length > 2 * mostFewRows) tags.set(tag, openFeed(rows))
    }
  }

  const replace = (tag: string, position: number, at: number): void => {
    const rows = tags.get(tag) ?? []
    if (!isFew(rows)) {
      rows.replace(position, at)
      return
    }
    const row = rows.findIndex((value, index) => index % 2 === 0 && value === position)
    if (row < 0) throw new Error(`position ${position} is not in the feed of its tag`)
    rows[row + 1] = at
  }

  function* countAt(position: number, note: (tag: string, count: number) => void): Work<void> {
    let seen = 0
    for (const [tag, rows] of tags) {
      const count = countRowsOf(rows, position)
      if (count > 0) note(tag, count)
      seen += 1
      if (seen % tagsAtOnce.counted === 0) yield
    }
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    let seen = 0
    for (const [tag, rows] of tags) {
      seen += 1
      if (!isFew(rows)) {
        yield* rows.sweep(floor)
        if (rows.blocks().length === 0) tags.delete(tag)
        continue
      }
      const left = listSince(rows, floor)
      if (left.length === 0) tags.delete(tag)
      else if (left.length < rows.length) tags.set(tag, left)
      // Not before: rows that are added meanwhile may make another feed of them.
      if (seen % tagsAtOnce.swept === 0) yield
    }
  }

  return {
    get: (tag) => {
      const rows = tags.get(tag)
      return rows !== undefined && isFew(rows) ? openFeed(rows) : rows
    },
    get size() {
      return tags.size
    },
    // Of most accounts with settings, looking for a name that is not there costs most.
    countOf: (tag, position) => (tags.size === 0 ? 0 : countRowsOf(tags.get(tag) ?? [], position)),
    countAt,
    append,
    replace,
    sweep,
  }
}
