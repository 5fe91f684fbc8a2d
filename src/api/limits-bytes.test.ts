import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { type BodyBudgetOptions, createBodyBudget } from './limits.ts'

/** Creates a budget of 100 bytes, 60 for each owner, whose bodies are safe for 5 s. It notes evictions. */
const openBudget = (options: Partial<BodyBudgetOptions> = {}) => {
  let now = 0
  const evicted: string[] = []
  const budget = createBodyBudget(
    { maxTotalBytes: 100, maxBytesPerOwner: 60, minSeconds: 5, errorKind: 'tooManyUnknownBytes', ...options },
    () => now,
  )
  const hold = (owner: string, bytes: number, name = owner) => {
    const held = budget.open(owner, () => evicted.push(name))
    budget.add(held, bytes)
    return held
  }
  const passSeconds = (seconds: number) => {
    now += seconds * 1000
  }
  return { budget, hold, evicted, passSeconds }
}

const noRoomError = new ApiError('tooManyUnknownBytes', { retryAfterSeconds: 5 })

test('bytes are counted until their release, and a second release does nothing', () => {
  const { budget, hold } = openBudget()
  const held = hold('a', 10)
  budget.add(held, 20)

  expect([held.bytes, budget.heldBytes()]).toEqual([30, 30])
  budget.release(held)
  budget.release(held)
  expect([held.bytes, budget.heldBytes()]).toEqual([0, 0])
})

test('an owner cannot exceed its share, and rejected bytes are not counted', () => {
  const { budget, hold, evicted } = openBudget()
  hold('a', 60)

  expect(() => hold('a', 1)).toThrow(noRoomError)
  expect([budget.heldBytes(), evicted]).toEqual([60, []])
})

test('the owner with the most bytes gives way to an owner with fewer', () => {
  const { budget, hold, evicted } = openBudget()
  hold('a', 30, 'a1')
  hold('a', 30, 'a2')
  hold('b', 40)

  hold('c', 20)

  expect([budget.heldBytes(), evicted]).toEqual([90, ['a1']])
})

test('an owner that would hold the most gets no room while others are safe, and evicts the oldest later', () => {
  const { budget, hold, evicted, passSeconds } = openBudget()
  hold('a', 30)
  hold('b', 30)

  expect(() => hold('c', 50)).toThrow(noRoomError)
  passSeconds(6)
  hold('c', 50)

  expect([budget.heldBytes(), evicted]).toEqual([80, ['a']])
})

test('within an owner the oldest unsafe body gives way, even to a larger one', () => {
  const { budget, hold, evicted, passSeconds } = openBudget()
  hold('a', 20, 'first')
  passSeconds(3)
  hold('a', 30, 'second')
  passSeconds(3)

  hold('a', 30, 'third')

  expect([budget.heldBytes(), evicted]).toEqual([60, ['first']])
})

test('a body never evicts itself', () => {
  const { budget, hold, evicted, passSeconds } = openBudget()
  const slow = hold('a', 50)
  passSeconds(6)

  expect(() => budget.add(slow, 20)).toThrow(noRoomError)
  expect([budget.heldBytes(), evicted]).toEqual([50, []])
})

test('several bodies are evicted when a single one is not enough', () => {
  const { budget, hold, evicted, passSeconds } = openBudget()
  for (const owner of ['a', 'b', 'c', 'd']) hold(owner, 25)
  passSeconds(6)

  hold('e', 60)

  expect([budget.heldBytes(), evicted]).toEqual([85, ['a', 'b', 'c']])
})

test('without minSeconds bodies are always safe', () => {
  const options = {
    maxTotalBytes: Number.POSITIVE_INFINITY,
    maxBytesPerOwner: 60,
    errorKind: 'tooManyUserBytes',
  } as const
  const budget = createBodyBudget(options, () => 1e15)
  const evicted: string[] = []
  budget.add(
    budget.open('a', () => evicted.push('a')),
    60,
  )

  expect(() =>
    budget.add(
      budget.open('a', () => undefined),
      1,
    ),
  ).toThrow('Too many large requests of this user')
  budget.add(
    budget.open('b', () => undefined),
    60,
  )
  expect([budget.heldBytes(), evicted]).toEqual([120, []])
})
