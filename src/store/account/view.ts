import { createSliceTimer, runBySize, type Work } from '../../scheduling.ts'
import {
  type AccountEvent,
  type ListQuery,
  StoreError,
  type TagCount,
  type TagCounts,
  type TagEntry,
  type View,
} from '../store.ts'
import { type Account, joinUsage } from './account.ts'
import { type Block, cellOf, type ListedRows, positionOf } from './block.ts'
import type { FeedAt, FoundRow } from './feed.ts'
import { listAccount } from './listing.ts'
import { findGaps, type Gaps, listRecords } from './records.ts'
import { type ThingBlock, type ThingRows, thingCell } from './thing-block.ts'
import type { Tombstones } from './thing-index.ts'

/** Number of events between two checks of the clock. */
const eventsBetweenYields = 64

/** Lists the changes after a position in the account as of another position (View.listEvents). */
const listEvents = (account: Account, position: number, after: number): AsyncIterable<AccountEvent> => {
  const { rows, things, tombstones } = account.table
  // Captured now: a sweep during the listing changes neither.
  const [thingsAt, tombstonesAt] = [things.at(position), tombstones.feed.at(position)]
  return {
    [Symbol.asyncIterator]: () =>
      sliceEvents(merge(eachThing(thingsAt.walk(after), rows), eachDeletion(tombstonesAt.walk(after), tombstones))),
  }
}

type Events = Generator<AccountEvent, undefined, undefined>

function* eachThing(listed: Iterable<ListedRows<ThingBlock>>, { idOf }: ThingRows): Events {
  for (const { block, rows } of listed)
    for (const row of rows()) {
      const createdPosition = cellOf(block, row, thingCell.created)
      yield { position: positionOf(block, row), id: idOf(block, row), createdPosition, kind: 'thing' }
    }
  return undefined
}

function* eachDeletion(listed: Iterable<ListedRows<Block>>, { read }: Tombstones): Events {
  for (const { block, rows } of listed) for (const row of rows()) yield { ...read(block, row), kind: 'deletion' }
  return undefined
}

function* merge(things: Events, deletions: Events): Events {
  let deletion = deletions.next().value
  for (const thing of things) {
    for (; deletion !== undefined && deletion.position < thing.position; deletion = deletions.next().value)
      yield deletion
    yield thing
  }
  for (; deletion !== undefined; deletion = deletions.next().value) yield deletion
  return undefined
}

async function* sliceEvents(events: Events): AsyncGenerator<AccountEvent, void, undefined> {
  const sliceTimer = createSliceTimer()
  let count = 0
  for (const event of events) {
    count += 1
    if (count % eventsBetweenYields === 0 && sliceTimer.isDue()) await sliceTimer.yieldTurn()
    yield event
  }
}

/** Tags in a piece; a name may have a thousand characters. */
const tagsInPiece = 64

/** Lists the settings at a position that changed after another position (View.listTags). */
const listTags = ({ tags }: Account, position: number, after: number): AsyncIterable<readonly TagEntry[]> => {
  // Captured now: a sweep during the listing changes no row.
  const rowsAt = tags.at(position)
  return {
    [Symbol.asyncIterator]: () => slicePieces(eachEntry(tags, rowsAt, after)),
  }
}

function* eachEntry(
  { read }: Account['tags'],
  rowsAt: FeedAt<Block>,
  after: number,
): Generator<readonly TagEntry[], void, undefined> {
  for (const piece of eachPiece(rowsAt, after))
    yield piece.map(({ block, row }): TagEntry => {
      const { name, settings } = read(block, row)
      return [name, settings]
    })
}

/** Tags with their counts, in two arrays: there may be millions, too many for one object each. */
interface Counted {
  readonly names: string[]
  readonly counts: number[]
}

/** Counts the things of each tag at a position (View.countTags). */
function* countTags({ table, tags }: Account, position: number): Work<TagCounts> {
  const others: Counted[] = []
  let last: Counted = { names: [], counts: [] }
  const noteOther = (name: string, count: number): void => {
    if (tags.find(name, position)?.settings.favorite === true) return
    if (last.names.length === 0) others.push(last)
    last.names.push(name)
    last.counts.push(count)
    if (last.names.length === tagsInPiece) last = { names: [], counts: [] }
  }
  yield* table.tagged.countAt(position, noteOther)

  // The rows keep the names until they are listed.
  const rowsAt = tags.at(position)
  const favoriteCounts: number[] = []
  for (const { block, rows } of rowsAt.walk(0)) {
    for (const row of rows()) {
      if (!tags.readSettings(block, row).favorite) continue
      favoriteCounts.push(table.tagged.countOf(tags.read(block, row).name, position))
      if (favoriteCounts.length % tagsInPiece === 0) yield
    }
    yield
  }

  function* eachFavorite(): Generator<readonly TagCount[], void, undefined> {
    let index = 0
    const isFavorite = (block: Block, row: number): boolean => tags.readSettings(block, row).favorite
    for (const piece of eachPiece(rowsAt, 0, isFavorite)) {
      yield piece.map(
        ({ block, row }, at): TagCount => [tags.read(block, row).name, favoriteCounts[index + at] as number],
      )
      index += piece.length
    }
  }

  function* eachOther(): Generator<readonly TagCount[], void, undefined> {
    for (const { names, counts } of others) yield names.map((name, at): TagCount => [name, counts[at] as number])
  }

  return { favorite: () => slicePieces(eachFavorite()), other: () => slicePieces(eachOther()) }
}

/**
 * Yields the matching living rows after a position, some dozens at a time; an empty piece for a block without matches.
 */
function* eachPiece(
  rowsAt: FeedAt<Block>,
  after: number,
  isMatch: (block: Block, row: number) => boolean = () => true,
): Generator<readonly FoundRow<Block>[], void, undefined> {
  for (const { block, rows: listRows } of rowsAt.walk(after)) {
    const rows = listRows().filter((row) => isMatch(block, row))
    for (let start = 0; start === 0 || start < rows.length; start += tagsInPiece)
      yield rows.slice(start, start + tagsInPiece).map((row) => ({ block, row }))
  }
}

/** Yields the pieces that are not empty. Other events can run before each piece. */
async function* slicePieces<Item>(pieces: Iterable<readonly Item[]>): AsyncGenerator<readonly Item[], void, undefined> {
  const sliceTimer = createSliceTimer()
  for (const piece of pieces) {
    if (sliceTimer.isDue()) await sliceTimer.yieldTurn()
    if (piece.length > 0) yield piece
  }
}

/** More ids than this are searched in slices. */
const maxIdsAtOnce = 256
/** More rows than this are visited in slices. */
const maxRowsAtOnce = 2048

const isIn = (at: number, gaps: Gaps): boolean => gaps.some(([from, to]) => at > from && at < to)

function* pickIds(ids: Iterable<string>, isMatch: (id: string) => boolean): Work<ReadonlySet<string>> {
  const picked = new Set<string>()
  for (const id of ids) {
    if (isMatch(id)) picked.add(id)
    yield
  }
  return picked
}

/**
 * Creates a view of an account at a readable position. `gaps` are added to the account's own gaps. Records and outbox
 * entries have no positions: they are as of now. When the position is not readable any more, the view throws
 * StoreError; a listing that has begun continues.
 */
export const viewAccount = (
  account: Account,
  position: number,
  outboxEntries: ReadonlyMap<string, number>,
  gaps: Gaps = [],
): View => {
  const records = account.records()
  const todoTags = account.tags.listTodoTags(position)

  const check = (): void => {
    if (position < account.readableFrom()) throw new StoreError(`position ${position} is no longer known`)
  }

  /** Checks for many rows to visit: a tag's things and deletions must be visited one by one to be counted. */
  const mayVisitMany = ({ tag, after }: ListQuery): boolean => {
    const { tagged, tombstones } = account.table
    const ofTag = tag === undefined ? 0 : (tagged.get(tag)?.at(position).count(after) ?? 0)
    return ofTag > maxRowsAtOnce || (after > 0 && tombstones.feed.at(position).count(after) > maxRowsAtOnce)
  }

  return {
    position,
    hasBeenAt: (at) => at <= position && !isIn(at, gaps) && !isIn(at, findGaps(records)),
    findThing: async (id) => {
      check()
      const item = account.findItem(id, position)
      return item !== undefined && 'thing' in item ? item.thing : undefined
    },
    listOwnIds: async (ids, after) => {
      // Only the numbers of each thing are read: an upload looks up thousands of things.
      const isOwn = (id: string): boolean => {
        check()
        const found = account.table.findVersion(id, position)
        return found?.kind === 'thing' && cellOf(found.block, found.row, thingCell.others) <= after
      }
      return runBySize(pickIds(ids, isOwn), ids.size > maxIdsAtOnce)
    },
    isTodo: async (thing) => account.form.tagsOf(thing).some((tag) => todoTags.has(tag)),
    list: async (query) => {
      check()
      const work = listAccount(account, position, todoTags, query)
      return runBySize(work, (query.omit?.size ?? 0) > maxIdsAtOnce || mayVisitMany(query))
    },
    listTags: (after) => {
      check()
      return listTags(account, position, after)
    },
    countTags: async () => {
      check()
      const { table, tags } = account
      const isLong = table.tagged.size + tags.at(position).count(0) > maxRowsAtOnce
      const counts = await runBySize(countTags(account, position), isLong)
      check()
      return counts
    },
    countThings: async () => {
      check()
      return account.table.things.at(position).count(0)
    },
    countUsage: async () => joinUsage(account.thingUsage(), account.tagUsage()),
    listRecords: async (kind, group) => listRecords(records, kind, group),
    listEvents: (after) => {
      check()
      return listEvents(account, position, after)
    },
    listOutboxEntries: async () => outboxEntries,
  }
}
