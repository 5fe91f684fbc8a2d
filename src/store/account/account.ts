/*
 * One account in memory: its things, tags and records at the newest position and at recent earlier ones. It knows no
 * files, no users and no sync rules. Start with `beginAccount`; `thing-index.ts` holds the things, `feed.ts` orders
 * rows by position, and `view.ts` reads an account at one position.
 */
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
import { contentBytesOf, markStale, type VersionMetadata } from './thing-block.ts'
import { createThingTable, type Item, type ThingTable, type ThingUsage } from './thing-index.ts'

/** The readers of earlier positions of an account. */
interface EarlierReaders {
  /** A monotonic clock in milliseconds. */
  readonly monotonicMs: () => number
  /** The lowest position of the listings whose next page a client may still request. */
  readonly lowestListed: () => number | undefined
}

/**
 * The time, in seconds, for which any position stays readable, so that a listing can begin at it and be remembered. A
 * position stays readable until a mark after it is this old and a sweep begins.
 */
export const recentSeconds = 60
/**
 * The same time for an account with too many replaced versions. Its open listings end; the time suffices for a page.
 */
const urgentSeconds = 5
/** The maximum bytes of replaced versions: the larger of `bytes` and `times` the bytes of the account. */
const maxReplaced = { bytes: 64 * 1024 * 1024, times: 2 }

/** Decides how long the versions of an account stay, and drops older ones in small steps with each write. */
interface Retention {
  /** The lowest position whose versions are complete. */
  readonly readableFrom: () => number
  /** Call it before a write is applied; `position` is the account's position, which readers received until now. */
  readonly noteWrite: (position: number) => void
  /** Call it for each replaced version, with the bytes of the version. */
  readonly noteReplaced: (bytes: number) => void
  /**
   * Continues a sweep by some steps. It starts a sweep when enough versions were replaced, by count or by bytes, in
   * relation to the account. `sweep` receives the position below which no version must stay.
   */
  readonly sweepWhenDue: (account: AccountSize, steps: number, sweep: Sweep) => void
}

/** The size of an account: all ids that ever existed, and the bytes of its things. */
interface AccountSize {
  readonly ids: number
  readonly bytes: number
}

/** Drops the versions that were replaced at or before a position, step by step. */
type Sweep = (floor: number) => Iterator<void>

interface Mark {
  /** The time on the clock `EarlierReaders.monotonicMs`. */
  readonly at: number
  readonly position: number
  /** Total bytes of all versions that were replaced until then. */
  readonly replacedBytes: number
}

/** Without the limit of bytes, the account would hold a thousand versions of a large note. */
const minReplaced = { count: 1024, bytes: 1024 * 1024 }
const markMilliseconds = 1000

/** Creates the retention of an account whose oldest known position is `position`. */
const createRetention = ({ monotonicMs, lowestListed }: EarlierReaders, position: number): Retention => {
  let marks: Mark[] = []
  let readableFrom = position
  // `replaced` counts since the last sweep began, `replacedBytes` counts since the start.
  let replaced = { count: 0, bytes: 0 }
  let replacedBytes = 0
  let sweptBytes = 0
  let sweeping: Iterator<void> | undefined

  const noteWrite = (before: number): void => {
    const last = marks.at(-1)
    if (last !== undefined && monotonicMs() - last.at < markMilliseconds) return
    // Of the marks older than that, only the newest is needed.
    const oldest = marks.findLastIndex((mark) => mark.at <= monotonicMs() - recentSeconds * 1000)
    marks = [...marks.slice(Math.max(0, oldest)), { at: monotonicMs(), position: before, replacedBytes }]
  }

  const begin = ({ ids, bytes }: AccountSize, sweep: Sweep): Iterator<void> | undefined => {
    const isEnough =
      replaced.count >= Math.max(minReplaced.count, ids / 4) || replaced.bytes >= Math.max(minReplaced.bytes, bytes / 4)
    if (!isEnough) return undefined
    const isTooMuch = replacedBytes - sweptBytes > Math.max(maxReplaced.bytes, maxReplaced.times * bytes)
    const end = monotonicMs() - (isTooMuch ? urgentSeconds : recentSeconds) * 1000
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

/** One account in memory, at its newest position and at all positions that are still readable. */
export interface Account {
  readonly form: ThingForm
  readonly position: () => number
  /** The lowest readable position; versions of earlier positions may be missing. */
  readonly readableFrom: () => number
  readonly table: ThingTable
  readonly tags: TagHistory
  readonly records: () => Records
  /** Finds the version of a thing at a position, or its tombstone. */
  readonly findItem: (id: string, position: number) => Item | undefined
  /** Finds the location of the version of an id at a position. */
  readonly findMetadata: (id: string, position: number) => ItemMetadata | undefined
  /** Counts the bytes of a thing's content at a position; undefined when the thing does not exist there. */
  readonly findContentBytes: (id: string, position: number) => number | undefined
  /** The usage of things at the newest position; `tagUsage` is the usage of tags. */
  readonly thingUsage: () => ThingUsage
  readonly tagUsage: () => TagUsage
  /**
   * Makes the changes of one write visible, all at once; their positions continue the account's. The work may be
   * interrupted, but not by other changes. Until the end readers see the account as before, because no reader sees rows
   * above the account's position. `whenVisible` is called when all changes become visible.
   */
  readonly applySteps: (write: AccountSteps, whenVisible?: () => void) => Work<void>
}

/** Adds the usage of things and of tags. */
export const joinUsage = ({ things, bytes }: ThingUsage, { tags, clearedTags, tagBytes }: TagUsage): Usage => ({
  things,
  bytes: bytes + tagBytes,
  tags,
  clearedTags,
})

/** The steps of one write. An array of changes has this interface too. */
export interface AccountSteps {
  readonly length: number
  /** Returns a step. The object of an encoded thing is reused by the next call. */
  readonly at: (index: number) => Change | EncodedThing | undefined
  /** All records after the write, if known; otherwise the account computes them from the steps. */
  readonly records?: Records
}

/** The location of a version of a thing, or a tombstone. */
export type ItemMetadata = VersionMetadata | Omit<Tombstone, 'id'>

/** Number of changes between two possible interruptions, because each interruption has a cost. */
const changesAtOnce = 16

/** Minimum and maximum number of blocks that each write compacts. */
const sweptBlocks = { min: 4, max: 64 } as const

/** An account during loading. No reader sees it yet. */
export interface AccountLoading extends StepSink {
  /** Ends the loading and returns the account. */
  readonly finish: () => Account
}

/** Begins to load an account whose oldest known position is `start`. */
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

  /** Applies a step. Returns false when its id, or the name of its tag, existed before. */
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

  const findMetadata = (id: string, at: number): ItemMetadata | undefined => {
    const found = table.findVersion(id, at)
    if (found === undefined) return undefined
    return found.kind === 'thing'
      ? table.rows.readMetadata(found.block, found.row)
      : table.tombstones.readMetadata(found.block, found.row)
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
        findMetadata,
        findContentBytes,
        thingUsage: () => thingUsage,
        tagUsage: () => tagUsage,
        applySteps,
      }
    },
  }
}

/** Begins to load an account whose oldest known position is `position`. */
export type BeginLoading = (position: number) => AccountLoading

/** The whole content of an account, without its history. Things, tombstones and tags are in position order. */
export interface AccountDocument {
  readonly position: number
  readonly things: Iterable<StoredThing>
  /** The same things, as the JSON of their steps. */
  readonly thingSteps: Iterable<string>
  readonly tombstones: Iterable<Tombstone>
  readonly tags: Iterable<StoredTag>
  readonly records: Iterable<StoredRecord>
  /** The approximate bytes of the content in a file, if they are known without encoding it. */
  readonly roughBytes?: number
}

/** The document of an account without writes. */
export const emptyAccount: AccountDocument = {
  position: 0,
  things: [],
  thingSteps: [],
  tombstones: [],
  tags: [],
  records: [],
}

/** Returns true when a document has no content, so it needs no file. */
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

/** Approximate bytes of a thing in a file beside its returned form, and of a tombstone. */
const [thingBytes, tombstoneBytes] = [70, 90]

const estimateBytes = ({ table }: Account): number => {
  let bytes = 0
  for (const { used, liveCount, length } of table.things.blocks())
    if (length > 0) bytes += (used * liveCount) / length + liveCount * thingBytes
  for (const { liveCount } of table.tombstones.feed.blocks()) bytes += liveCount * tombstoneBytes
  return bytes
}

/** Captures the present content of an account. Its lists are read lazily; later writes do not change them. */
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

/**
 * Lists the steps that create an account from nothing, as JSON. Tags come first: they determine which things are todos.
 */
export function* listSteps({ tags, thingSteps, tombstones, records }: AccountDocument): Generator<string> {
  for (const tag of tags) yield encodeChange({ tag })
  yield* thingSteps
  for (const tombstone of tombstones) yield encodeChange({ tombstone })
  for (const record of records) yield encodeChange({ record })
}
