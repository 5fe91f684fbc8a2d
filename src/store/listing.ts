import type { Work } from '../slices.ts'
import type { Account } from './image/account.ts'
import type { Block, ListedRows } from './image/block.ts'
import { encodeRows } from './image/encode-rows.ts'
import { matchThings, matchTombstones } from './image/match.ts'
import type { ThingBlock } from './image/thing-block.ts'
import type { JsonRun, Listing, ListQuery } from './store.ts'

/** Lists an account at a position (View.list). `todoTags` are the tags that made their things todos there. */
export function* listAccount(
  account: Account,
  position: number,
  todoTags: ReadonlySet<string>,
  query: ListQuery,
): Work<Listing> {
  const { skip = 0, limit = Number.POSITIVE_INFINITY } = query
  const things = yield* matchThings(account, position, query)
  const skipDeleted = Math.max(0, skip - things.count)
  const tombstones = yield* matchTombstones(account, position, query, skipDeleted)
  const pageChangedCount = Math.min(limit, Math.max(0, things.count - skip))
  const pageDeletedCount = Math.min(limit - pageChangedCount, Math.max(0, tombstones.count - skipDeleted))

  return {
    changedCount: things.count,
    deletedCount: tombstones.count,
    pageChangedCount,
    pageDeletedCount,
    changed: () => asyncOf(listRuns(things.walk(pageChangedCount), { account, position, todoTags })),
    deleted: () => asyncOf(listDeleted(tombstones.walk(pageDeletedCount), account)),
  }
}

/** What returned forms are made of. */
interface Shown {
  readonly account: Account
  readonly position: number
  readonly todoTags: ReadonlySet<string>
}

function* listRuns(
  listed: Iterable<ListedRows<ThingBlock>>,
  { account, position, todoTags }: Shown,
): Generator<JsonRun, void, undefined> {
  let isFirst = true
  for (const rows of listed) {
    for (const json of encodeRows(account, position, todoTags, rows, isFirst)) {
      yield { json }
      isFirst = false
    }
  }
}

function* listDeleted(listed: Iterable<ListedRows<Block>>, { table }: Account): Generator<string, void, undefined> {
  for (const { block, rows } of listed) for (const row of rows()) yield table.tombstones.read(block, row).id
}

/** Cheaper than a generator that is asynchronous itself. */
const asyncOf = <Item>(items: Generator<Item, void, undefined>): AsyncIterableIterator<Item> => ({
  next: async () => items.next(),
  return: async () => items.return(),
  [Symbol.asyncIterator]() {
    return this
  },
})
