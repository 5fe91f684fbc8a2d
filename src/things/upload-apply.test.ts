import { expect, test } from 'vitest'
import { openSyncStore } from '../../test/support/sync-store.ts'
import { ApiError } from '../api-error.ts'

test('a new thing gets an id that works at once, the server time in whole seconds, and no echo (sync 4, 7, 11)', async () => {
  const { sync, clock } = await openSyncStore()
  clock.now = 1_700_000_000_999

  const created = await sync('phone', { newThings: [{ localId: 7, title: '' }] })
  const changed = await sync('phone', { from: 1, changedThings: [{ id: 'id1', title: 'now titled' }] })
  const listed = await sync('laptop')

  expect(created).toEqual({ position: 1, thingCount: 1, assigned: { 7: 'id1' } })
  expect(changed).toEqual({ position: 2 })
  expect(listed).toEqual({
    position: 2,
    thingCount: 1,
    changed: [{ _id: 'id1', title: 'now titled', tags: '', date: 1_700_000_000 }],
  })
})

test('every field comes back exactly as it was sent; dates may be 0, negative and fractions (sync 11)', async () => {
  const { sync } = await openSyncStore()
  const sent = { title: ' T\u00eft ', tags: ' b  a b ', date: -1.5, url: 'not a url', html: '<p>\u{1f467}\r\n' }

  await sync('phone', { newThings: [{ localId: 'a', ...sent, archived: true, todoStatus: true }] })
  await sync('phone', { newThings: [{ localId: 'a', title: 'epoch', date: 0 }] })

  expect((await sync('laptop')).changed).toEqual([
    { _id: 'id1', ...sent, archived: true },
    { _id: 'id2', title: 'epoch', tags: '', date: 0 },
  ])
})

test('client-assigned IDs may have the names of object members', async () => {
  const { sync } = await openSyncStore()
  const localIds = ['__proto__', 'constructor', '', 'toString', '\u{1f467}']

  const { assigned, thingCount } = await sync('phone', {
    from: 0,
    newThings: localIds.map((localId) => ({ localId, title: localId })),
    tags: Object.fromEntries([['__proto__', { favorite: true }]]),
  })

  expect(Object.keys(assigned ?? {}).sort()).toEqual([...localIds].sort())
  expect(thingCount).toBe(5)
})

test('new things with the same client-assigned ID are rejected; 1 and "1" are the same (sync 7)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { newThings: [{ localId: 'a', title: 'kept' }] })
  const kept = await sync('laptop')

  for (const localIds of [
    [1, 2, 3, '1'],
    ['x', '1', '', 1],
  ]) {
    const newThings = localIds.map((localId) => ({ localId, title: 'new' }))
    const rejected = sync('phone', { newThings, deletedThings: ['id1'] })
    await expect(rejected).rejects.toEqual(new ApiError('localIdTwice', { parameter: 'new_thing[3].local_id' }))
  }

  expect(await sync('laptop')).toEqual(kept)
})

test('absent fields stay, except archived, which becomes false (sync 8)', async () => {
  const { sync } = await openSyncStore()
  const sent = { title: 'T', tags: 'a', date: 5, url: 'u', html: 'h' }
  await sync('phone', { newThings: [{ localId: 'a', ...sent, archived: true }] })

  await sync('phone', { changedThings: [{ id: 'id1', title: 'T2', date: null }] })

  expect((await sync('laptop')).changed).toEqual([{ _id: 'id1', ...sent, title: 'T2' }])
})

test('"" clears url, html and tags (sync 8)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { newThings: [{ localId: 'a', title: 'T', tags: 'a', date: 5, url: 'u', html: 'h' }] })

  await sync('phone', { changedThings: [{ id: 'id1', title: 'T', tags: '', url: '', html: '' }] })

  expect((await sync('laptop')).changed).toEqual([{ _id: 'id1', title: 'T', tags: '', date: 5 }])
})

test('null is the same as absent, in every field of a thing and of tag settings (sync 8)', async () => {
  const { sync } = await openSyncStore()
  const none = { tags: null, date: null, url: null, html: null, archived: null, todoStatus: null }
  const sent = { title: 'T', tags: 't', date: 5, url: 'u', html: 'h' }
  await sync('phone', { newThings: [{ localId: 'a', ...sent, archived: true, todoStatus: true }] })
  await sync('phone', { tags: { t: { favorite: true, color: '#abc', todo: true } } })

  await sync('phone', { newThings: [{ localId: 'b', title: 'blank', ...none }] })
  await sync('phone', { changedThings: [{ id: 'id1', ...none, title: 'T2' }] })
  await sync('phone', { tags: { t: { favorite: null, color: null, todo: null } } })

  const { changed, tags } = await sync('laptop')
  expect(changed).toEqual([
    { _id: 'id2', title: 'blank', tags: '', date: 1000 },
    // Only an absent archived means false.
    { _id: 'id1', ...sent, title: 'T2', todoStatus: true },
  ])
  expect(tags).toEqual({ t: { favorite: true, color: '#abc', todo: 'strike' } })
})

test('a change of a gone or unknown thing loses to the deletion, and the rest is applied (sync 8, 9)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { newThings: ['a', 'b'].map((localId) => ({ localId, title: localId })) })
  await sync('laptop', { deletedThings: ['id1', 'never'] })

  const response = await sync('phone', {
    from: 2,
    changedThings: ['id1', 'never', 'id2', 'id1'].map((id) => ({ id, title: 'late' })),
    deletedThings: ['id1', 'nobody'],
  })

  expect(response).toEqual({ position: 4, thingCount: 2, deleted: ['id1', 'never'] })
  expect((await sync('laptop')).changed).toEqual([{ _id: 'id2', title: 'late', tags: '', date: 1000 }])
})

test('within one request the order is new, changed, deleted, tags (sync 10)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { newThings: ['a', 'b'].map((localId) => ({ localId, title: localId })) })

  const response = await sync('phone', {
    from: 2,
    tags: { t: { todo: true } },
    deletedThings: ['id1'],
    changedThings: ['id1', 'id2'].map((id) => ({ id, title: 'changed', tags: 't' })),
    newThings: [{ localId: 'c', title: 'new', tags: 't' }],
  })

  const tags = { t: { favorite: false, color: false, todo: 'strike' } }
  expect(response).toEqual({ position: 7, thingCount: 1, assigned: { c: 'id3' }, tags })
  expect(await sync('laptop')).toEqual({
    position: 7,
    thingCount: 2,
    changed: [
      { _id: 'id3', title: 'new', tags: 't', date: 1000, todoStatus: false },
      { _id: 'id2', title: 'changed', tags: 't', date: 1000, todoStatus: false },
    ],
    tags,
  })
})

test('todoStatus is kept while the thing is no todo (sync 12)', async () => {
  const { sync } = await openSyncStore()
  const show = async () => (await sync('laptop')).changed
  await sync('phone', { newThings: [{ localId: 'a', title: 'T', tags: 'x t', todoStatus: true }] })
  const thing = { _id: 'id1', title: 'T', tags: 'x t', date: 1000 }

  expect(await show()).toEqual([thing])
  await sync('phone', { tags: { t: { todo: 'dont-strike' } } })
  expect(await show()).toEqual([{ ...thing, todoStatus: true }])
  await sync('phone', { tags: { t: { todo: false } } })
  expect(await show()).toEqual([thing])
})

test('absent tag settings stay, true means strike, and the two words are kept (sync 12)', async () => {
  const { sync } = await openSyncStore()
  const change = async (settings: object) => (await sync('phone', { from: 0, tags: { t: settings } })).tags?.t

  expect(await change({})).toEqual({ favorite: false, color: false, todo: false })
  expect(await change({ todo: true })).toEqual({ favorite: false, color: false, todo: 'strike' })
  expect(await change({ color: '#AbC' })).toEqual({ favorite: false, color: '#abc', todo: 'strike' })
  expect(await change({ todo: 'dont-strike', favorite: true })).toEqual({
    favorite: true,
    color: '#abc',
    todo: 'dont-strike',
  })
  expect(await change({ todo: 'strike', color: false })).toEqual({ favorite: true, color: false, todo: 'strike' })
  expect(await change({ todo: false, favorite: false })).toEqual({ favorite: false, color: false, todo: false })
})
