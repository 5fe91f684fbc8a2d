import { type Change, findPosition } from '../change.ts'
import type { ThingForm } from '../store.ts'
import type { AccountDocument } from './account-document.ts'
import { draftRecords, type Records } from './records.ts'
import { createRetention } from './retention.ts'
import { createTagHistory, type TagHistory } from './tag-history.ts'
import { createThingTable, type Item, type ThingTable } from './thing-table.ts'
import { markStale } from './todo-marks.ts'

/** One account in memory, at its newest position and at those that are still readable. */
export interface Account {
  readonly form: ThingForm
  readonly position: () => number
  /** Lowest position that can be read; versions that earlier ones would need may be gone. */
  readonly readableFrom: () => number
  readonly table: ThingTable
  readonly tags: TagHistory
  readonly records: () => Records
  /** The version of a thing at a position, or its tombstone. */
  readonly findItem: (id: string, position: number) => Item | undefined
  /** Makes the changes of one write visible, all at once. Their positions go on from the account's. */
  readonly apply: (changes: readonly Change[]) => void
}

/** How much is compacted with each write, at least and at most: blocks. */
const sweptBlocks = { least: 4, most: 64 } as const

/** Builds an account from what was kept of it. `now` gives Unix time in milliseconds. */
export const createAccount = (form: ThingForm, now: () => number, document: AccountDocument): Account => {
  const retention = createRetention(now, document.position)
  const tags = createTagHistory(form, retention.noteReplaced)
  const table = createThingTable(form, retention.noteReplaced)
  let position = document.position
  let records: Records = new Map()

  const applyAll = (changes: Iterable<Change>): void => {
    const recordsDraft = draftRecords(records)
    for (const change of changes) {
      if ('thing' in change) table.putThing(change.thing, tags.listTodoTags(Number.POSITIVE_INFINITY))
      else if ('tombstone' in change) table.putTombstone(change.tombstone)
      else if ('tag' in change) {
        const tagged = table.tagged.get(change.tag.name)
        const isTurned = tags.put(change.tag)
        if (isTurned && tagged !== undefined) markStale(table.things, tagged, change.tag.position)
      } else recordsDraft.apply(change)
      position = findPosition(change) ?? position
    }
    records = recordsDraft.finish()
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    yield* table.sweep(floor)
    yield* tags.sweep(floor)
  }

  const findItem = (id: string, at: number): Item | undefined => {
    const found = table.findVersion(id, at)
    if (found === undefined) return undefined
    if (found.kind === 'thing') return { thing: table.rows.read(found.block, found.row) }
    return { tombstone: table.tombstones.read(found.block, found.row) }
  }

  // The tags first: they say how the things are shown.
  for (const tag of document.tags) tags.put(tag)
  for (const thing of document.things) table.putThing(thing, tags.listTodoTags(Number.POSITIVE_INFINITY))
  for (const tombstone of document.tombstones) table.putTombstone(tombstone)
  applyAll(Array.from(document.records, (record) => ({ record })))

  return {
    form,
    position: () => position,
    readableFrom: retention.readableFrom,
    table,
    tags,
    records: () => records,
    findItem,
    apply: (changes) => {
      retention.noteWrite(position)
      applyAll(changes)
      const steps = Math.min(sweptBlocks.most, Math.max(sweptBlocks.least, changes.length))
      retention.sweepWhenDue(table.countIds(), steps, sweep)
    },
  }
}
