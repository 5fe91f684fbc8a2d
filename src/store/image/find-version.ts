import { type Block, cellOf } from './block.ts'
import type { Feed } from './feed.ts'
import type { IdIndex } from './id-index.ts'
import { type ThingBlock, thingCell } from './thing-block.ts'
import type { Tombstones } from './tombstones.ts'

/** Where the version of an id at a position is. */
export type FoundVersion =
  | { readonly kind: 'thing'; readonly block: ThingBlock; readonly row: number }
  | { readonly kind: 'tombstone'; readonly block: Block; readonly row: number }

/** Where versions are looked for. */
export interface Versions {
  readonly ids: IdIndex
  readonly things: Feed<ThingBlock>
  readonly tombstones: Tombstones
}

/** Finds the version of a thing at a position, or its tombstone. */
export const findVersion = (
  { ids, things, tombstones }: Versions,
  id: string,
  position: number,
): FoundVersion | undefined => {
  const slot = ids.find(id)
  let reference = slot === undefined ? 0 : ids.newestOf(slot)
  while (reference !== 0) {
    const isThing = reference > 0
    const thing = isThing ? things.find(reference) : undefined
    const tombstone = isThing ? undefined : tombstones.feed.find(-reference)
    if (Math.abs(reference) <= position) {
      if (thing !== undefined) return { kind: 'thing', ...thing }
      return tombstone && { kind: 'tombstone', ...tombstone }
    }
    // What no readable position needs is gone.
    if (thing !== undefined) reference = cellOf(thing.block, thing.row, thingCell.previous)
    else if (tombstone !== undefined) reference = tombstones.previousOf(tombstone.block, tombstone.row)
    else return undefined
  }
  return undefined
}
