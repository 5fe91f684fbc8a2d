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

test('words match in title, tags, URL and note, without accents, the newest first', () => {
  const search = openIndex()

  expect(search('creme')).toEqual([2, 1])
  expect(search('BRULEE is:archived')).toEqual([3])
  expect(search('a&b is:archived')).toEqual([3])
  expect(search('exampl')).toEqual([2])
})

test('archived items match only with is:archived', () => {
  const search = openIndex()

  expect(search('')).toEqual([4, 2, 1])
  expect(search('is:archived')).toEqual([3])
  expect(search('-is:archived')).toEqual([4, 2, 1])
})

test('a tag term matches the whole tag, or a prefix if no such tag exists', () => {
  const search = openIndex()

  expect(search('#home')).toEqual([1])
  expect(search('#hom')).toEqual([2, 1])
  expect(search('-#todo')).toEqual([2])
})

test('each state has a term', () => {
  const search = openIndex()

  expect([search('is:todo'), search('is:open'), search('is:done'), search('is:pending')]).toEqual([
    [4, 1],
    [1],
    [4],
    [1],
  ])
})

test('a search finds the current content after changes and removals', () => {
  const index = createSearchIndex()
  index.put(things)
  index.put([{ number: 1, title: 'Milk', tags: '', date: 300, archived: false, isPending: false }])
  index.remove([4])

  expect([...index.search('')]).toEqual([1, 2])
  expect([...index.search('buy')]).toEqual([])
})

test('more letters narrow the result, and fewer letters widen it', () => {
  const search = openIndex()

  expect([search('re'), search('rea'), search('read'), search('r'), search('re -read')]).toEqual([
    [2, 1],
    [2],
    [2],
    [2, 1],
    [1],
  ])
})

test('a completed tag no longer matches longer tags', () => {
  const search = openIndex()

  expect([search('#ho'), search('#home'), search('#homew')]).toEqual([[2, 1], [1], [2]])
})

test('a tag finds the items of the tags nested in it', () => {
  const index = createSearchIndex()
  const thing = { title: 'x', archived: false, isPending: false }
  index.put(
    ['work', 'work/alpha', 'workshop', 'alpha/work'].map((tags, number) => ({ ...thing, number, tags, date: number })),
  )

  expect([[...index.search('#work')], [...index.search('#work/alpha')], [...index.search('-#work')]]).toEqual([
    [1, 0],
    [1],
    [3, 2],
  ])
})

test('each order lists the same items, and follows changes', () => {
  const index = createSearchIndex()
  index.put(things)
  const list = (sort: 'newest' | 'oldest' | 'title' | 'changed') => [...index.search('', sort)]

  const first = [list('newest'), list('oldest'), list('title'), list('changed')]
  index.touch([[1, 999]])
  index.put([{ number: 5, title: 'Ähre', tags: '', date: 150, archived: false, isPending: false }])
  index.remove([4])

  expect(first).toEqual([
    [4, 2, 1],
    [1, 2, 4],
    [1, 4, 2],
    [4, 2, 1],
  ])
  expect([list('newest'), list('oldest'), list('title'), list('changed')]).toEqual([
    [2, 5, 1],
    [1, 5, 2],
    [5, 1, 2],
    [1, 2, 5],
  ])
})

test('a narrower query in another order is in that order', () => {
  const index = createSearchIndex()
  index.put(things)

  expect([...index.search('e'), ...index.search('re', 'oldest')]).toEqual([4, 2, 1, 1, 2])
})
