/**
 * Up to 1024 rows of numbers in position order. The first cell of a row is its position, the second the position at
 * which a later row replaced it, Infinity while it lives.
 */
export interface Block {
  /** Position of the last row. */
  last: number
  /** The newest `replacedAt`; 0 while all rows live. */
  lastReplacedAt: number
  liveCount: number
  length: number
  /** Position of the first row. */
  first: number
  /** Cells of a row. */
  readonly width: number
  /** Row after row; replaced by a larger array when the block grows. */
  cells: Float64Array
}

/** Rows of a block. */
export const maxRows = 1024

/** Rows that a new block has room for. */
export const firstRows = 8

/** A block without rows. */
export const createBlock = (width: number, rows = firstRows): Block => ({
  last: 0,
  lastReplacedAt: 0,
  liveCount: 0,
  length: 0,
  first: 0,
  width,
  cells: new Float64Array(rows * width),
})

/** One number of a row. */
export const cellOf = (block: Block, row: number, cell: number): number =>
  block.cells[row * block.width + cell] as number

/** Says anew what a number of a row is. */
export const setCell = (block: Block, row: number, cell: number, value: number): void => {
  block.cells[row * block.width + cell] = value
}

/** Where a row stands in the order of changes. */
export const positionOf = (block: Block, row: number): number => cellOf(block, row, 0)

/** The position at which a later row replaced this one. */
export const replacedAtOf = (block: Block, row: number): number => cellOf(block, row, 1)

/** Adds a living row; its position is above all that the block holds. */
export const appendRow = (block: Block, position: number, rest: readonly number[]): void => {
  const start = block.length * block.width
  if (start === block.cells.length) {
    const grown = new Float64Array(Math.min(maxRows * block.width, start * 2))
    grown.set(block.cells)
    block.cells = grown
  }
  block.cells[start] = position
  block.cells[start + 1] = Number.POSITIVE_INFINITY
  for (let index = 0; index < rest.length; index += 1) block.cells[start + 2 + index] = rest[index] as number
  if (block.length === 0) block.first = position
  block.last = position
  block.length += 1
  block.liveCount += 1
}

/** Notes that a later row replaced this one. */
export const replaceRow = (block: Block, row: number, at: number): void => {
  setCell(block, row, 1, at)
  block.liveCount -= 1
  block.lastReplacedAt = at
}

/** The first row with a position above this one. */
export const findRowAfter = (block: Block, position: number): number => {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (positionOf(block, middle) > position) high = middle
    else low = middle + 1
  }
  return low
}

/** The row with a position, or -1. */
export const findRow = (block: Block, position: number): number => {
  const row = findRowAfter(block, position) - 1
  return row >= 0 && positionOf(block, row) === position ? row : -1
}

/** No more rows than this live at a position. */
const mostAt = ({ lastReplacedAt, liveCount }: Block, position: number): number =>
  lastReplacedAt <= position ? liveCount : Number.POSITIVE_INFINITY

/** The rows that were alive at a position, of those after another one. From the end: most that is dead was changed again. */
export const listRows = (block: Block, after: number, position: number): number[] => {
  const rows: number[] = []
  const most = mostAt(block, position)
  for (let row = findRowAfter(block, position) - 1; row >= 0 && rows.length < most; row -= 1) {
    if (positionOf(block, row) <= after) break
    if (replacedAtOf(block, row) > position) rows.push(row)
  }
  return rows.reverse()
}

/** The rows that were not replaced at or before a position. */
export const listRowsSince = (block: Block, position: number): number[] => {
  const rows: number[] = []
  for (let row = 0; row < block.length; row += 1) if (replacedAtOf(block, row) > position) rows.push(row)
  return rows
}

/** Number of the rows that `listRows` lists. */
export const countRowsAt = (block: Block, after: number, position: number): number => {
  let count = 0
  const most = mostAt(block, position)
  for (let row = findRowAfter(block, position) - 1; row >= 0 && count < most; row -= 1) {
    if (positionOf(block, row) <= after) break
    if (replacedAtOf(block, row) > position) count += 1
  }
  return count
}

/** Copies rows behind those of another block, which has room for them. */
export const copyRows = (from: Block, rows: readonly number[], to: Block): void => {
  for (const row of rows) {
    const start = to.length * to.width
    for (let cell = 0; cell < from.width; cell += 1) to.cells[start + cell] = cellOf(from, row, cell)
    const replacedAt = replacedAtOf(from, row)
    if (replacedAt === Number.POSITIVE_INFINITY) to.liveCount += 1
    else to.lastReplacedAt = Math.max(to.lastReplacedAt, replacedAt)
    if (to.length === 0) to.first = positionOf(from, row)
    to.last = positionOf(from, row)
    to.length += 1
  }
}

/** Copies all rows of a block into one that has none, and room for them. */
export const copyAllRows = (from: Block, to: Block): void => {
  to.cells.set(from.cells.subarray(0, from.length * from.width))
  const { length, first, last, liveCount, lastReplacedAt } = from
  Object.assign(to, { length, first, last, liveCount, lastReplacedAt })
}

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
