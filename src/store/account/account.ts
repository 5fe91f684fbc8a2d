import { runWhole, type Work } from '../../slices.ts'
import { type Change, findPosition, isErrandChange } from '../change.ts'
import type { ThingForm } from '../store.ts'
import type { AccountDocument } from './account-document.ts'
import type { KeptThing } from './kept-thing.ts'
import { draftRecords, type Records, type RecordsDraft } from './records.ts'
import { createRetention, type EarlierReaders } from './retention.ts'
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
   * all of it is visible: rows above an account's position are there for nobody. `whenVisible` is called at that moment.
   */
  readonly applySteps: (changes: readonly Change[], whenVisible?: () => void) => Work<void>
}

/** How many changes are put between two possible interruptions: each costs. */
const changesAtOnce = 16

/** How much is compacted with each write, at least and at most: blocks. */
const sweptBlocks = { least: 4, most: 64 } as const

/** An account that is being loaded. Nobody else has it. */
export interface AccountLoading {
  /** The highest position that it was given. */
  readonly position: () => number
  /** True when there is a thing with this id, or was one. */
  readonly hasId: (id: string) => boolean
  readonly hasTag: (name: string) => boolean
  /** Adds a thing in the bytes in which it was kept. True when its id is new. */
  readonly putKept: (thing: KeptThing) => boolean
  readonly put: (change: Change) => void
  /** The account, which is loaded from now on. */
  readonly finish: () => Account
}

/** Begins to load an account of which nothing older than the position `start` is known. */
export const beginAccount = (form: ThingForm, readers: EarlierReaders, start: number): AccountLoading => {
  const retention = createRetention(readers, start)
  const tags = createTagHistory(form, retention.noteReplaced)
  const table = createThingTable(form, retention.noteReplaced)
  let position = start
  let records: Records = new Map()

  const put = (change: Change, recordsDraft: RecordsDraft): void => {
    if ('thing' in change) table.putThing(change.thing, tags.listTodoTags(Number.POSITIVE_INFINITY))
    else if ('tombstone' in change) table.putTombstone(change.tombstone)
    else if ('tag' in change) {
      const tagged = table.tagged.get(change.tag.name)
      const isTurned = tags.put(change.tag)
      if (isTurned && tagged !== undefined) markStale(table.things, tagged, change.tag.position)
    } else if (!isErrandChange(change)) recordsDraft.apply(change)
  }

  function* putAll(changes: readonly Change[]): Work<void> {
    const recordsDraft = draftRecords(records)
    let last = position
    for (const [index, change] of changes.entries()) {
      put(change, recordsDraft)
      last = findPosition(change) ?? last
      if (index % changesAtOnce === changesAtOnce - 1) yield
    }
    retention.noteWrite(position)
    position = last
    records = recordsDraft.finish()
  }

  function* applySteps(changes: readonly Change[], whenVisible?: () => void): Work<void> {
    yield* putAll(changes)
    whenVisible?.()
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

  const loadedRecords = draftRecords(records)
  table.beginLoading()
  return {
    position: () => position,
    hasId: (id) => table.findVersion(id, Number.POSITIVE_INFINITY) !== undefined,
    hasTag: (name) => tags.find(name, Number.POSITIVE_INFINITY) !== undefined,
    put: (change) => {
      put(change, loadedRecords)
      position = Math.max(position, findPosition(change) ?? 0)
    },
    putKept: (thing) => {
      position = Math.max(position, thing.position)
      return table.putKept(thing, tags.listTodoTags(Number.POSITIVE_INFINITY))
    },
    finish: () => {
      table.endLoading()
      records = loadedRecords.finish()
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
    },
  }
}

/** The document of an account, and the changes of each write since. */
export interface KeptAccount {
  readonly document: AccountDocument
  readonly writes: readonly (readonly Change[])[]
}

/** Begins to load an account of which nothing older than a position is known. */
export type BeginLoading = (position: number) => AccountLoading

/** Loads an account from its document, and makes the writes again that came after it. */
export const loadKept = (begin: BeginLoading, { document, writes }: KeptAccount): Account => {
  const loading = begin(document.position)
  // The tags first: they say how the things are shown.
  for (const tag of document.tags) loading.put({ tag })
  for (const thing of document.things) loading.put({ thing })
  for (const tombstone of document.tombstones) loading.put({ tombstone })
  for (const record of document.records) loading.put({ record })
  const account = loading.finish()
  for (const changes of writes) account.apply(changes)
  return account
}

/** Builds an account from what was kept of it. */
export const createAccount = (form: ThingForm, readers: EarlierReaders, document: AccountDocument): Account =>
  loadKept((position) => beginAccount(form, readers, position), { document, writes: [] })
