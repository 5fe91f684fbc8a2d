import type { AccountDocument } from '../../image/account-document.ts'
import { raiseRecord } from '../../image/lost-positions.ts'
import type { Change } from '../../record/change.ts'

/** The same step of an account at `from` that goes on `by` positions further on; see `raiseContent`. */
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

/**
 * The same account, `by` positions further on, where no client was given any before (see `chooseDistance`). Every thing,
 * deletion and tag setting counts as changed by somebody else since, so that clients that knew later states are listed
 * all of it; `createdPosition` stays, so that those who knew a thing hear of its deletion.
 */
export const raiseContent = (document: AccountDocument, by: number): AccountDocument => {
  const { position, things, tombstones, tags, records } = document
  const raise = <Item extends { readonly position: number }>(item: Item): Item => ({
    ...item,
    position: item.position + by,
  })
  return {
    position: position + by,
    things: Array.from(things, (thing) => ({ ...raise(thing), othersPosition: thing.position + by })),
    tombstones: Array.from(tombstones, raise),
    tags: Array.from(tags, raise),
    records: Array.from(records, (record) => raiseRecord(record, position, by)),
  }
}
