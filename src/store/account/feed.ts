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

/** The page of a feed to list. */
export interface FeedPage {
  /** Ascending positions of living rows to omit. */
  readonly omit?: readonly number[]
  /** Number of the other rows to skip. */
  readonly skip?: number
  /** Maximum number of rows to list. */
  readonly limit?: number
}

/** The location of a row. */
export interface FoundRow<B extends Block> {
  readonly block: B
  readonly row: number
}

/** A feed at one position. Its content never changes, whatever is appended, replaced or swept later. */
export interface FeedAt<B extends Block> {
  /** Finds the row of a position, living or not. */
  readonly find: (position: number) => FoundRow<B> | undefined
  /** Number of living rows after a position. */
  readonly count: (after: number) => number
  /** Yields the living rows after a position, in order, block by block. */
  readonly walk: (after: number, page?: FeedPage) => Generator<ListedRows<B>, void, undefined>
}

/** Finds the row of a position; undefined when no block contains it (any more). */
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

/** Finds the first block to read, and the index from which all blocks contain only rows after `after`. */
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
    // The block itself is read: the tally of a list that was swept since may be older than the block.
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

/** Captures the blocks at a position. Later, blocks may be added, or replaced by blocks with the same rows. */
const feedAt = <B extends Block>(list: BlockList<B>, position: number): FeedAt<B> => ({
  find: (wanted) => findIn(list, wanted),
  count: (after) => countRows(list, position, after),
  walk: (after, page = {}) => walkRows(list, position, after, page),
})

/** The operations on one kind of blocks. */
export interface BlockKind<B extends Block> {
  /** Creates a block. The first block of a feed starts small; a later block is expected to fill up. */
  readonly open: (isFirst: boolean) => B
  /** Returns true when a row with so many bytes belongs into a new block. */
  readonly isFull: (block: B, bytes: number) => boolean
  /** Creates one block from rows in position order. The source blocks do not change, because readers may hold them. */
  readonly join: (parts: readonly Rows<B>[]) => B
  /** Returns true when `join` would create a block that is at most half full. */
  readonly isSmall: (parts: readonly Rows<B>[]) => boolean
}

/**
 * Rows in position order, in blocks. The position identifies a row, and no compaction changes it. Two binary searches
 * find a row. Counts per block make it possible to pass blocks without living rows or with only skipped rows.
 */
export interface Feed<B extends Block> {
  /** Returns the block for the next row; `bytes` are the bytes of the row. */
  readonly openBlock: (bytes: number) => B
  /** Finds the block and the row of a position; undefined when the feed does not contain it (any more). */
  readonly find: (position: number) => FoundRow<B> | undefined
  /** Records that a later row, at `at`, replaced the row at a position. */
  readonly replace: (position: number, at: number) => void
  readonly at: (position: number) => FeedAt<B>
  /** Replaces a block by one with the same rows, if the feed still contains the block. */
  readonly swap: (old: B, next: B) => void
  /** The blocks, oldest first. */
  readonly blocks: () => readonly B[]
  /** Drops the rows that were replaced at or before a position, one block per step, and joins small blocks. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** Creates an empty feed. */
export const createFeed = <B extends Block>(kind: BlockKind<B>): Feed<B> => {
  // A sweep creates a new list, so that feeds captured by `at` keep their list.
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

  // Joins blocks that have become small. Rows may be appended and replaced between the steps.
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

/** Counts the rows of all parts. */
export const countJoinedRows = (parts: readonly Rows<Block>[]): number =>
  parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** Creates the operations on blocks whose rows have `width` cells. */
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

/** A feed whose rows are numbers. */
export interface RowFeed extends Feed<Block> {
  /** Appends a living row; its position must be above all positions in the feed. */
  readonly append: (position: number, rest?: readonly number[]) => void
}

const none: readonly number[] = []

/** Creates a feed of rows with `width` cells. The first two cells are the cells that every block has. */
export const createRowFeed = (width = 2): RowFeed => {
  const feed = createFeed(rowKind(width))
  return { ...feed, append: (position, rest = none) => appendRow(feed.openBlock(0), position, rest) }
}

/** A feed for each tag. */
export interface TagFeeds {
  /**
   * Returns the rows of a tag, for reading only; undefined without rows. Add and replace rows with the functions below.
   */
  readonly get: (tag: string) => RowFeed | undefined
  /** Number of tags with rows. */
  readonly size: number
  /** Counts the rows of a tag that live at a position. */
  readonly countOf: (tag: string, position: number) => number
  /**
   * Counts the rows of each tag that live at a position, and passes each tag with such rows to `note` once. Rows may be
   * added, replaced and swept meanwhile.
   */
  readonly countAt: (position: number, note: (tag: string, count: number) => void) => Work<void>
  /** Appends a living row; its position must be above all positions of the tag. */
  readonly append: (tag: string, position: number) => void
  /** Records that a later row, at `at`, replaced the row at a position. */
  readonly replace: (tag: string, position: number, at: number) => void
  /** Drops the rows that were replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** Position and `replacedAt` of each row, in turn. */
type FewRows = number[]

/** A feed takes almost a kilobyte, and an upload of 30 MB may contain four million tags with one thing each. */
const maxFewRows = 8

/** Number of tags that are counted or swept between two possible interruptions. */
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

/** Creates the feeds, without any tag. */
export const createTagFeeds = (): TagFeeds => {
  // Most tags have few rows. These rows are a list of numbers, and each `get` creates a feed from it. One map has both
  // kinds: a tag stays where it is in the map when it gets many rows, so an iteration visits each tag once.
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
      // Not before: rows that are added meanwhile may replace the list.
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
    // In most accounts with settings, the search for a name without rows would be the main cost.
    countOf: (tag, position) => (tags.size === 0 ? 0 : countRowsOf(tags.get(tag) ?? [], position)),
    countAt,
    append,
    replace,
    sweep,
  }
}
