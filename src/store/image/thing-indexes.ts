import { createRowFeed, type RowFeed } from './feed.ts'
import { hashBytes } from './hash-bytes.ts'
import { createTagFeeds, type TagFeeds } from './tag-feeds.ts'
import { createUrlTable } from './url-table.ts'

/** The positions of the things, archived or not and by tag, and the living ones by url. */
export interface ThingIndexes {
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
export interface IndexedThing {
  readonly archived: boolean
  readonly tags: readonly string[]
  /** Undefined without a url. */
  readonly urlHash: number | undefined
  readonly slot: number
}

/** The hash of a url by which it is found: that of its JSON text, which is what files hold. */
export const hashUrl = (url: string): number => {
  const json = Buffer.from(JSON.stringify(url))
  return hashBytes(json, 0, json.length)
}

/** Indexes without things. */
export const createThingIndexes = (): ThingIndexes => {
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
