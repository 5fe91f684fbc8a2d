import type { Work } from '../../scheduling.ts'
import type { IdSet, JsonRun, Listing, ListQuery } from '../store.ts'
import type { Account } from './account.ts'
import { type Block, cellOf, type ListedRows, positionOf, type Rows } from './block.ts'
import type { FeedAt, FeedPage } from './feed.ts'
import {
  arrangeThings,
  type EncodedForm,
  encodeThingsAgain,
  flagsOf,
  formBytes,
  isArchivedRow,
  isEncodedAsTodo,
  type ThingBlock,
  thingCell,
} from './thing-block.ts'

/** The matches of a query, and a function that lists those after the skipped ones. */
interface Matches<B extends Block> {
  readonly count: number
  readonly walk: (limit: number) => Iterable<ListedRows<B>>
}

const noIds: IdSet = new Set()

const someRows = <B extends Block>(block: B, rows: readonly number[]): ListedRows<B> => ({
  block,
  isAll: false,
  rows: () => rows,
})

/** Yields the page of rows that match only after a visit of each row. */
function* pageOf<B extends Block>(
  matching: Iterable<ListedRows<B>>,
  { skip, limit }: Required<Pick<FeedPage, 'skip' | 'limit'>>,
): Generator<ListedRows<B>, void, undefined> {
  let [skipLeft, left] = [skip, limit]
  for (const { block, rows: listRows } of matching) {
    if (left <= 0) return
    const rows = listRows()
    const page = rows.slice(skipLeft, skipLeft + left)
    skipLeft = Math.max(0, skipLeft - rows.length)
    left -= page.length
    if (page.length > 0) yield someRows(block, page)
  }
}

/** Counts the rows after a position by a visit of each. The walk starts after the last rows that were all skipped. */
function* matchEach<B extends Block>(
  matching: (after: number) => Iterable<ListedRows<B>>,
  { after, skip }: { readonly after: number; readonly skip: number },
): Work<Matches<B>> {
  let [count, start, passed] = [0, after, 0]
  for (const { block, rows: listRows } of matching(after)) {
    const rows = listRows()
    const last = rows.at(-1)
    count += rows.length
    if (last !== undefined && count <= skip) [start, passed] = [positionOf(block, last), count]
    yield
  }
  return { count, walk: (limit) => pageOf(matching(start), { skip: skip - passed, limit }) }
}

/** Finds the rows of things at the positions that an index lists; adjacent rows of a block come together. */
function* lookUp(things: FeedAt<ThingBlock>, index: Iterable<ListedRows<Block>>): Generator<ListedRows<ThingBlock>> {
  let block: ThingBlock | undefined
  let rows: number[] = []
  for (const listed of index) {
    for (const row of listed.rows()) {
      const found = things.find(positionOf(listed.block, row))
      if (found === undefined) throw new Error('an index lists a thing that is missing')
      if (block !== undefined && found.block !== block) {
        yield someRows(block, rows)
        rows = []
      }
      block = found.block
      rows.push(found.row)
    }
  }
  if (block !== undefined) yield someRows(block, rows)
}

function* filterRows<B extends Block>(
  walk: Iterable<ListedRows<B>>,
  isMatch: (block: B, row: number) => boolean,
): Generator<ListedRows<B>, void, undefined> {
  for (const { block, rows } of walk)
    yield someRows(
      block,
      rows().filter((row) => isMatch(block, row)),
    )
}

/** Finds the positions of the living things to omit, ascending. */
function* findOmitted({ table }: Account, position: number, query: ListQuery): Work<readonly number[]> {
  const positions: number[] = []
  for (const id of query.omit ?? []) {
    yield
    const found = table.findVersion(id, position)
    if (found?.kind !== 'thing' || positionOf(found.block, found.row) <= query.after) continue
    if (query.archived === undefined || isArchivedRow(found.block, found.row) === query.archived)
      positions.push(positionOf(found.block, found.row))
  }
  // Sorted as a typed array: a JavaScript comparison function would take too long for one slice.
  return [...Float64Array.from(positions).sort()]
}

/** Finds the things that match a query at a position. */
export function* matchThings(account: Account, position: number, query: ListQuery): Work<Matches<ThingBlock>> {
  const { after, archived, tag, omit = noIds, skip = 0 } = query
  const { table } = account
  const things = table.things.at(position)
  if (tag !== undefined) {
    const tagged = table.tagged.get(tag)?.at(position)
    const isMatch = (block: ThingBlock, row: number): boolean =>
      (archived === undefined || isArchivedRow(block, row) === archived) &&
      (omit.size === 0 || !omit.has(table.rows.idOf(block, row)))
    return yield* matchEach((from) => filterRows(lookUp(things, tagged?.walk(from) ?? []), isMatch), { after, skip })
  }

  const omitted = yield* findOmitted(account, position, query)
  if (archived === undefined)
    return {
      count: things.count(after) - omitted.length,
      walk: (limit) => things.walk(after, { skip, limit, omit: omitted }),
    }
  const index = (archived ? table.archived : table.unarchived).at(position)
  return {
    count: index.count(after) - omitted.length,
    walk: (limit) => lookUp(things, index.walk(after, { skip, limit, omit: omitted })),
  }
}

/** Finds the deletions that match a query at a position, after `skip` of them; a full sync has none. */
export function* matchTombstones(
  account: Account,
  position: number,
  { after, omit = noIds }: ListQuery,
  skip: number,
): Work<Matches<Block>> {
  const { feed, read } = account.table.tombstones
  const at = feed.at(position)
  const isMatch = (block: Block, row: number): boolean => {
    const { id, createdPosition } = read(block, row)
    return createdPosition <= after && !omit.has(id)
  }
  return yield* matchEach((from) => (after === 0 ? [] : filterRows(at.walk(from), isMatch)), { after, skip })
}

/** With more pieces than this, the bytes of a block are made contiguous, for this listing and later ones. */
const fewRuns = 8

/** A stretch of a block's bytes: returned forms joined by commas. */
interface Run {
  readonly start: number
  end: number
}

const findRuns = ({ block, rows }: Rows<ThingBlock>): readonly Run[] => {
  const runs: Run[] = []
  for (const row of rows) {
    const start = cellOf(block, row, thingCell.offset)
    const end = start + cellOf(block, row, thingCell.size)
    const last = runs.at(-1)
    if (last !== undefined && start === last.end + 1) last.end = end
    else runs.push({ start, end })
  }
  return runs
}

const comma = Buffer.from(',')

const joinWithCommas = (pieces: readonly Uint8Array[], isFirst: boolean): Buffer =>
  Buffer.concat(pieces.flatMap((piece, index) => (isFirst && index === 0 ? [piece] : [comma, piece])))

/** Cuts runs out of a block's bytes, with the commas before them, which every returned form has in its block. */
const cutRuns = (block: ThingBlock, runs: readonly Run[], isFirst: boolean): readonly Buffer[] => {
  const pieces = runs.map(({ start, end }, index) =>
    block.bytes.subarray(isFirst && index === 0 ? start : start - 1, end),
  )
  return pieces.length <= fewRuns ? pieces : [Buffer.concat(pieces)]
}

/**
 * Returns the bytes of all living rows, if they are contiguous, with or without the comma before them. It returns the
 * same object as long as nothing changes.
 */
const livingBytes = (block: ThingBlock, which: 'withComma' | 'alone'): Buffer | undefined => {
  const { bytes, livingEnd, given } = block
  if (block.lastReplacedAt !== block.arrangedAt || livingEnd <= 1) return undefined
  const [start, end] = [which === 'withComma' ? 0 : 1, livingEnd - 1]
  const last = given[which]
  if (last?.buffer === bytes.buffer && last.length === end - start) return last
  const living = bytes.subarray(start, end)
  given[which] = living
  return living
}

/** Encodes the returned form of a row when the given tags make their things todos. */
const encodeRow =
  ({ form, table }: Account, todoTags: ReadonlySet<string>) =>
  (block: ThingBlock, row: number): EncodedForm => {
    const thing = table.rows.read(block, row)
    const isTodo = form.tagsOf(thing).some((tag) => todoTags.has(tag))
    const isAsEncoded = isTodo === isEncodedAsTodo(block, row)
    const bytes = isAsEncoded ? formBytes(block, row) : Buffer.from(form.showThing(thing, isTodo))
    return { bytes, flags: flagsOf(thing, isTodo) }
  }

/**
 * Encodes the returned forms of rows of one block at a position, as pieces of the block's bytes. Each piece begins with
 * a comma, except the first piece of a listing. If the block's bytes are out of date, or in too many pieces, a better
 * block with the same rows replaces it in the account. `todoTags` are the tags that made their things todos at the
 * position.
 */
const encodeRows = (
  account: Account,
  position: number,
  todoTags: ReadonlySet<string>,
  { block: listed, isAll, rows: listRows }: ListedRows<ThingBlock>,
  isFirst: boolean,
): readonly Buffer[] => {
  const { things } = account.table
  let block = listed
  const since = account.tags.todoTagsSince()
  if (block.staleFrom <= position && since <= position) {
    const encodedAgain = encodeThingsAgain(block, since, encodeRow(account, todoTags))
    things.swap(block, encodedAgain)
    block = encodedAgain
  }
  if (block.staleFrom <= position || position < block.validFrom) {
    const encode = encodeRow(account, todoTags)
    return [
      joinWithCommas(
        listRows().map((row) => encode(block, row).bytes),
        isFirst,
      ),
    ]
  }

  const contiguous = isAll ? livingBytes(block, isFirst ? 'alone' : 'withComma') : undefined
  if (contiguous !== undefined) return [contiguous]
  const rows = listRows()
  const runs = findRuns({ block, rows })
  if (runs.length <= fewRuns || block.arrangedAt === block.lastReplacedAt) return cutRuns(block, runs, isFirst)
  const arranged = arrangeThings(block)
  things.swap(block, arranged)
  return cutRuns(arranged, findRuns({ block: arranged, rows }), isFirst)
}

/** Lists an account at a position (View.list). `todoTags` are the tags that made their things todos at the position. */
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

/** The input of returned forms. */
interface ListedOptions {
  readonly account: Account
  readonly position: number
  readonly todoTags: ReadonlySet<string>
}

function* listRuns(
  listed: Iterable<ListedRows<ThingBlock>>,
  { account, position, todoTags }: ListedOptions,
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

/** Converts a generator into an async iterator, at a lower cost than an async generator. */
const asyncOf = <Item>(items: Generator<Item, void, undefined>): AsyncIterableIterator<Item> => ({
  next: async () => items.next(),
  return: async () => items.return(),
  [Symbol.asyncIterator]() {
    return this
  },
})
