import { type Block, countAllAt, countRowsAt, findRow, listRows, positionOf } from './block.ts'
import type { ListedRows } from './feed.ts'

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

/** Index of the first block that holds positions above this one. An empty block comes last, if at all. */
export const findBlock = (blocks: readonly Block[], position: number): number => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const { length, last } = blocks[middle] as Block
    if (length === 0 || last > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The row of a position, or undefined when it is in none of the blocks (any more). */
export const findIn = <B extends Block>(blocks: readonly B[], position: number): FoundRow<B> | undefined => {
  const block = blocks[findBlock(blocks, position - 1)]
  const row = block === undefined ? -1 : findRow(block, position)
  return block === undefined || row < 0 ? undefined : { block, row }
}

const countAscending = (values: readonly number[], start: number, last: number): number => {
  let end = start
  while (end < values.length && (values[end] as number) <= last) end += 1
  return end - start
}

/** Sees blocks at a position. More may come, and some be replaced by such with the same rows. */
export const feedAt = <B extends Block>(blocks: readonly B[], position: number): FeedAt<B> => {
  /** Where to begin, and the index from which on no block holds rows up to `after`. */
  const findStart = (after: number): { start: number; whole: number } => {
    const start = findBlock(blocks, after)
    const block = blocks[start]
    return { start, whole: block === undefined || block.first > after ? start : start + 1 }
  }

  const count = (after: number): number => {
    const { start, whole } = findStart(after)
    let sum = 0
    for (let index = start; index < blocks.length; index += 1) {
      const block = blocks[index] as B
      const known = index < whole ? -1 : countAllAt(block, position)
      if (known < 0 && block.first > position) break
      sum += known < 0 ? countRowsAt(block, after, position) : known
    }
    return sum
  }

  function* walk(after: number, page: FeedPage = {}): Generator<ListedRows<B>, void, undefined> {
    const { omit = [], limit = Number.POSITIVE_INFINITY } = page
    const { start, whole } = findStart(after)
    let [omitted, skip, left] = [0, page.skip ?? 0, limit]
    for (let index = start; index < blocks.length && left > 0; index += 1) {
      const block = blocks[index] as B
      const known = index < whole ? -1 : countAllAt(block, position)
      const omittedHere = omit.length === 0 ? 0 : countAscending(omit, omitted, block.last)
      if (known >= 0 && skip >= known - omittedHere) skip -= known - omittedHere
      else if (block.first > position) return
      else if (known >= 0 && block.lastReplacedAt <= position && skip + omittedHere === 0 && known <= left) {
        left -= known
        yield { block, isAll: true, rows: () => listRows(block, after, position) }
      } else {
        const without = new Set(omit.slice(omitted, omitted + omittedHere))
        const others = listRows(block, after, position).filter((row) => !without.has(positionOf(block, row)))
        const rows = others.slice(skip, skip + left)
        skip = Math.max(0, skip - others.length)
        left -= rows.length
        if (rows.length > 0) yield { block, isAll: false, rows: () => rows }
      }
      omitted += omittedHere
    }
  }

  return { find: (wanted) => findIn(blocks, wanted), count, walk }
}
