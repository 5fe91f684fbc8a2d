import type { Work } from '../../slices.ts'
import type { IdSet, ListQuery } from '../store.ts'
import type { Account } from './account.ts'
import type { ListedRows } from './block.ts'
import { type Block, positionOf } from './block.ts'
import type { FeedAt, FeedPage } from './feed-at.ts'
import type { ThingBlock } from './thing-block.ts'
import { isArchivedRow } from './thing-row.ts'

/** What a query matches, and how to list what comes behind those that it skips. */
export interface Matches<B extends Block> {
  readonly count: number
  readonly walk: (limit: number) => Iterable<ListedRows<B>>
}

const noIds: IdSet = new Set()

const someRows = <B extends Block>(block: B, rows: readonly number[]): ListedRows<B> => ({
  block,
  isAll: false,
  rows: () => rows,
})

/** The page of rows of which only looking at each can tell whether they match. */
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

/** Counts the rows behind a position; a walk begins where those end of which all were skipped. */
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

/** The rows of things at the positions that an index lists, neighbours in a block together. */
function* lookUp(things: FeedAt<ThingBlock>, index: Iterable<ListedRows<Block>>): Generator<ListedRows<ThingBlock>> {
  let block: ThingBlock | undefined
  let rows: number[] = []
  for (const listed of index) {
    for (const row of listed.rows()) {
      const found = things.find(positionOf(listed.block, row))
      if (found === undefined) throw new Error('an index lists a thing that is gone')
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

/** Positions of the living things that are to be left out, ascending. */
function* findOmitted({ table }: Account, position: number, query: ListQuery): Work<readonly number[]> {
  const positions: number[] = []
  for (const id of query.omit ?? []) {
    yield
    const found = table.findVersion(id, position)
    if (found?.kind !== 'thing' || positionOf(found.block, found.row) <= query.after) continue
    if (query.archived === undefined || isArchivedRow(found.block, found.row) === query.archived)
      positions.push(positionOf(found.block, found.row))
  }
  // Sorted as bare numbers: a comparison in JavaScript for each would be too long for one slice.
  return [...Float64Array.from(positions).sort()]
}

/** The things that match a query at a position. */
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

/** The deletions that match a query at a position, behind some to skip; a full listing has none. */
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
