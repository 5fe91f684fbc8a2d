import { type Block, findRow, listRows, positionOf } from './block.ts'
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

/** Index of the first block that holds positions above this one. Empty blocks come last, if at all. */
export const findBlock = (blocks: readonly Block[], position: number): number => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const block = blocks[middle] as Block
    if (block.length === 0 || block.last > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The row of a position, or undefined when it is in none of the blocks (any more). */
export const findIn = <B extends Block>(blocks: readonly B[], position: number): FoundRow<B> | undefined => {
  const block = blocks[findBlock(blocks, position - 1)]
  if (block === undefined) return undefined
  const row = findRow(block, position)
  return row < 0 ? undefined : { block, row }
}

const countAscending = (values: readonly number[], start: number, last: number): number => {
  let end = start
  while (end < values.length && (values[end] as number) <= last) end += 1
  return end - start
}

/** How far a walk has come: the next block, how many of the omitted positions are behind it, how many rows to skip. */
interface Progress {
  readonly index: number
  readonly omitted: number
  readonly skip: number
}

/** Sees blocks at a position. The array may grow, and its blocks be replaced by such with the same rows. */
export const feedAt = <B extends Block>(blocks: readonly B[], position: number): FeedAt<B> => {
  // The count of a block holds for every position since its last replacement; for earlier ones its rows are asked.
  const hasCount = (block: B, after: number): boolean =>
    block.length > 0 && block.first > after && block.last <= position && block.lastReplacedAt <= position

  const count = (after: number): number => {
    let sum = 0
    for (let index = findBlock(blocks, after); index < blocks.length; index += 1) {
      const block = blocks[index] as B
      if (block.first > position) break
      sum += hasCount(block, after) ? block.liveCount : listRows(block, after, position).length
    }
    return sum
  }

  /** Passes over blocks of which everything is skipped. Not a generator: of a large feed it passes thousands. */
  const pass = (start: Progress, after: number, omit: readonly number[]): Progress => {
    let { index, omitted, skip } = start
    for (; index < blocks.length; index += 1) {
      const block = blocks[index] as B
      const omittedHere = omit.length === 0 ? 0 : countAscending(omit, omitted, block.last)
      const listedCount = block.liveCount - omittedHere
      if (skip < listedCount || !hasCount(block, after)) break
      skip -= listedCount
      omitted += omittedHere
    }
    return { index, omitted, skip }
  }

  function* walk(after: number, page: FeedPage = {}): Generator<ListedRows<B>, void, undefined> {
    const { omit = [], limit = Number.POSITIVE_INFINITY } = page
    let left = limit
    let at: Progress = { index: findBlock(blocks, after), omitted: 0, skip: page.skip ?? 0 }
    for (;;) {
      at = pass(at, after, omit)
      const block = blocks[at.index]
      if (left <= 0 || block === undefined || block.length === 0 || block.first > position) return
      const omittedHere = countAscending(omit, at.omitted, block.last)
      const isAll = at.skip + omittedHere === 0 && block.liveCount <= left && hasCount(block, after)
      if (isAll) {
        left -= block.liveCount
        yield { block, isAll, rows: () => listRows(block, after, position) }
      } else {
        const without = new Set(omit.slice(at.omitted, at.omitted + omittedHere))
        const kept = listRows(block, after, position).filter((row) => !without.has(positionOf(block, row)))
        const rows = kept.slice(at.skip, at.skip + left)
        at = { ...at, skip: Math.max(0, at.skip - kept.length) }
        left -= rows.length
        if (rows.length > 0) yield { block, isAll, rows: () => rows }
      }
      at = { index: at.index + 1, omitted: at.omitted + omittedHere, skip: at.skip }
    }
  }

  return { find: (wanted) => findIn(blocks, wanted), count, walk }
}
