import { expect, test } from 'vitest'
import { dropWaiting, readWaiting, takeShared, takeWaiting, writeWaiting } from './view-state.ts'

test('two pages that are shared are never mixed, and what was typed waits beside them', () => {
  const first = takeShared({ line: 'half a sentence', waiting: [] }, 'https://a.example/ A')
  const second = takeShared(first, 'https://b.example/ B')

  expect(second).toEqual({ line: 'https://b.example/ B', waiting: ['half a sentence', 'https://a.example/ A'] })
  expect(takeShared(second, 'https://a.example/ A')).toEqual({
    line: 'https://a.example/ A',
    waiting: ['half a sentence', 'https://b.example/ B'],
  })
})

test('what waits comes back one after the other, and nothing is lost', () => {
  const lines = { line: 'c', waiting: ['a', 'b'] }

  expect(takeWaiting(lines)).toEqual({ line: 'a', waiting: ['b', 'c'] })
  expect(takeWaiting({ line: ' ', waiting: ['a'] })).toEqual({ line: 'a', waiting: [] })
  expect(takeWaiting({ line: 'c', waiting: [] })).toEqual({ line: 'c', waiting: [] })
})

test('of what waits the oldest is removed, and nothing else', () => {
  expect(dropWaiting({ line: 'c', waiting: ['a', 'b'] })).toEqual({ line: 'c', waiting: ['b'] })
  expect(dropWaiting({ line: 'c', waiting: [] })).toEqual({ line: 'c', waiting: [] })
})

test('what waits is kept as one draft', () => {
  expect(readWaiting(writeWaiting(['a', 'b #c']))).toEqual(['a', 'b #c'])
  expect(readWaiting(writeWaiting([]))).toEqual([])
})
