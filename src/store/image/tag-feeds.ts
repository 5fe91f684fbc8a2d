import type { Work } from '../../slices.ts'
import { createRowFeed, type RowFeed } from './feed.ts'

/** The feeds of tags. */
export interface TagFeeds {
  /** The rows of a tag; undefined without any. For reading: rows are added and replaced here. */
  readonly get: (tag: string) => RowFeed | undefined
  /** How many tags have rows. */
  readonly size: number
  /** How many rows of each tag live at a position, where some do. Rows may be added and replaced while it counts. */
  readonly countAt: (position: number) => Work<Map<string, number>>
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

const tagsAtOnce = 1024

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

/** Feeds of no tag. */
export const createTagFeeds = (): TagFeeds => {
  const feeds = new Map<string, RowFeed>()
  // Most tags have few rows: these have a list of numbers, of which a feed is made for each who asks.
  const few = new Map<string, FewRows>()

  const append = (tag: string, position: number): void => {
    const feed = feeds.get(tag)
    if (feed !== undefined) {
      feed.append(position)
      return
    }
    const rows = few.get(tag)
    if (rows === undefined) few.set(tag, [position, Number.POSITIVE_INFINITY])
    else rows.push(position, Number.POSITIVE_INFINITY)
    if (rows === undefined || rows.length <= 2 * mostFewRows) return
    feeds.set(tag, openFeed(rows))
    few.delete(tag)
  }

  const replace = (tag: string, position: number, at: number): void => {
    const feed = feeds.get(tag)
    if (feed !== undefined) {
      feed.replace(position, at)
      return
    }
    const rows = few.get(tag) ?? []
    const row = rows.findIndex((value, index) => index % 2 === 0 && value === position)
    if (row < 0) throw new Error(`position ${position} is not in the feed of its tag`)
    rows[row + 1] = at
  }

  function* countAt(position: number): Work<Map<string, number>> {
    const counts = new Map<string, number>()
    let seen = 0
    const note = (tag: string, count: number): boolean => {
      if (count > 0) counts.set(tag, count)
      seen += 1
      return seen % tagsAtOnce === 0
    }
    // In this order: a tag that has many rows meanwhile goes over to the feeds, and is met there.
    for (const [tag, rows] of few) if (note(tag, countFew(rows, position))) yield
    for (const [tag, feed] of feeds) if (note(tag, feed.at(position).count(0))) yield
    return counts
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    for (const [tag, feed] of feeds) {
      yield* feed.sweep(floor)
      if (feed.blocks().length === 0) feeds.delete(tag)
    }
    let seen = 0
    for (const [tag, rows] of few) {
      seen += 1
      if (seen % tagsAtOnce === 0) yield
      const left = listSince(rows, floor)
      if (left.length === 0) few.delete(tag)
      else if (left.length < rows.length) few.set(tag, left)
    }
  }

  return {
    get: (tag) => {
      const rows = few.get(tag)
      return rows === undefined ? feeds.get(tag) : openFeed(rows)
    },
    get size() {
      return feeds.size + few.size
    },
    countAt,
    append,
    replace,
    sweep,
  }
}
