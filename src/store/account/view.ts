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

/** How many events are listed between two looks at the clock. */
const eventsBetweenRests = 64

/** What changed after a position, as an account was at another one (View.listEvents). */
const listEvents = (account: Account, position: number, after: number): AsyncIterable<AccountEvent> => {
  const { rows, things, tombstones } = account.table
  // As they are now: a sweep that comes while they are listed changes neither.
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
  const pace = createSliceTimer()
  let count = 0
  for (const event of events) {
    count += 1
    if (count % eventsBetweenRests === 0 && pace.isDue()) await pace.yieldTurn()
    yield event
  }
}

/** Tags in a piece: a name may have a thousand characters. */
const tagsInPiece = 64

/** Settings that an account had at a position and that changed after another one (View.listTags). */
const listTags = ({ tags }: Account, position: number, after: number): AsyncIterable<readonly TagEntry[]> => {
  // The rows as they are now: a sweep that comes while they are listed changes none.
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

/** Some tags, each with a number, without an object for each: there may be millions. */
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

  // Their names stay where they are until they are listed.
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

/** The living rows after a position that are meant, some dozens at a time; of a block without any an empty piece. */
function* eachPiece(
  rowsAt: FeedAt<Block>,
  after: number,
  isMeant: (block: Block, row: number) => boolean = () => true,
): Generator<readonly FoundRow<Block>[], void, undefined> {
  for (const { block, rows: listRows } of rowsAt.walk(after)) {
    const rows = listRows().filter((row) => isMeant(block, row))
    for (let start = 0; start === 0 || start < rows.length; start += tagsInPiece)
      yield rows.slice(start, start + tagsInPiece).map((row) => ({ block, row }))
  }
}

/** Pieces with something in them; before each of them others may have their turn. */
async function* slicePieces<Item>(pieces: Iterable<readonly Item[]>): AsyncGenerator<readonly Item[], void, undefined> {
  const pace = createSliceTimer()
  for (const piece of pieces) {
    if (pace.isDue()) await pace.yieldTurn()
    if (piece.length > 0) yield piece
  }
}

/** More ids than this are looked for in slices. */
const maxIdsAtOnce = 256
/** More rows than this are looked at in slices. */
const maxRowsAtOnce = 2048

const isIn = (at: number, gaps: Gaps): boolean => gaps.some(([from, to]) => at > from && at < to)

function* pickIds(ids: Iterable<string>, isMeant: (id: string) => boolean): Work<ReadonlySet<string>> {
  const picked = new Set<string>()
  for (const id of ids) {
    if (isMeant(id)) picked.add(id)
    yield
  }
  return picked
}

/**
 * Views an account at a position that it still knows, with gaps beside those that it has brought along. Records and
 * errands have no positions: they are those of now. A view that is held until its position is no longer known throws
 * StoreFailed; a listing that was begun goes on.
 */
export const viewAccount = (
  account: Account,
  position: number,
  errands: ReadonlyMap<string, number>,
  gaps: Gaps = [],
): View => {
  const records = account.records()
  const todoTags = account.tags.listTodoTags(position)

  const check = (): void => {
    if (position < account.readableFrom()) throw new StoreError(`position ${position} is no longer known`)
  }

  /** A tag's things and deletions have to be looked at one by one to be counted. */
  const mayLookAtMany = ({ tag, after }: ListQuery): boolean => {
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
      // Of each thing only its numbers are read: an upload asks for thousands.
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
      return runBySize(work, (query.omit?.size ?? 0) > maxIdsAtOnce || mayLookAtMany(query))
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
    listErrands: async () => errands,
  }
}
