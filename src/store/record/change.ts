import type { Json, StoredThing, TagSettings } from '../model.ts'
import type { EncodedThing } from './encoded-thing.ts'

/** What a deleted thing leaves behind, for ever. */
export interface Tombstone {
  readonly id: string
  readonly position: number
  /** Position of the creation of the thing that was deleted. */
  readonly createdPosition: number
}

/** True for a tombstone, among things. */
export const isTombstone = (item: Tombstone | object): item is Tombstone => 'id' in item

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

/** An errand of an account (Draft.putErrand). */
export interface StoredErrand {
  readonly key: string
  readonly dueAt: number
}

/** A step of a write that changes what is to be told. */
export type ErrandChange = { readonly errand: StoredErrand } | { readonly removedErrand: Pick<StoredErrand, 'key'> }

/**
 * One step of a write. The steps of a write, applied in order, make its next state from the one before.
 * Those of errands stand before all others, so that they are found without reading the rest.
 */
export type Change =
  | ErrandChange
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly removedRecord: Omit<StoredRecord, 'value'> }
  | { readonly removedRecords: Pick<StoredRecord, 'kind' | 'group'> }
  /** Positions go on from this one; see raises.ts. Stands in no file. */
  | { readonly raisedTo: number }

/** A step of anything but a thing. */
export type OtherChange = Exclude<Change, { readonly thing: StoredThing }>

/** True for a step that changes what is to be told. */
export const isErrandChange = (change: Change): change is ErrandChange =>
  'errand' in change || 'removedErrand' in change

/** The position that a change took; changes of records and errands take none. */
export const findPosition = (change: Change | EncodedThing): number | undefined => {
  if ('bytes' in change) return change.position
  if ('thing' in change) return change.thing.position
  if ('tombstone' in change) return change.tombstone.position
  if ('tag' in change) return change.tag.position
  if ('raisedTo' in change) return change.raisedTo
  return undefined
}
