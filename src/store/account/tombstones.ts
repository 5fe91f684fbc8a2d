import type { Tombstone } from '../change.ts'
import { type Block, cellOf, positionOf } from './block.ts'
import type { IdIndex, Reference } from './id-index.ts'
import { createRowFeed, type RowFeed } from './row-feed.ts'

/** The tombstones of an account, as rows. */
export interface Tombstones {
  readonly feed: RowFeed
  readonly put: (tombstone: Tombstone, slot: number, previous: Reference) => void
  readonly read: (block: Block, row: number) => Tombstone
  /** The version that the tombstone replaced. */
  readonly previousOf: (block: Block, row: number) => Reference
}

const cell = { created: 2, slot: 3, previous: 4 } as const
const width = 5

/** No tombstones. */
export const createTombstones = (ids: IdIndex): Tombstones => {
  const feed = createRowFeed(width)
  return {
    feed,
    put: ({ position, createdPosition }, slot, previous) => feed.append(position, [createdPosition, slot, previous]),
    read: (block, row) => ({
      id: ids.idOf(cellOf(block, row, cell.slot)),
      position: positionOf(block, row),
      createdPosition: cellOf(block, row, cell.created),
    }),
    previousOf: (block, row) => cellOf(block, row, cell.previous),
  }
}
