import { expect, test } from 'vitest'
import { createByteSemaphore } from './limits.ts'

/** Enters a gate with each body and notes who was let in. */
const enterAll = (bodies: readonly (readonly [owner: string, bytes: number])[]) => {
  const gate = createByteSemaphore(100)
  const inside: string[] = []
  for (const [owner, bytes] of bodies) gate.acquire(owner, bytes).then(() => inside.push(`${owner}${bytes}`))
  return { gate, inside }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('bodies go in while there is room, the rest waits until some leave', async () => {
  const { gate, inside } = enterAll([
    ['a', 60],
    ['b', 40],
    ['c', 10],
  ])
  await settle()
  const before = [...inside]

  gate.release(40)
  await settle()

  expect(before).toEqual(['a60', 'b40'])
  expect(inside).toEqual(['a60', 'b40', 'c10'])
})

test('a body that is larger than the room goes in alone', async () => {
  const { gate, inside } = enterAll([
    ['a', 10],
    ['b', 500],
    ['c', 10],
  ])
  await settle()
  const before = [...inside]

  gate.release(10)
  await settle()
  const alone = [...inside]
  gate.release(500)
  await settle()

  expect([before, alone, inside]).toEqual([['a10'], ['a10', 'b500'], ['a10', 'b500', 'c10']])
})

test('one with many bodies delays another by one of them', async () => {
  const { gate, inside } = enterAll([
    ['a', 100],
    ['a', 99],
    ['a', 98],
    ['b', 97],
  ])
  for (const bytes of [100, 99, 97]) {
    await settle()
    gate.release(bytes)
  }
  await settle()

  expect(inside).toEqual(['a100', 'a99', 'b97', 'a98'])
})
