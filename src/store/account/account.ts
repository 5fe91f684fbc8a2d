import type { Work } from '../../scheduling.ts'
import type { StoredThing } from '../model.ts'
import {
  type Change,
  findPosition,
  isEntryChange,
  type StepSink,
  type StoredRecord,
  type StoredTag,
  type Tombstone,
} from '../record/change.ts'
import { encodeChange } from '../record/change-text.ts'
import type { EncodedThing } from '../record/encoded-thing.ts'
import type { TagUsage, ThingForm, Usage } from '../store.ts'
import type { Block } from './block.ts'
import type { FeedAt } from './feed.ts'
import { draftRecords, eachRecord, type Records, type RecordsDraft } from './records.ts'
import { createTagHistory, type TagHistory } from './tag-history.ts'
import { contentBytesOf, markStale, type VersionLocation } from './thing-block.ts'
import { createThingTable, type Item, type ThingTable, type ThingUsage } from './thing-index.ts'

/** Who may still read earlier positions of an account. */
interface EarlierReaders {
  /** Milliseconds since whenever; never set back. */
  readonly elapsed: () => number
  /** The lowest position of the listings whose next page may still be asked for. */
  readonly lowestListed: () => number | undefined
}

/** How long any position stays readable, so that a listing can be begun at it and remembered: in seconds. */
export const recentSeconds = 60
/** The same for an account of which too much is held, and whose open listings are given up: long enough to begin a page. */
const urgentSeconds = 5
/** How many bytes of replaced versions are too much: at least these, and this many times what the account has. */
const maxReplaced = { bytes: 64 * 1024 * 1024, times: 2 }

/** Knows how long the versions of an account must stay, and has the rest dropped, a little with each write. */
interface Retention {
  /** Lowest position whose versions are all there. */
  readonly readableFrom: () => number
  /** To be told before a write is applied; `position` is the account's, which readers were given until now. */
  readonly noteWrite: (position: number) => void
  /** To be told of each version that was replaced, and of how many bytes it has. */
  readonly noteReplaced: (bytes: number) => void
  /**
   * Goes on with a sweep, so many steps; begins one with `sweep` when enough was replaced of what the account has, by
   * count or by bytes, to be worth it. It is given the position below which nothing must stay.
   */
  readonly sweepWhenDue: (account: AccountSize, steps: number, sweep: Sweep) => void
}

/** How much an account has: ids that were ever there, and bytes of its things. */
interface AccountSize {
  readonly ids: number
  readonly bytes: number
}

/** Drops what was replaced at or before a position, step by step. */
type Sweep = (floor: number) => Iterator<void>

interface Mark {
  /** When, as `EarlierReaders.elapsed` counts. */
  readonly at: number
  readonly position: number
  /** How many bytes of versions were replaced until then, ever. */
  readonly replacedBytes: number
}

/** By count alone, the account would hold a thousand versions of a large note. */
const minReplaced = { count: 1024, bytes: 1024 * 1024 }
const markMilliseconds = 1000

/** Begins with an account of which nothing older than `position` is known. */
const createRetention = ({ elapsed, lowestListed }: EarlierReaders, position: number): Retention => {
  let marks: Mark[] = []
  let readableFrom = position
  // Since the last sweep began, and ever.
  let replaced = { count: 0, bytes: 0 }
  let replacedBytes = 0
  let sweptBytes = 0
  let sweeping: Iterator<void> | undefined

  const noteWrite = (before: number): void => {
    const last = marks.at(-1)
    if (last !== undefined && elapsed() - last.at < markMilliseconds) return
    // Of those that nobody need read any more the newest is enough.
    const oldest = marks.findLastIndex((mark) => mark.at <= elapsed() - recentSeconds * 1000)
    marks = [...marks.slice(Math.max(0, oldest)), { at: elapsed(), position: before, replacedBytes }]
  }

  const begin = ({ ids, bytes }: AccountSize, sweep: Sweep): Iterator<void> | undefined => {
    const isEnough =
      replaced.count >= Math.max(minReplaced.count, ids / 4) || replaced.bytes >= Math.max(minReplaced.bytes, bytes / 4)
    if (!isEnough) return undefined
    const isTooMuch = replacedBytes - sweptBytes > Math.max(maxReplaced.bytes, maxReplaced.times * bytes)
    const end = elapsed() - (isTooMuch ? urgentSeconds : recentSeconds) * 1000
    const index = marks.findLastIndex((mark) => mark.at <= end)
    const mark = marks[index]
    if (mark === undefined) return undefined
    const listed = isTooMuch ? undefined : lowestListed()
    const floor = Math.min(mark.position, listed ?? mark.position)
    const swept = marks.findLast(({ position }) => position <= floor)
    marks = marks.slice(index + 1)
    if (floor <= readableFrom) return undefined
    replaced = { count: 0, bytes: 0 }
    sweptBytes = swept?.replacedBytes ?? sweptBytes
    readableFrom = floor
    return sweep(floor)
  }

  const sweepWhenDue: Retention['sweepWhenDue'] = (account, steps, sweep) => {
    sweeping ??= begin(account, sweep)
    for (let step = 0; sweeping !== undefined && step < steps; step += 1)
      if (sweeping.next().done === true) sweeping = undefined
  }

  return {
    readableFrom: () => readableFrom,
    noteWrite,
    noteReplaced: (bytes) => {
      replaced.count += 1
      replaced.bytes += bytes
      replacedBytes += bytes
    },
    sweepWhenDue,
  }
}

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
  readonly findPlace: (id: string, position: number) => ItemLocation | undefined
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
export type ItemLocation = VersionLocation | Omit<Tombstone, 'id'>

/** How many changes are put between two possible interruptions: each costs. */
const changesAtOnce = 16

/** How much is compacted with each write, at least and at most: blocks. */
const sweptBlocks = { min: 4, max: 64 } as const

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
    if (!isEntryChange(step)) recordsDraft?.apply(step)
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
    const { min, max } = sweptBlocks
    for (let steps = Math.min(max, Math.max(min, write.length)); steps > 0; steps -= min) {
      retention.sweepWhenDue({ ids: table.countIds(), bytes: thingUsage.bytes }, min, sweep)
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

  const findPlace = (id: string, at: number): ItemLocation | undefined => {
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

/** All that an account is, without its history. Things, tombstones and tags stand in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: Iterable<StoredThing>
  /** The same as the JSON of their steps. */
  readonly thingSteps: Iterable<string>
  readonly tombstones: Iterable<Tombstone>
  readonly tags: Iterable<StoredTag>
  readonly records: Iterable<StoredRecord>
  /** About how many bytes all of it takes in a file, where that is there without making it. */
  readonly roughBytes?: number
}

/** An account that was never written to. */
export const emptyAccount: AccountDocument = {
  position: 0,
  things: [],
  thingSteps: [],
  tombstones: [],
  tags: [],
  records: [],
}

/** True when a document says no more than that there is no account. */
export const isEmptyAccount = ({ position, records }: AccountDocument): boolean => {
  for (const _ of records) return false
  return position === 0
}

const mapRows = <B extends Block, Item>(feed: FeedAt<B>, read: (block: B, row: number) => Item): Iterable<Item> => ({
  [Symbol.iterator]: () => readRows(feed, read),
})

function* readRows<B extends Block, Item>({ walk }: FeedAt<B>, read: (block: B, row: number) => Item): Generator<Item> {
  for (const { block, rows } of walk(0)) for (const row of rows()) yield read(block, row)
}

/** What a thing has in a file beside what it is returned as, and what a tombstone has. */
const [thingBytes, tombstoneBytes] = [70, 90]

const estimateBytes = ({ table }: Account): number => {
  let bytes = 0
  for (const { used, liveCount, length } of table.things.blocks())
    if (length > 0) bytes += (used * liveCount) / length + liveCount * thingBytes
  for (const { liveCount } of table.tombstones.feed.blocks()) bytes += liveCount * tombstoneBytes
  return bytes
}

/** What an account is now. Its lists are read while they are walked; later writes do not change what they hold. */
export const documentOf = (account: Account): AccountDocument => {
  const { position: positionNow, table, tags, records } = account
  const position = positionNow()
  const things = table.things.at(position)
  const tombstones = table.tombstones.feed.at(position)
  const recordsNow = records()
  return {
    position,
    things: mapRows(things, table.rows.read),
    thingSteps: mapRows(things, table.rows.readStep),
    tombstones: mapRows(tombstones, table.tombstones.read),
    tags: tags.list(position, 0),
    records: {
      [Symbol.iterator]: () => eachRecord(recordsNow),
    },
    roughBytes: estimateBytes(account),
  }
}

/** The steps that make an account of nothing, each as JSON; tags first, because they say which things are todos. */
export function* listSteps({ tags, thingSteps, tombstones, records }: AccountDocument): Generator<string> {
  for (const tag of tags) yield encodeChange({ tag })
  yield* thingSteps
  for (const tombstone of tombstones) yield encodeChange({ tombstone })
  for (const record of records) yield encodeChange({ record })
}
