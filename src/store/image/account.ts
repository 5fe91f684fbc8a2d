import type { Work } from '../../slices.ts'
import { type Change, findPosition, isErrandChange, type StoredTag, type Tombstone } from '../record/change.ts'
import type { EncodedThing } from '../record/encoded-thing.ts'
import type { StepSink } from '../record/step-sink.ts'
import type { TagUsage, ThingForm, Usage } from '../store.ts'
import { draftRecords, type Records, type RecordsDraft } from './records.ts'
import { createRetention, type EarlierReaders } from './retention.ts'
import { createTagHistory, type TagHistory } from './tag-history.ts'
import { contentBytesOf, type VersionPlace } from './thing-row.ts'
import { createThingTable, type Item, type ThingTable, type ThingUsage } from './thing-table.ts'
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
  /** Where the version of an id at a position stands. */
  readonly findPlace: (id: string, position: number) => ItemPlace | undefined
  /** The bytes of what a thing says at a position; undefined when there is none. */
  readonly findContentBytes: (id: string, position: number) => number | undefined
  /** What it holds at its newest position: things, and what it keeps of tags. */
  readonly thingUsage: () => ThingUsage
  readonly tagUsage: () => TagUsage
  /**
   * Makes the changes of one write visible, all at once; their positions go on from the account's. The work may be
   * interrupted, but not by other changes. Readers see the account as it was before, until all of it is visible: rows
   * above an account's position are there for nobody. `whenVisible` is called at that moment.
   */
  readonly applySteps: (write: AccountSteps, whenVisible?: () => void) => Work<void>
}

/** What an account holds altogether. */
export const joinUsage = ({ things, bytes }: ThingUsage, { tags, clearedTags, tagBytes }: TagUsage): Usage => ({
  things,
  bytes: bytes + tagBytes,
  tags,
  clearedTags,
})

/** The steps of one write; a list of changes is that, too. */
export interface AccountSteps {
  readonly length: number
  /** A step; a thing that is given as its bytes is used again for the next one. */
  readonly at: (index: number) => Change | EncodedThing | undefined
  /** All records after it, where they are known; else they are made of the steps. */
  readonly records?: Records
}

/** Where a version of a thing stands, or a tombstone. */
export type ItemPlace = VersionPlace | Omit<Tombstone, 'id'>

/** How many changes are put between two possible interruptions: each costs. */
const changesAtOnce = 16

/** How much is compacted with each write, at least and at most: blocks. */
const sweptBlocks = { least: 4, most: 64 } as const

/** An account that is being loaded. Nobody else has it. */
export interface AccountLoading extends StepSink {
  /** The account, which is loaded from now on. */
  readonly finish: () => Account
}

/** Begins to load an account of which nothing older than the position `start` is known. */
export const beginAccount = (form: ThingForm, readers: EarlierReaders, start: number): AccountLoading => {
  const retention = createRetention(readers, start)
  const tags = createTagHistory(form, retention.noteReplaced)
  const table = createThingTable(form, retention.noteReplaced)
  let position = start
  let [thingUsage, tagUsage] = [table.countUsage(), tags.usage()]
  let records: Records = new Map()

  const putTag = (tag: StoredTag): boolean => {
    const isNew = tags.find(tag.name, Number.POSITIVE_INFINITY) === undefined
    const tagged = table.tagged.get(tag.name)
    const isTurned = tags.put(tag)
    if (isTurned && tagged !== undefined) markStale(table.things, tagged, tag.position)
    return isNew
  }

  /** Puts a step. False when its id, or the name of its tag, was there before. */
  const put = (step: Change | EncodedThing, recordsDraft: RecordsDraft | undefined): boolean => {
    if ('bytes' in step) return table.putEncoded(step, tags.todoTagsNow)
    if ('thing' in step) return table.putThing(step.thing, tags.todoTagsNow)
    if ('tombstone' in step) return table.putTombstone(step.tombstone)
    if ('tag' in step) return putTag(step.tag)
    if (!isErrandChange(step)) recordsDraft?.apply(step)
    return true
  }

  const noteUsage = (): void => {
    thingUsage = table.countUsage()
    tagUsage = tags.usage()
  }

  function* putAll(write: AccountSteps): Work<void> {
    const { length, records: known } = write
    const recordsDraft = known === undefined ? draftRecords(records) : undefined
    let last = position
    for (let index = 0; index < length; index += 1) {
      const step = write.at(index) as Change | EncodedThing
      put(step, recordsDraft)
      last = findPosition(step) ?? last
      if (index % changesAtOnce === changesAtOnce - 1) yield
    }
    retention.noteWrite(position)
    position = last
    noteUsage()
    records = known ?? recordsDraft?.finish() ?? records
  }

  function* applySteps(write: AccountSteps, whenVisible?: () => void): Work<void> {
    yield* putAll(write)
    whenVisible?.()
    const { least, most } = sweptBlocks
    for (let steps = Math.min(most, Math.max(least, write.length)); steps > 0; steps -= least) {
      retention.sweepWhenDue({ ids: table.countIds(), bytes: thingUsage.bytes }, least, sweep)
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

  const findPlace = (id: string, at: number): ItemPlace | undefined => {
    const found = table.findVersion(id, at)
    if (found === undefined) return undefined
    return found.kind === 'thing'
      ? table.rows.readPlace(found.block, found.row)
      : table.tombstones.readPlace(found.block, found.row)
  }

  const findContentBytes = (id: string, at: number): number | undefined => {
    const found = table.findVersion(id, at)
    return found?.kind === 'thing' ? contentBytesOf(found.block, found.row) : undefined
  }

  const loadedRecords = draftRecords(records)
  return {
    position: () => position,
    put: (step) => {
      position = Math.max(position, findPosition(step) ?? 0)
      return put(step, loadedRecords)
    },
    finish: () => {
      table.endLoading()
      records = loadedRecords.finish()
      noteUsage()
      return {
        form,
        position: () => position,
        readableFrom: retention.readableFrom,
        table,
        tags,
        records: () => records,
        findItem,
        findPlace,
        findContentBytes,
        thingUsage: () => thingUsage,
        tagUsage: () => tagUsage,
        applySteps,
      }
    },
  }
}

/** Begins to load an account of which nothing older than a position is known. */
export type BeginLoading = (position: number) => AccountLoading
