import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSyncStore, type TestRequest } from '../../test/support/sync-store.ts'
import { systemEnvironment } from '../environment.ts'
import { openJsonFileStore } from '../store/json-file-store.ts'
import { thingForm } from './thing.ts'
import { applyUpload } from './upload.ts'

const newThings = [{ localId: 1, title: 'once', html: 'h', archived: true }]

test('a retry after a lost response gets the same id and is applied as a change (sync 7)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings })

  for (let time = 2; time <= 10; time++) {
    const retried = await sync('phone', { from: 0, newThings: [{ localId: '1', title: 'once', html: `h${time}` }] })
    expect(retried).toEqual({ position: time, thingCount: 1, assigned: { 1: 'id1' } })
  }

  expect((await sync('laptop')).changed).toEqual([{ _id: 'id1', title: 'once', tags: '', date: 1000, html: 'h10' }])
})

const first = { localId: 1, title: 'first', url: 'https://a.example/', date: 5 }
const other = { localId: 1, title: 'other', url: 'https://b.example/', date: 6 }

test.each([
  ['title', 'first'],
  ['url', 'https://a.example/'],
  ['date', 5],
])(
  'a repeated local id is a retry when the %s alone is the same, whatever the others say (sync 7)',
  async (name, value) => {
    const { sync } = await openSyncStore()
    await sync('phone', { from: 0, newThings: [first] })

    const edited = { ...other, [name]: value }
    const retried = await sync('phone', { from: 0, newThings: [edited] })

    expect(retried.assigned).toEqual({ 1: 'id1' })
    const { localId: _, ...fields } = edited
    expect((await sync('laptop')).changed).toEqual([{ _id: 'id1', ...fields, tags: '' }])
  },
)

test('a repeated client-assigned ID with another title, url and date is another thing', async () => {
  const { sync } = await openSyncStore()
  const uploads = [first, other, { localId: 1, title: 'third' }, { localId: 1, title: 'fourth', url: '' }]
  const upload = async () => {
    const ids = []
    for (const thing of uploads) ids.push((await sync('phone', { from: 0, newThings: [thing] })).assigned?.['1'])
    return ids
  }

  const ids = await upload()
  const again = await upload()

  expect(ids).toEqual(['id1', 'id2', 'id3', 'id4'])
  expect(again).toEqual(ids)
  const titles = (await sync('laptop')).changed as unknown as { title: string }[]
  expect(titles.map(({ title }) => title)).toEqual(['first', 'other', 'third', 'fourth'])
})

test('a retry is compared with all earlier uploads of the thing, not with changes of others', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'a', date: 5 }] })
  await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'b', date: 5 }] })
  await sync('laptop', { changedThings: [{ id: 'id1', title: 'theirs', date: 9 }] })

  const ids = []
  for (const title of ['b', 'a', 'theirs']) {
    ids.push((await sync('phone', { from: 0, newThings: [{ localId: 1, title }] })).assigned?.['1'])
  }

  expect(ids).toEqual(['id1', 'id1', 'id2'])
})

test('of several things under one client-assigned ID, a retry matches the most similar thing', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'same', date: 1 }] })
  await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'x', date: 2 }] })
  await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'same', date: 2 }] })

  const ids = []
  for (const date of [1, 2, 3]) {
    ids.push((await sync('phone', { from: 0, newThings: [{ localId: 1, title: 'same', date }] })).assigned?.['1'])
  }

  expect(ids).toEqual(['id1', 'id2', 'id2'])
})

test('titles that differ only after many characters are different', async () => {
  const { sync } = await openSyncStore()
  const long = 'x'.repeat(60_000)

  const ids = []
  for (const title of [`${long}a`, `${long}b`, `${long}a`]) {
    ids.push((await sync('phone', { from: 0, newThings: [{ localId: 1, title }] })).assigned?.['1'])
  }

  expect(ids).toEqual(['id1', 'id2', 'id1'])
})

test.each<[string, TestRequest]>([
  ['changed_thing', { changedThings: [{ id: 'id1', title: 'once' }] }],
  ['deleted_thing', { deletedThings: ['id1'] }],
])(
  'a session that names a thing by its _id in %s has the response: its client-assigned ID is free again',
  async (_name, named) => {
    const { sync } = await openSyncStore()
    await sync('phone', { from: 0, newThings: [...newThings, { localId: 2, title: 'other' }] })
    await sync('laptop', { ...named })
    const beforeNamed = await sync('phone', { from: 0, newThings })

    await sync('phone', named)
    const response = await sync('phone', { from: 0, newThings: [...newThings, { localId: 2, title: 'other' }] })

    expect(beforeNamed.assigned).toEqual({ 1: 'id1' })
    expect(response.assigned).toEqual({ 1: 'id3', 2: 'id2' })
  },
)

test('things that are deleted and uploaded again in one request are new, and a retry of that changes nothing', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings })
  const again = { from: 0, newThings, deletedThings: ['id1'] }

  const responses = [await sync('phone', again), await sync('phone', again)]

  expect(responses.map(({ assigned }) => assigned)).toEqual([{ 1: 'id2' }, { 1: 'id2' }])
  expect((await sync('laptop')).changed).toMatchObject([{ _id: 'id2', title: 'once' }])
})

test('a record without a fingerprint matches any upload', async () => {
  const { sync, store } = await openSyncStore()
  await sync('phone', { newThings })
  await store.write('anna', 'phone', async (draft) => {
    await draft.putRecord('upload', 'phone', '0', true)
    await draft.putRecord('upload', 'phone 0', '1', 'id1')
  })

  const ids = []
  for (const title of ['edited', 'edited again']) {
    ids.push((await sync('phone', { from: 0, newThings: [{ localId: 1, title }] })).assigned?.['1'])
  }

  expect(ids).toEqual(['id1', 'id1'])
})

test('a retry may have more new things, and these are also remembered', async () => {
  const { sync } = await openSyncStore()
  const more = [...newThings, { localId: 2, title: 'second' }]
  await sync('phone', { from: 0, newThings })

  const first = await sync('phone', { from: 0, newThings: more })
  const second = await sync('phone', { from: 0, newThings: more })

  expect([first.assigned, second.assigned]).toEqual([
    { 1: 'id1', 2: 'id2' },
    { 1: 'id1', 2: 'id2' },
  ])
})

test('without from, with another from, or in another session, a repeated ID is a new thing (sync 7)', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { newThings })

  const ids = [
    await sync('phone', { newThings }),
    await sync('phone', { from: 0, newThings }),
    await sync('laptop', { from: 0, newThings }),
    await sync('phone', { from: 3, newThings }),
  ].map(({ assigned }) => assigned?.['1'])

  expect(ids).toEqual(['id2', 'id3', 'id4', 'id5'])
})

test('an upload with a later from makes the session forget the earlier ones, and only this session', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings })
  await sync('laptop', { from: 0, newThings })
  await sync('phone', { from: 2, deletedThings: ['nothing'] })

  const phone = await sync('phone', { from: 0, newThings })
  const laptop = await sync('laptop', { from: 0, newThings })

  expect([phone.assigned, laptop.assigned]).toEqual([{ 1: 'id3' }, { 1: 'id2' }])
})

test('an upload with an earlier from keeps the history of the later one', async () => {
  const { sync } = await openSyncStore()
  await sync('laptop', { newThings })
  await sync('phone', { from: 1, newThings })
  await sync('phone', { from: 0, newThings: [{ localId: 2, title: 'other' }] })

  expect((await sync('phone', { from: 1, newThings })).assigned).toEqual({ 1: 'id2' })
})

test('a retry of a deleted thing returns its id, lists it as deleted and does not revive it', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings })
  await sync('laptop', { deletedThings: ['id1'] })

  const retried = await sync('phone', { from: 0, newThings })

  expect(retried).toEqual({ position: 2, thingCount: 2, assigned: { 1: 'id1' }, deleted: ['id1'] })
  expect(await sync('laptop')).toEqual({ position: 2 })
})

test('a retry lists the thing when another session has changed it in between', async () => {
  const { sync } = await openSyncStore()
  await sync('phone', { from: 0, newThings })
  await sync('laptop', { changedThings: [{ id: 'id1', title: 'theirs', url: 'theirs' }] })

  const retried = await sync('phone', { from: 0, newThings })

  expect(retried.changed).toEqual([
    { _id: 'id1', title: 'once', tags: '', date: 1000, url: 'theirs', html: 'h', archived: true },
  ])
})

test('the history has a record for each new thing and one for each session and from', async () => {
  const { sync, store } = await openSyncStore()
  await sync('phone', { from: 0, newThings: [...newThings, { localId: '__proto__', title: '' }] })
  await sync('phone', { from: 2, newThings })

  const view = await store.read('anna')
  expect([...(await view.listRecords('upload', 'phone'))]).toEqual([['2', true]])
  expect([...(await view.listRecords('upload', 'phone 0'))]).toEqual([])
  expect([...(await view.listRecords('upload', 'phone 2'))]).toEqual([['id3', ['1', [], [], ['once']]]])
})

test('a retry is known after the store was closed and opened again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-memory-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const fields = { title: 'once', url: 'https://a.example/', date: 5 }
  const upload = { from: 0, newThings: [{ localId: 1, fields }], changedThings: [], deletedThings: [], tags: new Map() }
  const uploadAgain = async () => {
    const store = await openJsonFileStore({ folder, form: thingForm })
    const outcome = await store.write('anna', 'phone', (draft) =>
      applyUpload(draft, upload, 'phone', systemEnvironment),
    )
    await store.close()
    return outcome.assigned
  }

  const first = await uploadAgain()
  const second = await uploadAgain()

  expect(second).toEqual(first)
})
