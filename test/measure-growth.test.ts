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
  expect((await measureGrowth(repeat, sumCodes, 1_000_000)).growth).toBeLessThan(maxLinearGrowth)
})

test('work in quadratic time grows by more than the limit, and is not run at its full size', async () => {
  let largest = 0
  const compareAll = (text: string) => {
    largest = Math.max(largest, text.length)
    let same = 0
    for (let at = 0; at < text.length; at += 1)
      for (let other = 0; other < text.length; other += 1) if (text.charCodeAt(at) === text.charCodeAt(other)) same += 1
    return same
  }
  expect((await measureGrowth(repeat, compareAll, 50_000)).growth).toBeGreaterThan(maxLinearGrowth)
  expect(largest).toBeLessThan(50_000)
})
