import type { AccountDocument } from '../account-document.ts'

/**
 * How far positions go on beyond those of a backup: more than any account has moved between the backup and its loss, and
 * small enough that a hundred restores stay within 32 bits.
 */
export const restoreMargin = 10_000_000

/**
 * The same account, at positions that no client was given before. Every thing, deletion and tag setting counts as changed
 * by somebody else, so that clients that knew later states hear of all of it; what a client knew by `createdPosition`
 * stays, so that it hears of deletions too.
 */
export const raisePositions = ({ position, things, tombstones, tags, records }: AccountDocument): AccountDocument => ({
  position: position + restoreMargin,
  things: Array.from(things, (thing) => ({
    ...thing,
    position: thing.position + restoreMargin,
    othersPosition: thing.position + restoreMargin,
  })),
  tombstones: Array.from(tombstones, (tombstone) => ({
    ...tombstone,
    position: tombstone.position + restoreMargin,
  })),
  tags: Array.from(tags, (tag) => ({ ...tag, position: tag.position + restoreMargin })),
  records,
})
