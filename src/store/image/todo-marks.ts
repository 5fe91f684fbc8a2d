import { positionOf, replacedAtOf } from './block.ts'
import type { Feed, RowFeed } from './feed.ts'
import type { ThingBlock } from './thing-block.ts'

/**
 * Notes that from a position on the things of a tag have another returned form. That costs a look at the tag's rows;
 * their bytes are encoded anew when their blocks are listed.
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
