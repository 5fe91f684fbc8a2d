import type { Account } from './account.ts'
import { isThingEntry, showEntry, type ThingEntry, type TombstoneEntry } from './entry.ts'
import type { JsonRun, Listing, ListQuery } from './store.ts'

/** What a query matches, before paging. */
interface Matches<Entry> {
  readonly count: number
  readonly walk: (skip: number) => Iterable<Entry>
}

const runLength = 64 * 1024

function* drop<Entry>(entries: Iterable<Entry>, count: number): Generator<Entry, void, undefined> {
  let left = count
  for (const entry of entries) {
    if (left > 0) left -= 1
    else yield entry
  }
}

function* take<Entry>(entries: Iterable<Entry>, count: number): Generator<Entry, void, undefined> {
  let left = count
  if (left === 0) return
  for (const entry of entries) {
    yield entry
    left -= 1
    if (left === 0) return
  }
}

/** Matches that only looking at each entry can tell. */
const matchEach = <Entry>(entries: () => Iterable<Entry>, isMatch: (entry: Entry) => boolean): Matches<Entry> => {
  function* walk(): Generator<Entry, void, undefined> {
    for (const entry of entries()) if (isMatch(entry)) yield entry
  }
  let count = 0
  for (const _ of walk()) count += 1
  return { count, walk: (skip) => drop(walk(), skip) }
}

const matchThings = (account: Account, position: number, query: ListQuery): Matches<ThingEntry> => {
  const { after, archived, tag, omit = new Set() } = query
  if (tag !== undefined) {
    const feed = account.tagged.get(tag)?.at(position)
    return matchEach(
      () => feed?.walk(after) ?? [],
      ({ thing }) => (archived === undefined || thing.archived === archived) && !omit.has(thing.id),
    )
  }

  const all = archived === undefined ? account.things : archived ? account.archived : account.unarchived
  const feed = all.at(position)
  const omitted: number[] = []
  for (const id of omit) {
    const entry = account.findEntry(id, position)
    if (entry === undefined || !isThingEntry(entry) || entry.position <= after) continue
    if (archived === undefined || entry.thing.archived === archived) omitted.push(entry.position)
  }
  omitted.sort((a, b) => a - b)
  return { count: feed.count(after) - omitted.length, walk: (skip) => feed.walk(after, skip, omitted) }
}

const matchTombstones = (account: Account, position: number, query: ListQuery): Matches<TombstoneEntry> => {
  const { after, omit = new Set() } = query
  const feed = account.tombstones.at(position)
  return matchEach(
    () => (after === 0 ? [] : feed.walk(after)),
    ({ tombstone }) => tombstone.createdPosition <= after && !omit.has(tombstone.id),
  )
}

/** Lists an account at a position (View.list). `todoTags` are the tags that made their things todos there. */
export const listAccount = (
  account: Account,
  position: number,
  todoTags: ReadonlySet<string>,
  query: ListQuery,
): Listing => {
  const { skip = 0, limit = Number.POSITIVE_INFINITY } = query
  const things = matchThings(account, position, query)
  const tombstones = matchTombstones(account, position, query)
  const pageChangedCount = Math.min(limit, Math.max(0, things.count - skip))
  const skipDeleted = Math.max(0, skip - things.count)
  const pageDeletedCount = Math.min(limit - pageChangedCount, Math.max(0, tombstones.count - skipDeleted))

  async function* changed(): AsyncGenerator<JsonRun, void, undefined> {
    let json = ''
    for (const entry of take(things.walk(skip), pageChangedCount)) {
      const shown = showEntry(
        account.form,
        entry,
        entry.tags.some((tag) => todoTags.has(tag)),
      )
      json = json === '' ? shown : `${json},${shown}`
      if (json.length < runLength) continue
      yield { json }
      json = ''
    }
    if (json !== '') yield { json }
  }

  async function* deleted(): AsyncGenerator<string, void, undefined> {
    for (const { tombstone } of take(tombstones.walk(skipDeleted), pageDeletedCount)) yield tombstone.id
  }

  return {
    changedCount: things.count,
    deletedCount: tombstones.count,
    pageChangedCount,
    pageDeletedCount,
    changed,
    deleted,
  }
}
