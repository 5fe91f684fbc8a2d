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
export interface StoredEntry {
  readonly key: string
  readonly dueAt: number
}

/** A step of a write that changes what is to be told. */
export type EntryChange = { readonly errand: StoredEntry } | { readonly removedErrand: Pick<StoredEntry, 'key'> }

/**
 * One step of a write. The steps of a write, applied in order, make its next state from the one before.
 * Those of errands stand before all others, so that they are found without reading the rest.
 */
export type Change =
  | EntryChange
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
export const isEntryChange = (change: Change): change is EntryChange => 'errand' in change || 'removedErrand' in change

/** The position that a change took; changes of records and errands take none. */
export const findPosition = (change: Change | EncodedThing): number | undefined => {
  if ('bytes' in change) return change.position
  if ('thing' in change) return change.thing.position
  if ('tombstone' in change) return change.tombstone.position
  if ('tag' in change) return change.tag.position
  if ('raisedTo' in change) return change.raisedTo
  return undefined
}

/** What takes the steps of an account one after another: an account that is loaded, or somebody who counts. */
export interface StepSink {
  /** The highest position that it was given. */
  readonly position: () => number
  /** Takes a step, that of a thing in its bytes or parsed. False when its id, or the name of its tag, was there before. */
  readonly put: (step: Change | EncodedThing) => boolean
}

/** Says whether a step that takes a position may come next. */
export type StepOrder = (kind: 'thing' | 'tombstone' | 'tag', position: number) => boolean

/** The order of writes: each position is one above the last. */
export const followOn =
  (sink: Pick<StepSink, 'position'>): StepOrder =>
  (_kind, position) =>
    position === sink.position() + 1

/** The order of a base with a position: things, tombstones and tags each ascend up to it. */
export const ascendTo = (end: number): StepOrder => {
  const last = { thing: 0, tombstone: 0, tag: 0 }
  return (kind, position) => {
    const isNext = position > last[kind] && position <= end
    last[kind] = position
    return isNext
  }
}

/** True when a step may come next. */
export const isInOrder = (step: Change | EncodedThing, order: StepOrder): boolean => {
  const position = findPosition(step)
  if (position === undefined) return true
  if ('bytes' in step || 'thing' in step) return order('thing', position)
  return order('tombstone' in step ? 'tombstone' : 'tag', position)
}
