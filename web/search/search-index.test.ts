import { expect, test } from 'vitest'
import { createSearchIndex, type SearchedThing } from './search-index.ts'

const things: readonly SearchedThing[] = [
  {
    number: 1,
    title: 'Buy Crème',
    tags: 'home todo',
    date: 100,
    archived: false,
    todoStatus: false,
    isPending: true,
  },
  {
    number: 2,
    title: 'Read',
    tags: 'homework',
    date: 200,
    url: 'https://example.com/creme',
    archived: false,
    isPending: false,
  },
  {
    number: 3,
    title: 'Old',
    tags: 'home',
    date: -5,
    html: '<p>a&amp;b <b>cr&egrave;me brûlée</b></p>',
    archived: true,
    isPending: false,
  },
  { number: 4, title: 'Done', tags: 'todo', date: 201, archived: false, todoStatus: true, isPending: false },
]
const openIndex = () => {
  const index = createSearchIndex()
  index.put(things)
  return (query: string) => [...index.search(query)]
}

test('words are found in title, tags, address and note, without accents, the newest first', () => {
  const search = openIndex()

  expect(search('creme')).toEqual([2, 1])
  expect(search('BRULEE is:archived')).toEqual([3])
  expect(search('a&b is:archived')).toEqual([3])
  expect(search('exampl')).toEqual([2])
})

test('archived things are there only when they are asked for', () => {
  const search = openIndex()

  expect(search('')).toEqual([4, 2, 1])
  expect(search('is:archived')).toEqual([3])
  expect(search('-is:archived')).toEqual([4, 2, 1])
})

test('a tag is the whole tag, and its beginning as long as no such tag is there', () => {
  const search = openIndex()

  expect(search('#home')).toEqual([1])
  expect(search('#hom')).toEqual([2, 1])
  expect(search('-#todo')).toEqual([2])
})

test('states are asked for one by one', () => {
  const search = openIndex()

  expect([search('is:todo'), search('is:open'), search('is:done'), search('is:pending')]).toEqual([
    [4, 1],
    [1],
    [4],
    [1],
  ])
})

test('what was changed and removed is found as it is now', () => {
  const index = createSearchIndex()
  index.put(things)
  index.put([{ number: 1, title: 'Milk', tags: '', date: 300, archived: false, isPending: false }])
  index.remove([4])

  expect([...index.search('')]).toEqual([1, 2])
  expect([...index.search('buy')]).toEqual([])
})

test('typing on narrows what was found, and taking a letter back widens it', () => {
  const search = openIndex()

  expect([search('re'), search('rea'), search('read'), search('r'), search('re -read')]).toEqual([
    [2, 1],
    [2],
    [2],
    [2, 1],
    [1],
  ])
})

test('a tag that becomes whole while it is typed loses what only began like it', () => {
  const search = openIndex()

  expect([search('#ho'), search('#home'), search('#homew')]).toEqual([[2, 1], [1], [2]])
})
