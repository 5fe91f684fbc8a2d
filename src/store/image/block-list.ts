import { type Block, countRowsAt } from './block.ts'

/**
 * The blocks of a feed, oldest first. What a listing must know of a block to pass over it stands here side by side: to
 * ask each of a thousand blocks would cost more than a small answer. The last block still grows, and is asked itself.
 */
export interface BlockList<B extends Block> {
  readonly blocks: B[]
  /** Some numbers for each block but the last; see `tally`. Replaced by a larger array when the list grows. */
  tallies: Float64Array
}

const tally = {
  last: 0,
  liveCount: 1,
  lastReplacedAt: 2,
  /** An earlier position at which the rows were counted since, 0 for none, and how many lived there. */
  countedAt: 3,
  counted: 4,
} as const
const width = 5

// Most accounts are small and need no other.
const noTallies = new Float64Array(0)

/** A list of no blocks. */
export const createBlockList = <B extends Block>(): BlockList<B> => ({ blocks: [], tallies: noTallies })

const tallyOf = (list: BlockList<Block>, index: number, field: number): number =>
  list.tallies[index * width + field] as number

const isLast = ({ blocks }: BlockList<Block>, index: number): boolean => index >= blocks.length - 1

const writeTally = (tallies: Float64Array, index: number, block: Block): void => {
  tallies[index * width + tally.last] = block.last
  tallies[index * width + tally.liveCount] = block.liveCount
  tallies[index * width + tally.lastReplacedAt] = block.lastReplacedAt
  tallies[index * width + tally.countedAt] = 0
}

/** Puts a block behind the others. The one that was the last takes no more rows. */
export const pushBlock = <B extends Block>(list: BlockList<B>, block: B): void => {
  const full = list.blocks.at(-1)
  if (full !== undefined) {
    const index = list.blocks.length - 1
    if (list.tallies.length < (index + 1) * width) {
      const grown = new Float64Array(Math.max(4, index * 2) * width)
      grown.set(list.tallies)
      list.tallies = grown
    }
    writeTally(list.tallies, index, full)
  }
  list.blocks.push(block)
}

/** To be told of a block of which a row was replaced. */
export const noteReplacedIn = (list: BlockList<Block>, index: number): void => {
  if (!isLast(list, index)) writeTally(list.tallies, index, list.blocks[index] as Block)
}

/** The same list with other blocks from one index up to another; this one stays as it is. */
export const replaceBlocks = <B extends Block>(
  list: BlockList<B>,
  start: number,
  end: number,
  next: readonly B[],
): BlockList<B> => {
  const blocks = [...list.blocks.slice(0, start), ...next, ...list.blocks.slice(end)]
  const tallies = new Float64Array(blocks.length * width)
  tallies.set(list.tallies.subarray(0, start * width))
  for (const [index, block] of next.entries()) writeTally(tallies, start + index, block)
  const behind = list.tallies.subarray(end * width, list.blocks.length * width)
  tallies.set(behind, (start + next.length) * width)
  return { blocks, tallies }
}

/** Position of the last row of a block. */
export const lastOf = (list: BlockList<Block>, index: number): number =>
  isLast(list, index) ? (list.blocks[index] as Block).last : tallyOf(list, index, tally.last)

/**
 * Number of the rows of a block that live at a position, or -1 when the block goes on behind the position. The count of
 * a block holds for every position since its last replacement; for an earlier one its rows are counted, and that is
 * remembered for the next page of the same listing.
 */
export const countAt = (list: BlockList<Block>, index: number, position: number): number => {
  const block = list.blocks[index] as Block
  if (isLast(list, index)) {
    if (block.last > position) return -1
    return block.lastReplacedAt <= position ? block.liveCount : countRowsAt(block, 0, position)
  }
  if (tallyOf(list, index, tally.last) > position) return -1
  if (tallyOf(list, index, tally.lastReplacedAt) <= position) return tallyOf(list, index, tally.liveCount)
  if (tallyOf(list, index, tally.countedAt) !== position) {
    list.tallies[index * width + tally.counted] = countRowsAt(block, 0, position)
    list.tallies[index * width + tally.countedAt] = position
  }
  return tallyOf(list, index, tally.counted)
}

/**
 * Passes over blocks from an index on, of which no more than `most` rows live at a position: gives the index behind them
 * and how many these are. Ends before the last block, and before one whose rows are not counted yet: a feed has thousands,
 * and most of a page's or a delta's blocks are passed over.
 */
export const passBlocks = (
  { blocks, tallies }: BlockList<Block>,
  start: number,
  position: number,
  most: number,
): { readonly index: number; readonly rows: number } => {
  let [index, rows] = [start, 0]
  for (let at = start * width; index < blocks.length - 1; at += width) {
    if ((tallies[at + tally.last] as number) > position) break
    const isNow = (tallies[at + tally.lastReplacedAt] as number) <= position
    if (!isNow && tallies[at + tally.countedAt] !== position) break
    const count = tallies[at + (isNow ? tally.liveCount : tally.counted)] as number
    if (rows + count > most) break
    rows += count
    index += 1
  }
  return { index, rows }
}

/** Index of the first block that holds positions above this one. An empty block comes last, if at all. */
export const findBlock = (list: BlockList<Block>, position: number): number => {
  const { blocks } = list
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((blocks[middle] as Block).length === 0 || lastOf(list, middle) > position) high = middle
    else low = middle + 1
  }
  return low
}
