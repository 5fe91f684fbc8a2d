import type { AccountDocument } from './account-document.ts'
import { type Change, findPosition, type Tombstone } from './change.ts'
import {
  createThingEntry,
  createTombstoneEntry,
  findVersion,
  isThingEntry,
  type TagEntry,
  type ThingEntry,
  type TombstoneEntry,
} from './entry.ts'
import { createFeed, type Feed } from './feed.ts'
import { draftRecords, type Records } from './records.ts'
import { createRetention } from './retention.ts'
import type { StoredThing, ThingForm } from './store.ts'
import { createTagHistory } from './tag-history.ts'
import { createUrlIndex } from './url-index.ts'

/** One account in memory, at its newest position and at those that are still readable. */
export interface Account {
  readonly form: ThingForm
  readonly position: () => number
  /** Lowest position that can be read; versions that earlier ones would need may be gone. */
  readonly readableFrom: () => number
  readonly things: Feed<ThingEntry>
  readonly archived: Feed<ThingEntry>
  readonly unarchived: Feed<ThingEntry>
  /** The things that carry a tag, by tag. */
  readonly tagged: ReadonlyMap<string, Feed<ThingEntry>>
  readonly tombstones: Feed<TombstoneEntry>
  readonly tags: Feed<TagEntry>
  readonly records: () => Records
  /** The version of a thing at a position, or its tombstone. */
  readonly findEntry: (id: string, position: number) => ThingEntry | TombstoneEntry | undefined
  readonly findTag: (name: string, position: number) => TagEntry | undefined
  /** The tags that made their things todos at a position. */
  readonly listTodoTags: (position: number) => ReadonlySet<string>
  /** Ids of the living things with a url, now. */
  readonly findIdsByUrl: (url: string) => Iterable<string>
  /** Makes the changes of one write visible, all at once. Their positions go on from the account's. */
  readonly apply: (changes: readonly Change[]) => void
}

/** Builds an account from what was kept of it. `now` gives Unix time in milliseconds. */
export const createAccount = (form: ThingForm, now: () => number, document: AccountDocument): Account => {
  const things = createFeed<ThingEntry>()
  const archived = createFeed<ThingEntry>()
  const unarchived = createFeed<ThingEntry>()
  const tagged = new Map<string, Feed<ThingEntry>>()
  const tombstones = createFeed<TombstoneEntry>()
  const newest = new Map<string, ThingEntry | TombstoneEntry>()
  const urls = createUrlIndex()
  const retention = createRetention(now, document.position)
  const tags = createTagHistory(form, retention.noteReplaced)
  let position = document.position
  let records: Records = new Map()

  const feedOfTag = (tag: string): Feed<ThingEntry> => {
    const feed = tagged.get(tag) ?? createFeed<ThingEntry>()
    tagged.set(tag, feed)
    return feed
  }

  const feedsOf = (entry: ThingEntry): readonly Feed<ThingEntry>[] => [
    things,
    entry.thing.archived ? archived : unarchived,
    ...entry.tags.map(feedOfTag),
  ]

  const replace = (id: string, at: number): ThingEntry | TombstoneEntry | undefined => {
    const entry = newest.get(id)
    if (entry === undefined) return undefined
    entry.replacedAt = at
    retention.noteReplaced()
    if (isThingEntry(entry)) {
      for (const feed of feedsOf(entry)) feed.noteReplaced(entry)
      urls.remove(entry.thing)
    } else tombstones.noteReplaced(entry)
    return entry
  }

  const putThing = (thing: StoredThing): void => {
    const entry = createThingEntry(form, thing, replace(thing.id, thing.position))
    for (const feed of feedsOf(entry)) feed.append(entry)
    newest.set(thing.id, entry)
    urls.add(thing)
  }

  const putTombstone = (tombstone: Tombstone): void => {
    const entry = createTombstoneEntry(tombstone, replace(tombstone.id, tombstone.position))
    tombstones.append(entry)
    newest.set(tombstone.id, entry)
  }

  const applyAll = (changes: Iterable<Change>): void => {
    const recordsDraft = draftRecords(records)
    for (const change of changes) {
      if ('thing' in change) putThing(change.thing)
      else if ('tombstone' in change) putTombstone(change.tombstone)
      else if ('tag' in change) tags.put(change.tag)
      else recordsDraft.apply(change)
      position = findPosition(change) ?? position
    }
    records = recordsDraft.finish()
  }

  const compact = (floor: number): void => {
    for (const feed of [things, archived, unarchived, tombstones, tags.feed]) feed.compact(floor)
    for (const [tag, feed] of tagged) if (feed.compact(floor) === 0) tagged.delete(tag)
    // What an entry at or below the floor replaced is needed by no readable position.
    for (const feed of [things, tombstones, tags.feed])
      for (const entry of feed.at(floor).walk(0)) entry.previous = undefined
  }

  for (const thing of document.things) putThing(thing)
  for (const tombstone of document.tombstones) putTombstone(tombstone)
  for (const tag of document.tags) tags.put(tag)
  applyAll(Array.from(document.records, (record) => ({ record })))

  return {
    form,
    position: () => position,
    readableFrom: retention.readableFrom,
    things,
    archived,
    unarchived,
    tagged,
    tombstones,
    tags: tags.feed,
    records: () => records,
    findEntry: (id, at) => findVersion(newest.get(id), at),
    findTag: tags.find,
    listTodoTags: tags.listTodoTags,
    findIdsByUrl: urls.find,
    apply: (changes) => {
      retention.noteWrite(position)
      applyAll(changes)
      retention.compactWhenDue(newest.size, compact)
    },
  }
}
