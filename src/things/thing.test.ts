import { expect, test } from 'vitest'
import { showThing, splitTags } from './thing.ts'

const thing = { id: 'id1', title: '', tags: '', date: 0, archived: false, todoStatus: false }

test('a bare thing shows exactly its four constant keys', () => {
  expect(showThing(thing, false)).toBe('{"_id":"id1","title":"","tags":"","date":0}')
})

test('url, html and archived are shown only when set, todoStatus exactly on todos', () => {
  const full = { ...thing, title: 'T', url: 'u', html: 'h', archived: true, todoStatus: true }

  expect(JSON.parse(showThing(full, false))).toEqual({
    _id: 'id1',
    title: 'T',
    tags: '',
    date: 0,
    url: 'u',
    html: 'h',
    archived: true,
  })
  expect(JSON.parse(showThing({ ...thing, url: '', html: '' }, true))).toEqual({
    _id: 'id1',
    title: '',
    tags: '',
    date: 0,
    todoStatus: false,
  })
})

test('tags are separated by spaces, each once; other white space belongs to a tag', () => {
  expect(splitTags('  b a  b a\tb a\u00a0b __proto__ ')).toEqual(['b', 'a', 'a\tb', 'a\u00a0b', '__proto__'])
  expect(splitTags('')).toEqual([])
})
