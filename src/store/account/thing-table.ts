import type { Tombstone } from '../change.ts'
import type { StoredThing, ThingForm } from '../store.ts'
import { type Block, cellOf } from './block.ts'
import { createFeed, type Feed } from './feed.ts'
import { createIdIndex, type Reference } from './id-index.ts'
import { thingKind } from './rearrange-things.ts'
import { createRowFeed, type RowFeed } from './row-feed.ts'
import { sealBlock, type ThingBlock, thingCell } from './thing-block.ts'
import { createThingRows, isArchivedRow, type ThingRows } from './thing-row.ts'
import { createTombstones, type Tombstones } from './tombstones.ts'
import { createUrlIndex } from './url-index.ts'

/** A thing or a tombstone. */
export type Item = { readonly thing: StoredThing } | { readonly tombstone: Tombstone }

/** Where the version of an id at a position is. */
export type FoundVersion =
  | { readonly kind: 'thing'; readonly block: ThingBlock; readonly row: number }
  | { readonly kind: 'tombstone'; readonly block: Block; readonly row: number }

/** The things and tombstones of an account, all their versions that may still be read, and their indexes. */
export interface ThingTable {
  readonly rows: ThingRows
  readonly things: Feed<ThingBlock>
  readonly archived: RowFeed
  readonly unarchived: RowFeed
  /** The things that carry a tag, by tag. */
  readonly tagged: ReadonlyMap<string, RowFeed>
  readonly tombstones: Tombstones
  /** Number of the ids that were ever there. */
  readonly countIds: () => number
  readonly findVersion: (id: string, position: number) => FoundVersion | undefined
  /** Ids of the living things with a url, now. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Adds a version of a thing; those that carry one of these tags are todos. */
  readonly putThing: (thing: StoredThing, todoTags: ReadonlySet<string>) => void
  readonly putTombstone: (tombstone: Tombstone) => void
  /** Drops what was replaced at or before a position, step by step. */
  readonly sweep: (floor: number) => Generator<void, void, undefined>
}

/** A table without things. `noteReplaced` is told of each version that a later one replaces. */
export const createThingTable = (form: ThingForm, noteReplaced: () => void): ThingTable => {
  const ids = createIdIndex()
  const rows = createThingRows(form, ids)
  const things = createFeed(thingKind)
  const archived = createRowFeed()
  const unarchived = createRowFeed()
  const tagged = new Map<string, RowFeed>()
  const tombstones = createTombstones(ids)
  const urls = createUrlIndex()

  const feedOfTag = (tag: string): RowFeed => {
    const feed = tagged.get(tag) ?? createRowFeed()
    tagged.set(tag, feed)
    return feed
  }

  const replaceThing = (position: number, at: number): void => {
    const found = things.find(position)
    if (found === undefined) throw new Error(`the thing at position ${position} is gone`)
    const thing = rows.read(found.block, found.row)
    things.replace(position, at)
    const feed = isArchivedRow(found.block, found.row) ? archived : unarchived
    feed.replace(position, at)
    for (const tag of form.tagsOf(thing)) feedOfTag(tag).replace(position, at)
    urls.remove(thing)
  }

  const replace = (slot: number, at: number): Reference => {
    const newest = ids.newestOf(slot)
    if (newest !== 0) noteReplaced()
    if (newest > 0) replaceThing(newest, at)
    if (newest < 0) tombstones.feed.replace(-newest, at)
    return newest
  }

  const blockFor = (json: string): ThingBlock => {
    const last = things.blocks().at(-1)
    const block = things.openBlock(json.length)
    if (last !== undefined && last !== block) sealBlock(last)
    return block
  }

  const putThing = (thing: StoredThing, todoTags: ReadonlySet<string>): void => {
    const slot = ids.take(thing.id)
    const previous = replace(slot, thing.position)
    const tags = form.tagsOf(thing)
    const isTodo = tags.some((tag) => todoTags.has(tag))
    const json = form.showThing(thing, isTodo)
    rows.append(blockFor(json), thing, { json, isTodo, slot, previous })
    const feed = thing.archived ? archived : unarchived
    feed.append(thing.position)
    for (const tag of tags) feedOfTag(tag).append(thing.position)
    ids.setNewest(slot, thing.position)
    urls.add(thing)
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
    for (const feed of [archived, unarchived, tombstones.feed]) yield* feed.sweep(floor)
    for (const [tag, feed] of tagged) {
      yield* feed.sweep(floor)
      if (feed.blocks().length === 0) tagged.delete(tag)
    }
  }

  return {
    rows,
    things,
    archived,
    unarchived,
    tagged,
    tombstones,
    countIds: ids.size,
    findVersion,
    findIdsByUrl: urls.find,
    putThing,
    putTombstone,
    sweep,
  }
}
