import { expect, test } from 'vitest'
import { dropWaiting, readWaiting, takeShared, takeWaiting, writeWaiting } from './add-line.ts'

test('shared lines are never mixed, and the typed line waits', () => {
  const first = takeShared({ line: 'half a sentence', waiting: [] }, 'https://a.example/ A')
  const second = takeShared(first, 'https://b.example/ B')

  expect(second).toEqual({ line: 'https://b.example/ B', waiting: ['half a sentence', 'https://a.example/ A'] })
  expect(takeShared(second, 'https://a.example/ A')).toEqual({
    line: 'https://a.example/ A',
    waiting: ['half a sentence', 'https://b.example/ B'],
  })
})

test('waiting lines come back one after the other, and no line is lost', () => {
  const lines = { line: 'c', waiting: ['a', 'b'] }

  expect(takeWaiting(lines)).toEqual({ line: 'a', waiting: ['b', 'c'] })
  expect(takeWaiting({ line: ' ', waiting: ['a'] })).toEqual({ line: 'a', waiting: [] })
  expect(takeWaiting({ line: 'c', waiting: [] })).toEqual({ line: 'c', waiting: [] })
})

test('only the oldest waiting line is removed', () => {
  expect(dropWaiting({ line: 'c', waiting: ['a', 'b'] })).toEqual({ line: 'c', waiting: ['b'] })
  expect(dropWaiting({ line: 'c', waiting: [] })).toEqual({ line: 'c', waiting: [] })
})

test('the waiting lines are stored as one draft', () => {
  expect(readWaiting(writeWaiting(['a', 'b #c']))).toEqual(['a', 'b #c'])
  expect(readWaiting(writeWaiting([]))).toEqual([])
})
