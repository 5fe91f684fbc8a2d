import { expect, test } from 'vitest'
import { readTagCounts } from '../../test/store/fixtures.ts'
import { openSyncStore } from '../../test/support/sync-store.ts'
import { ApiError } from '../api-error.ts'
import type { Draft } from '../store/store.ts'
import type { ThingFields } from './thing.ts'
import { addThing, changeThing, countTags, deleteThing, type ThingToAdd } from './thing.ts'

const openFixture = async () => {
  const fixture = await openSyncStore()
  const write = <T>(work: (draft: Draft) => Promise<T>) => fixture.store.write('anna', 'web', work)
  return {
    ...fixture,
    add: (thing: ThingToAdd) => write((draft) => addThing(draft, thing, fixture.environment)),
    change: (id: string, fields: ThingFields) => write((draft) => changeThing(draft, id, fields)),
    remove: (id: string) => write((draft) => deleteThing(draft, id)),
  }
}

test('thing/add uses a title that is an absolute http(s) URL as the url, if there is none', async () => {
  const { add } = await openFixture()
  const urlOf = async (thing: ThingToAdd) => (await add(thing)).thing.url

  expect(await urlOf({ title: 'https://example.com/a?b#c' })).toBe('https://example.com/a?b#c')
  expect(await urlOf({ title: 'HTTP://example.com', url: '' })).toBe('HTTP://example.com')
  expect(await urlOf({ title: 'https://example.com', url: 'mine' })).toBe('mine')
  for (const title of [
    'http://',
    'http:/x',
    'ftp://example.com',
    ' https://example.com',
    'https://a.b/ is nice',
    '/a',
  ]) {
    expect(await urlOf({ title })).toBeUndefined()
  }
})

test('thing/add returns an existing thing with that url only if duplicates are prevented', async () => {
  const { add, sync } = await openFixture()
  const url = 'https://example.com'
  const first = await add({ title: url, tags: 'a' })

  const prevented = await add({ title: 'T', url, preventDuplicate: true })
  const byTitle = await add({ title: url, preventDuplicate: true })
  const second = await add({ title: 'T', url })
  const other = await add({ title: 'no url', preventDuplicate: true })

  expect([first, second, other].map(({ thing, isDuplicate }) => [thing.id, isDuplicate])).toEqual([
    ['id1', false],
    ['id2', false],
    ['id3', false],
  ])
  expect([prevented, byTitle].map(({ thing, isDuplicate }) => [thing.id, thing.tags, isDuplicate])).toEqual([
    ['id1', 'a', true],
    ['id1', 'a', true],
  ])
  expect((await sync('phone')).position).toBe(3)
})

test('thing/change keeps absent fields, including archived, and returns whether the thing is a todo', async () => {
  const { add, change, sync } = await openFixture()
  await add({ title: 'T', tags: 't', url: 'u', archived: true })
  await sync('phone', { tags: { t: { todo: true } } })

  const changed = await change('id1', { todoStatus: true })

  expect(changed.isTodo).toBe(true)
  expect((await sync('phone')).changed).toEqual([
    { _id: 'id1', title: 'T', tags: 't', date: 1000, url: 'u', archived: true, todoStatus: true },
  ])
  expect((await change('id1', { tags: '', archived: false })).isTodo).toBe(false)
})

test('thing/change and thing/delete reject an id that is unknown or was deleted', async () => {
  const { add, change, remove } = await openFixture()
  await add({ title: 'T' })
  await remove('id1')

  for (const rejected of [change('id1', {}), change('id2', {}), remove('id1'), remove('id2')]) {
    await expect(rejected).rejects.toEqual(new ApiError('thingUnknown'))
  }
})

test('tags/get counts existing things, including archived ones, and lists favorites without things', async () => {
  const { add, remove, sync, store } = await openFixture()
  await sync('phone', { tags: { fav: { favorite: true }, unused: { favorite: true }, plain: { color: '#fff' } } })
  await add({ title: 'T', tags: 'fav other __proto__' })
  await add({ title: 'T', tags: 'fav fav plain', archived: true })
  await add({ title: 'T', tags: 'gone' })
  await remove('id3')
  const counts = {
    favorite: new Map([
      ['fav', 2],
      ['unused', 0],
    ]),
    other: new Map([
      ['other', 1],
      ['__proto__', 1],
      ['plain', 1],
    ]),
  }

  const view = await store.read('anna')
  expect(view.position).toBe(7)
  expect(await readTagCounts(await countTags(view))).toEqual(counts)
  expect(await readTagCounts(await countTags(view, 6))).toEqual(counts)
  expect(await readTagCounts(await countTags(view, 7))).toEqual({ favorite: new Map(), other: new Map() })
})
