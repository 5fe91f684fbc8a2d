import { expect, test } from 'vitest'
import { createFeed, type Feed, type FeedEntry } from './feed.ts'

interface Counted {
  readonly feed: Feed<FeedEntry>
  /** Entries that were looked at since it was last asked. */
  readonly takeVisits: () => number
  readonly append: (position: number) => FeedEntry
  readonly replace: (entry: FeedEntry, position: number) => void
}

const createCountedFeed = (): Counted => {
  const feed = createFeed<FeedEntry>()
  let visits = 0
  const append = (position: number): FeedEntry => {
    let replacedAt = Number.POSITIVE_INFINITY
    const entry: FeedEntry = {
      get position() {
        visits += 1
        return position
      },
      get replacedAt() {
        return replacedAt
      },
      set replacedAt(value) {
        replacedAt = value
      },
    }
    feed.append(entry)
    return entry
  }
  return {
    feed,
    append,
    takeVisits: () => {
      const taken = visits
      visits = 0
      return taken
    },
    replace: (entry, position) => {
      entry.replacedAt = position
      feed.noteReplaced(entry)
    },
  }
}

const costOf = ({ takeVisits }: Counted, work: () => unknown): number => {
  takeVisits()
  work()
  return takeVisits()
}

const fill = (length: number): Counted => {
  const counted = createCountedFeed()
  for (let position = 1; position <= length; position += 1) counted.append(position)
  return counted
}

test('a delta of ten costs the same in a small and in a large feed', () => {
  const costs = [1_000, 100_000].map((length) => {
    const counted = fill(length)
    return costOf(counted, () => {
      const at = counted.feed.at(length)
      expect(at.count(length - 10)).toBe(10)
      expect([...at.walk(length - 10)]).toHaveLength(10)
    })
  })

  expect(Math.max(...costs)).toBeLessThan(150)
})

test('300,000 changes of one thing do not slow the delta that spans them', () => {
  const counted = fill(10)
  let last = counted.append(11)
  for (let position = 12; position <= 300_000; position += 1) {
    const next = counted.append(position)
    counted.replace(last, position)
    last = next
  }

  const cost = costOf(counted, () => {
    const at = counted.feed.at(300_000)
    expect(at.count(5)).toBe(6)
    expect(Array.from(at.walk(5), (entry) => entry.position)).toEqual([6, 7, 8, 9, 10, 300_000])
  })

  // The first and the last block are walked twice, those between not at all.
  expect(cost).toBeLessThan(4 * 1024)
})

test('a page far behind is reached by the counts of the blocks', () => {
  const counted = fill(100_000)

  const cost = costOf(counted, () => {
    const omit = [5, 50_000, 90_001]
    const page = counted.feed.at(100_000).walk(0, 90_000, omit)
    expect([page.next(), page.next()].map(({ value }) => value?.position)).toEqual([90_004, 90_005])
  })

  expect(cost).toBeLessThan(2 * 1024)
})

test('a feed captured at a position lists the same after appends, replacements and compaction', () => {
  const counted = createCountedFeed()
  const entries = Array.from({ length: 5000 }, (_, index) => counted.append(index + 1))
  const at = counted.feed.at(5000)
  const begun = at.walk(0, 10)
  begun.next()

  for (const [index, entry] of entries.entries()) {
    counted.append(5001 + index)
    counted.replace(entry, 5001 + index)
  }
  counted.feed.compact(10_000)

  expect([...begun]).toEqual(entries.slice(11))
  expect(at.count(0)).toBe(5000)
  expect([...at.walk(4990)]).toEqual(entries.slice(4990))
  expect(counted.feed.at(10_000).count(0)).toBe(5000)
})

test('compaction keeps what positions above its floor need', () => {
  const counted = createCountedFeed()
  const [first, second, third] = [counted.append(1), counted.append(2), counted.append(3)]
  counted.replace(first, 4)
  counted.append(4)
  counted.replace(second, 5)
  counted.append(5)

  expect(counted.feed.compact(4)).toBe(4)

  expect([...counted.feed.at(4).walk(0)].slice(0, 2)).toEqual([second, third])
  expect(counted.feed.at(4).count(0)).toBe(3)
  expect(counted.feed.at(5).count(0)).toBe(3)
})
