import {
  appendRow,
  type Block,
  copyRows,
  createBlock,
  findRow,
  listRowsSince,
  maxRows,
  type Rows,
  replaceRow,
} from './block.ts'
import { createBlockList, findBlock, noteReplacedIn, pushBlock, replaceBlocks } from './block-list.ts'
import { type FeedAt, type FoundRow, feedAt, findIn } from './feed-at.ts'

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
export const countRows = (parts: readonly Rows<Block>[]): number =>
  parts.reduce((sum, { rows }) => sum + rows.length, 0)

/** How blocks of rows with so many cells are made. */
export const rowKind = (width: number): BlockKind<Block> => ({
  open: (isFirst) => createBlock(width, isFirst ? undefined : maxRows),
  isFull: (block) => block.length === maxRows,
  isSmall: (parts) => countRows(parts) <= maxRows / 2,
  join: (parts) => {
    const joined = createBlock(width, countRows(parts))
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
