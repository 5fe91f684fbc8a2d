import type { Tombstone } from '../record/change.ts'
import { type Block, cellOf, positionOf } from './block.ts'
import { createRowFeed, type RowFeed } from './feed.ts'
import type { IdIndex, Reference } from './id-index.ts'

/** The tombstones of an account, as rows. */
export interface Tombstones {
  readonly feed: RowFeed
  readonly put: (tombstone: Tombstone, slot: number, previous: Reference) => void
  readonly read: (block: Block, row: number) => Tombstone
  /** The same without the id. */
  readonly readPlace: (block: Block, row: number) => Omit<Tombstone, 'id'>
  /** The version that the tombstone replaced. */
  readonly previousOf: (block: Block, row: number) => Reference
}

const cell = { created: 2, slot: 3, previous: 4 } as const
const width = 5

/** No tombstones. */
export const createTombstones = (ids: IdIndex): Tombstones => {
  const feed = createRowFeed(width)
  const readPlace: Tombstones['readPlace'] = (block, row) => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, cell.created),
  })
  return {
    feed,
    put: ({ position, createdPosition }, slot, previous) => feed.append(position, [createdPosition, slot, previous]),
    readPlace,
    read: (block, row) => ({ id: ids.idOf(cellOf(block, row, cell.slot)), ...readPlace(block, row) }),
    previousOf: (block, row) => cellOf(block, row, cell.previous),
  }
}
