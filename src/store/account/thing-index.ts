import type { StoredThing } from '../model.ts'
import type { Tombstone } from '../record/change.ts'
import { createThingScanner, type EncodedThing, encodeThingStep, thingStart } from '../record/encoded-thing.ts'
import { passBytes } from '../record/json.ts'
import type { ThingForm, Usage } from '../store.ts'
import { type Block, cellOf, maxRows, positionOf } from './block.ts'
import { createFeed, createRowFeed, createTagFeeds, type Feed, type RowFeed, type TagFeeds } from './feed.ts'
import { createIdIndex, createUrlTable, hashBytes, type IdIndex, type Reference } from './hash-index.ts'
import {
  contentBytesOf,
  createThingBlock,
  createThingRows,
  maxBytes,
  sealBlock,
  type ThingBlock,
  type ThingRows,
  thingCell,
  thingKind,
} from './thing-block.ts'

/** Reads texts in the steps of things. Repeated texts are not decoded again. */
interface TextCache {
  readonly writerOf: (thing: EncodedThing) => string
  readonly tagsOf: (thing: EncodedThing) => readonly string[]
}

/** Decoded tags with their JSON text. */
interface RememberedTags {
  readonly json: Buffer
  readonly tags: readonly string[]
}

/** Maximum number of cached texts. The hash selects the bucket of a text, and a later text replaces it. */
const cacheBuckets = 4096

/** Creates an empty cache. */
const createTextCache = (form: ThingForm): TextCache => {
  const remembered = new Map<number, RememberedTags>()
  let writer = ''
  let writerJson = Buffer.alloc(0)

  const readText = (bytes: Buffer, start: number, end: number): string => JSON.parse(bytes.toString('utf8', start, end))

  const writerOf = ({ bytes, writerStart, writerEnd }: EncodedThing): string => {
    if (passBytes(bytes, writerStart, writerJson) !== writerEnd) {
      writerJson = Buffer.from(bytes.subarray(writerStart, writerEnd))
      writer = readText(bytes, writerStart, writerEnd)
    }
    return writer
  }

  const tagsOf = ({ bytes, tagsStart, tagsEnd }: EncodedThing): readonly string[] => {
    const bucket = hashBytes(bytes, tagsStart, tagsEnd) & (cacheBuckets - 1)
    const found = remembered.get(bucket)
    if (found !== undefined && passBytes(bytes, tagsStart, found.json) === tagsEnd) return found.tags
    const tags = form.tagsOf({ tags: readText(bytes, tagsStart, tagsEnd) })
    remembered.set(bucket, { json: Buffer.from(bytes.subarray(tagsStart, tagsEnd)), tags })
    return tags
  }

  return { writerOf, tagsOf }
}

/** The positions of the things: archived, not archived and by tag. Living things are also indexed by URL. */
interface ThingIndexes {
  readonly archived: RowFeed
  readonly unarchived: RowFeed
  /** The things with a tag, by tag. */
  readonly tagged: Pick<TagFeeds, 'get' | 'size' | 'countAt' | 'countOf'>
  readonly add: (position: number, thing: IndexedThing) => void
  /** Records that a later row, at `at`, replaced the thing at a position. */
  readonly replace: (position: number, at: number, thing: IndexedThing) => void
  /** Finds the slots of the living things with a URL, and perhaps of some other things. */
  readonly findSlotsByUrl: (url: string) => Iterable<number>
  /** Drops rows that were replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** The indexed properties of a thing. */
interface IndexedThing {
  readonly archived: boolean
  readonly tags: readonly string[]
  /** Undefined without a URL. */
  readonly urlHash: number | undefined
  readonly slot: number
}

/** Hashes a URL for the index. It uses the JSON text of the URL, because files contain this text. */
const hashUrl = (url: string): number => {
  const json = Buffer.from(JSON.stringify(url))
  return hashBytes(json, 0, json.length)
}

/** Creates empty indexes. */
const createThingIndexes = (): ThingIndexes => {
  const archived = createRowFeed()
  const unarchived = createRowFeed()
  const tagged = createTagFeeds()
  const urls = createUrlTable()

  const add: ThingIndexes['add'] = (position, thing) => {
    const feed = thing.archived ? archived : unarchived
    feed.append(position)
    for (const tag of thing.tags) tagged.append(tag, position)
    if (thing.urlHash !== undefined) urls.add(thing.urlHash, thing.slot)
  }

  const replace: ThingIndexes['replace'] = (position, at, thing) => {
    const feed = thing.archived ? archived : unarchived
    feed.replace(position, at)
    for (const tag of thing.tags) tagged.replace(tag, position, at)
    if (thing.urlHash !== undefined) urls.remove(thing.urlHash, thing.slot)
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    for (const feed of [archived, unarchived]) yield* feed.sweep(floor)
    yield* tagged.sweep(floor)
  }

  return {
    archived,
    unarchived,
    tagged,
    add,
    replace,
    findSlotsByUrl: (url) => urls.find(hashUrl(url)),
    sweep,
  }
}

/** The tombstones of an account, as rows. */
export interface Tombstones {
  readonly feed: RowFeed
  readonly put: (tombstone: Tombstone, slot: number, previous: Reference) => void
  readonly read: (block: Block, row: number) => Tombstone
  /** Reads the tombstone without the id. */
  readonly readMetadata: (block: Block, row: number) => Omit<Tombstone, 'id'>
}

const width = 5

/** Creates an empty table of tombstones. */
const createTombstones = (ids: IdIndex): Tombstones => {
  const feed = createRowFeed(width)
  const readMetadata: Tombstones['readMetadata'] = (block, row) => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
  })
  return {
    feed,
    put: ({ position, createdPosition }, slot, previous) => feed.append(position, [createdPosition, previous, slot]),
    readMetadata,
    read: (block, row) => ({ id: ids.idOf(cellOf(block, row, thingCell.slot)), ...readMetadata(block, row) }),
  }
}

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** The number of things, and the bytes of their content. */
export type ThingUsage = Pick<Usage, 'things' | 'bytes'>

/** The location of the version of an id at a position. */
type FoundVersion =
  | { readonly kind: 'thing'; readonly block: ThingBlock; readonly row: number }
  | { readonly kind: 'tombstone'; readonly block: Block; readonly row: number }

/** The things and tombstones of an account, in all versions that may still be read, and their indexes. */
export interface ThingTable extends Pick<ThingIndexes, 'archived' | 'unarchived' | 'tagged'> {
  readonly rows: ThingRows
  readonly things: Feed<ThingBlock>
  readonly tombstones: Tombstones
  /** The usage of the living things. */
  readonly countUsage: () => ThingUsage
  /** Number of all ids that ever existed. */
  readonly countIds: () => number
  /** Finds the version of a thing at a position, or its tombstone. */
  readonly findVersion: (id: string, position: number) => FoundVersion | undefined
  /** Finds the ids of all things that have a URL now, and perhaps of some other things. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Adds a version of a thing; it is a todo if it has one of these tags. Returns true when its id is new. */
  readonly putThing: (thing: StoredThing, todoTags: ReadonlySet<string>) => boolean
  /** Does the same for a thing as the bytes of its step. */
  readonly putEncoded: (thing: EncodedThing, todoTags: ReadonlySet<string>) => boolean
  /** Adds a tombstone. Returns true when its id is new. */
  readonly putTombstone: (tombstone: Tombstone) => boolean
  /** Ends the loading. Nothing may read the table before. */
  readonly endLoading: () => void
  /** Drops versions that were replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/**
 * Creates an empty table, ready for loading. It calls `noteReplaced` for each replaced version, with the bytes of the
 * version's returned form.
 */
export const createThingTable = (form: ThingForm, noteReplaced: (bytes: number) => void): ThingTable => {
  const ids = createIdIndex()
  const rows = createThingRows(form, ids)
  const things = createFeed(thingKind)
  const tombstones = createTombstones(ids)
  const indexes = createThingIndexes()
  const texts = createTextCache(form)
  const scan = createThingScanner()
  let isLoading = true
  let livingThings = 0
  let livingBytes = 0
  // During the loading, all blocks but the first grow in the memory of this block, and are then copied at their exact
  // size. A block that grew in its own memory would leave garbage of three times its size.
  let loadingBlock: ThingBlock | undefined

  const replaceThing = (position: number, at: number): void => {
    const found = things.find(position)
    if (found === undefined) throw new Error(`the thing at position ${position} is missing`)
    const { archived, url, ...thing } = rows.read(found.block, found.row)
    const slot = cellOf(found.block, found.row, thingCell.slot)
    livingThings -= 1
    livingBytes -= contentBytesOf(found.block, found.row)
    noteReplaced(cellOf(found.block, found.row, thingCell.size))
    things.replace(position, at)
    const urlHash = url === undefined ? undefined : hashUrl(url)
    indexes.replace(position, at, { archived, tags: form.tagsOf(thing), urlHash, slot })
  }

  const replace = (slot: number, at: number): Reference => {
    const newest = ids.newestOf(slot)
    if (newest > 0) replaceThing(newest, at)
    if (newest < 0) {
      tombstones.feed.replace(-newest, at)
      noteReplaced(0)
    }
    return newest
  }

  const blockFor = (size: number): ThingBlock => {
    const last = things.blocks().at(-1)
    const block = things.openBlock(size)
    if (block === last || last === undefined) return block
    sealBlock(last)
    if (isLoading) {
      loadingBlock ??= createThingBlock({ rows: maxRows, bytes: maxBytes })
      block.bytes = loadingBlock.bytes
      block.cells = loadingBlock.cells
    }
    return block
  }

  const putEncoded = (thing: EncodedThing, todoTags: ReadonlySet<string>): boolean => {
    const { archived, bytes, position, urlStart, urlEnd } = thing
    const idCount = ids.size()
    const slot = ids.takeJson(bytes, thing.idStart, thing.idEnd)
    const previous = replace(slot, position)
    const tags = texts.tagsOf(thing)
    const isTodo = todoTags.size > 0 && tags.some((tag) => todoTags.has(tag))
    const version = { isTodo, slot, previous }
    rows.append(blockFor(thing.formEnd - thing.start), thing, texts.writerOf(thing), version)
    const urlHash = urlEnd === 0 ? undefined : hashBytes(bytes, urlStart, urlEnd)
    indexes.add(position, { archived, tags, urlHash, slot })
    ids.setNewest(slot, position)
    livingThings += 1
    livingBytes += thing.contentEnd - thing.start
    return slot === idCount
  }

  const putThing = (thing: StoredThing, todoTags: ReadonlySet<string>): boolean => {
    const isTodo = form.tagsOf(thing).some((tag) => todoTags.has(tag))
    const metadata = { ...thing, writerJson: JSON.stringify(thing.writer) }
    const scanned = scan(
      Buffer.from(encodeThingStep(form.showThing(thing, isTodo), thing, isTodo, metadata)),
      thingStart,
    )
    if (scanned === undefined) throw new Error('the step of a thing is not what is read')
    return putEncoded(scanned, todoTags)
  }

  const putTombstone = (tombstone: Tombstone): boolean => {
    const idCount = ids.size()
    const slot = ids.take(tombstone.id)
    tombstones.put(tombstone, slot, replace(slot, tombstone.position))
    ids.setNewest(slot, -tombstone.position)
    return slot === idCount
  }

  const findVersion = (id: string, position: number): FoundVersion | undefined => {
    const slot = ids.find(id)
    let reference = slot === undefined ? 0 : ids.newestOf(slot)
    while (reference !== 0) {
      const thing = reference > 0 ? things.find(reference) : undefined
      const tombstone = reference < 0 ? tombstones.feed.find(-reference) : undefined
      const found = thing ?? tombstone
      // Versions that no readable position needs were removed.
      if (found === undefined) return undefined
      if (Math.abs(reference) <= position)
        return thing === undefined ? tombstone && { kind: 'tombstone', ...tombstone } : { kind: 'thing', ...thing }
      reference = cellOf(found.block, found.row, thingCell.previous)
    }
    return undefined
  }

  function* sweep(floor: number): Generator<void, void, undefined> {
    yield* things.sweep(floor)
    yield* tombstones.feed.sweep(floor)
    yield* indexes.sweep(floor)
  }

  const endLoading = (): void => {
    const last = things.blocks().at(-1)
    if (last !== undefined && loadingBlock !== undefined) sealBlock(last)
    loadingBlock = undefined
    isLoading = false
  }

  return {
    rows,
    things,
    archived: indexes.archived,
    unarchived: indexes.unarchived,
    tagged: indexes.tagged,
    tombstones,
    countUsage: () => ({ things: livingThings, bytes: livingBytes }),
    countIds: ids.size,
    findVersion,
    findIdsByUrl: (url) => Array.from(indexes.findSlotsByUrl(url), ids.idOf),
    putThing,
    putEncoded,
    putTombstone,
    endLoading,
    sweep,
  }
}
