import { cellOf, copyAllRows, copyRows, replacedAtOf } from './block.ts'
import type { BlockKind, Rows } from './feed.ts'
import { countRows } from './feed.ts'
import {
  createThingBlock,
  isFullOfThings,
  isHalfEmpty,
  putBytes,
  putFlags,
  putOffset,
  shownBytes,
  type ThingBlock,
  thingCell,
} from './thing-block.ts'

/** The returned form of a row, shown anew. */
export interface ShownAnew {
  readonly bytes: Uint8Array
  readonly flags: number
}

/** Copies the bytes of the rows that are asked for, neighbours at once. */
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
    // With the comma behind it.
    end = offset + cellOf(from, row, thingCell.size) + 1
    putOffset(to, row, to.used + offset - start)
  }
  flush()
}

/** Makes a block with the same rows, in which the bytes of the living ones stand together. */
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

/** Makes a block with the same rows, each with the returned form that it has from `validFrom` on. */
export const showThingsAnew = (
  block: ThingBlock,
  validFrom: number,
  show: (block: ThingBlock, row: number) => ShownAnew,
): ThingBlock => {
  const shown = Array.from({ length: block.length }, (_, row) => show(block, row))
  const bytes = shown.reduce((sum, form) => sum + form.bytes.length + 1, 0)
  const next = createThingBlock({ rows: block.length, bytes, validFrom })
  copyAllRows(block, next)
  for (const [row, form] of shown.entries()) {
    putBytes(next, row, form.bytes)
    putFlags(next, row, form.flags)
  }
  next.livingEnd = block.liveCount === block.length ? next.used : -1
  return next
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
  isFull: isFullOfThings,
  isSmall: (parts) => isHalfEmpty(countRows(parts), countBytes(parts)),
  join: (parts) => {
    const joined = createThingBlock({
      rows: countRows(parts),
      bytes: countBytes(parts),
      validFrom: Math.max(...parts.map(({ block }) => block.validFrom)),
      staleFrom: Math.min(...parts.map(({ block }) => block.staleFrom)),
    })
    for (const { block, rows } of parts) {
      for (const row of rows) {
        copyRows(block, [row], joined)
        putBytes(joined, joined.length - 1, shownBytes(block, row))
      }
    }
    joined.livingEnd = joined.liveCount === joined.length ? joined.used : -1
    return joined
  },
}
