import { expect, test } from 'vitest'
import { createIdIndex } from './hash-index.ts'

const strange = ['', ' ', '"', '\\', 'é', '€', '😀', '\ud800', '\ud801', '\ufffd', '__proto__', 'x'.repeat(10_000)]

test('each id keeps its own slot, whatever its characters and its length', () => {
  const ids = createIdIndex()
  const all = [...strange, ...Array.from({ length: 5000 }, (_, n) => `id ${n}`)]

  const slots = all.map(ids.take)

  expect(slots).toEqual(all.map((_, index) => index))
  expect(all.map(ids.take)).toEqual(slots)
  expect(all.map(ids.find)).toEqual(slots)
  expect(slots.map(ids.idOf)).toEqual(all)
  expect(ids.find('another')).toBeUndefined()
  expect(ids.size()).toBe(all.length)
})

test('an id as text and the same id as JSON in the bytes of a file are equal', () => {
  const ids = createIdIndex()
  const bytes = Buffer.from(`before${JSON.stringify('é"1')}behind`)
  const end = bytes.length - 'behind'.length

  const slot = ids.takeJson(bytes, 'before'.length, end)

  expect(ids.find('é"1')).toBe(slot)
  expect(ids.takeJson(bytes, 'before'.length, end)).toBe(slot)
  expect(ids.idOf(slot)).toBe('é"1')
})

test('a slot has the newest version that was set, 0 before', () => {
  const ids = createIdIndex()
  const slots = Array.from({ length: 3000 }, (_, n) => ids.take(String(n)))

  for (const slot of slots.slice(1)) ids.setNewest(slot, slot % 2 === 0 ? slot * 2 ** 33 : -slot)

  expect(slots.map(ids.newestOf)).toEqual(slots.map((slot) => (slot % 2 === 0 ? slot * 2 ** 33 : -slot) || 0))
})
