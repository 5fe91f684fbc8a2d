import { expect, test } from 'vitest'
import { openChangeTimes } from './shared-texts.ts'

/** A draft in memory. */
const createDraft = () => {
  let text = ''
  return {
    read: () => text,
    write: (next: string) => {
      text = next
      return true
    },
  }
}

test('the last changes survive a visit, the latest last, under the present IDs', () => {
  const draft = createDraft()
  let now = 1_000
  const times = openChangeTimes(draft, () => now)

  times.note(['a', 'b'])
  now = 2_000
  times.note(['a'])
  times.rename('b', 'server b')
  times.rename('unknown', 'c')

  expect([...openChangeTimes(draft, () => now).list()]).toEqual([
    ['a', 2],
    ['server b', 1],
  ])
})

test('only the latest 300 changes are kept', () => {
  const draft = createDraft()
  const times = openChangeTimes(draft, () => 0)

  times.note(Array.from({ length: 301 }, (_, index) => `id${index}`))

  expect([...times.list()].length).toBe(300)
  expect([...times.list()][0]).toEqual(['id1', 0])
})
