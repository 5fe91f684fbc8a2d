import { expect, test } from 'vitest'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { createInProcessSearch } from '../../test/support/web/search-here.ts'
import { addLatest, openLibrary } from './account-model.ts'
import { openChangeTimes } from './shared-texts.ts'

const openFixture = async () => {
  const replica = await openOfflineReplica()
  await replica.create({ title: 'Milk', tags: 'home todo', date: 2, html: '<p>oat</p>' })
  await replica.create({ title: 'Read', tags: 'home', date: 1 })
  const search = createInProcessSearch()
  const faults: unknown[] = []
  const library = openLibrary(replica, search, (fault) => faults.push(fault))
  await library.settle()
  const find = async (query: string) =>
    [...(await search.search(query)).found].map((number) => library.findByNumber(number)?.title)
  return { replica, library, find, faults }
}

/** Resolves when the replica has notified its listeners. */
const notified = () => new Promise((resolve) => setTimeout(resolve))

test('the library has all items, finds them, and counts their tags', async () => {
  const { library, find } = await openFixture()

  expect([library.countThings(), library.state.read().isComplete]).toEqual([2, true])
  expect([await find(''), await find('oat')]).toEqual([['Milk', 'Read'], ['Milk']])
  expect(library.tagCounts()).toEqual(
    new Map([
      ['home', 2],
      ['todo', 1],
    ]),
  )
})

test('new items have the places that the search gives them, before it has responded', async () => {
  const { replica, library, find } = await openFixture()
  const listTitles = (numbers: Uint32Array) => [...numbers].map((number) => library.findByNumber(number)?.title)
  const found = Uint32Array.from(['Milk', 'Read'], (title) =>
    Number([...library.listRows()].find((row) => row.title === title)?.number),
  )

  for (const [title, date, archived] of [
    ['Oldest', 0, false],
    ['Equal', 2, false],
    ['Away', 9, true],
    ['New', 3, false],
  ] as const)
    await replica.create({ title, date, archived })
  await notified()
  await library.settle()

  const numbers = addLatest(found, library.findByNumber)
  expect(listTitles(numbers)).toEqual(['New', 'Equal', 'Milk', 'Read', 'Oldest'])
  expect(listTitles(numbers)).toEqual(await find(''))
  expect(addLatest(numbers, library.findByNumber)).toBe(numbers)

  await replica.create({ title: 'One more', date: 4 })
  await notified()
  await library.settle()
  expect(addLatest(found, library.findByNumber)).toBe(found)
})

test('the library follows edits and tag settings that make items to-dos', async () => {
  const { replica, library, find } = await openFixture()
  const [milk] = [...library.listRows()]

  await replica.change(milk?.id ?? '', { title: 'Oat milk', tags: 'todo' })
  await replica.setTag('todo', { todo: true })
  await replica.create({ title: 'New', date: 3 })
  await notified()
  await library.settle()

  expect([await find(''), await find('is:open'), await find('#home')]).toEqual([
    ['New', 'Oat milk', 'Read'],
    ['Oat milk'],
    ['Read'],
  ])
  await replica.remove(milk?.id ?? '')
  await notified()
  await library.settle()
  expect([await find(''), library.countThings()]).toEqual([['New', 'Read'], 2])
})

test('the library follows tag settings that the store has before they are announced', async () => {
  const replica = await openOfflineReplica()
  await replica.setTag('todo', { todo: true })
  await replica.create({ title: 'Milk', tags: 'todo', date: 1 })
  const faults: unknown[] = []
  let announce: Parameters<typeof replica.watch>[0] = () => undefined
  const watched: typeof replica = {
    ...replica,
    watch: (listener) => {
      announce = listener
      return () => undefined
    },
  }
  const library = openLibrary(watched, createInProcessSearch(), (fault) => faults.push(fault))
  await library.settle()

  await replica.setTag('home', { favorite: true })
  await replica.setTag('todo', { todo: false })
  announce({ ids: new Set(), tags: new Set(['home']), by: 'sync' })
  await library.settle()
  announce({ ids: new Set(), tags: new Set(['todo']), by: 'sync' })
  await library.settle()

  expect([...library.listRows()].map(({ todoStatus }) => todoStatus)).toEqual([undefined])
  expect(faults).toEqual([])
})

const throwFault = (fault: unknown): never => {
  throw fault
}

test('the order of the last change follows edits, not full syncs', async () => {
  const replica = await openOfflineReplica()
  await replica.create({ title: 'Milk', tags: '', date: 2 })
  const bread = await replica.create({ title: 'Bread', tags: '', date: 1 })
  const search = createInProcessSearch()
  const times = openChangeTimes({ read: () => '', write: () => true }, () => 5_000)
  const library = openLibrary(replica, search, throwFault, undefined, undefined, undefined, undefined, times)
  await library.settle()
  const list = async () =>
    [...(await search.search('', undefined, 'changed')).found].map((number) => library.findByNumber(number)?.title)

  const before = await list()
  await replica.change(bread, { title: 'Good bread' })
  await notified()
  await library.settle()

  expect(before).toEqual(['Milk', 'Bread'])
  expect(await list()).toEqual(['Good bread', 'Milk'])
})
