import { appendRow, type Block, cellOf, firstRows, maxRows } from './block.ts'

/** The cells of a thing's row, behind the two of every row. */
export const thingCell = {
  /** Position of the creation. */
  created: 2,
  /** Position of the last change by anyone but the writer. */
  others: 3,
  /** Reference of the version before; 0 when there is none. */
  previous: 4,
  slot: 5,
  writer: 6,
  flags: 7,
  /** Where the returned form begins in the block's bytes, and how many bytes it has. */
  offset: 8,
  size: 9,
} as const

const width = 10

/** Flags of a thing: what it is, and how its returned form in the block's bytes was made. */
export const flag = { isArchived: 1, todoStatus: 2, isShownAsTodo: 4 } as const

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
  /** The bytes show which things are todos as it is from this position on … */
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
    width,
    cells: new Float64Array((start.rows ?? firstRows) * width),
    length: 0,
    first: 0,
    last: 0,
    liveCount: 0,
    lastReplacedAt: 0,
    countedAt: 0,
    counted: 0,
    bytes,
    used: 1,
    livingEnd: 1,
    given: {},
    arrangedAt: start.arrangedAt ?? 0,
    validFrom: start.validFrom ?? 0,
    staleFrom: start.staleFrom ?? Number.POSITIVE_INFINITY,
  }
}

/** True when a thing with so many bytes belongs into a new block. */
export const isFullOfThings = (block: ThingBlock, size: number): boolean =>
  block.length === maxRows || (block.length > 0 && block.used + size + 1 > maxBytes)

/** True when rows with so many bytes fill a block at most half. */
export const isHalfEmpty = (rows: number, bytes: number): boolean => rows <= maxRows / 2 && bytes <= maxBytes / 2

/** The bytes of a row's returned form. */
export const shownBytes = (block: ThingBlock, row: number): Buffer => {
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
  const row = block.length - 1
  putOffset(block, row, block.used)
  block.cells[row * width + thingCell.size] = size
  block.used += size
  block.bytes[block.used] = comma
  block.used += 1
  block.livingEnd = isTogether ? block.used : -1
}

/** Gives back the room that a block does not need, because the next one was begun. */
export const sealBlock = (block: ThingBlock): void => {
  if (block.bytes.length - block.used < block.used / 8) return
  const sealed = Buffer.allocUnsafeSlow(block.used)
  block.bytes.copy(sealed, 0, 0, block.used)
  block.bytes = sealed
}

/** Puts the bytes of a row that the block has behind those that are there; there is room for them. */
export const putBytes = (block: ThingBlock, row: number, bytes: Uint8Array): void => {
  block.cells[row * width + thingCell.offset] = block.used
  block.cells[row * width + thingCell.size] = bytes.length
  block.bytes.set(bytes, block.used)
  block.used += bytes.length
  block.bytes[block.used] = comma
  block.used += 1
}

/** Says anew what a row is. */
export const putFlags = (block: ThingBlock, row: number, flags: number): void => {
  block.cells[row * width + thingCell.flags] = flags
}

/** Says where the bytes of a row begin. */
export const putOffset = (block: ThingBlock, row: number, offset: number): void => {
  block.cells[row * width + thingCell.offset] = offset
}
