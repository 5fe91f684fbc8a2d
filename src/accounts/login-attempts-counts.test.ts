import { expect, test } from 'vitest'
import { createFailureCounts } from './login-attempts.ts'

const openCounts = (mostKeys = 1000) => {
  const clock = { now: 1 }
  return { clock, counts: createFailureCounts(60, mostKeys, () => clock.now) }
}

test('failures are counted within a window that begins with the first', () => {
  const { clock, counts } = openCounts()

  expect([counts.add('a'), counts.add('a')]).toEqual([1, 2])
  clock.now += 40_000
  expect([counts.add('a'), counts.msLeft('a'), counts.count('b'), counts.msLeft('b')]).toEqual([3, 20_000, 0, 0])
  clock.now += 20_001

  expect([counts.count('a'), counts.msLeft('a'), counts.add('a')]).toEqual([0, 0, 1])
})

test('a forgotten key counts from the beginning', () => {
  const { counts } = openCounts()
  for (const key of ['once', 'twice', 'twice']) counts.add(key)

  for (const key of ['once', 'twice']) counts.forget(key)

  expect([counts.count('once'), counts.count('twice')]).toEqual([0, 0])
})

test('a flood of new keys evicts no key that failed again, and needs no more memory', () => {
  const { counts } = openCounts(1000)
  for (let time = 0; time < 10; time++) counts.add('attacker')
  counts.add('first')

  for (let index = 0; index < 100_000; index++) counts.add(`fresh ${index}`)

  expect(counts.count('attacker')).toBe(10)
  expect(counts.count('first')).toBe(0)
  const kept = Array.from({ length: 100_000 }, (_, index) => counts.count(`fresh ${index}`))
  expect(kept.reduce((sum, count) => sum + count, 0)).toBe(500)
})
