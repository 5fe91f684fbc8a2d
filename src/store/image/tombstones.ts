import type { Tombstone } from '../record/change.ts'
import { type Block, cellOf, positionOf } from './block.ts'
import { createRowFeed, type RowFeed } from './feed.ts'
import type { IdIndex, Reference } from './id-index.ts'
import { thingCell } from './thing-block.ts'

/** The tombstones of an account, as rows. */
export interface Tombstones {
  readonly feed: RowFeed
  readonly put: (tombstone: Tombstone, slot: number, previous: Reference) => void
  readonly read: (block: Block, row: number) => Tombstone
  /** The same without the id. */
  readonly readPlace: (block: Block, row: number) => Omit<Tombstone, 'id'>
}

const width = 5

/** No tombstones. */
export const createTombstones = (ids: IdIndex): Tombstones => {
  const feed = createRowFeed(width)
  const readPlace: Tombstones['readPlace'] = (block, row) => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
  })
  return {
    feed,
    put: ({ position, createdPosition }, slot, previous) => feed.append(position, [createdPosition, previous, slot]),
    readPlace,
    read: (block, row) => ({ id: ids.idOf(cellOf(block, row, thingCell.slot)), ...readPlace(block, row) }),
  }
}
