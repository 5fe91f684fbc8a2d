import type { Rows } from './block.ts'
import { appendRow, type Block, cellOf, copyRows, firstRows, maxRows, setCell } from './block.ts'
import { type BlockKind, countRows } from './feed.ts'

/** The cells of a thing's row, behind the two of every row; a tombstone has the first three. */
export const thingCell = {
  /** Position of the creation. */
  created: 2,
  /** Reference of the version before; 0 when there is none. */
  previous: 3,
  slot: 4,
  /** Position of the last change by anyone but the writer. */
  others: 5,
  writer: 6,
  flags: 7,
  /** Where the returned form begins in the block's bytes, and how many bytes it has. */
  offset: 8,
  size: 9,
} as const

const width = 10

/** Flags of a thing: what it is, and how its returned form in the block's bytes was made. */
export const flag = { isArchived: 1, todoStatus: 2, isEncodedAsTodo: 4 } as const

/**
 * Versions of things with their returned forms. Bytes are only ever added: what a reader was given stays as it is, and
 * a block whose bytes must change is replaced by another one.
 */
export interface ThingBlock extends Block {
  /** A comma, then returned forms, a comma behind each; replaced by a larger buffer when the block grows. */
  bytes: Buffer
  used: number
  /** The bytes before this one are those of the living rows, if `lastReplacedAt` is `arrangedAt`. */
  livingEnd: number
  readonly arrangedAt: number
  /** They as they were last given, with the comma before them and without, to be given as the same objects again. */
  readonly given: { withComma?: Buffer; alone?: Buffer }
  /** Which things the bytes have as todos is right from this position on … */
  readonly validFrom: number
  /** … and before this one, at which the settings of one of their tags changed. */
  staleFrom: number
}

/** Bytes of a block; one of a single thing may have more. */
export const maxBytes = 256 * 1024
const firstBytes = 2 * 1024
const comma = 0x2c

/** How a block of things begins. */
export interface ThingBlockStart {
  /** Room for rows and bytes; both grow. */
  readonly rows?: number
  readonly bytes?: number
  readonly arrangedAt?: number
  readonly validFrom?: number
  readonly staleFrom?: number
}

/** A block without things. */
export const createThingBlock = (start: ThingBlockStart = {}): ThingBlock => {
  // Not from Node's pool: a small piece would keep the whole pool.
  const bytes = Buffer.allocUnsafeSlow(1 + (start.bytes ?? 0))
  bytes[0] = comma
  return {
    // Not spread out of `createBlock`: V8 would give each block a shape of its own, and every look at one would be slow.
    last: 0,
    lastReplacedAt: 0,
    liveCount: 0,
    length: 0,
    first: 0,
    width,
    cells: new Float64Array((start.rows ?? firstRows) * width),
    bytes,
    used: 1,
    livingEnd: 1,
    given: {},
    arrangedAt: start.arrangedAt ?? 0,
    validFrom: start.validFrom ?? 0,
    staleFrom: start.staleFrom ?? Number.POSITIVE_INFINITY,
  }
}

/** The bytes of a row's returned form. */
export const formBytes = (block: ThingBlock, row: number): Buffer => {
  const offset = cellOf(block, row, thingCell.offset)
  return block.bytes.subarray(offset, offset + cellOf(block, row, thingCell.size))
}

/** Makes room for so many bytes. */
export const reserve = (block: ThingBlock, size: number): void => {
  const needed = block.used + size
  if (needed <= block.bytes.length) return
  const wanted = Math.min(maxBytes, Math.max(firstBytes, block.bytes.length * 2))
  const grown = Buffer.allocUnsafeSlow(Math.max(needed, wanted))
  block.bytes.copy(grown, 0, 0, block.used)
  block.bytes = grown
}

/** Adds a living version, whose returned form has just been put behind the bytes that are used. */
export const appendThing = (block: ThingBlock, position: number, cells: readonly number[], size: number): void => {
  const isTogether = block.livingEnd === block.used
  appendRow(block, position, cells)
  passBytes(block, size)
  block.livingEnd = isTogether ? block.used : -1
}

/** Puts the bytes of a row that the block has behind those that are there; there is room for them. */
export const putBytes = (block: ThingBlock, row: number, bytes: Uint8Array): void => {
  setCell(block, row, thingCell.offset, block.used)
  setCell(block, row, thingCell.size, bytes.length)
  block.bytes.set(bytes, block.used)
  passBytes(block, bytes.length)
}

const passBytes = (block: ThingBlock, size: number): void => {
  block.used += size
  block.bytes[block.used] = comma
  block.used += 1
}

/** Gives back the room that a block does not need, because the next one was begun. */
export const sealBlock = (block: ThingBlock): void => {
  const { bytes, used } = block
  block.cells = block.cells.slice(0, block.length * width)
  block.bytes = Buffer.allocUnsafeSlow(used)
  bytes.copy(block.bytes, 0, 0, used)
}

const countBytes = (parts: readonly Rows<ThingBlock>[]): number => {
  let sum = 0
  for (const { block, rows } of parts) for (const row of rows) sum += cellOf(block, row, thingCell.size) + 1
  return sum
}

/** Blocks of things. */
export const thingKind: BlockKind<ThingBlock> = {
  // How many rows and bytes it will have depends on how large the things are.
  open: () => createThingBlock(),
  isFull: ({ length, used }, size) => length === maxRows || (length > 0 && used + size + 1 > maxBytes),
  isSmall: (parts) => countRows(parts) <= maxRows / 2 && countBytes(parts) <= maxBytes / 2,
  join: (parts) => {
    const joined = createThingBlock({
      rows: countRows(parts),
      bytes: countBytes(parts),
      validFrom: Math.max(...parts.map(({ block }) => block.validFrom)),
      staleFrom: Math.min(...parts.map(({ block }) => block.staleFrom)),
    })
    for (const { block, rows } of parts) {
      copyRows(block, rows, joined)
      for (const [index, row] of rows.entries())
        putBytes(joined, joined.length - rows.length + index, formBytes(block, row))
    }
    joined.livingEnd = joined.liveCount === joined.length ? joined.used : -1
    return joined
  },
}
