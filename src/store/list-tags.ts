import { createPace, type Work } from '../slices.ts'
import type { Account } from './image/account.ts'
import type { Block } from './image/block.ts'
import type { FeedAt, FoundRow } from './image/feed-at.ts'
import type { TagCount, TagCounts, TagEntry } from './store.ts'

/** Tags in a piece: a name may have a thousand characters. */
const tagsInPiece = 64

/** Settings that an account had at a position and that changed after another one (View.listTags). */
export const listTags = ({ tags }: Account, position: number, after: number): AsyncIterable<readonly TagEntry[]> => {
  // The rows as they are now: a sweep that comes while they are listed changes none.
  const rowsAt = tags.at(position)
  return {
    [Symbol.asyncIterator]: () => inSlices(eachEntry(tags, rowsAt, after)),
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
export function* countTags({ table, tags }: Account, position: number): Work<TagCounts> {
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

  return { favorite: () => inSlices(eachFavorite()), other: () => inSlices(eachOther()) }
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
async function* inSlices<Item>(pieces: Iterable<readonly Item[]>): AsyncGenerator<readonly Item[], void, undefined> {
  const pace = createPace()
  for (const piece of pieces) {
    if (pace.isDue()) await pace.rest()
    if (piece.length > 0) yield piece
  }
}
