import fc from 'fast-check'
import { expect, test } from 'vitest'
import { appendRow, type Block, createBlock, positionOf } from './block.ts'
import { countJoinedRows, createFeed, type Feed, type FeedAt, type FeedPage, rowKind } from './feed.ts'

/** Blocks of four rows, so that a few rows fill many blocks. */
const smallKind = {
  ...rowKind(2),
  isFull: (block: Block) => block.length === 4,
  isSmall: (parts: Parameters<typeof countJoinedRows>[0]) => countJoinedRows(parts) <= 2,
}

const listPositions = (at: FeedAt<Block>, after: number, page: FeedPage): readonly number[] =>
  [...at.walk(after, page)].flatMap(({ block, rows }) => rows().map((row) => positionOf(block, row)))

/** A feed, and a plain list of the living rows at each position as its model. */
const createPair = () => {
  const feed: Feed<Block> = createFeed(smallKind)
  const living: (readonly number[])[] = [[]]
  const add = (replaced: number | undefined): void => {
    const position = living.length
    const before = living.at(-1) as readonly number[]
    appendRow(feed.openBlock(0), position, [])
    if (replaced !== undefined && before.length > 0) {
      const removed = before[replaced % before.length] as number
      feed.replace(removed, position)
      living.push([...before.filter((other) => other !== removed), position])
    } else living.push([...before, position])
  }
  return { feed, living, add }
}

const step = fc.oneof(
  { weight: 10, arbitrary: fc.record({ replaced: fc.option(fc.nat(), { nil: undefined }) }) },
  { weight: 2, arbitrary: fc.record({ captured: fc.nat() }) },
  { weight: 1, arbitrary: fc.constant('sweep' as const) },
)

test('a feed lists and counts the rows of any position, whatever is appended, replaced and swept', () => {
  const query = fc.record({ after: fc.nat(80), skip: fc.nat(40), limit: fc.nat(40), omitted: fc.nat(5) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.array(query, { maxLength: 5 }), (steps, queries) => {
      const { feed, living, add } = createPair()
      const captured: { at: FeedAt<Block>; position: number }[] = []
      let floor = 0
      for (const next of steps) {
        if (next === 'sweep') {
          floor = living.length - 1
          for (const _ of feed.sweep(floor));
        } else if ('captured' in next) {
          const position = floor + (next.captured % (living.length - floor))
          captured.push({ at: feed.at(position), position })
        } else add(next.replaced)
      }

      for (const { at, position } of captured) {
        for (const { after, skip, limit, omitted } of queries) {
          const matching = (living[position] as readonly number[]).filter((other) => other > after)
          const omit = matching.filter((_, index) => index % 5 < omitted)
          const page = matching.filter((other) => !omit.includes(other)).slice(skip, skip + limit)
          expect(at.count(after)).toBe(matching.length)
          expect(listPositions(at, after, { omit, skip, limit })).toEqual(page)
        }
      }
    }),
    { numRuns: 500 },
  )
})

/** A feed whose blocks count the accesses. */
const createCountedFeed = () => {
  let accessCount = 0
  const open = (): Block =>
    new Proxy(createBlock(2), {
      get: (block, name, self) => {
        accessCount += 1
        return Reflect.get(block, name, self)
      },
    })
  const feed = createFeed({ ...smallKind, open })
  const takeAccessCount = (): number => {
    const taken = accessCount
    accessCount = 0
    return taken
  }
  return { feed, takeAccessCount }
}

test('of thousands of blocks, only the blocks at the ends of a page are read', () => {
  const { feed, takeAccessCount } = createCountedFeed()
  for (let position = 1; position <= 20_000; position += 1) appendRow(feed.openBlock(0), position, [])
  for (let position = 20_001; position <= 30_000; position += 1) {
    appendRow(feed.openBlock(0), position, [])
    feed.replace(position - 1, position)
  }
  const at = feed.at(30_000)
  takeAccessCount()

  expect(at.count(0)).toBe(20_000)
  expect(listPositions(at, 0, { skip: 18_000, limit: 2 })).toEqual([18_001, 18_002])
  expect(listPositions(at, 19_998, {})).toEqual([19_999, 30_000])

  expect(takeAccessCount()).toBeLessThan(400)
})

test('the rows of an earlier position are counted once for all its pages', () => {
  const { feed, takeAccessCount } = createCountedFeed()
  for (let position = 1; position <= 10_000; position += 1) appendRow(feed.openBlock(0), position, [])
  for (let position = 10_001; position <= 15_000; position += 1) {
    appendRow(feed.openBlock(0), position, [])
    feed.replace((position - 10_000) * 2, position)
  }
  expect(feed.at(10_000).count(0)).toBe(10_000)
  takeAccessCount()

  expect(feed.at(10_000).count(0)).toBe(10_000)
  expect(listPositions(feed.at(10_000), 0, { skip: 9_000, limit: 2 })).toEqual([9_001, 9_002])

  expect(takeAccessCount()).toBeLessThan(400)
})
