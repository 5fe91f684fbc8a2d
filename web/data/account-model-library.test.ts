import { expect, test } from 'vitest'
import { openOfflineReplica } from '../../test/support/web/open-replica.ts'
import { createSearchHere } from '../../test/support/web/search-here.ts'
import { openLibrary } from './account-model.ts'

const openTrial = async () => {
  const replica = await openOfflineReplica()
  await replica.create({ title: 'Milk', tags: 'home todo', date: 2, html: '<p>oat</p>' })
  await replica.create({ title: 'Read', tags: 'home', date: 1 })
  const search = createSearchHere()
  const faults: unknown[] = []
  const library = openLibrary(replica, search, (fault) => faults.push(fault))
  await library.settle()
  const find = async (query: string) =>
    [...(await search.search(query)).found].map((number) => library.findByNumber(number)?.title)
  return { replica, library, find, faults }
}

/** Resolves when the replica has told its listeners. */
const told = () => new Promise((resolve) => setTimeout(resolve))

test('all things are there and are found, with the counts of their tags', async () => {
  const { library, find } = await openTrial()

  expect([library.countThings(), library.state.read().isComplete]).toEqual([2, true])
  expect([await find(''), await find('oat')]).toEqual([['Milk', 'Read'], ['Milk']])
  expect(library.tagCounts()).toEqual(
    new Map([
      ['home', 2],
      ['todo', 1],
    ]),
  )
})

test('edits are followed, and so are settings that make todos of things', async () => {
  const { replica, library, find } = await openTrial()
  const [milk] = [...library.listRows()]

  await replica.change(milk?.id ?? '', { title: 'Oat milk', tags: 'todo' })
  await replica.setTag('todo', { todo: true })
  await replica.create({ title: 'New', date: 3 })
  await told()
  await library.settle()

  expect([await find(''), await find('is:open'), await find('#home')]).toEqual([
    ['New', 'Oat milk', 'Read'],
    ['Oat milk'],
    ['Read'],
  ])
  await replica.remove(milk?.id ?? '')
  await told()
  await library.settle()
  expect([await find(''), library.countThings()]).toEqual([['New', 'Read'], 2])
})
