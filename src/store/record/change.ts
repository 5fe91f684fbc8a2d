/*
 * The stored forms: steps of writes, lines with checksums, sealed documents and backups. The folder `record/` encodes
 * and decodes; it must not know where the bytes are stored. Start here with `Change`; then read `checked-lines.ts` (a
 * line) and `encoded-thing.ts` (the step of a thing).
 */
import type { Json, StoredThing, TagSettings } from '../model.ts'
import type { EncodedThing } from './encoded-thing.ts'

/** The permanent trace of a deleted thing. */
export interface Tombstone {
  readonly id: string
  readonly position: number
  /** Position of the creation of the deleted thing. */
  readonly createdPosition: number
}

/** Distinguishes a tombstone from encoded things. */
export const isTombstone = (item: Tombstone | object): item is Tombstone => 'id' in item

/** The settings of a tag with the position of their last change. */
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

/** An outbox entry of an account (Draft.putOutboxEntry). */
export interface StoredEntry {
  readonly key: string
  readonly dueAt: number
}

/** A step of a write that changes the outbox. */
export type EntryChange = { readonly entry: StoredEntry } | { readonly removedEntry: Pick<StoredEntry, 'key'> }

/**
 * One step of a write. The steps of a write, applied in order, turn the previous state into the next one. Outbox
 * changes come before all other steps, so that they are found without reading the other steps.
 */
export type Change =
  | EntryChange
  | { readonly thing: StoredThing }
  | { readonly tombstone: Tombstone }
  | { readonly tag: StoredTag }
  | { readonly record: StoredRecord }
  | { readonly removedRecord: Omit<StoredRecord, 'value'> }
  | { readonly removedRecords: Pick<StoredRecord, 'kind' | 'group'> }
  /** Positions continue from this one; see `PositionJump`. No file contains this step. */
  | { readonly raisedTo: number }

/** A step that is not a thing. */
export type OtherChange = Exclude<Change, { readonly thing: StoredThing }>

/** Returns true for a step that changes the outbox. */
export const isEntryChange = (change: Change): change is EntryChange => 'entry' in change || 'removedEntry' in change

/** Finds the position of a change; changes of records and outbox entries have none. */
export const findPosition = (change: Change | EncodedThing): number | undefined => {
  if ('bytes' in change) return change.position
  if ('thing' in change) return change.thing.position
  if ('tombstone' in change) return change.tombstone.position
  if ('tag' in change) return change.tag.position
  if ('raisedTo' in change) return change.raisedTo
  return undefined
}

/** Receives the steps of an account one after the other, to load the account or to count its content. */
export interface StepSink {
  /** The highest position that the sink received. */
  readonly position: () => number
  /** Takes a step; a thing is encoded or parsed. Returns false when its id, or the name of its tag, existed before. */
  readonly put: (step: Change | EncodedThing) => boolean
}

/** Decides whether a step with a position may come next. */
export type StepOrder = (kind: 'thing' | 'tombstone' | 'tag', position: number) => boolean

/** Returns the order of writes: each position is one above the previous. */
export const followOn =
  (sink: Pick<StepSink, 'position'>): StepOrder =>
  (_kind, position) =>
    position === sink.position() + 1

/** Returns the order of a base with the position `end`: things, tombstones and tags each ascend up to it. */
export const ascendTo = (end: number): StepOrder => {
  const last = { thing: 0, tombstone: 0, tag: 0 }
  return (kind, position) => {
    const isNext = position > last[kind] && position <= end
    last[kind] = position
    return isNext
  }
}

/** Returns true when a step may come next. */
export const isInOrder = (step: Change | EncodedThing, order: StepOrder): boolean => {
  const position = findPosition(step)
  if (position === undefined) return true
  if ('bytes' in step || 'thing' in step) return order('thing', position)
  return order('tombstone' in step ? 'tombstone' : 'tag', position)
}
