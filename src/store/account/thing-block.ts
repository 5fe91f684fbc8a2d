import type { StoredThing, Thing } from '../model.ts'
import { type EncodedThing, encodeForm, encodeMetadata } from '../record/encoded-thing.ts'
import type { ThingForm } from '../store.ts'
import {
  appendRow,
  type Block,
  cellOf,
  copyAllRows,
  copyRows,
  firstRows,
  maxRows,
  positionOf,
  type Rows,
  replacedAtOf,
  setCell,
} from './block.ts'
import { type BlockKind, countJoinedRows, type Feed, type RowFeed } from './feed.ts'
import type { IdIndex, Reference } from './hash-index.ts'

/** The cells of a thing's row, after the two cells of every row. A tombstone has the first three. */
export const thingCell = {
  /** Position of the creation. */
  created: 2,
  /** Reference to the previous version; 0 when there is none. */
  previous: 3,
  slot: 4,
  /** Position of the last change by a session other than the writer. */
  others: 5,
  writer: 6,
  flags: 7,
  /** The offset of the returned form in the block's bytes, and its number of bytes. */
  offset: 8,
  size: 9,
} as const

const width = 10

/** Flags of a thing: its state, and how its returned form in the block's bytes was encoded. */
const flag = { isArchived: 1, todoStatus: 2, isEncodedAsTodo: 4 } as const

/**
 * Versions of things with their returned forms. Bytes are only appended, so that readers keep what they have. A block
 * whose bytes must change is replaced by another block.
 */
export interface ThingBlock extends Block {
  /** A comma, then returned forms with a comma after each. A larger buffer replaces it when the block grows. */
  bytes: Buffer
  used: number
  /** The end of the bytes of all living rows, valid only while `lastReplacedAt` is `arrangedAt`. */
  livingEnd: number
  readonly arrangedAt: number
  /**
   * The buffers of these bytes that were last returned, with and without the first comma, to return the same objects.
   */
  readonly given: { withComma?: Buffer; alone?: Buffer }
  /** The first position at which the bytes show the right things as todos … */
  readonly validFrom: number
  /** … and the position at which they stop doing so, because the settings of a tag changed. */
  staleFrom: number
}

/** Maximum bytes of a block; a block with a single thing may have more. */
export const maxBytes = 256 * 1024
const firstBytes = 2 * 1024
const comma = 0x2c

/** The initial state of a block of things. */
interface ThingBlockStart {
  /** Capacity for rows and bytes; both grow. */
  readonly rows?: number
  readonly bytes?: number
  readonly arrangedAt?: number
  readonly validFrom?: number
  readonly staleFrom?: number
}

/** Creates a block without things. */
export const createThingBlock = (start: ThingBlockStart = {}): ThingBlock => {
  // Not from Node's pool: a small slice would retain the whole pool.
  const bytes = Buffer.allocUnsafeSlow(1 + (start.bytes ?? 0))
  bytes[0] = comma
  return {
    // Not spread from `createBlock`: V8 would give each block its own hidden class, and every access would be slow.
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

/** Returns the bytes of a row's returned form. */
export const formBytes = (block: ThingBlock, row: number): Buffer => {
  const offset = cellOf(block, row, thingCell.offset)
  return block.bytes.subarray(offset, offset + cellOf(block, row, thingCell.size))
}

/** Ensures capacity for so many more bytes. */
const reserveBytes = (block: ThingBlock, size: number): void => {
  const needed = block.used + size
  if (needed <= block.bytes.length) return
  const wanted = Math.min(maxBytes, Math.max(firstBytes, block.bytes.length * 2))
  const grown = Buffer.allocUnsafeSlow(Math.max(needed, wanted))
  block.bytes.copy(grown, 0, 0, block.used)
  block.bytes = grown
}

/** Adds a living version, whose returned form was just written after the used bytes. */
const appendThing = (block: ThingBlock, position: number, cells: readonly number[], size: number): void => {
  const isContiguous = block.livingEnd === block.used
  appendRow(block, position, cells)
  passBytes(block, size)
  block.livingEnd = isContiguous ? block.used : -1
}

/** Appends the bytes of an existing row; the block has the capacity for them. */
const putBytes = (block: ThingBlock, row: number, bytes: Uint8Array): void => {
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

/** Frees the unused capacity of a block, because a next block was begun. */
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

/** The operations on blocks of things. */
export const thingKind: BlockKind<ThingBlock> = {
  // The number of rows and bytes depends on the size of the things.
  open: () => createThingBlock(),
  isFull: ({ length, used }, size) => length === maxRows || (length > 0 && used + size + 1 > maxBytes),
  isSmall: (parts) => countJoinedRows(parts) <= maxRows / 2 && countBytes(parts) <= maxBytes / 2,
  join: (parts) => {
    const joined = createThingBlock({
      rows: countJoinedRows(parts),
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

/** The returned form of a row, encoded again. */
export interface EncodedForm {
  readonly bytes: Uint8Array
  readonly flags: number
}

/** Copies the bytes of the wanted rows; adjacent rows are copied together. */
const copyBytes = (from: ThingBlock, to: ThingBlock, isWanted: (row: number) => boolean): void => {
  let [start, end] = [0, 0]
  const flush = (): void => {
    from.bytes.copy(to.bytes, to.used, start, end)
    to.used += end - start
  }
  for (let row = 0; row < from.length; row += 1) {
    if (!isWanted(row)) continue
    const offset = cellOf(from, row, thingCell.offset)
    if (offset !== end) {
      flush()
      start = offset
    }
    // Includes the comma after it.
    end = offset + cellOf(from, row, thingCell.size) + 1
    setCell(to, row, thingCell.offset, to.used + offset - start)
  }
  flush()
}

/** Creates a block with the same rows, in which the bytes of the living rows are contiguous. */
export const arrangeThings = (block: ThingBlock): ThingBlock => {
  const { used, lastReplacedAt, validFrom, staleFrom, length } = block
  const next = createThingBlock({ rows: length, bytes: used - 1, arrangedAt: lastReplacedAt, validFrom, staleFrom })
  const isLiving = (row: number): boolean => replacedAtOf(block, row) === Number.POSITIVE_INFINITY
  copyAllRows(block, next)
  copyBytes(block, next, isLiving)
  next.livingEnd = next.used
  copyBytes(block, next, (row) => !isLiving(row))
  return next
}

/** Creates a block with the same rows, with their returned forms from `validFrom` on. */
export const encodeThingsAgain = (
  block: ThingBlock,
  validFrom: number,
  encode: (block: ThingBlock, row: number) => EncodedForm,
): ThingBlock => {
  const forms = Array.from({ length: block.length }, (_, row) => encode(block, row))
  const bytes = forms.reduce((sum, form) => sum + form.bytes.length + 1, 0)
  const next = createThingBlock({ rows: block.length, bytes, validFrom })
  copyAllRows(block, next)
  for (const [row, form] of forms.entries()) {
    putBytes(next, row, form.bytes)
    setCell(next, row, thingCell.flags, form.flags)
  }
  next.livingEnd = block.liveCount === block.length ? next.used : -1
  return next
}

/** Converts between things and rows. */
export interface ThingRows {
  /** Reads the complete thing of a row. */
  readonly read: (block: ThingBlock, row: number) => StoredThing
  /** Reads the positions and the writer of a row. */
  readonly readMetadata: (block: ThingBlock, row: number) => VersionMetadata
  /** Reads the step of a row (`encoded-thing.ts`), as JSON. */
  readonly readStep: (block: ThingBlock, row: number) => string
  readonly idOf: (block: ThingBlock, row: number) => string
  /** Adds a version of a thing. */
  readonly append: (block: ThingBlock, thing: EncodedThing, writer: string, version: ThingVersion) => void
}

/** The positions and the writer of a version of a thing. */
export type VersionMetadata = Pick<StoredThing, 'position' | 'createdPosition' | 'writer' | 'othersPosition'>

/** A version's properties beside the thing: whether it is a todo, the slot of its id, and the version it replaces. */
interface ThingVersion {
  readonly isTodo: boolean
  readonly slot: number
  readonly previous: Reference
}

const hasFlag = (block: ThingBlock, row: number, wanted: number): boolean =>
  (cellOf(block, row, thingCell.flags) & wanted) !== 0

/** Returns true when the row is an archived thing. */
export const isArchivedRow = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.isArchived)

/** Returns true when the bytes of the row are encoded as a todo. */
export const isEncodedAsTodo = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.isEncodedAsTodo)

const isDone = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.todoStatus)

/** Counts the bytes of the content of a row's thing, without its state: `EncodedThing` up to `contentEnd`. */
export const contentBytesOf = (block: ThingBlock, row: number): number => {
  const archived = isArchivedRow(block, row) ? archivedBytes : 0
  const status = isDone(block, row) ? doneBytes : notDoneBytes
  return cellOf(block, row, thingCell.size) - archived - (isEncodedAsTodo(block, row) ? status : 0) - 1
}

const archivedBytes = ',"archived":true'.length
const doneBytes = ',"todoStatus":true'.length
const notDoneBytes = ',"todoStatus":false'.length

/** Returns the flags of a thing whose returned form is encoded as a todo or not. */
export const flagsOf = (thing: Pick<Thing, 'archived' | 'todoStatus'>, isTodo: boolean): number =>
  (thing.archived ? flag.isArchived : 0) |
  (thing.todoStatus ? flag.todoStatus : 0) |
  (isTodo ? flag.isEncodedAsTodo : 0)

/** Creates the conversion for things whose ids are in the given index. */
export const createThingRows = (form: ThingForm, ids: IdIndex): ThingRows => {
  // Few sessions write an account, so each of their ids is stored once.
  const writers: string[] = []
  const writerNumbers = new Map<string, number>()

  const numberOf = (writer: string): number => {
    const found = writerNumbers.get(writer)
    if (found !== undefined) return found
    writerNumbers.set(writer, writers.length)
    return writers.push(writer) - 1
  }

  const readMetadata = (block: ThingBlock, row: number): VersionMetadata => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
    writer: writers[cellOf(block, row, thingCell.writer)] as string,
    othersPosition: cellOf(block, row, thingCell.others),
  })

  const read = (block: ThingBlock, row: number): StoredThing => ({
    ...form.readThing(formBytes(block, row).toString()),
    todoStatus: isDone(block, row),
    ...readMetadata(block, row),
  })

  const readStep = (block: ThingBlock, row: number): string => {
    const metadata = readMetadata(block, row)
    const writerJson = JSON.stringify(metadata.writer)
    const rest = encodeMetadata({ ...metadata, writerJson }, isDone(block, row) && !isEncodedAsTodo(block, row))
    return `{"thing":${formBytes(block, row).toString()}${rest}}`
  }

  const append: ThingRows['append'] = (block, thing, writer, { isTodo, slot, previous }) => {
    const { createdPosition, othersPosition } = thing
    reserveBytes(block, thing.end - thing.start + 1)
    const end = encodeForm(thing, isTodo, block.bytes, block.used)
    const [offset, size] = [block.used, end - block.used]
    const flags = flagsOf(thing, isTodo)
    const cells = [createdPosition, previous, slot, othersPosition, numberOf(writer), flags, offset, size]
    appendThing(block, thing.position, cells, size)
  }

  return {
    read,
    readMetadata,
    readStep,
    append,
    idOf: (block, row) => ids.idOf(cellOf(block, row, thingCell.slot)),
  }
}

/**
 * Records that the things of a tag have another returned form from a position on. It visits the tag's rows; their bytes
 * are encoded again when their blocks are listed.
 */
export const markStale = (things: Feed<ThingBlock>, tagged: RowFeed, position: number): void => {
  let passed = 0
  for (const block of tagged.blocks()) {
    for (let row = 0; row < block.length; row += 1) {
      const carrier = positionOf(block, row)
      if (carrier <= passed || replacedAtOf(block, row) !== Number.POSITIVE_INFINITY) continue
      const stale = things.find(carrier)?.block
      if (stale === undefined) return
      stale.staleFrom = Math.min(stale.staleFrom, position)
      passed = stale.last
    }
  }
}
