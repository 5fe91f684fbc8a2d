import { type Block, findRow, replaceRow } from './block.ts'
import { createBlockList, findBlock, noteReplacedIn, pushBlock } from './block-list.ts'
import { type FeedAt, type FoundRow, feedAt, findIn } from './feed-at.ts'
import { sweepBlocks } from './sweep-blocks.ts'

/** Some rows of a block. */
export interface Rows<B extends Block> {
  readonly block: B
  readonly rows: readonly number[]
}

/** Some rows of a block, looked for when they are asked for. */
export interface ListedRows<B extends Block> {
  readonly block: B
  /** True when they are all that live in the block. */
  readonly isAll: boolean
  readonly rows: () => readonly number[]
}

/** How the blocks of a feed are made. */
export interface BlockKind<B extends Block> {
  /** The first block of a feed is made for few rows; one that follows another will be full as well. */
  readonly open: (isFirst: boolean) => B
  /** True when a row that brings so many bytes belongs into a new block. */
  readonly isFull: (block: B, bytes: number) => boolean
  /** Makes one block of rows in position order, without changing the blocks that they come from. */
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
  /** Drops the rows that were replaced at or before a position, one block at a step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** A feed without rows. */
export const createFeed = <B extends Block>(kind: BlockKind<B>): Feed<B> => {
  // A sweep replaces the list, so that feeds captured by `at` keep theirs.
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

  return {
    openBlock,
    find: (position) => findIn(list, position),
    replace,
    at: (position) => feedAt(list, position),
    swap,
    blocks: () => list.blocks,
    sweep: (floor) =>
      sweepBlocks(kind, floor, {
        get: () => list,
        set: (swept) => {
          list = swept
        },
      }),
  }
}
