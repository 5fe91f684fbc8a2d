/** What a feed orders: an entry is alive from its position until a later entry replaces it. */
export interface FeedEntry {
  readonly position: number
  /** Position of the entry that replaced this one; Infinity while it is the newest. */
  replacedAt: number
}

/** A feed at one position. It answers the same for ever, whatever is appended, replaced or compacted later. */
export interface FeedAt<Entry extends FeedEntry> {
  /** Number of living entries after a position. */
  readonly count: (after: number) => number
  /**
   * The living entries after a position, in order, without those at the ascending positions `omit` (each of a living
   * entry), and without the first `skip` of the rest.
   */
  readonly walk: (after: number, skip?: number, omit?: readonly number[]) => Generator<Entry, void, undefined>
}

/**
 * Entries in position order. Walking costs what is listed: where to begin is found by binary search, and blocks in
 * which nothing lives (or in which all is skipped) are passed over by their counts.
 */
export interface Feed<Entry extends FeedEntry> {
  /** Adds an entry; its position is above all that the feed holds. */
  readonly append: (entry: Entry) => void
  /** To be told after `replacedAt` of an entry of this feed was set. */
  readonly noteReplaced: (entry: Entry) => void
  readonly at: (position: number) => FeedAt<Entry>
  /** Drops the entries that were replaced at or before a position; returns how many are left. */
  readonly compact: (floor: number) => number
}

interface Block<Entry> {
  readonly entries: Entry[]
  readonly first: number
  last: number
  liveCount: number
  lastReplacedAt: number
}

const blockSize = 1024

/** Index of the first item that `isAfter`, in a list in which all such items come last. */
const findFirst = <Item>(items: readonly Item[], isAfter: (item: Item) => boolean): number => {
  let low = 0
  let high = items.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (isAfter(items[middle] as Item)) high = middle
    else low = middle + 1
  }
  return low
}

const append = <Entry extends FeedEntry>(blocks: Block<Entry>[], entry: Entry): void => {
  const { position, replacedAt } = entry
  let block = blocks.at(-1)
  if (block === undefined || block.entries.length >= blockSize) {
    block = { entries: [], first: position, last: position, liveCount: 0, lastReplacedAt: 0 }
    blocks.push(block)
  }
  block.entries.push(entry)
  block.last = position
  if (replacedAt === Number.POSITIVE_INFINITY) block.liveCount += 1
  else block.lastReplacedAt = Math.max(block.lastReplacedAt, replacedAt)
}

const noteReplaced = <Entry extends FeedEntry>(blocks: readonly Block<Entry>[], entry: Entry): void => {
  const block = blocks[findFirst(blocks, (candidate) => candidate.last >= entry.position)]
  if (block === undefined) throw new Error(`position ${entry.position} is in no block of its feed`)
  block.liveCount -= 1
  block.lastReplacedAt = entry.replacedAt
}

const feedAt = <Entry extends FeedEntry>(blocks: readonly Block<Entry>[], position: number): FeedAt<Entry> => {
  // The count of a block holds for every position since its last replacement; for earlier ones its entries are asked.
  const hasCount = (block: Block<Entry>, after: number): boolean =>
    block.first > after && block.last <= position && block.lastReplacedAt <= position

  function* walkBlock(block: Block<Entry>, after: number): Generator<Entry, void, undefined> {
    const { entries } = block
    for (let index = findFirst(entries, (entry) => entry.position > after); index < entries.length; index += 1) {
      const entry = entries[index] as Entry
      if (entry.position > position) return
      if (entry.replacedAt > position) yield entry
    }
  }

  function* blocksAfter(after: number): Generator<Block<Entry>, void, undefined> {
    for (let index = findFirst(blocks, (block) => block.last > after); index < blocks.length; index += 1) {
      const block = blocks[index] as Block<Entry>
      if (block.first > position) return
      yield block
    }
  }

  const count = (after: number): number => {
    let sum = 0
    for (const block of blocksAfter(after)) {
      if (hasCount(block, after)) sum += block.liveCount
      else for (const _ of walkBlock(block, after)) sum += 1
    }
    return sum
  }

  function* walk(after: number, skip = 0, omit: readonly number[] = []): Generator<Entry, void, undefined> {
    let left = skip
    let omitted = 0
    for (const block of blocksAfter(after)) {
      if (hasCount(block, after)) {
        const omittedWithin = findFirst(omit, (candidate) => candidate > block.last) - omitted
        const listed = block.liveCount - omittedWithin
        if (left >= listed) {
          left -= listed
          omitted += omittedWithin
          continue
        }
      }
      for (const entry of walkBlock(block, after)) {
        if (omit[omitted] === entry.position) omitted += 1
        else if (left > 0) left -= 1
        else yield entry
      }
    }
  }

  return { count, walk }
}

/** A feed without entries. */
export const createFeed = <Entry extends FeedEntry>(): Feed<Entry> => {
  // Compaction replaces the list and its blocks, so that feeds captured by `at` keep theirs.
  let blocks: Block<Entry>[] = []

  const compact = (floor: number): number => {
    const kept = blocks.flatMap((block) => block.entries.filter((entry) => entry.replacedAt > floor))
    blocks = []
    for (const entry of kept) append(blocks, entry)
    return kept.length
  }

  return {
    append: (entry) => append(blocks, entry),
    noteReplaced: (entry) => noteReplaced(blocks, entry),
    at: (position) => feedAt(blocks, position),
    compact,
  }
}
