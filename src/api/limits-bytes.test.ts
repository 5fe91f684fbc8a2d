import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { type BodyBudgetOptions, createBodyBudget } from './limits.ts'

/** A room of 100 bytes, 60 for each, whose bodies are safe for 5 s; what happens in it is noted. */
const openRoom = (terms: Partial<BodyBudgetOptions> = {}) => {
  let now = 0
  const dropped: string[] = []
  const budget = createBodyBudget(
    { maxTotalBytes: 100, maxBytesPerOwner: 60, minSeconds: 5, errorKind: 'tooManyUnknownBytes', ...terms },
    () => now,
  )
  const hold = (owner: string, bytes: number, name = owner) => {
    const held = budget.open(owner, () => dropped.push(name))
    budget.add(held, bytes)
    return held
  }
  const passSeconds = (seconds: number) => {
    now += seconds * 1000
  }
  return { budget, hold, dropped, passSeconds }
}

const refused = new ApiError('tooManyUnknownBytes', { retryAfterSeconds: 5 })

test('bytes are counted until they are given back, which may be done again', () => {
  const { budget, hold } = openRoom()
  const held = hold('a', 10)
  budget.add(held, 20)

  expect([held.bytes, budget.heldBytes()]).toEqual([30, 30])
  budget.release(held)
  budget.release(held)
  expect([held.bytes, budget.heldBytes()]).toEqual([0, 0])
})

test('an owner has no more than a share, and what is refused is not counted', () => {
  const { budget, hold, dropped } = openRoom()
  hold('a', 60)

  expect(() => hold('a', 1)).toThrow(refused)
  expect([budget.heldBytes(), dropped]).toEqual([60, []])
})

test('whoever holds most makes room for one who holds less', () => {
  const { budget, hold, dropped } = openRoom()
  hold('a', 30, 'a1')
  hold('a', 30, 'a2')
  hold('b', 40)

  hold('c', 20)

  expect([budget.heldBytes(), dropped]).toEqual([90, ['a1']])
})

test('one who would hold most finds no room while the others are safe, and room of the oldest later', () => {
  const { budget, hold, dropped, passSeconds } = openRoom()
  hold('a', 30)
  hold('b', 30)

  expect(() => hold('c', 50)).toThrow(refused)
  passSeconds(6)
  hold('c', 50)

  expect([budget.heldBytes(), dropped]).toEqual([80, ['a']])
})

test('within one owner the oldest makes room when it is not safe any more, even for a larger one', () => {
  const { budget, hold, dropped, passSeconds } = openRoom()
  hold('a', 20, 'first')
  passSeconds(3)
  hold('a', 30, 'second')
  passSeconds(3)

  hold('a', 30, 'third')

  expect([budget.heldBytes(), dropped]).toEqual([60, ['first']])
})

test('a body never makes room for itself', () => {
  const { budget, hold, dropped, passSeconds } = openRoom()
  const slow = hold('a', 50)
  passSeconds(6)

  expect(() => budget.add(slow, 20)).toThrow(refused)
  expect([budget.heldBytes(), dropped]).toEqual([50, []])
})

test('several have to go when one is not enough', () => {
  const { budget, hold, dropped, passSeconds } = openRoom()
  for (const owner of ['a', 'b', 'c', 'd']) hold(owner, 25)
  passSeconds(6)

  hold('e', 60)

  expect([budget.heldBytes(), dropped]).toEqual([85, ['a', 'b', 'c']])
})

test('without a time after which they may go, bodies are always safe', () => {
  const terms = {
    maxTotalBytes: Number.POSITIVE_INFINITY,
    maxBytesPerOwner: 60,
    errorKind: 'tooManyUserBytes',
  } as const
  const budget = createBodyBudget(terms, () => 1e15)
  const dropped: string[] = []
  budget.add(
    budget.open('a', () => dropped.push('a')),
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
  expect([budget.heldBytes(), dropped]).toEqual([120, []])
})
