import type { Account } from './account.ts'
import type { ListedRows, Rows } from './block.ts'
import { cellOf } from './block.ts'
import { arrangeThings, type EncodedForm, encodeAnew } from './rearrange-things.ts'
import { formBytes, type ThingBlock, thingCell } from './thing-block.ts'
import { flagsOf, isEncodedAsTodo } from './thing-row.ts'

/** Above this many pieces a block's bytes are put together, for this listing and for those to come. */
const fewRuns = 8

/** A stretch of a block's bytes: returned forms joined by commas. */
interface Run {
  readonly start: number
  end: number
}

const findRuns = ({ block, rows }: Rows<ThingBlock>): readonly Run[] => {
  const runs: Run[] = []
  for (const row of rows) {
    const start = cellOf(block, row, thingCell.offset)
    const end = start + cellOf(block, row, thingCell.size)
    const last = runs.at(-1)
    if (last !== undefined && start === last.end + 1) last.end = end
    else runs.push({ start, end })
  }
  return runs
}

const comma = Buffer.from(',')

const joinWithCommas = (pieces: readonly Uint8Array[], isFirst: boolean): Buffer =>
  Buffer.concat(pieces.flatMap((piece, index) => (isFirst && index === 0 ? [piece] : [comma, piece])))

/** With the commas before them, which every returned form has in its block. */
const cutRuns = (block: ThingBlock, runs: readonly Run[], isFirst: boolean): readonly Buffer[] => {
  const pieces = runs.map(({ start, end }, index) =>
    block.bytes.subarray(isFirst && index === 0 ? start : start - 1, end),
  )
  return pieces.length <= fewRuns ? pieces : [Buffer.concat(pieces)]
}

/**
 * The bytes of all living rows, if they stand together, with the comma before them or without: the same object as long
 * as nothing changes.
 */
const livingBytes = (block: ThingBlock, which: 'withComma' | 'alone'): Buffer | undefined => {
  const { bytes, livingEnd, given } = block
  if (block.lastReplacedAt !== block.arrangedAt || livingEnd <= 1) return undefined
  const [start, end] = [which === 'withComma' ? 0 : 1, livingEnd - 1]
  const last = given[which]
  if (last?.buffer === bytes.buffer && last.length === end - start) return last
  const living = bytes.subarray(start, end)
  given[which] = living
  return living
}

/** Encodes the returned form of a row as it is where these tags make their things todos. */
const encodeRow =
  ({ form, table }: Account, todoTags: ReadonlySet<string>) =>
  (block: ThingBlock, row: number): EncodedForm => {
    const thing = table.rows.read(block, row)
    const isTodo = form.tagsOf(thing).some((tag) => todoTags.has(tag))
    const isAsEncoded = isTodo === isEncodedAsTodo(block, row)
    const bytes = isAsEncoded ? formBytes(block, row) : Buffer.from(form.showThing(thing, isTodo))
    return { bytes, flags: flagsOf(thing, isTodo) }
  }

/**
 * The returned forms of rows of one block at a position, as pieces of its bytes. Each begins with a comma, unless
 * it is the first of a listing. A block whose bytes are out of date, or in too many pieces, is replaced in the account
 * by one that is in order; its rows stay the same. `todoTags` are the tags that made their things todos at the position.
 */
export const encodeRows = (
  account: Account,
  position: number,
  todoTags: ReadonlySet<string>,
  { block: listed, isAll, rows: listRows }: ListedRows<ThingBlock>,
  isFirst: boolean,
): readonly Buffer[] => {
  const { things } = account.table
  let block = listed
  const since = account.tags.todoTagsSince()
  if (block.staleFrom <= position && since <= position) {
    const anew = encodeAnew(block, since, encodeRow(account, todoTags))
    things.swap(block, anew)
    block = anew
  }
  if (block.staleFrom <= position || position < block.validFrom) {
    const encode = encodeRow(account, todoTags)
    return [
      joinWithCommas(
        listRows().map((row) => encode(block, row).bytes),
        isFirst,
      ),
    ]
  }

  const together = isAll ? livingBytes(block, isFirst ? 'alone' : 'withComma') : undefined
  if (together !== undefined) return [together]
  const rows = listRows()
  const runs = findRuns({ block, rows })
  if (runs.length <= fewRuns || block.arrangedAt === block.lastReplacedAt) return cutRuns(block, runs, isFirst)
  const arranged = arrangeThings(block)
  things.swap(block, arranged)
  return cutRuns(arranged, findRuns({ block: arranged, rows }), isFirst)
}
