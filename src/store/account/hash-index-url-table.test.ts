import { expect, test } from 'vitest'
import { createUrlTable } from './hash-index.ts'

test('a hash has the slots that were added and not removed, one or many', () => {
  const urls = createUrlTable()
  for (const slot of [1, 2, 3]) urls.add(10, slot)
  urls.add(11, 4)
  urls.add(12, 5)

  urls.remove(10, 2)
  urls.remove(11, 4)
  urls.remove(11, 4)
  urls.remove(12, 99)

  expect([...urls.find(10)]).toEqual([1, 3])
  expect([...urls.find(11)]).toEqual([])
  expect([...urls.find(12)]).toEqual([5])
})

test('a hash that lost all of its many slots can get one again', () => {
  const urls = createUrlTable()
  for (const slot of [0, 1]) urls.add(10, slot)
  for (const slot of [0, 1]) urls.remove(10, slot)

  urls.add(10, 0)

  expect([...urls.find(10)]).toEqual([0])
})

test('thousands of things with one URL cost no more than with different URLs', () => {
  const urls = createUrlTable()
  const count = 200_000
  const start = performance.now()

  for (let slot = 0; slot < count; slot += 1) urls.add(10, slot)
  for (let slot = 0; slot < count; slot += 1) urls.remove(10, slot)

  // A scan of all of them each time would take minutes.
  expect(performance.now() - start).toBeLessThan(5000)
  expect([...urls.find(10)]).toEqual([])
})
