import { expect, test } from 'vitest'
import { readPieces } from '../../test/store/fixtures.ts'
import { openSyncStore, type TestRequest } from '../../test/support/sync-store.ts'
import { listChanges } from './list-changes.ts'
import { applyUpload } from './upload.ts'

const add = (...titles: string[]) => ({ newThings: titles.map((title) => ({ localId: title, title })) })
const shown = (id: string, title: string) => ({ _id: id, title, tags: '', date: 1000 })

test('an account that was never written to is at position 0 and lists nothing', async () => {
  const { sync } = await openSyncStore()

  expect(await sync('phone')).toEqual({ position: 0 })
  expect(await sync('phone', { from: 0, skip: 5, limit: 5 })).toEqual({ position: 0 })
})

test('a full sync has each existing thing once, archived or not, and no deletions (sync 2)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c'))
  await sync('phone', { changedThings: [{ id: 'id1', title: 'a2', archived: true }], deletedThings: ['id2'] })
  const all = { position: 5, thingCount: 2, changed: [shown('id3', 'c'), { ...shown('id1', 'a2'), archived: true }] }

  expect(await sync('laptop')).toEqual(all)
  expect(await sync('laptop', { from: 0 })).toEqual(all)
})

test('a full sync has every favorite and every special tag, and no other (interface 4.3, rule 1)', async () => {
  const { sync } = await openSyncStore()
  const tags = {
    favorite: { favorite: true, color: false, todo: false },
    coloured: { favorite: false, color: '#123456', todo: false },
    todo: { favorite: false, color: false, todo: 'dont-strike' },
  } as const
  await sync('phone', { tags: { ...tags, plain: { favorite: false } } })

  expect(await sync('laptop')).toEqual({ position: 4, tags })
})

test('an incremental sync has changes and deletions once, no thing created and deleted since (sync 3)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c'))
  await sync('phone', { changedThings: [{ id: 'id1', title: 'a2' }], deletedThings: ['id2'] })
  await sync('phone', { changedThings: [{ id: 'id1', title: 'a3' }] })
  await sync('phone', add('short-lived'))
  await sync('phone', { deletedThings: ['id4'] })

  expect(await sync('laptop', { from: 3 })).toEqual({
    position: 8,
    thingCount: 2,
    changed: [shown('id1', 'a3')],
    deleted: ['id2'],
  })
  expect(await sync('laptop', { from: 8 })).toEqual({ position: 8 })
})

test('an incremental sync of tags only has no things and no count (interface 4.3, rule 2)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { tags: { a: { favorite: true }, b: { favorite: true } } })
  await sync('phone', { tags: { a: { favorite: false } } })

  expect(await sync('laptop', { from: 2 })).toEqual({
    position: 3,
    tags: { a: { favorite: false, color: false, todo: false } },
  })
})

test('a from beyond the current position gets a full sync, also with an upload that reaches it (sync 1)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a'))

  expect(await sync('laptop', { from: 2 })).toEqual({ position: 1, thingCount: 1, changed: [shown('id1', 'a')] })
  expect(await sync('laptop', { from: 2, ...add('b') })).toEqual({
    position: 2,
    thingCount: 2,
    assigned: { b: 'id2' },
    changed: [shown('id1', 'a')],
  })
})

test('the response lists changes of others after from, but not its own upload (sync 4)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('mine', 'mine too'))
  await sync('laptop', add('theirs', 'theirs too'))

  const response = await sync('phone', {
    from: 2,
    ...add('new'),
    changedThings: [{ id: 'id1', title: 'changed' }],
    deletedThings: ['id2'],
  })

  expect(response).toEqual({
    position: 7,
    thingCount: 3,
    assigned: { new: 'id5' },
    changed: [shown('id3', 'theirs'), shown('id4', 'theirs too')],
  })
})

test('a full sync does not list its own upload either (sync 4)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b'))

  const response = await sync('phone', { from: 0, changedThings: [{ id: 'id1', title: 'a2' }], ...add('c') })

  expect(response).toEqual({ position: 4, thingCount: 2, assigned: { c: 'id3' }, changed: [shown('id2', 'b')] })
})

test('an uploaded thing that others changed after from is listed, merged (sync 4)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b'))
  await sync('laptop', { changedThings: ['id1', 'id2'].map((id) => ({ id, title: 'theirs', html: 'theirs' })) })
  const mine = { changedThings: [{ id: 'id1', title: 'mine' }] }

  const merged = { ...shown('id1', 'mine'), html: 'theirs' }
  const theirs = { ...shown('id2', 'theirs'), html: 'theirs' }
  expect((await sync('phone', { from: 2, ...mine })).changed).toEqual([theirs, merged])
  expect((await sync('phone', { from: 2, ...mine })).changed).toEqual([theirs, merged])
  expect(await sync('phone', { from: 4, ...mine })).toEqual({ position: 7 })
})

test('an uploaded thing that others change or delete before the response is read is listed (sync 4)', async () => {
  const { sync, store, environment } = await openSyncStore()
  await sync('phone', add('a', 'b'))
  const changedThings = ['id1', 'id2'].map((id) => ({ id, fields: { title: 'mine' } }))
  const upload = { newThings: [], changedThings, deletedThings: [], tags: new Map() }

  const uploaded = await store.write('anna', 'phone', (draft) => applyUpload(draft, upload, 'phone', environment))
  await sync('laptop', { changedThings: [{ id: 'id1', title: 'theirs' }], deletedThings: ['id2'] })
  const changes = await listChanges(store, { userId: 'anna', session: 'phone', from: 2 }, uploaded)

  expect([changes.position, changes.listing.changedCount, changes.listing.deletedCount]).toEqual([6, 1, 1])
})

test.each([0, 1])(
  'an uploaded tag that others change before the response is read has those settings, from %i (sync 4)',
  async (from) => {
    const { sync, store, environment } = await openSyncStore()
    await sync('phone', add('a'))
    const tags = new Map([
      ['red', { color: '#111111' }],
      ['reset', { favorite: true }],
    ])
    const upload = { newThings: [], changedThings: [], deletedThings: [], tags }

    const uploaded = await store.write('anna', 'phone', (draft) => applyUpload(draft, upload, 'phone', environment))
    await sync('laptop', { tags: { red: { color: '#222222' }, reset: { favorite: false } } })
    const changes = await listChanges(store, { userId: 'anna', session: 'phone', from }, uploaded)

    const plain = { favorite: false, color: false, todo: false }
    expect(changes.position).toBe(5)
    expect(Object.fromEntries(await readPieces(changes.tags))).toEqual({
      red: { ...plain, color: '#222222' },
      reset: plain,
    })
  },
)

test('earlier own changes after from are listed: only this request is left out (sync 4)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b'))

  const response = await sync('phone', { from: 0, changedThings: [{ id: 'id2', title: 'b2' }] })

  expect(response).toEqual({ position: 3, thingCount: 1, changed: [shown('id1', 'a')] })
})

test('submitted tag settings are always in the response, in full (sync 4)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { tags: { a: { color: '#abc' }, b: { favorite: true } } })

  const response = await sync('phone', { from: 2, tags: { a: { favorite: true } } })
  const unset = await sync('phone', { tags: { a: { favorite: false, color: false } } })

  expect(response).toEqual({ position: 3, tags: { a: { favorite: true, color: '#abc', todo: false } } })
  expect(unset.tags).toEqual({
    a: { favorite: false, color: false, todo: false },
    b: { favorite: true, color: false, todo: false },
  })
})

test('thingCount counts before skip and limit and after skip_id (sync 5)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b', 'c', 'd'))
  await sync('phone', { deletedThings: ['id3', 'id4'] })

  const response = await sync('laptop', { from: 4, ...add('e'), limit: 1, skipIds: ['id3', 'unknown'] })
  const full = await sync('laptop', { limit: 0, skipIds: ['id1'] })

  expect(response).toEqual({ position: 7, thingCount: 2, assigned: { e: 'id5' }, deleted: ['id4'] })
  expect(full).toEqual({ position: 7, thingCount: 2 })
})

test('a gone thing is listed as deleted once, and not when skip_id names it (sync 8)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', add('a', 'b'))
  await sync('phone', { deletedThings: ['id1', 'id2'] })
  const changedThings = ['id1', 'id2', 'never'].map((id) => ({ id, title: 'late' }))

  expect(await sync('laptop', { from: 2, changedThings, skipIds: ['id2'] })).toEqual({
    position: 4,
    thingCount: 2,
    deleted: ['id1', 'never'],
  })
})

test('a user never sees changes of another user', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { ...add('a'), tags: { t: { favorite: true } } }, 'anna')

  expect(await sync('phone', { changedThings: [{ id: 'id1', title: 'stolen' }] }, 'berta')).toEqual({
    position: 0,
    thingCount: 1,
    deleted: ['id1'],
  })
  expect((await sync('laptop', {}, 'anna')).changed).toEqual([shown('id1', 'a')])
})

test('an up-to-date client gets the same response as with a page that holds everything', async () => {
  const [short, paged] = [await openSyncStore(), await openSyncStore()]
  const script: [session: string, request: TestRequest][] = [
    ['phone', add('a', 'b', 'c')],
    ['phone', { from: 3, ...add('d'), changedThings: [{ id: 'id1', title: 'a2' }], deletedThings: ['id2'] }],
    ['phone', { from: 3, ...add('d') }],
    ['laptop', { from: 6, changedThings: [{ id: 'id2', title: 'b2' }], tags: { x: { favorite: true } } }],
    ['laptop', { from: 7, changedThings: [{ id: 'id2', title: 'b3' }], skipIds: ['id2'] }],
    ['phone', { from: 7, deletedThings: ['id1', 'id1', 'unknown'] }],
    ['phone', { from: 7, ...add('e') }],
    ['laptop', { from: 8, ...add('f') }],
    ['laptop', { from: 10, ...add('g') }],
    ['phone', { from: 99, ...add('h') }],
    ['laptop', { from: 12 }],
  ]

  for (const [session, request] of script) {
    const response = await short.sync(session, request)
    expect(response).toEqual(await paged.sync(session, { ...request, limit: 1000 }))
  }
})
