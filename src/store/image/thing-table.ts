import type { StoredThing } from '../model.ts'
import type { Tombstone } from '../record/change.ts'
import { createThingScanner, type EncodedThing } from '../record/encoded-thing.ts'
import { encodeThingStep, thingStart } from '../record/thing-step.ts'
import type { ThingForm, Usage } from '../store.ts'
import { type Block, cellOf, maxRows } from './block.ts'
import { createFeed, type Feed } from './feed.ts'
import { hashBytes } from './hash-bytes.ts'
import { createIdIndex, type Reference } from './id-index.ts'
import { createTextCache } from './text-cache.ts'
import { createThingBlock, maxBytes, sealBlock, type ThingBlock, thingCell, thingKind } from './thing-block.ts'
import { createThingIndexes, hashUrl, type ThingIndexes } from './thing-indexes.ts'
import { contentBytesOf, createThingRows, type ThingRows } from './thing-row.ts'
import { createTombstones, type Tombstones } from './tombstones.ts'

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** How many things there are, and the bytes of what they say. */
export type ThingUsage = Pick<Usage, 'things' | 'bytes'>

/** Where the version of an id at a position is. */
export type FoundVersion =
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
