import type { Tombstone } from '../record/change.ts'
import { createThingScanner, type KeptThing } from '../record/kept-thing.ts'
import { encodeThingStep, thingStart } from '../record/thing-step.ts'
import type { StoredThing, ThingForm, Usage } from '../store.ts'
import { cellOf } from './block.ts'
import { createFeed, type Feed } from './feed.ts'
import { type FoundVersion, findVersion } from './find-version.ts'
import { createGrowingRoom, type GrowingRoom } from './growing-room.ts'
import { hashBytes } from './hash-bytes.ts'
import { createIdIndex, type Reference } from './id-index.ts'
import { createKeptTexts } from './kept-texts.ts'
import { thingKind } from './rearrange-things.ts'
import { sealBlock, type ThingBlock, thingCell } from './thing-block.ts'
import { createThingIndexes, hashUrl, type ThingIndexes } from './thing-indexes.ts'
import { contentBytesOf, createThingRows, type ThingRows } from './thing-row.ts'
import { createTombstones, type Tombstones } from './tombstones.ts'

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** The things and tombstones of an account, all their versions that may still be read, and their indexes. */
export interface ThingTable extends Pick<ThingIndexes, 'archived' | 'unarchived' | 'tagged'> {
  readonly rows: ThingRows
  readonly things: Feed<ThingBlock>
  readonly tombstones: Tombstones
  /** What lives in it. */
  readonly countUsage: () => Usage
  /** Number of the ids that were ever there. */
  readonly countIds: () => number
  readonly findVersion: (id: string, position: number) => FoundVersion | undefined
  /** Ids of all living things with a url, now, and perhaps of some others. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Adds a version of a thing; those that carry one of these tags are todos. */
  readonly putThing: (thing: StoredThing, todoTags: ReadonlySet<string>) => void
  /** The same for a thing as the bytes of its step. True when its id is new. */
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
  const scan = createThingScanner()
  let isLoading = false
  let livingThings = 0
  let livingBytes = 0
  // For all blocks but the first: few accounts have more than one.
  let room: GrowingRoom | undefined

  const replaceThing = (position: number, at: number): void => {
    const found = things.find(position)
    if (found === undefined) throw new Error(`the thing at position ${position} is gone`)
    const { archived, url, ...thing } = rows.read(found.block, found.row)
    const slot = cellOf(found.block, found.row, thingCell.slot)
    livingThings -= 1
    livingBytes -= contentBytesOf(found.block, found.row)
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

  const blockFor = (size: number): ThingBlock => {
    const last = things.blocks().at(-1)
    const block = things.openBlock(size)
    if (block === last || last === undefined) return block
    if (room === undefined) sealBlock(last)
    else room.takeBack(last)
    if (isLoading) room ??= createGrowingRoom()
    room?.lend(block)
    return block
  }

  const putKept = (thing: KeptThing, todoTags: ReadonlySet<string>): boolean => {
    const { archived, bytes, position, urlStart, urlEnd } = thing
    const idCount = ids.size()
    const slot = ids.takeJson(bytes, thing.idStart, thing.idEnd)
    const previous = replace(slot, position)
    const tags = texts.tagsOf(thing)
    const isTodo = todoTags.size > 0 && tags.some((tag) => todoTags.has(tag))
    const version = { isTodo, slot, previous }
    rows.append(blockFor(thing.shownEnd - thing.start), thing, texts.writerOf(thing), version)
    const urlHash = urlEnd === 0 ? undefined : hashBytes(bytes, urlStart, urlEnd)
    indexes.add(position, { archived, tags, urlHash, slot })
    ids.setNewest(slot, position)
    livingThings += 1
    livingBytes += thing.contentEnd - thing.start
    return slot === idCount
  }

  const putThing = (thing: StoredThing, todoTags: ReadonlySet<string>): void => {
    const isTodo = form.tagsOf(thing).some((tag) => todoTags.has(tag))
    const place = { ...thing, writerJson: JSON.stringify(thing.writer) }
    const kept = scan(Buffer.from(encodeThingStep(form.showThing(thing, isTodo), thing, isTodo, place)), thingStart)
    if (kept === undefined) throw new Error('the step of a thing is not what is read')
    putKept(kept, todoTags)
  }

  const putTombstone = (tombstone: Tombstone): void => {
    const slot = ids.take(tombstone.id)
    tombstones.put(tombstone, slot, replace(slot, tombstone.position))
    ids.setNewest(slot, -tombstone.position)
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
    findVersion: (id, position) => findVersion({ ids, things, tombstones }, id, position),
    findIdsByUrl: (url) => Array.from(indexes.findSlotsByUrl(url), ids.idOf),
    putThing,
    putKept,
    putTombstone,
    beginLoading: () => {
      isLoading = true
    },
    endLoading,
    sweep,
  }
}
