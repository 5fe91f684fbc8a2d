import { expect, test } from 'vitest'
import { appendRow, type Block, createBlock, type ListedRows, positionOf } from './block.ts'
import { createFeed, createRowFeed, type Feed, rowKind } from './feed.ts'

interface Counted {
  readonly feed: Feed<Block>
  /** Number of cells that were read since the last call. */
  readonly takeVisits: () => number
}

/** A block that counts the reads of its cells. */
const countVisits = (block: Block, visit: () => void): Block => {
  let { cells } = block
  return Object.defineProperty(block, 'cells', {
    get: () => {
      visit()
      return cells
    },
    set: (grown: Float64Array) => {
      cells = grown
    },
  })
}

const createCountedFeed = (length: number): Counted => {
  let visits = 0
  const kind = rowKind(2)
  const open = (): Block =>
    countVisits(createBlock(2), () => {
      visits += 1
    })
  const feed = createFeed({ ...kind, open })
  for (let position = 1; position <= length; position += 1) appendRow(feed.openBlock(0), position, [])
  const takeVisits = (): number => {
    const taken = visits
    visits = 0
    return taken
  }
  return { feed, takeVisits }
}

const costOf = ({ takeVisits }: Counted, work: () => unknown): number => {
  takeVisits()
  work()
  return takeVisits()
}

const listPositions = (walk: Iterable<ListedRows<Block>>): readonly number[] =>
  [...walk].flatMap(({ block, rows }) => rows().map((row) => positionOf(block, row)))

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

test('an incremental sync of ten costs the same in a small and in a large feed', () => {
  const costs = [1_000, 100_000].map((length) => {
    const counted = createCountedFeed(length)
    return costOf(counted, () => {
      const at = counted.feed.at(length)
      expect(at.count(length - 10)).toBe(10)
      expect(listPositions(at.walk(length - 10))).toHaveLength(10)
    })
  })

  expect(Math.max(...costs)).toBeLessThan(250)
})

test('300,000 changes of one thing do not slow the incremental sync across them', () => {
  const counted = createCountedFeed(11)
  for (let position = 12; position <= 300_000; position += 1) {
    appendRow(counted.feed.openBlock(0), position, [])
    counted.feed.replace(position - 1, position)
  }

  const cost = costOf(counted, () => {
    const at = counted.feed.at(300_000)
    expect(at.count(5)).toBe(6)
    expect(listPositions(at.walk(5))).toEqual([6, 7, 8, 9, 10, 300_000])
  })

  // The first and the last block are walked twice, the blocks between them not at all.
  expect(cost).toBeLessThan(12 * 1024)
})

test('a page far into the feed is found by the counts of the blocks', () => {
  const counted = createCountedFeed(100_000)

  const cost = costOf(counted, () => {
    const page = counted.feed.at(100_000).walk(0, { skip: 90_000, limit: 2, omit: [5, 50_000, 90_001] })
    expect(listPositions(page)).toEqual([90_004, 90_005])
  })

  expect(cost).toBeLessThan(4 * 1024)
})

test('a feed captured at a position lists the same after rows are added, replaced and swept', () => {
  const feed = createRowFeed()
  for (const position of range(1, 5000)) feed.append(position)
  const at = feed.at(5000)
  const begun = at.walk(0, { skip: 10 })
  const { value: first } = begun.next()

  for (const position of range(1, 5000)) {
    feed.append(5000 + position)
    feed.replace(position, 5000 + position)
  }
  for (const _ of feed.sweep(10_000));

  expect(listPositions(first === undefined ? begun : [first, ...begun])).toEqual(range(11, 5000))
  expect(at.count(0)).toBe(5000)
  expect(listPositions(at.walk(4990))).toEqual(range(4991, 5000))
  expect(at.find(17)).toBeDefined()
  expect(feed.find(17)).toBeUndefined()
  expect(feed.at(10_000).count(0)).toBe(5000)
})

test('a sweep keeps the rows that positions above its floor need', () => {
  const feed = createRowFeed()
  for (const position of [1, 2, 3]) feed.append(position)
  feed.append(4)
  feed.replace(1, 4)
  feed.append(5)
  feed.replace(2, 5)

  for (const _ of feed.sweep(4));

  expect(listPositions(feed.at(4).walk(0))).toEqual([2, 3, 4])
  expect(listPositions(feed.at(5).walk(0))).toEqual([3, 4, 5])
  expect(feed.at(4).count(0)).toBe(3)
  expect(feed.at(5).count(0)).toBe(3)
})

test('a sweep joins blocks that became small, even if rows are added between its steps', () => {
  const feed = createRowFeed()
  for (const position of range(1, 10_000)) feed.append(position)
  const isKept = (position: number): boolean => position % 100 === 0
  let last = 10_000
  for (const position of range(1, 10_000)) {
    if (isKept(position)) continue
    last += 1
    feed.replace(position, last)
  }

  let steps = 0
  for (const _ of feed.sweep(last)) {
    steps += 1
    last += 1
    feed.append(last)
  }

  const kept = range(1, 10_000).filter(isKept)
  const added = range(last - steps + 1, last)
  expect(steps).toBe(10)
  expect(listPositions(feed.at(last).walk(0))).toEqual([...kept, ...added])
  expect(feed.blocks()).toHaveLength(1)
  expect(kept.map((position) => feed.find(position)?.row)).toEqual(range(0, kept.length - 1))
})
