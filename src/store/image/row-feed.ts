import { appendRow, type Block, copyRows, createBlock, maxRows } from './block.ts'
import { type BlockKind, createFeed, type Feed, type Rows } from './feed.ts'

/** A feed of rows of numbers. */
export interface RowFeed extends Feed<Block> {
  /** Adds a living row; its position is above all that the feed holds. */
  readonly append: (position: number, rest?: readonly number[]) => void
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

const none: readonly number[] = []

/** A feed of rows with so many cells, of which the first two are those of every block. */
export const createRowFeed = (width = 2): RowFeed => {
  const { openBlock, find, replace, at, swap, blocks, sweep } = createFeed(rowKind(width))
  const append = (position: number, rest = none): void => appendRow(openBlock(0), position, rest)
  return { append, openBlock, find, replace, at, swap, blocks, sweep }
}
