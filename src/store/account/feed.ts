import type { Work } from '../../scheduling.ts'
import {
  appendRow,
  type Block,
  type BlockList,
  copyRows,
  countAt,
  countRowsAt,
  createBlock,
  createBlockList,
  findBlock,
  findRow,
  type ListedRows,
  lastOf,
  listRows,
  listRowsSince,
  maxRows,
  noteReplacedIn,
  passBlocks,
  positionOf,
  pushBlock,
  type Rows,
  replaceBlocks,
  replaceRow,
} from './block.ts'

/** What to list of a feed. */
export interface FeedPage {
  /** Ascending positions of living rows to leave out. */
  readonly omit?: readonly number[]
  /** How many of the others to pass over. */
  readonly skip?: number
  /** How many to list at most. */
  readonly limit?: number
}

/** Where a row is. */
export interface FoundRow<B extends Block> {
  readonly block: B
  readonly row: number
}

/** A feed at one position. It lists the same for ever, whatever is appended, replaced or swept later. */
export interface FeedAt<B extends Block> {
  /** The row of a position, living or not. */
  readonly find: (position: number) => FoundRow<B> | undefined
  /** Number of living rows after a position. */
  readonly count: (after: number) => number
  /** The living rows after a position, in order, block by block. */
  readonly walk: (after: number, page?: FeedPage) => Generator<ListedRows<B>, void, undefined>
}

/** The row of a position, or undefined when it is in none of the blocks (any more). */
const findIn = <B extends Block>(list: BlockList<B>, position: number): FoundRow<B> | undefined => {
  const block = list.blocks[findBlock(list, position - 1)]
  const row = block === undefined ? -1 : findRow(block, position)
  return block === undefined || row < 0 ? undefined : { block, row }
}

const countAscending = (values: readonly number[], start: number, last: number): number => {
  let end = start
  while (end < values.length && (values[end] as number) <= last) end += 1
  return end - start
}

/** Where to begin, and the index from which on no block holds rows up to `after`. */
const findStart = (list: BlockList<Block>, after: number): { start: number; whole: number } => {
  const start = findBlock(list, after)
  const block = list.blocks[start]
  return { start, whole: block === undefined || block.first > after ? start : start + 1 }
}

const countRows = (list: BlockList<Block>, position: number, after: number): number => {
  const { blocks } = list
  const { start, whole } = findStart(list, after)
  let sum = 0
  for (let index = start; index < blocks.length; index += 1) {
    if (index >= whole) {
      const passed = passBlocks(list, index, position, Number.POSITIVE_INFINITY)
      index = passed.index
      sum += passed.rows
    }
    const known = index < whole ? -1 : countAt(list, index, position)
    const block = blocks[index] as Block
    if (known >= 0) sum += known
    else if (block.first > position) break
    else sum += countRowsAt(block, after, position)
  }
  return sum
}

function* walkRows<B extends Block>(
  list: BlockList<B>,
  position: number,
  after: number,
  page: FeedPage,
): Generator<ListedRows<B>, void, undefined> {
  const { blocks } = list
  const { omit = [], limit = Number.POSITIVE_INFINITY } = page
  const { start, whole } = findStart(list, after)
  let [omitted, skip, left] = [0, page.skip ?? 0, limit]
  for (let index = start; index < blocks.length && left > 0; index += 1) {
    if (index >= whole && omit.length === 0) {
      const passed = passBlocks(list, index, position, skip)
      index = passed.index
      skip -= passed.rows
    }
    const known = index < whole ? -1 : countAt(list, index, position)
    const omittedHere = omit.length === 0 ? 0 : countAscending(omit, omitted, lastOf(list, index))
    omitted += omittedHere
    if (known >= 0 && skip >= known - omittedHere) {
      skip -= known - omittedHere
      continue
    }
    const block = blocks[index] as B
    if (block.first > position) return
    // The block is asked itself: what a list that was swept since says of it may be older than its bytes.
    if (known >= 0 && block.lastReplacedAt <= position && skip + omittedHere === 0 && known <= left) {
      left -= known
      yield { block, isAll: true, rows: () => listRows(block, after, position) }
    } else {
      const living = listRows(block, after, position)
      const without = omittedHere === 0 ? undefined : new Set(omit.slice(omitted - omittedHere, omitted))
      const others = without === undefined ? living : living.filter((row) => !without.has(positionOf(block, row)))
      const rows = others.slice(skip, skip + left)
      skip = Math.max(0, skip - others.length)
      left -= rows.length
      if (rows.length > 0) yield { block, isAll: false, rows: () => rows }
    }
  }
}

/** Sees blocks at a position. More may come, and some be replaced by such with the same rows. */
const feedAt = <B extends Block>(list: BlockList<B>, position: number): FeedAt<B> => ({
  find: (wanted) => findIn(list, wanted),
  count: (after) => countRows(list, position, after),
  walk: (after, page = {}) => walkRows(list, position, after, page),
})

/** How the blocks of a feed are made. */
export interface BlockKind<B extends Block> {
  /** The first block of a feed is made for few rows; one that follows another will be full as well. */
  readonly open: (isFirst: boolean) => B
  /** True when a row that brings so many bytes belongs into a new block. */
  readonly isFull: (block: B, bytes: number) => boolean
  /** Makes one block of rows in position order. Those that they come from stay as they are for who captured them. */
  readonly join: (parts: readonly Rows<B>[]) => B
  /** True when `join` would make a block that is at most half full. */
  readonly isSmall: (parts: readonly Rows<B>[]) => boolean
}

/**
 * Rows in position order, in blocks. A row is known by its position, which no compaction changes. Finding one takes two
 * binary searches; blocks in which nothing lives, or in which all is skipped, are passed over by their counts.
 */
export interface Feed<B extends Block> {
  /** The block that takes the next row; `bytes` is what the row brings. */
  readonly openBlock: (bytes: number) => B
  /** The block and the row of a position, or undefined when it is not in the feed (any more). */
  readonly find: (position: number) => FoundRow<B> | undefined
  /** Notes that a later row replaced the one at a position. */
  readonly replace: (position: number, at: number) => void
  readonly at: (position: number) => FeedAt<B>
  /** Puts a block with the same rows in the place of one, if that is still there. */
  readonly swap: (old: B, next: B) => void
  /** The blocks, oldest first. */
  readonly blocks: () => readonly B[]
  /** Drops the rows that were replaced at or before a position, one block at a step; joins blocks that have become small. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** A feed without rows. */
export const createFeed = <B extends Block>(kind: BlockKind<B>): Feed<B> => {
  // A sweep makes another list, so that feeds captured by `at` keep theirs.
  let list = createBlockList<B>()

  const openBlock = (bytes: number): B => {
    const last = list.blocks[list.blocks.length - 1]
    if (last !== undefined && !kind.isFull(last, bytes)) return last
    const opened = kind.open(last === undefined)
    pushBlock(list, opened)
    return opened
  }

  const replace = (position: number, at: number): void => {
    const index = findBlock(list, position - 1)
    const block = list.blocks[index]
    const row = block === undefined ? -1 : findRow(block, position)
    if (block === undefined || row < 0) throw new Error(`position ${position} is not in its feed`)
    replaceRow(block, row, at)
    noteReplacedIn(list, index)
  }

  const swap = (old: B, next: B): void => {
    const index = findBlock(list, old.first - 1)
    if (list.blocks[index] === old) list.blocks[index] = next
  }

  // Joins what has become small. Rows may be appended and replaced between the steps.
  function* sweep(floor: number): Generator<void, void, undefined> {
    for (let index = 0; index < list.blocks.length; index += 1) {
      const block = list.blocks[index] as B
      if (block.liveCount === block.length) continue
      const left = { block, rows: listRowsSince(block, floor) }
      if (left.rows.length === block.length) continue
      const before = list.blocks[index - 1]
      const both = before === undefined ? [] : [{ block: before, rows: listRowsSince(before, 0) }, left]
      const isJoined = both.length > 0 && left.rows.length > 0 && kind.isSmall(both)
      const swept = left.rows.length === 0 ? [] : [kind.join(isJoined ? both : [left])]
      const start = isJoined ? index - 1 : index
      list = replaceBlocks(list, start, index + 1, swept)
      index = start + swept.length - 1
      yield
    }
  }

  return {
    openBlock,
    find: (position) => findIn(list, position),
    replace,
    at: (position) => feedAt(list, position),
    swap,
    blocks: () => list.blocks,
    sweep,
  }
}

/** How many rows some parts have together. */
export const countJoinedRows = (parts: readonly Rows<Block>[]): number =>
  parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** How blocks of rows with so many cells are made. */
export const rowKind = (width: number): BlockKind<Block> => ({
  open: (isFirst) => createBlock(width, isFirst ? undefined : maxRows),
  isFull: (block) => block.length === maxRows,
  isSmall: (parts) => countJoinedRows(parts) <= maxRows / 2,
  join: (parts) => {
    const joined = createBlock(width, countJoinedRows(parts))
    for (const { block, rows } of parts) copyRows(block, rows, joined)
    return joined
  },
})

/** A feed of rows of numbers. */
export interface RowFeed extends Feed<Block> {
  /** Adds a living row; its position is above all that the feed holds. */
  readonly append: (position: number, rest?: readonly number[]) => void
}

const none: readonly number[] = []

/** A feed of rows with so many cells, of which the first two are those of every block. */
export const createRowFeed = (width = 2): RowFeed => {
  const feed = createFeed(rowKind(width))
  return { ...feed, append: (position, rest = none) => appendRow(feed.openBlock(0), position, rest) }
}

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
const maxFewRows = 8

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
      if (rows.length > 2 * maxFewRows) tags.set(tag, openFeed(rows))
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
