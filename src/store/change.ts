import type { Json, StoredThing, TagSettings } from './store.ts'

/** What a deleted thing leaves behind, for ever. */
export interface Tombstone {
  readonly id: string
  readonly position: number
  /** Position of the creation of the thing that was deleted. */
  readonly createdPosition: number
}

/** The settings of a tag with the place of their last change. */
export interface StoredTag {
  readonly name: string
  readonly position: number
  readonly settings: TagSettings
}

/** A small value beside the things (Draft.putRecord). */
export interface StoredRecord {
  readonly kind: string
  readonly group: string
  readonly key: string
  readonly value: Json
}

/** One step of a write. The steps of a write, applied in order, make its next state from the one before. */
export type Change =
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly removedRecord: Omit<StoredRecord, 'value'> }
  | { readonly removedRecords: Pick<StoredRecord, 'kind' | 'group'> }
  /** Positions go on from this one; see raises.ts. Stands in no file. */
  | { readonly raisedTo: number }

/** The position that a change took; changes of records take none. */
export const findPosition = (change: Change): number | undefined => {
  if ('thing' in change) return change.thing.position
  if ('tombstone' in change) return change.tombstone.position
  if ('tag' in change) return change.tag.position
  if ('raisedTo' in change) return change.raisedTo
  return undefined
}
