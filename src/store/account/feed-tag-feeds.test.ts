import { expect, test } from 'vitest'
import { runToEnd } from '../../scheduling.ts'
import { positionOf } from './block.ts'
import { createRowFeed, createTagFeeds, type RowFeed } from './feed.ts'

const listAt = (feed: RowFeed | undefined, position: number): number[] =>
  [...(feed?.at(position).walk(0) ?? [])].flatMap(({ block, rows }) => rows().map((row) => positionOf(block, row)))

test('a tag with few or many rows shows the same as a separate feed, at each position', () => {
  const feeds = createTagFeeds()
  const own = createRowFeed()
  let position = 0
  for (const rows of [1, 3, 8, 9, 40]) {
    while (position < rows) {
      position += 1
      for (const tag of ['a', 'b']) feeds.append(tag, position)
      own.append(position)
      if (position % 3 !== 0) continue
      for (const tag of ['a', 'b']) feeds.replace(tag, position - 2, position)
      own.replace(position - 2, position)
    }
    for (let at = 0; at <= position; at += 1) expect(listAt(feeds.get('a'), at)).toEqual(listAt(own, at))
  }

  runToEnd(feeds.sweep(20))
  runToEnd(own.sweep(20))

  for (let at = 20; at <= position; at += 1) expect(listAt(feeds.get('b'), at)).toEqual(listAt(own, at))
  const count = listAt(own, position).length
  const counts: [string, number][] = []
  runToEnd(feeds.countAt(position, (tag, rows) => counts.push([tag, rows])))
  expect(counts).toEqual([
    ['a', count],
    ['b', count],
  ])
  expect(['a', 'none'].map((tag) => feeds.countOf(tag, position))).toEqual([count, 0])
  expect([feeds.size, feeds.get('none')]).toEqual([2, undefined])
})

test('captured rows of a tag do not change, and a tag without things is dropped', () => {
  const feeds = createTagFeeds()
  feeds.append('lone', 1)
  const captured = feeds.get('lone')

  feeds.replace('lone', 1, 2)
  runToEnd(feeds.sweep(2))

  expect(listAt(captured, 1)).toEqual([1])
  expect([feeds.size, feeds.get('lone')]).toEqual([0, undefined])
})

test('200,000 tags of one thing each need no feed each', () => {
  const feeds = createTagFeeds()
  const before = process.memoryUsage()

  for (let n = 0; n < 200_000; n += 1) feeds.append(`tag${n}`, n + 1)

  const { heapUsed, arrayBuffers } = process.memoryUsage()
  expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(200_000 * 400)
  expect(feeds.size).toBe(200_000)
})

test('a tag that gets many rows between the steps of a sweep keeps all of them', () => {
  const feeds = createTagFeeds()
  for (let n = 1; n <= 1024; n += 1) feeds.append(`tag${n}`, n)
  feeds.append('tag1024', 1025)
  feeds.replace('tag1024', 1024, 1025)
  const sweeping = feeds.sweep(1025)

  sweeping.next()
  for (let position = 1026; position <= 1040; position += 1) feeds.append('tag1024', position)
  for (const _ of sweeping);

  expect(listAt(feeds.get('tag1024'), 1040)).toEqual(Array.from({ length: 16 }, (_, n) => 1025 + n))
})
