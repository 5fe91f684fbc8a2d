import type { Tombstone } from '../change.ts'
import type { StoredThing, ThingForm } from '../store.ts'
import { type Block, cellOf } from './block.ts'
import { createFeed, type Feed } from './feed.ts'
import { createGrowingRoom, type GrowingRoom } from './growing-room.ts'
import { hashBytes } from './hash-bytes.ts'
import { createIdIndex, type Reference } from './id-index.ts'
import { createKeptTexts } from './kept-texts.ts'
import type { KeptThing } from './kept-thing.ts'
import { thingKind } from './rearrange-things.ts'
import { sealBlock, type ThingBlock, thingCell } from './thing-block.ts'
import { createThingIndexes, hashUrl, type ThingIndexes } from './thing-indexes.ts'
import { createThingRows, type ThingRows } from './thing-row.ts'
import { createTombstones, type Tombstones } from './tombstones.ts'

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** Where the version of an id at a position is. */
export type FoundVersion =
  | { readonly kind: 'thing'; readonly block: ThingBlock; readonly row: number }
  | { readonly kind: 'tombstone'; readonly block: Block; readonly row: number }

/** The things and tombstones of an account, all their versions that may still be read, and their indexes. */
export interface ThingTable extends Pick<ThingIndexes, 'archived' | 'unarchived' | 'tagged'> {
  readonly rows: ThingRows
  readonly things: Feed<ThingBlock>
  readonly tombstones: Tombstones
  /** Number of the ids that were ever there. */
  readonly countIds: () => number
  readonly findVersion: (id: string, position: number) => FoundVersion | undefined
  /** Ids of all living things with a url, now, and perhaps of some others. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Adds a version of a thing; those that carry one of these tags are todos. */
  readonly putThing: (thing: StoredThing, todoTags: ReadonlySet<string>) => void
  /** The same for a thing as it was kept. True when its id is new. */
  readonly putKept: (thing: KeptThing, todoTags: ReadonlySet<string>) => boolean
  readonly putTombstone: (tombstone: Tombstone) => void
  /** Lets blocks grow in as little memory as they will need, until `endLoading`; nobody may read the table before. */
  readonly beginLoading: () => void
  readonly endLoading: () => void
  /** Drops what was replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** A table without things. `noteReplaced` is told of each version that a later one replaces. */
export const createThingTable = (form: ThingForm, noteReplaced: () => void): ThingTable => {
  const ids = createIdIndex()
  const rows = createThingRows(form, ids)
  const things = createFeed(thingKind)
  const tombstones = createTombstones(ids)
  const indexes = createThingIndexes()
  const texts = createKeptTexts(form)
  let room: GrowingRoom | undefined

  const replaceThing = (position: number, at: number): void => {
    const found = things.find(position)
    if (found === undefined) throw new Error(`the thing at position ${position} is gone`)
    const { archived, url, ...thing } = rows.read(found.block, found.row)
    const slot = cellOf(found.block, found.row, thingCell.slot)
    things.replace(position, at)
    const urlHash = url === undefined ? undefined : hashUrl(url)
    indexes.replace(position, at, { archived, tags: form.tagsOf(thing), urlHash, slot })
  }

  const replace = (slot: number, at: number): Reference => {
    const newest = ids.newestOf(slot)
    if (newest !== 0) noteReplaced()
    if (newest > 0) replaceThing(newest, at)
    if (newest < 0) tombstones.feed.replace(-newest, at)
    return newest
  }

  const closeBlock = (block: ThingBlock): void => {
    if (room === undefined) sealBlock(block)
    else room.takeBack(block)
  }

  const blockFor = (size: number): ThingBlock => {
    const last = things.blocks().at(-1)
    const block = things.openBlock(size)
    if (block === last) return block
    if (last !== undefined) closeBlock(last)
    room?.lend(block)
    return block
  }

  const putThing = (thing: StoredThing, todoTags: ReadonlySet<string>): void => {
    const { archived, url, position } = thing
    const slot = ids.take(thing.id)
    const previous = replace(slot, position)
    const tags = form.tagsOf(thing)
    const isTodo = tags.some((tag) => todoTags.has(tag))
    const json = form.showThing(thing, isTodo)
    rows.append(blockFor(json.length), thing, json, { isTodo, slot, previous })
    indexes.add(position, { archived, tags, urlHash: url === undefined ? undefined : hashUrl(url), slot })
    ids.setNewest(slot, position)
  }

  const putKept = (thing: KeptThing, todoTags: ReadonlySet<string>): boolean => {
    const { archived, bytes, position, urlStart, urlEnd } = thing
    const idCount = ids.size()
    const slot = ids.takeJson(bytes, thing.idStart, thing.idEnd)
    const previous = replace(slot, position)
    const tags = texts.tagsOf(thing)
    const isTodo = todoTags.size > 0 && tags.some((tag) => todoTags.has(tag))
    const version = { isTodo, slot, previous }
    rows.appendKept(blockFor(thing.contentEnd - thing.start), thing, texts.writerOf(thing), version)
    const urlHash = urlEnd === 0 ? undefined : hashBytes(bytes, urlStart, urlEnd)
    indexes.add(position, { archived, tags, urlHash, slot })
    ids.setNewest(slot, position)
    return slot === idCount
  }

  const putTombstone = (tombstone: Tombstone): void => {
    const slot = ids.take(tombstone.id)
    tombstones.put(tombstone, slot, replace(slot, tombstone.position))
    ids.setNewest(slot, -tombstone.position)
  }

  const findVersion = (id: string, position: number): FoundVersion | undefined => {
    const slot = ids.find(id)
    let reference = slot === undefined ? 0 : ids.newestOf(slot)
    while (reference !== 0) {
      const isThing = reference > 0
      const thing = isThing ? things.find(reference) : undefined
      const tombstone = isThing ? undefined : tombstones.feed.find(-reference)
      if (Math.abs(reference) <= position) {
        if (thing !== undefined) return { kind: 'thing', ...thing }
        return tombstone && { kind: 'tombstone', ...tombstone }
      }
      // What no readable position needs is gone.
      if (thing !== undefined) reference = cellOf(thing.block, thing.row, thingCell.previous)
      else if (tombstone !== undefined) reference = tombstones.previousOf(tombstone.block, tombstone.row)
      else return undefined
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
    if (last !== undefined) room?.takeBack(last)
    room = undefined
  }

  return {
    rows,
    things,
    archived: indexes.archived,
    unarchived: indexes.unarchived,
    tagged: indexes.tagged,
    tombstones,
    countIds: ids.size,
    findVersion,
    findIdsByUrl: (url) => Array.from(indexes.findSlotsByUrl(url), ids.idOf),
    putThing,
    putKept,
    putTombstone,
    beginLoading: () => {
      room = createGrowingRoom()
    },
    endLoading,
    sweep,
  }
}
