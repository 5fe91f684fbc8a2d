import { type Block, replacedAtOf } from './block.ts'
import { type BlockList, replaceBlocks } from './block-list.ts'
import type { BlockKind, Rows } from './feed.ts'

/** The blocks of a feed, to be replaced as a whole. */
export interface SweptList<B extends Block> {
  readonly get: () => BlockList<B>
  readonly set: (list: BlockList<B>) => void
}

const rowsReplacedAfter = (block: Block, floor: number): number[] => {
  const rows: number[] = []
  for (let row = 0; row < block.length; row += 1) if (replacedAtOf(block, row) > floor) rows.push(row)
  return rows
}

const allRows = (block: Block): number[] => Array.from({ length: block.length }, (_, row) => row)

/**
 * Drops the rows that were replaced at or before `floor`, block by block, and joins what has become small. Between the
 * steps rows may be appended and replaced. Blocks are replaced, never changed: who captured the list keeps its rows.
 */
export function* sweepBlocks<B extends Block>(
  kind: BlockKind<B>,
  floor: number,
  list: SweptList<B>,
): Generator<void, void, undefined> {
  for (let index = 0; index < list.get().blocks.length; index += 1) {
    const { blocks } = list.get()
    const block = blocks[index] as B
    if (block.liveCount === block.length) continue
    const kept = { block, rows: rowsReplacedAfter(block, floor) }
    if (kept.rows.length === block.length) continue
    const before = blocks[index - 1]
    const withBefore: readonly Rows<B>[] = before === undefined ? [] : [{ block: before, rows: allRows(before) }, kept]
    const isJoined = withBefore.length > 0 && kept.rows.length > 0 && kind.isSmall(withBefore)
    const start = isJoined ? index - 1 : index
    const swept = kept.rows.length === 0 ? [] : [kind.join(isJoined ? withBefore : [kept])]
    list.set(replaceBlocks(list.get(), start, index + 1, swept))
    index = start + swept.length - 1
    yield
  }
}
