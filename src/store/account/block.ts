/**
 * Up to 1024 rows of numbers in position order. The first cell of a row is its position. The second cell is the
 * position at which a later row replaced it; it is Infinity while the row lives.
 */
export interface Block {
  /** Position of the last row. */
  last: number
  /** The highest `replacedAt`; 0 while all rows live. */
  lastReplacedAt: number
  liveCount: number
  length: number
  /** Position of the first row. */
  first: number
  /** Number of cells in a row. */
  readonly width: number
  /** All rows in one array; a larger array replaces it when the block grows. */
  cells: Float64Array
}

/** Maximum number of rows in a block. */
export const maxRows = 1024

/** Number of rows that a new block has the capacity for. */
export const firstRows = 8

/** Creates a block without rows. */
export const createBlock = (width: number, rows = firstRows): Block => ({
  last: 0,
  lastReplacedAt: 0,
  liveCount: 0,
  length: 0,
  first: 0,
  width,
  cells: new Float64Array(rows * width),
})

/** Returns one cell of a row. */
export const cellOf = (block: Block, row: number, cell: number): number =>
  block.cells[row * block.width + cell] as number

/** Changes one cell of a row. */
export const setCell = (block: Block, row: number, cell: number, value: number): void => {
  block.cells[row * block.width + cell] = value
}

/** Returns the position of a row. */
export const positionOf = (block: Block, row: number): number => cellOf(block, row, 0)

/** Returns the position at which a later row replaced this row. */
export const replacedAtOf = (block: Block, row: number): number => cellOf(block, row, 1)

/** Appends a living row; its position must be above all positions in the block. */
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

/** Records that a later row, at `at`, replaced this row. */
export const replaceRow = (block: Block, row: number, at: number): void => {
  setCell(block, row, 1, at)
  block.liveCount -= 1
  block.lastReplacedAt = at
}

/** Finds the first row with a position above the given one. */
const findRowAfter = (block: Block, position: number): number => {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (positionOf(block, middle) > position) high = middle
    else low = middle + 1
  }
  return low
}

/** Finds the row with a position; -1 when there is none. */
export const findRow = (block: Block, position: number): number => {
  const row = findRowAfter(block, position) - 1
  return row >= 0 && positionOf(block, row) === position ? row : -1
}

/** Returns an upper bound for the number of rows that live at a position. */
const maxAt = ({ lastReplacedAt, liveCount }: Block, position: number): number =>
  lastReplacedAt <= position ? liveCount : Number.POSITIVE_INFINITY

/** Lists the rows after `after` that live at a position. It scans from the end: most dead rows are old. */
export const listRows = (block: Block, after: number, position: number): number[] => {
  const rows: number[] = []
  const max = maxAt(block, position)
  for (let row = findRowAfter(block, position) - 1; row >= 0 && rows.length < max; row -= 1) {
    if (positionOf(block, row) <= after) break
    if (replacedAtOf(block, row) > position) rows.push(row)
  }
  return rows.reverse()
}

/** Lists the rows that were not replaced at or before a position. */
export const listRowsSince = (block: Block, position: number): number[] => {
  const rows: number[] = []
  for (let row = 0; row < block.length; row += 1) if (replacedAtOf(block, row) > position) rows.push(row)
  return rows
}

/** Counts the rows that `listRows` lists. */
export const countRowsAt = (block: Block, after: number, position: number): number => {
  let count = 0
  const max = maxAt(block, position)
  for (let row = findRowAfter(block, position) - 1; row >= 0 && count < max; row -= 1) {
    if (positionOf(block, row) <= after) break
    if (replacedAtOf(block, row) > position) count += 1
  }
  return count
}

/** Appends rows of one block to another, which has the capacity for them. */
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

/** Copies all rows of a block into an empty block with enough capacity. */
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

/** Some rows of a block, computed on request. */
export interface ListedRows<B extends Block> {
  readonly block: B
  /** True when they are all living rows of the block. */
  readonly isAll: boolean
  readonly rows: () => readonly number[]
}

/**
 * The blocks of a feed, oldest first. A listing needs some numbers of each block that it passes, and the list has them
 * side by side: reading a thousand block objects would cost more than a small response. The last block still grows, so
 * the list reads it directly.
 */
export interface BlockList<B extends Block> {
  readonly blocks: B[]
  /** Numbers of each block but the last; see `tally`. A larger array replaces it when the list grows. */
  tallies: Float64Array
}

const tally = {
  last: 0,
  liveCount: 1,
  lastReplacedAt: 2,
  /** An earlier position whose rows were counted since, 0 for none, and their count. */
  countedAt: 3,
  counted: 4,
} as const
const width = 5

// Enough for most accounts, which are small.
const noTallies = new Float64Array(0)

/** Creates a list without blocks. */
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

/** Appends a block. The block that was the last one accepts no more rows. */
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

/** Updates the numbers of a block after one of its rows was replaced. */
export const noteReplacedIn = (list: BlockList<Block>, index: number): void => {
  if (!isLast(list, index)) writeTally(list.tallies, index, list.blocks[index] as Block)
}

/** Creates a list with other blocks from `start` up to `end`; the given list does not change. */
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

/** Returns the position of the last row of a block. */
export const lastOf = (list: BlockList<Block>, index: number): number =>
  isLast(list, index) ? (list.blocks[index] as Block).last : tallyOf(list, index, tally.last)

/**
 * Counts the rows of a block that live at a position; returns -1 when the block has rows after the position. The count
 * of a block is valid for every position since its last replacement. For an earlier position the rows are counted, and
 * the result is cached for the next page of the same listing.
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
 * Passes blocks from an index on with at most `max` living rows in total at a position. Returns the index after these
 * blocks and their number of rows. It stops before the last block, and before a block whose rows are not counted yet. A
 * feed has thousands of blocks, and a page or an incremental sync passes most of them.
 */
export const passBlocks = (
  { blocks, tallies }: BlockList<Block>,
  start: number,
  position: number,
  max: number,
): { readonly index: number; readonly rows: number } => {
  let [index, rows] = [start, 0]
  for (let at = start * width; index < blocks.length - 1; at += width) {
    if ((tallies[at + tally.last] as number) > position) break
    const isNow = (tallies[at + tally.lastReplacedAt] as number) <= position
    if (!isNow && tallies[at + tally.countedAt] !== position) break
    const count = tallies[at + (isNow ? tally.liveCount : tally.counted)] as number
    if (rows + count > max) break
    rows += count
    index += 1
  }
  return { index, rows }
}

/** Finds the index of the first block with positions above the given one. Only the last block may be empty. */
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
