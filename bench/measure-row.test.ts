import { expect, test } from 'vitest'
import { needsRound } from './measure-row.ts'

test('a row with short rounds is measured in all requested rounds', () => {
  expect(needsRound(4, 5, 10)).toBe(true)
  expect(needsRound(5, 5, 10)).toBe(false)
})

test('a row with long rounds is measured in three rounds', () => {
  expect(needsRound(2, 5, 1000)).toBe(true)
  expect(needsRound(3, 5, 1000)).toBe(false)
})

test('fewer than three rounds are measured when fewer are requested', () => {
  expect(needsRound(1, 1, 0)).toBe(false)
})
