import { expect, test } from 'vitest'
import { Refused } from '../refused.ts'
import { createBodyRoom, type RoomTerms } from './body-room.ts'

/** A room of 100 bytes, 60 for each, whose bodies are safe for 5 s; what happens in it is noted. */
const openRoom = (terms: Partial<RoomTerms> = {}) => {
  let now = 0
  const dropped: string[] = []
  const room = createBodyRoom(
    { total: 100, each: 60, safeSeconds: 5, refusal: 'tooManyUnknownBytes', ...terms },
    () => now,
  )
  const hold = (owner: string, bytes: number, name = owner) => {
    const held = room.open(owner, () => dropped.push(name))
    room.add(held, bytes)
    return held
  }
  const passSeconds = (seconds: number) => {
    now += seconds * 1000
  }
  return { room, hold, dropped, passSeconds }
}

const refused = new Refused('tooManyUnknownBytes', { retryAfterSeconds: 5 })

test('bytes are counted until they are given back, which may be done again', () => {
  const { room, hold } = openRoom()
  const held = hold('a', 10)
  room.add(held, 20)

  expect([held.bytes, room.heldBytes()]).toEqual([30, 30])
  room.release(held)
  room.release(held)
  expect([held.bytes, room.heldBytes()]).toEqual([0, 0])
})

test('an owner has no more than a share, and what is refused is not counted', () => {
  const { room, hold, dropped } = openRoom()
  hold('a', 60)

  expect(() => hold('a', 1)).toThrow(refused)
  expect([room.heldBytes(), dropped]).toEqual([60, []])
})

test('whoever holds most makes room for one who holds less', () => {
  const { room, hold, dropped } = openRoom()
  hold('a', 30, 'a1')
  hold('a', 30, 'a2')
  hold('b', 40)

  hold('c', 20)

  expect([room.heldBytes(), dropped]).toEqual([90, ['a1']])
})

test('one who would hold most finds no room while the others are safe, and room of the oldest later', () => {
  const { room, hold, dropped, passSeconds } = openRoom()
  hold('a', 30)
  hold('b', 30)

  expect(() => hold('c', 50)).toThrow(refused)
  passSeconds(6)
  hold('c', 50)

  expect([room.heldBytes(), dropped]).toEqual([80, ['a']])
})

test('within one owner the oldest makes room when it is not safe any more, even for a larger one', () => {
  const { room, hold, dropped, passSeconds } = openRoom()
  hold('a', 20, 'first')
  passSeconds(3)
  hold('a', 30, 'second')
  passSeconds(3)

  hold('a', 30, 'third')

  expect([room.heldBytes(), dropped]).toEqual([60, ['first']])
})

test('a body never makes room for itself', () => {
  const { room, hold, dropped, passSeconds } = openRoom()
  const slow = hold('a', 50)
  passSeconds(6)

  expect(() => room.add(slow, 20)).toThrow(refused)
  expect([room.heldBytes(), dropped]).toEqual([50, []])
})

test('several have to go when one is not enough', () => {
  const { room, hold, dropped, passSeconds } = openRoom()
  for (const owner of ['a', 'b', 'c', 'd']) hold(owner, 25)
  passSeconds(6)

  hold('e', 60)

  expect([room.heldBytes(), dropped]).toEqual([85, ['a', 'b', 'c']])
})

test('without a time after which they may go, bodies are always safe', () => {
  const terms = { total: Number.POSITIVE_INFINITY, each: 60, refusal: 'tooManyUserBytes' } as const
  const room = createBodyRoom(terms, () => 1e15)
  const dropped: string[] = []
  room.add(
    room.open('a', () => dropped.push('a')),
    60,
  )

  expect(() =>
    room.add(
      room.open('a', () => undefined),
      1,
    ),
  ).toThrow('Too many large requests of this user')
  room.add(
    room.open('b', () => undefined),
    60,
  )
  expect([room.heldBytes(), dropped]).toEqual([120, []])
})
