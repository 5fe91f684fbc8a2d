import { expect, test } from 'vitest'
import { chooseSizes, fillSizes } from './arguments.ts'

test('texts name the measured sizes, not the sizes of the goals', () => {
  const text = 'a listing of {large}, one of {middle}, {repeats} changes'

  expect(fillSizes(text, chooseSizes(false))).toBe('a listing of 1,000,000, one of 100,000, 300,000 changes')
  expect(fillSizes(text, chooseSizes(true))).toBe('a listing of 100,000, one of 10,000, 30,000 changes')
})
