import type { StoredThing, Thing, ThingForm } from '../store.ts'
import { cellOf, positionOf } from './block.ts'
import type { IdIndex, Reference } from './id-index.ts'
import type { KeptThing } from './kept-thing.ts'
import { appendThing, flag, reserve, shownBytes, type ThingBlock, thingCell } from './thing-block.ts'

/** Turns things into rows and back. */
export interface ThingRows {
  /** What a row is, in full. */
  readonly read: (block: ThingBlock, row: number) => StoredThing
  /** The same as JSON, as a file of the account has it. */
  readonly readJson: (block: ThingBlock, row: number) => string
  readonly idOf: (block: ThingBlock, row: number) => string
  /** Adds a version of a thing, whose returned form is `json`. */
  readonly append: (block: ThingBlock, thing: StoredThing, json: string, version: ThingVersion) => void
  /** The same for a thing as it was kept. */
  readonly appendKept: (block: ThingBlock, thing: KeptThing, writer: string, version: ThingVersion) => void
}

/** What is to be known of a version beside the thing: how it is shown, its id's slot, and what it replaces. */
export interface ThingVersion {
  readonly isTodo: boolean
  readonly slot: number
  readonly previous: Reference
}

/** True when the row is that of an archived thing. */
export const isArchivedRow = (block: ThingBlock, row: number): boolean =>
  (cellOf(block, row, thingCell.flags) & flag.isArchived) !== 0

/** True when the bytes of the row show a todo. */
export const isShownAsTodo = (block: ThingBlock, row: number): boolean =>
  (cellOf(block, row, thingCell.flags) & flag.isShownAsTodo) !== 0

/** The flags of a thing that is shown as a todo or not. */
export const flagsOf = (thing: Pick<Thing, 'archived' | 'todoStatus'>, isTodo: boolean): number =>
  (thing.archived ? flag.isArchived : 0) | (thing.todoStatus ? flag.todoStatus : 0) | (isTodo ? flag.isShownAsTodo : 0)

/** Rows of things whose ids are in this index. */
export const createThingRows = (form: ThingForm, ids: IdIndex): ThingRows => {
  // Few sessions write an account, so their ids are kept once.
  const writers: string[] = []
  const writerNumbers = new Map<string, number>()

  const numberOf = (writer: string): number => {
    const found = writerNumbers.get(writer)
    if (found !== undefined) return found
    writerNumbers.set(writer, writers.length)
    return writers.push(writer) - 1
  }

  const read = (block: ThingBlock, row: number): StoredThing => ({
    ...form.readThing(shownBytes(block, row).toString()),
    todoStatus: (cellOf(block, row, thingCell.flags) & flag.todoStatus) !== 0,
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
    writer: writers[cellOf(block, row, thingCell.writer)] as string,
    othersPosition: cellOf(block, row, thingCell.others),
  })

  const readJson = (block: ThingBlock, row: number): string => {
    const flags = cellOf(block, row, thingCell.flags)
    const state = { archived: (flags & flag.isArchived) !== 0, todoStatus: (flags & flag.todoStatus) !== 0 }
    const kept = form.keepShown(shownBytes(block, row).toString(), state, isShownAsTodo(block, row))
    const [created, others] = [cellOf(block, row, thingCell.created), cellOf(block, row, thingCell.others)]
    const writer = JSON.stringify(writers[cellOf(block, row, thingCell.writer)])
    const place = `"position":${positionOf(block, row)},"createdPosition":${created}`
    return `${kept},${place},"writer":${writer},"othersPosition":${others}}`
  }

  type Row = Pick<StoredThing, 'position' | 'createdPosition' | 'othersPosition' | 'archived' | 'todoStatus'>
  const appendRow = (block: ThingBlock, thing: Row, writer: string, size: number, version: ThingVersion): void => {
    const { createdPosition, othersPosition } = thing
    const { isTodo, slot, previous } = version
    const cells = [createdPosition, othersPosition, previous, slot, numberOf(writer), flagsOf(thing, isTodo)]
    appendThing(block, thing.position, cells, size)
  }

  const append: ThingRows['append'] = (block, thing, json, version) => {
    // No character has more than three bytes; so many are given back when the block is sealed.
    reserve(block, json.length * 3 + 1)
    appendRow(block, thing, thing.writer, block.bytes.write(json, block.used), version)
  }

  const appendKept: ThingRows['appendKept'] = (block, thing, writer, version) => {
    reserve(block, thing.end - thing.start + 1)
    const end = form.showKept(thing, version.isTodo, block.bytes, block.used)
    appendRow(block, thing, writer, end - block.used, version)
  }

  return { read, readJson, append, appendKept, idOf: (block, row) => ids.idOf(cellOf(block, row, thingCell.slot)) }
}
