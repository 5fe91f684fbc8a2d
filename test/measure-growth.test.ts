import { expect, test } from 'vitest'
import { maxLinearGrowth, measureGrowth } from './measure-growth.ts'

const repeat = (size: number) => 'x'.repeat(size)

test('work in linear time grows by less than the limit', async () => {
  const sumCodes = (text: string) => {
    let sum = 0
    for (let pass = 0; pass < 20; pass += 1)
      for (let at = 0; at < text.length; at += 1) sum = (sum + text.charCodeAt(at) * at) | 0
    return sum
  }
  const { growth, milliseconds } = await measureGrowth(repeat, sumCodes, 1_000_000)

  expect(growth).toBeLessThan(maxLinearGrowth)
  expect(milliseconds).toBeGreaterThan(0)
})

/** Measures work whose time follows from its input, so that no machine is too fast or too busy for the test. */
const measureCost = async (cost: (characters: number) => number) => {
  let largest = 0
  const timeOnce = async (_: unknown, { length }: string) => {
    largest = Math.max(largest, length)
    return cost(length)
  }
  return { ...(await measureGrowth(repeat, () => undefined, 64_000, { timeOnce })), largest }
}

test('work in quadratic time grows by more than the limit, and is not run at its full size', async () => {
  expect(await measureCost((characters) => (characters / 1_000) ** 2)).toEqual({
    growth: 16,
    milliseconds: 256,
    size: 16_000,
    largest: 16_000,
  })
})

test('a step that is steep only in some runs counts by its shortest times', async () => {
  let runs = 0
  const { growth } = await measureCost((characters) => (characters / 100) * (runs++ % 3 === 0 ? 10 : 1))

  expect(growth).toBe(4)
})

test('steep growth below the shortest time that counts is no growth', async () => {
  const collections = (characters: number) => (characters < 64_000 ? 4 : 57)
  const timeOnce = async (_: unknown, { length }: string) => collections(length)
  const noted = async (minMilliseconds: number) =>
    (await measureGrowth(repeat, () => undefined, 64_000, { timeOnce, minMilliseconds })).growth

  expect([await noted(25), await noted(100)]).toEqual([9.12, 1])
})
