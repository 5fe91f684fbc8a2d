import { expect, test } from 'vitest'
import { openSyncStore, type TestRequest, type TestResponse } from '../../test/support/sync-store.ts'
import { pagedDownloadSeconds } from '../store/store.ts'

const add = (...titles: string[]) => ({ newThings: titles.map((title) => ({ localId: title, title })) })
const idsOf = ({ changed = [] }: TestResponse) => changed.map((thing) => (thing as { _id: string })._id)

/** Changes, deletes and adds things, so that the pages would be inconsistent without a snapshot. */
const disturb = async (sync: (session: string, request: TestRequest) => Promise<TestResponse>) => {
  await sync('other', { changedThings: [{ id: 'id1', title: 'late' }], deletedThings: ['id4'], ...add('late') })
}

test('pages are in the order of the last change, deletions after the things (sync 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))
  await sync('phone', { changedThings: [{ id: 'id2', title: 'b2' }], deletedThings: ['id5', 'id1'] })

  const pages: TestResponse[] = []
  for (let skip = 0; skip < 6; skip += 2) pages.push(await sync('laptop', { from: 3, skip, limit: 2 }))

  expect(pages.map((page) => [page.thingCount, idsOf(page), page.deleted])).toEqual([
    [3, ['id4', 'id2'], undefined],
    [3, [], ['id1']],
    [3, [], undefined],
  ])
})

test('all pages of a full sync are one snapshot, and its position misses no change (sync 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))

  const first = await sync('laptop', { limit: 2 })
  await disturb(sync)
  const second = await sync('laptop', { skip: 2, limit: 2 })
  const rest = await sync('laptop', { skip: 4 })
  const incremental = await sync('laptop', { from: rest.position })

  expect([first, second, rest].map(({ position, thingCount }) => [position, thingCount])).toEqual([
    [5, 5],
    [5, 5],
    [5, 5],
  ])
  expect([first, second, rest].map(idsOf)).toEqual([['id1', 'id2'], ['id3', 'id4'], ['id5']])
  expect([idsOf(incremental), incremental.deleted]).toEqual([['id6', 'id1'], ['id4']])
})

test('all pages of an incremental sync are one snapshot, independent of other listings (sync 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))

  const first = await sync('laptop', { from: 2, limit: 2 })
  await disturb(sync)
  const otherFrom = await sync('laptop', { from: 3, limit: 1 })
  const otherSession = await sync('phone', { from: 2, limit: 1 })
  const second = await sync('laptop', { from: 2, skip: 2, limit: 2 })

  expect([first, second].map((page) => [page.position, page.thingCount, idsOf(page)])).toEqual([
    [5, 3, ['id3', 'id4']],
    [5, 3, ['id5']],
  ])
  expect([otherFrom.position, otherSession.position]).toEqual([8, 8])
})

test('a first page begins a new snapshot', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))
  await sync('laptop', { limit: 2 })
  await disturb(sync)

  const first = await sync('laptop', { limit: 2 })
  const second = await sync('laptop', { skip: 2, limit: 5 })

  expect([first, second].map((page) => [page.position, idsOf(page)])).toEqual([
    [8, ['id2', 'id3']],
    [8, ['id5', 'id6', 'id1']],
  ])
})

test('a page without a known first page takes a fresh snapshot, which the next pages keep (sync 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))

  const second = await sync('laptop', { skip: 2, limit: 2 })
  await disturb(sync)
  const third = await sync('laptop', { skip: 4, limit: 2 })

  expect([second, third].map((page) => [page.position, idsOf(page)])).toEqual([
    [5, ['id3', 'id4']],
    [5, ['id5']],
  ])
})

test('the later pages leave out the same things as the first page (sync 4, 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd'))

  const changedThings = [{ id: 'id2', title: 'mine' }]
  const first = await sync('laptop', { from: 0, limit: 1, ...add('new'), changedThings, skipIds: ['id3'] })
  const second = await sync('laptop', { from: 0, skip: 1, limit: 5 })

  expect(first).toEqual({
    position: 6,
    thingCount: 4,
    assigned: { new: 'id5' },
    changed: [{ _id: 'id1', title: 'a', tags: '', date: 1000 }],
  })
  expect([second.position, second.thingCount, idsOf(second)]).toEqual([6, 3, ['id4', 'id2']])
})

test('an upload with a later page is applied and keeps the position of the snapshot (sync 6)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c'))
  await sync('laptop', { limit: 2 })

  const tags = { t: { favorite: true } }
  const second = await sync('laptop', { skip: 2, limit: 2, ...add('new'), tags })
  const incremental = await sync('laptop', { from: second.position })

  expect(second).toEqual({
    position: 3,
    thingCount: 4,
    assigned: { new: 'id4' },
    changed: [{ _id: 'id3', title: 'c', tags: '', date: 1000 }],
    tags: { t: { favorite: true, color: false, todo: false } },
  })
  expect([incremental.position, idsOf(incremental)]).toEqual([5, ['id4']])
})

test('gone things are at the end of all pages, whichever page found them gone (sync 6, 8)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c'))
  const change = (...ids: string[]) => ({ changedThings: ids.map((id) => ({ id, title: 'late' })) })

  const pages = [
    await sync('laptop', { limit: 2, ...change('gone1', 'gone2') }),
    await sync('laptop', { skip: 2, limit: 2, ...change('gone3', 'gone2') }),
    await sync('laptop', { skip: 4, limit: 2 }),
  ]

  expect(pages.map((page) => [page.thingCount, idsOf(page), page.deleted])).toEqual([
    [5, ['id1', 'id2'], undefined],
    [6, ['id3'], ['gone1']],
    [6, [], ['gone2', 'gone3']],
  ])
})

test('a paged full sync for a from beyond the position stays full when an upload reaches that position', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b'))

  const first = await sync('laptop', { from: 3, limit: 1, ...add('new') })
  const second = await sync('laptop', { from: 3, skip: 1, limit: 1 })

  expect([first, second].map((page) => [page.position, idsOf(page)])).toEqual([
    [3, ['id1']],
    [3, ['id2']],
  ])
})

test('a page that is too late takes a fresh snapshot and returns its position (sync 6)', async () => {
  const { sync, clock } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd', 'e'))
  await sync('laptop', { limit: 2 })
  await disturb(sync)
  clock.now += (pagedDownloadSeconds + 1) * 1000

  const late = await sync('laptop', { skip: 2, limit: 5 })

  expect([late.position, idsOf(late)]).toEqual([8, ['id5', 'id6', 'id1']])
})
