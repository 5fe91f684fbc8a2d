import { raiseRecord } from '../../image/lost-positions.ts'
import type { Change } from '../../record/change.ts'

/**
 * The same step of an account at `from` that goes on `by` positions further on, where no client was given any before (see
 * `chooseDistance`). Every thing, deletion and tag setting counts as changed by somebody else since, so that clients that
 * knew later states are listed all of it; `createdPosition` stays, so that those who knew a thing hear of its deletion.
 */
export const raiseStep = (step: Change, from: number, by: number): Change => {
  if ('thing' in step) {
    const position = step.thing.position + by
    return { thing: { ...step.thing, position, othersPosition: position } }
  }
  if ('tombstone' in step) return { tombstone: { ...step.tombstone, position: step.tombstone.position + by } }
  if ('tag' in step) return { tag: { ...step.tag, position: step.tag.position + by } }
  if ('record' in step) return { record: raiseRecord(step.record, from, by) }
  return step
}
