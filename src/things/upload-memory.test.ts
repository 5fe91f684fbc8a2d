import { expect, test } from 'vitest'
import { openSyncTrial } from './sync-trial.ts'

const newThings = [{ localId: 1, title: 'once', html: 'h', archived: true }]

test('a retry after a lost answer gets the same id and is applied as a change, also the tenth time (sync 7)', async () => {
  const { sync } = await openSyncTrial()
  await sync('phone', { from: 0, newThings })

  for (let time = 2; time <= 10; time++) {
    const retried = await sync('phone', { from: 0, newThings: [{ localId: '1', title: `time ${time}` }] })
    expect(retried).toEqual({ position: time, thingCount: 1, assigned: { 1: 'id1' } })
  }

  expect((await sync('desk')).changed).toEqual([{ _id: 'id1', title: 'time 10', tags: '', date: 1000, html: 'h' }])
})

test('a retry may bring further new things, and these are remembered too', async () => {
  const { sync } = await openSyncTrial()
  const more = [...newThings, { localId: 2, title: 'second' }]
  await sync('phone', { from: 0, newThings })

  const first = await sync('phone', { from: 0, newThings: more })
  const second = await sync('phone', { from: 0, newThings: more })

  expect([first.assigned, second.assigned]).toEqual([
    { 1: 'id1', 2: 'id2' },
    { 1: 'id1', 2: 'id2' },
  ])
})

test('without from, with another from, or in another session a repeated local id is a new thing (sync 7)', async () => {
  const { sync } = await openSyncTrial()
  await sync('phone', { newThings })

  const ids = [
    await sync('phone', { newThings }),
    await sync('phone', { from: 0, newThings }),
    await sync('desk', { from: 0, newThings }),
    await sync('phone', { from: 3, newThings }),
  ].map(({ assigned }) => assigned?.['1'])

  expect(ids).toEqual(['id2', 'id3', 'id4', 'id5'])
})

test('an upload with a later from makes the session forget the earlier ones, and only this session', async () => {
  const { sync } = await openSyncTrial()
  await sync('phone', { from: 0, newThings })
  await sync('desk', { from: 0, newThings })
  await sync('phone', { from: 2, deletedThings: ['nothing'] })

  const phone = await sync('phone', { from: 0, newThings })
  const desk = await sync('desk', { from: 0, newThings })

  expect([phone.assigned, desk.assigned]).toEqual([{ 1: 'id3' }, { 1: 'id2' }])
})

test('an upload with an earlier from keeps what was remembered with the later one', async () => {
  const { sync } = await openSyncTrial()
  await sync('desk', { newThings })
  await sync('phone', { from: 1, newThings })
  await sync('phone', { from: 0, newThings: [{ localId: 2, title: 'other' }] })

  expect((await sync('phone', { from: 1, newThings })).assigned).toEqual({ 1: 'id2' })
})

test('a retry of a thing that was deleted meanwhile answers its id, lists it as deleted and does not revive it', async () => {
  const { sync } = await openSyncTrial()
  await sync('phone', { from: 0, newThings })
  await sync('desk', { deletedThings: ['id1'] })

  const retried = await sync('phone', { from: 0, newThings })

  expect(retried).toEqual({ position: 2, thingCount: 2, assigned: { 1: 'id1' }, deleted: ['id1'] })
  expect(await sync('desk')).toEqual({ position: 2 })
})

test('a retry lists the thing when somebody else has changed it in between', async () => {
  const { sync } = await openSyncTrial()
  await sync('phone', { from: 0, newThings })
  await sync('desk', { changedThings: [{ id: 'id1', title: 'theirs', url: 'theirs' }] })

  const retried = await sync('phone', { from: 0, newThings })

  expect(retried.changed).toEqual([
    { _id: 'id1', title: 'once', tags: '', date: 1000, url: 'theirs', html: 'h', archived: true },
  ])
})

test('what is remembered costs a record per new thing and one per session and from', async () => {
  const { sync, store } = await openSyncTrial()
  await sync('phone', { from: 0, newThings: [...newThings, { localId: '__proto__', title: '' }] })
  await sync('phone', { from: 2, newThings })

  const view = await store.read('anna')
  expect([...(await view.listRecords('upload', 'phone'))]).toEqual([['2', true]])
  expect([...(await view.listRecords('upload', 'phone 0'))]).toEqual([])
  expect([...(await view.listRecords('upload', 'phone 2'))]).toEqual([['1', 'id3']])
})
