import { expect, test } from 'vitest'
import { cutExcerpt, findMatches, readSearchedWords } from './excerpts.ts'

const mark = (text: string, query: string) =>
  findMatches(text, readSearchedWords(query)).map(([start, end]) => text.slice(start, end))

test('matches are the searched words as the text writes them, without overlaps', () => {
  expect(mark('Oat milk, OAT flakes', 'oat')).toEqual(['Oat', 'OAT'])
  expect(mark('Crème brûlée', 'creme "brulee"')).toEqual(['Crème', 'brûlée'])
  expect(mark('Straße 😀 Café', 'strasse cafe')).toEqual(['Straße', 'Café'])
  expect(mark('oatmeal', 'oat atmeal')).toEqual(['oatmeal'])
})

test('tags, states and excluded words mark nothing', () => {
  expect(mark('milk todo home', '-milk #home is:todo')).toEqual([])
})

test('an excerpt begins with the note, or a few words before the first match', () => {
  const note = `${'word '.repeat(100)}then the Crème brûlée, and so on`

  expect(cutExcerpt(note, []).startsWith('word word')).toBe(true)
  expect(cutExcerpt(note, ['creme'])).toBe('… word word then the Crème brûlée, and so on')
  expect(cutExcerpt('short', ['creme'])).toBe('short')
})
