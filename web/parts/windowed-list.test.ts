import { expect, test } from 'vitest'
import { createListLayout, findMonths } from './windowed-list.tsx'

const day = 86_400
const newest = new Date(2026, 10, 28, 12).getTime() / 1000

test('months of a long list are found from few dates, in both directions', () => {
  let reads = 0
  const dateAt = (index: number) => {
    reads++
    return newest - index * 60
  }

  const headings = findMonths(100_000, dateAt)
  const readCount = reads
  const oldestFirst = findMonths(100_000, (index) => newest - (99_999 - index) * 60)

  expect(readCount).toBeLessThan(100)
  expect(headings.map(({ date }) => new Date(date * 1000).getMonth())).toEqual([9, 8])
  const monthAt = (index: number) => new Date(dateAt(index) * 1000).getMonth()
  for (const { index } of headings) expect(monthAt(index)).not.toBe(monthAt(index - 1))
  expect(oldestFirst.map(({ date }) => new Date(date * 1000).getMonth())).toEqual([9, 10])
})

test('short lists, lists of one month and invalid dates have no headings', () => {
  expect(findMonths(19, (index) => newest - index * 40 * day)).toEqual([])
  expect(findMonths(25, (index) => newest - index)).toEqual([])
  expect(findMonths(25, (index) => 1e18 - index)).toEqual([])
})

test('each row is below the headings before it, and each position finds its row', () => {
  const layout = createListLayout(5, [
    { index: 0, date: 3 },
    { index: 2, date: 2 },
    { index: 3, date: 1 },
  ])

  expect(layout.height).toBe(6.5)
  expect([0, 1, 2, 3, 4].map(layout.topOf)).toEqual([0, 1.5, 2.5, 4, 5.5])
  expect([0, 1, 2, 3, 4].map((index) => layout.headingAt(index)?.date)).toEqual([3, undefined, 2, 1, undefined])
  expect([-1, 0, 0.4, 0.6, 1.5, 2.4, 2.6, 3.1, 3.9, 4, 5.4, 5.5, 9].map(layout.indexAt)).toEqual([
    0, 0, 0, 0, 1, 1, 2, 2, 2, 3, 3, 4, 4,
  ])
})

test('a list without headings has one row after the other', () => {
  const layout = createListLayout(3, [])

  expect([layout.height, layout.topOf(2), layout.indexAt(1.9), layout.headingAt(0)]).toEqual([3, 2, 1, undefined])
})
