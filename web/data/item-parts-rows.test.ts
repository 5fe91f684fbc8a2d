import { expect, test } from 'vitest'
import { createRows } from './item-parts.ts'

const thing = { id: 'local', title: 'a', tags: 'x y x', date: 1, archived: false, isPending: true }

test('an item that gets its _id keeps its number, and a view that has its previous ID still finds it', () => {
  const rows = createRows()
  const { number } = rows.put(thing)

  expect(rows.rename('local', 'given')).toBe(true)
  rows.put({ ...thing, id: 'given', tags: 'x', isPending: false })

  expect([rows.findById('local')?.id, rows.findById('given')?.number, rows.count()]).toEqual(['given', number, 1])
  rows.remove('given')
  expect(rows.findById('local')).toBeUndefined()
  rows.put({ ...thing, id: 'given', tags: 'x' })
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
