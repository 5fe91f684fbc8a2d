import { expect, test } from 'vitest'
import { createByteSemaphore } from './limits.ts'

/** Acquires a semaphore for each body and notes the bodies that got it. */
const acquireAll = (bodies: readonly (readonly [owner: string, bytes: number])[]) => {
  const semaphore = createByteSemaphore(100)
  const inside: string[] = []
  for (const [owner, bytes] of bodies) semaphore.acquire(owner, bytes).then(() => inside.push(`${owner}${bytes}`))
  return { semaphore, inside }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

test('bodies run while there is room, and others wait until some are released', async () => {
  const { semaphore, inside } = acquireAll([
    ['a', 60],
    ['b', 40],
    ['c', 10],
  ])
  await settle()
  const before = [...inside]

  semaphore.release(40)
  await settle()

  expect(before).toEqual(['a60', 'b40'])
  expect(inside).toEqual(['a60', 'b40', 'c10'])
})

test('a body above the maximum runs alone', async () => {
  const { semaphore, inside } = acquireAll([
    ['a', 10],
    ['b', 500],
    ['c', 10],
  ])
  await settle()
  const before = [...inside]

  semaphore.release(10)
  await settle()
  const alone = [...inside]
  semaphore.release(500)
  await settle()

  expect([before, alone, inside]).toEqual([['a10'], ['a10', 'b500'], ['a10', 'b500', 'c10']])
})

test('an owner with many bodies delays another owner by one of them', async () => {
  const { semaphore, inside } = acquireAll([
    ['a', 100],
    ['a', 99],
    ['a', 98],
    ['b', 97],
  ])
  for (const bytes of [100, 99, 97]) {
    await settle()
    semaphore.release(bytes)
  }
  await settle()

  expect(inside).toEqual(['a100', 'a99', 'b97', 'a98'])
})
