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

/** Reads texts in the steps of things, of which many have the same, without making each of them anew. */
interface TextCache {
  readonly writerOf: (thing: EncodedThing) => string
  readonly tagsOf: (thing: EncodedThing) => readonly string[]
}

/** Tags that were read, and the JSON text that they stand in. */
interface RememberedTags {
  readonly json: Buffer
  readonly tags: readonly string[]
}

/** How many are remembered at most, each at the place that its hash has; a later one takes it over. */
const places = 4096

/** Nothing is remembered yet. */
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
    const place = hashBytes(bytes, tagsStart, tagsEnd) & (places - 1)
    const found = remembered.get(place)
    if (found !== undefined && passBytes(bytes, tagsStart, found.json) === tagsEnd) return found.tags
    const tags = form.tagsOf({ tags: readText(bytes, tagsStart, tagsEnd) })
    remembered.set(place, { json: Buffer.from(bytes.subarray(tagsStart, tagsEnd)), tags })
    return tags
  }

  return { writerOf, tagsOf }
}

/** The positions of the things, archived or not and by tag, and the living ones by url. */
interface ThingIndexes {
  readonly archived: RowFeed
  readonly unarchived: RowFeed
  /** The things that carry a tag, by tag. */
  readonly tagged: Pick<TagFeeds, 'get' | 'size' | 'countAt' | 'countOf'>
  readonly add: (position: number, thing: IndexedThing) => void
  /** Notes that a later row replaced the thing at a position. */
  readonly replace: (position: number, at: number, thing: IndexedThing) => void
  /** Slots of the living things with a url, and perhaps of some others. */
  readonly findSlotsByUrl: (url: string) => Iterable<number>
  /** Drops what was replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** What a thing is found by. */
interface IndexedThing {
  readonly archived: boolean
  readonly tags: readonly string[]
  /** Undefined without a url. */
  readonly urlHash: number | undefined
  readonly slot: number
}

/** The hash of a url by which it is found: that of its JSON text, which is what files hold. */
const hashUrl = (url: string): number => {
  const json = Buffer.from(JSON.stringify(url))
  return hashBytes(json, 0, json.length)
}

/** Indexes without things. */
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
  /** The same without the id. */
  readonly readPlace: (block: Block, row: number) => Omit<Tombstone, 'id'>
}

const width = 5

/** No tombstones. */
const createTombstones = (ids: IdIndex): Tombstones => {
  const feed = createRowFeed(width)
  const readPlace: Tombstones['readPlace'] = (block, row) => ({
    position: positionOf(block, row),
    createdPosition: cellOf(block, row, thingCell.created),
  })
  return {
    feed,
    put: ({ position, createdPosition }, slot, previous) => feed.append(position, [createdPosition, previous, slot]),
    readPlace,
    read: (block, row) => ({ id: ids.idOf(cellOf(block, row, thingCell.slot)), ...readPlace(block, row) }),
  }
}

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** How many things there are, and the bytes of what they say. */
export type ThingUsage = Pick<Usage, 'things' | 'bytes'>

/** Where the version of an id at a position is. */
type FoundVersion =
  | { readonly kind: 'thing'; readonly block: ThingBlock; readonly row: number }
  | { readonly kind: 'tombstone'; readonly block: Block; readonly row: number }

/** The things and tombstones of an account, all their versions that may still be read, and their indexes. */
export interface ThingTable extends Pick<ThingIndexes, 'archived' | 'unarchived' | 'tagged'> {
  readonly rows: ThingRows
  readonly things: Feed<ThingBlock>
  readonly tombstones: Tombstones
  /** What lives in it. */
  readonly countUsage: () => ThingUsage
  /** Number of the ids that were ever there. */
  readonly countIds: () => number
  /** The version of a thing at a position, or its tombstone. */
  readonly findVersion: (id: string, position: number) => FoundVersion | undefined
  /** Ids of all living things with a url, now, and perhaps of some others. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Adds a version of a thing; those that carry one of these tags are todos. True when its id is new. */
  readonly putThing: (thing: StoredThing, todoTags: ReadonlySet<string>) => boolean
  /** The same for a thing as the bytes of its step. */
  readonly putEncoded: (thing: EncodedThing, todoTags: ReadonlySet<string>) => boolean
  /** True when its id is new. */
  readonly putTombstone: (tombstone: Tombstone) => boolean
  /** All that was stored is there. Nobody may read the table before. */
  readonly endLoading: () => void
  /** Drops what was replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/**
 * A table without things, which is being loaded. `noteReplaced` is told of each version that a later one replaces, and of
 * the bytes of its returned form.
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
  // While the account is loaded all blocks but the first grow in the memory of this one, and leave with no more than they
  // fill. Growing in memory of its own, a block would leave three times its size behind.
  let room: ThingBlock | undefined

  const replaceThing = (position: number, at: number): void => {
    const found = things.find(position)
    if (found === undefined) throw new Error(`the thing at position ${position} is gone`)
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
      room ??= createThingBlock({ rows: maxRows, bytes: maxBytes })
      block.bytes = room.bytes
      block.cells = room.cells
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
    const place = { ...thing, writerJson: JSON.stringify(thing.writer) }
    const scanned = scan(Buffer.from(encodeThingStep(form.showThing(thing, isTodo), thing, isTodo, place)), thingStart)
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
      // What no readable position needs is gone.
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
    if (last !== undefined && room !== undefined) sealBlock(last)
    room = undefined
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
