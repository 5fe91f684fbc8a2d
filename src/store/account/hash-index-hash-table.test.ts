import { afterEach, expect, test, vi } from 'vitest'
import { createHashTable, type HashTable } from './hash-index.ts'

const listValues = (table: HashTable, hash: number): number[] => {
  const values: number[] = []
  for (let bucket = table.first(hash); bucket >= 0; bucket = table.next(bucket)) values.push(table.valueAt(bucket))
  return values.sort((a, b) => a - b)
}

test('whatever is added and removed, each hash has the same numbers as in a Map', () => {
  // Few hashes, close to each other and at the ends of the range, so that many collide.
  const hashes = [0, 1, 2, 15, 16, 17, 31, -1, -2, 0x7fffffff, -0x80000000, 1024, 1025]
  const table = createHashTable()
  const model = new Map<number, number[]>(hashes.map((hash) => [hash, []]))
  let random = 1
  const below = (end: number): number => {
    random = (random * 48_271) % 0x7fffffff
    return random % end
  }

  for (let step = 0; step < 5000; step += 1) {
    const hash = hashes[below(hashes.length)] as number
    const values = model.get(hash) as number[]
    const bucket = table.first(hash)
    if (below(5) < 3) {
      table.add(hash, step)
      values.push(step)
    } else if (bucket >= 0) {
      values.splice(values.indexOf(table.valueAt(bucket)), 1)
      table.removeAt(bucket)
    }
    if (step % 50 === 0) for (const [each, expected] of model) expect(listValues(table, each)).toEqual(expected)
  }
})

test('a large table has all its numbers, and no addition moved more than one part', () => {
  const sizes: number[] = []
  const Plain = Int32Array
  vi.stubGlobal(
    'Int32Array',
    class extends Plain {
      constructor(length: number) {
        super(length)
        sizes.push(length)
      }
    },
  )
  const table = createHashTable()
  const count = 200_000
  const hashOf = (value: number): number => Math.imul(value + 1, 0x9e3779b1) | 0

  for (let value = 0; value < count; value += 1) table.add(hashOf(value), value)

  const isThere = (value: number): boolean => listValues(table, hashOf(value)).includes(value)
  expect(Array.from({ length: count }, (_, value) => value).filter((value) => !isThere(value))).toEqual([])
  // A single array of 524,288 numbers would take tens of milliseconds to grow.
  expect(Math.max(...sizes)).toBeLessThan(20_000)
})

afterEach(() => vi.unstubAllGlobals())

test('a number replaces another number', () => {
  const table = createHashTable()
  table.add(5, 1)

  table.setValueAt(table.first(5), -7)

  expect(listValues(table, 5)).toEqual([-7])
})
