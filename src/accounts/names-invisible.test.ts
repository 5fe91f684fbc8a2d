import { expect, test } from 'vitest'
import { findInvisible, formatVisibleJson, maskInvisible } from './names.ts'

test.each([
  ['anna'],
  ['José'],
  ['می\u200cخواهم'],
  ['ක්\u200dරිස්තු'],
  ['क्\u200dष'],
  ['നന്\u200dമ'],
  ['❤\ufe0f reader'],
  ['👩\u200d💻 notes'],
  ['🧑🏽\u200d🚀'],
  ['🏳\ufe0f\u200d🌈'],
  ['❤\ufe0f\u200d🔥'],
  ['👨\u200d👩\u200d👧\u200d👦'],
  ['1\ufe0f\u20e3'],
])('%s has no invisible character', (name) => {
  expect(findInvisible(name)).toBeUndefined()
})

test.each([
  ['an\u200dna', 3, 'U+200D'],
  ['an\u200cna', 3, 'U+200C'],
  ['\u200cمی', 1, 'U+200C'],
  ['می\u200c', 3, 'U+200C'],
  ['می\u200c\u200cخ', 3, 'U+200C'],
  ['a\u200cخ', 2, 'U+200C'],
  ['anna\ufe0f', 5, 'U+FE0F'],
  ['1\ufe0f', 2, 'U+FE0F'],
  ['❤\ufe0f\ufe0f', 3, 'U+FE0F'],
  ['👩\u200d', 2, 'U+200D'],
  ['👩\u200d\u200d💻', 2, 'U+200D'],
  ['👩\u200dx', 2, 'U+200D'],
  ['an\u200bna', 3, 'U+200B'],
  ['😀\u00ad', 2, 'U+00AD'],
  ['anna\u202e', 5, 'U+202E'],
  ['a\u0000', 2, 'U+0000'],
  ['a\u{e0041}', 2, 'U+E0041'],
  ['a\ud800', 2, 'U+D800'],
])('of %j the character at position %i is invisible', (name, position, codePoint) => {
  expect(findInvisible(name)).toEqual({ position, codePoint })
})

test('control characters and changes of direction are shown as question marks', () => {
  expect(maskInvisible('a\u001b]0;x\u0007\u009b2J\n\u202eb می‌خواهم')).toBe('a?]0;x??2J??b می‌خواهم')
})

test('JSON escapes invisible characters and keeps its meaning', () => {
  const value = { name: 'a\u009b2J\u007f\u202eb\n "می‌خواهم" \ud800 \u{e0001} 👨‍👩‍👧', count: 1 }

  const shown = formatVisibleJson(value)

  expect(shown).toBe('{"name":"a\\u009b2J\\u007f\\u202eb\\n \\"می‌خواهم\\" \\ud800 \\udb40\\udc01 👨‍👩‍👧","count":1}')
  expect(JSON.parse(shown)).toEqual(value)
})
