import { expect, test } from 'vitest'
import { hideDoneIn, readQuery, toggleTagIn } from './query.ts'

test('a query has words, phrases, tags and states, each of which can be negated', () => {
  expect(readQuery('  Café "two words" #Home -#work -milk is:todo -is:archived')).toEqual([
    { kind: 'word', value: 'cafe', isNot: false },
    { kind: 'word', value: 'two words', isNot: false },
    { kind: 'tag', value: 'home', isNot: false },
    { kind: 'tag', value: 'work', isNot: true },
    { kind: 'word', value: 'milk', isNot: true },
    { kind: 'is', value: 'todo', isNot: false },
    { kind: 'is', value: 'archived', isNot: true },
  ])
})

test('an incomplete query is no error', () => {
  expect(readQuery('# - "open is:')).toEqual([
    { kind: 'word', value: '-', isNot: false },
    { kind: 'word', value: 'open is:', isNot: false },
  ])
})

test('an unknown state is a word', () => {
  expect(readQuery('is:late')).toEqual([{ kind: 'word', value: 'is:late', isNot: false }])
})

test('a tag is added to a query, and removed again', () => {
  expect(toggleTagIn('milk', 'Home')).toBe('milk #Home')
  expect(toggleTagIn('#home  milk', 'Home')).toBe('milk')
})

test('hidden done items stay visible in a query for them, and an open quotation mark hides nothing else', () => {
  expect([hideDoneIn(''), hideDoneIn('is:done milk'), hideDoneIn('"oat mi')]).toEqual([
    '-is:done',
    'is:done milk',
    '-is:done "oat mi',
  ])
})
