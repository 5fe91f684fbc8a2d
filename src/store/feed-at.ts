import { type Block, findRow, lastPositionOf, listRows, positionOf } from './block.ts'
import type { Rows } from './feed.ts'

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
  readonly walk: (after: number, page?: FeedPage) => Generator<Rows<B>, void, undefined>
}

/** Index of the first block that holds positions above this one. Empty blocks come last, if at all. */
export const findBlock = (blocks: readonly Block[], position: number): number => {
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const block = blocks[middle] as Block
    if (block.length === 0 || lastPositionOf(block) > position) high = middle
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

/** Sees blocks at a position. The array may grow, and its blocks be replaced by such with the same rows. */
export const feedAt = <B extends Block>(blocks: readonly B[], position: number): FeedAt<B> => {
  // The count of a block holds for every position since its last replacement; for earlier ones its rows are asked.
  const hasCount = (block: B, after: number): boolean =>
    positionOf(block, 0) > after && lastPositionOf(block) <= position && block.lastReplacedAt <= position

  function* blocksAfter(after: number): Generator<B, void, undefined> {
    for (let index = findBlock(blocks, after); index < blocks.length; index += 1) {
      const block = blocks[index] as B
      if (block.length === 0 || positionOf(block, 0) > position) return
      yield block
    }
  }

  const count = (after: number): number => {
    let sum = 0
    for (const block of blocksAfter(after))
      sum += hasCount(block, after) ? block.liveCount : listRows(block, after, position).length
    return sum
  }

  function* walk(after: number, page: FeedPage = {}): Generator<Rows<B>, void, undefined> {
    const { omit = [], skip = 0, limit = Number.POSITIVE_INFINITY } = page
    let [omitted, skipLeft, left] = [0, skip, limit]
    for (const block of blocksAfter(after)) {
      if (left <= 0) return
      const omittedHere = countAscending(omit, omitted, lastPositionOf(block))
      const isPassed = hasCount(block, after) && skipLeft >= block.liveCount - omittedHere
      if (isPassed) skipLeft -= block.liveCount - omittedHere
      else {
        const without = new Set(omit.slice(omitted, omitted + omittedHere))
        const living = listRows(block, after, position)
        const kept = without.size === 0 ? living : living.filter((row) => !without.has(positionOf(block, row)))
        const rows = skipLeft === 0 && kept.length <= left ? kept : kept.slice(skipLeft, skipLeft + left)
        skipLeft = Math.max(0, skipLeft - kept.length)
        left -= rows.length
        if (rows.length > 0) yield { block, rows }
      }
      omitted += omittedHere
    }
  }

  return { find: (wanted) => findIn(blocks, wanted), count, walk }
}
