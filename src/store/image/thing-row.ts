import type { StoredThing, Thing } from '../model.ts'
import { encodeForm } from '../record/encode-form.ts'
import type { EncodedThing } from '../record/encoded-thing.ts'
import { encodePlace } from '../record/thing-step.ts'
import type { ThingForm } from '../store.ts'
import { cellOf, positionOf } from './block.ts'
import type { IdIndex, Reference } from './id-index.ts'
import { appendThing, flag, formBytes, reserve, type ThingBlock, thingCell } from './thing-block.ts'

/** Turns things into rows and back. */
export interface ThingRows {
  /** What a row is, in full. */
  readonly read: (block: ThingBlock, row: number) => StoredThing
  /** Where a row stands. */
  readonly readPlace: (block: ThingBlock, row: number) => VersionPlace
  /** The step of a row (`thing-step.ts`), as JSON. */
  readonly readStep: (block: ThingBlock, row: number) => string
  readonly idOf: (block: ThingBlock, row: number) => string
  /** Adds a version of a thing. */
  readonly append: (block: ThingBlock, thing: EncodedThing, writer: string, version: ThingVersion) => void
}

/** Where a version of a thing stands. */
export type VersionPlace = Pick<StoredThing, 'position' | 'createdPosition' | 'writer' | 'othersPosition'>

/** What is to be known of a version beside the thing: whether it is a todo, its id's slot, and what it replaces. */
export interface ThingVersion {
  readonly isTodo: boolean
  readonly slot: number
  readonly previous: Reference
}

const hasFlag = (block: ThingBlock, row: number, wanted: number): boolean =>
  (cellOf(block, row, thingCell.flags) & wanted) !== 0

/** True when the row is that of an archived thing. */
export const isArchivedRow = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.isArchived)

/** True when the bytes of the row are those of a todo. */
export const isEncodedAsTodo = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.isEncodedAsTodo)

const isDone = (block: ThingBlock, row: number): boolean => hasFlag(block, row, flag.todoStatus)

/** The bytes of what the row's thing says, without its state: what `EncodedThing` has up to `contentEnd`. */
export const contentBytesOf = (block: ThingBlock, row: number): number => {
  const archived = isArchivedRow(block, row) ? archivedBytes : 0
  const status = isDone(block, row) ? doneBytes : notDoneBytes
  return cellOf(block, row, thingCell.size) - archived - (isEncodedAsTodo(block, row) ? status : 0) - 1
}

const archivedBytes = ',"archived":true'.length
const doneBytes = ',"todoStatus":true'.length
const notDoneBytes = ',"todoStatus":false'.length

/** The flags of a thing whose returned form is that of a todo or not. */
export const flagsOf = (thing: Pick<Thing, 'archived' | 'todoStatus'>, isTodo: boolean): number =>
  (thing.archived ? flag.isArchived : 0) |
  (thing.todoStatus ? flag.todoStatus : 0) |
  (isTodo ? flag.isEncodedAsTodo : 0)

/** Rows of things whose ids are in this index. */
export const createThingRows = (form: ThingForm, ids: IdIndex): ThingRows => {
  // Few sessions write an account, so their ids stand here once.
  const writers: string[] = []
  const writerNumbers = new Map<string, number>()

  const numberOf = (writer: string): number => {
    const found = writerNumbers.get(writer)
    if (found !== undefined) return found
    writerNumbers.set(writer, writers.length)
    return writers.push(writer) - 1
  }

  const readPlace = (block: ThingBlock, row: number): VersionPlace => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
    writer: writers[cellOf(block, row, thingCell.writer)] as string,
    othersPosition: cellOf(block, row, thingCell.others),
  })

  const read = (block: ThingBlock, row: number): StoredThing => ({
    ...form.readThing(formBytes(block, row).toString()),
    todoStatus: isDone(block, row),
    ...readPlace(block, row),
  })

  const readStep = (block: ThingBlock, row: number): string => {
    const place = readPlace(block, row)
    const writerJson = JSON.stringify(place.writer)
    const rest = encodePlace({ ...place, writerJson }, isDone(block, row) && !isEncodedAsTodo(block, row))
    return `{"thing":${formBytes(block, row).toString()}${rest}}`
  }

  const append: ThingRows['append'] = (block, thing, writer, { isTodo, slot, previous }) => {
    const { createdPosition, othersPosition } = thing
    reserve(block, thing.end - thing.start + 1)
    const end = encodeForm(thing, isTodo, block.bytes, block.used)
    const [offset, size] = [block.used, end - block.used]
    const flags = flagsOf(thing, isTodo)
    const cells = [createdPosition, previous, slot, othersPosition, numberOf(writer), flags, offset, size]
    appendThing(block, thing.position, cells, size)
  }

  return {
    read,
    readPlace,
    readStep,
    append,
    idOf: (block, row) => ids.idOf(cellOf(block, row, thingCell.slot)),
  }
}
