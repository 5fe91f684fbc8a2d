import { runWhole, type Work } from '../../slices.ts'
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
  /**
   * The same as work that may be interrupted, but not by other changes. Readers see the account as it was before, until
   * all of it is visible: rows above an account's position are there for nobody.
   */
  readonly applySteps: (changes: readonly Change[]) => Work<void>
}

/** How many changes are put between two possible interruptions: each costs. */
const changesAtOnce = 16

/** How much is compacted with each write, at least and at most: blocks. */
const sweptBlocks = { least: 4, most: 64 } as const

/** Builds an account from what was kept of it. `now` gives Unix time in milliseconds. */
export const createAccount = (form: ThingForm, now: () => number, document: AccountDocument): Account => {
  const retention = createRetention(now, document.position)
  const tags = createTagHistory(form, retention.noteReplaced)
  const table = createThingTable(form, retention.noteReplaced)
  let position = document.position
  let records: Records = new Map()

  function* applyAll(changes: Iterable<Change>): Work<void> {
    const recordsDraft = draftRecords(records)
    let last = position
    let put = 0
    for (const change of changes) {
      if ('thing' in change) table.putThing(change.thing, tags.listTodoTags(Number.POSITIVE_INFINITY))
      else if ('tombstone' in change) table.putTombstone(change.tombstone)
      else if ('tag' in change) {
        const tagged = table.tagged.get(change.tag.name)
        const isTurned = tags.put(change.tag)
        if (isTurned && tagged !== undefined) markStale(table.things.blocks(), tagged, change.tag.position)
      } else recordsDraft.apply(change)
      last = findPosition(change) ?? last
      put += 1
      if (put % changesAtOnce === 0) yield
    }
    retention.noteWrite(position)
    position = last
    records = recordsDraft.finish()
  }

  function* applySteps(changes: readonly Change[]): Work<void> {
    yield* applyAll(changes)
    const { least, most } = sweptBlocks
    for (let steps = Math.min(most, Math.max(least, changes.length)); steps > 0; steps -= least) {
      retention.sweepWhenDue(table.countIds(), least, sweep)
      yield
    }
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
  const recordsDraft = draftRecords(records)
  for (const record of document.records) recordsDraft.apply({ record })
  records = recordsDraft.finish()

  return {
    form,
    position: () => position,
    readableFrom: retention.readableFrom,
    table,
    tags,
    records: () => records,
    findItem,
    apply: (changes) => runWhole(applySteps(changes)),
    applySteps,
  }
}
