import { expect, test } from 'vitest'
import { createRows } from './item-parts.ts'

const thing = { id: 'local', title: 'a', tags: 'x y x', date: 1, archived: false, isPending: true }

test('an item that gets its _id keeps its number', () => {
  const rows = createRows()
  const { number } = rows.put(thing)

  expect(rows.rename('local', 'given')).toBe(true)
  rows.put({ ...thing, id: 'given', tags: 'x', isPending: false })

  expect([rows.findById('local'), rows.findById('given')?.number, rows.count()]).toEqual([undefined, number, 1])
  expect(rows.tagCounts()).toEqual(new Map([['x', 1]]))
})

test('no two rows get the same _id', () => {
  const rows = createRows()
  rows.put(thing)
  rows.put({ ...thing, id: 'given' })

  expect(rows.rename('local', 'given')).toBe(false)
  rows.remove('local')
  expect([rows.count(), rows.tagCounts().get('x')]).toEqual([1, 1])
})
