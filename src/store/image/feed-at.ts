import type { ListedRows } from './block.ts'
import { type Block, countRowsAt, findRow, listRows, positionOf } from './block.ts'
import { type BlockList, countAt, findBlock, lastOf, passBlocks } from './block-list.ts'

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
export const findIn = <B extends Block>(list: BlockList<B>, position: number): FoundRow<B> | undefined => {
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
export const feedAt = <B extends Block>(list: BlockList<B>, position: number): FeedAt<B> => ({
  find: (wanted) => findIn(list, wanted),
  count: (after) => countRows(list, position, after),
  walk: (after, page = {}) => walkRows(list, position, after, page),
})
