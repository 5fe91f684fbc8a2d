import { cellOf, copyAllRows, replacedAtOf, setCell } from './block.ts'
import { createThingBlock, putBytes, type ThingBlock, thingCell } from './thing-block.ts'

/** The returned form of a row, encoded anew. */
export interface EncodedForm {
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
    setCell(to, row, thingCell.offset, to.used + offset - start)
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
export const encodeAnew = (
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
