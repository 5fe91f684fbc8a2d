import { expect, test } from 'vitest'
import { needsRound } from './measure-row.ts'

test('a row whose rounds are short is measured as often as was asked for', () => {
  expect(needsRound(4, 5, 10)).toBe(true)
  expect(needsRound(5, 5, 10)).toBe(false)
})

test('a row whose rounds are long is measured three times and no more', () => {
  expect(needsRound(2, 5, 1000)).toBe(true)
  expect(needsRound(3, 5, 1000)).toBe(false)
})

test('fewer rounds than three are measured when fewer were asked for', () => {
  expect(needsRound(1, 1, 0)).toBe(false)
})
