import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { type Store, StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer, type TestDevice } from '../../support/open-test-server.ts'

const server = await openFileServer()

const changedOf = async (device: TestDevice) => (await device.sync()).things?.changed

test('every new thing gets one entry, number ids as their decimal text, and the new _id works at once', async () => {
  const { phone } = await server.openTwoDevices()

  const created = await phone.sync({
    new_thing: ['n', 7, -1, 1.5, 1e15].map((local_id) => ({ local_id, title: String(local_id), date: 0 })),
  })

  const ids = created.things?.new as unknown as Record<string, string>
  expect(Object.keys(ids).sort()).toEqual(['-1', '1.5', '1000000000000000', '7', 'n'])
  const changed = await phone.post('/thing/change', { json: { _id: ids['7'], title: 'seven' } })
  expect(changed.body).toEqual({ _id: ids['7'], title: 'seven', tags: '', date: 0 })
})

test('a new thing that repeats local_id and from is a retry: same _id, fields applied, nothing twice', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 'n', title: 'A', date: 0, url: 'https://a.example/' }] }
  const first = await phone.sync(upload)

  const again = await phone.sync(upload)
  const edited = await phone.sync({ from: 0, new_thing: [{ local_id: 'n', title: 'A', html: 'x', archived: true }] })

  expect([again.things, edited.things]).toEqual([first.things, first.things])
  expect(await changedOf(laptop)).toEqual([
    { _id: first.things?.new?.n, title: 'A', tags: '', date: 0, url: 'https://a.example/', html: 'x', archived: true },
  ])
})

test('a client that sends from=0 and counts from 1 each time gets a thing each time, and overwrites none', async () => {
  const { phone } = await server.openTwoDevices()
  const upload = (title: string, fields: object = {}) =>
    phone.sync({ from: 0, new_thing: [{ local_id: 1, title, date: 0, ...fields }], limit: 0 })

  const ids = [
    await upload('A', { date: 1 }),
    await upload('B', { date: 2, url: 'https://b.example/' }),
    await upload('C', { date: undefined }),
    await upload('B, edited', { date: 3, url: 'https://b.example/' }),
  ].map(({ things }) => things?.new?.[1])

  expect(new Set(ids).size).toBe(3)
  expect(ids[3]).toBe(ids[1])
  const listed = (await changedOf(phone)) as unknown as { title: string }[]
  expect(listed.map(({ title }) => title)).toEqual(['A', 'C', 'B, edited'])
})

test.each<[string, (_id: unknown) => object]>([
  ['deleted_thing', (_id) => ({ deleted_thing: [_id] })],
  ['changed_thing', (_id) => ({ changed_thing: [{ _id, title: 'A' }] })],
])('a thing that the session has named in %s is not what a repeated local_id means', async (_name, toNamed) => {
  const { phone } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A', date: 0 }] }
  const first = (await phone.sync(upload)).things?.new?.[1]

  await phone.sync(toNamed(first))
  const second = (await phone.sync(upload)).things?.new?.[1]
  const retried = (await phone.sync(upload)).things?.new?.[1]

  expect(second).not.toBe(first)
  expect(retried).toBe(second)
  expect((await changedOf(phone)) as unknown as object[]).toContainEqual({ _id: second, title: 'A', tags: '', date: 0 })
})

test('things that are deleted and uploaded again in one request are kept', async () => {
  const { phone } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A', date: 0 }] }
  const first = (await phone.sync(upload)).things?.new?.[1]

  const { things } = await phone.sync({ ...upload, deleted_thing: [first] })

  expect(await changedOf(phone)).toEqual([{ _id: things?.new?.[1], title: 'A', tags: '', date: 0 }])
})

test.each(['GET', 'POST'])('a later from that a %s without an upload sends also ends the retries', async (method) => {
  const { phone } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A' }] }
  const first = await phone.sync(upload)
  const send = (from: unknown) =>
    phone[method === 'GET' ? 'get' : 'post'](
      '/sync',
      method === 'GET' ? { query: { from: String(from) } } : { json: { from } },
    )

  await send(0)
  const retried = await phone.sync(upload)
  await send(first.pos)
  const second = await phone.sync(upload)

  expect(retried.things?.new).toEqual(first.things?.new)
  expect(second.things?.new).not.toEqual(first.things?.new)
})

test('a sync gets its response when the retry record cannot be deleted, and a later one deletes it', async () => {
  const store = await openMemoryStore({ form: thingForm })
  let isFull = false
  const write: Store['write'] = (...call) =>
    isFull ? Promise.reject(new StoreError('disk full')) : store.write(...call)
  const own = await openTestServer({ store: { ...store, write } })
  const phone = await own.openDevice()
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A' }] }
  const { pos, things } = await phone.sync(upload)

  isFull = true
  const listed = await phone.get('/sync', { query: { from: String(pos) } })
  isFull = false
  await phone.get('/sync', { query: { from: String(pos) } })

  expect([listed.status, listed.body]).toEqual([200, { pos }])
  expect((await phone.sync(upload)).things?.new).not.toEqual(things?.new)
})

test('a retry may come as a form, with other things beside it, and with the number id as text', async () => {
  const { phone } = await server.openTwoDevices()
  const first = await phone.sync({ from: 0, new_thing: [{ local_id: 7, title: 'A' }] })

  const form = { from: '0', new_thing: '[{"local_id":"7","title":"A"},{"local_id":8,"title":"B"}]' }
  const { body } = await phone.post('/sync', { form })

  expect(body.things?.new).toEqual({ 7: first.things?.new?.[7], 8: expect.any(String) })
  expect((await phone.get('/user/get')).body.thingCount).toBe(2)
})

test('a retry of many things that were half repeated creates only the missing ones', async () => {
  const { phone } = await server.openTwoDevices()
  const things = Array.from({ length: 40 }, (_, i) => ({ local_id: i, title: `t${i}` }))
  const first = await phone.sync({ from: 0, new_thing: things.slice(0, 25) })

  const second = await phone.sync({ from: 0, new_thing: things.slice(10) })

  const shared = Object.entries(second.things?.new ?? {}).filter(([localId]) => Number(localId) < 25)
  expect(shared).toEqual(Object.entries(first.things?.new ?? {}).filter(([localId]) => Number(localId) >= 10))
  expect((await phone.get('/user/get')).body.thingCount).toBe(40)
})

test('after the session sent a later from, a repeated local_id is a new thing', async () => {
  const { phone } = await server.openTwoDevices()
  const newThing = [{ local_id: 'n', title: 'A' }]
  const first = await phone.sync({ from: 0, new_thing: newThing })

  const second = await phone.sync({ from: first.pos, new_thing: newThing })

  expect(second.things?.new?.n).not.toBe(first.things?.new?.n)
  expect((await phone.get('/user/get')).body.thingCount).toBe(2)
})

test('without an explicit from a repeated local_id is a new thing', async () => {
  const { phone } = await server.openTwoDevices()
  const upload = { new_thing: [{ local_id: 'n', title: 'A' }] }

  const [first, second] = [await phone.sync(upload), await phone.sync(upload)]

  expect(second.things?.new?.n).not.toBe(first.things?.new?.n)
})

test('two devices may use the same local_id and from', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A' }] }

  const [first, second] = [await phone.sync(upload), await laptop.sync(upload)]

  expect(second.things?.new?.[1]).not.toBe(first.things?.new?.[1])
  expect((await phone.get('/user/get')).body.thingCount).toBe(2)
})

test('a retry of a thing that was deleted since does not bring it back', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const upload = { from: 0, new_thing: [{ local_id: 'n', title: 'A' }] }
  const _id = (await phone.sync(upload)).things?.new?.n
  await laptop.sync({ deleted_thing: [_id] })

  const again = await phone.sync(upload)

  expect(again).toEqual({ pos: 2, thingCount: 2, things: { new: { n: _id }, deleted: [_id] } })
  expect(await laptop.sync()).toEqual({ pos: 2 })
})

test.each(['/thing/delete', '/thing/change'])(
  '%s names a thing: the same local id is a new thing afterwards',
  async (path) => {
    const server = await openTestServer()
    const device = await server.openDevice()
    const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A' }] }
    const first = String((await device.sync(upload)).things?.new?.[1])

    await device.post(path, { json: path === '/thing/delete' ? { _id: first } : { _id: first, html: 'x' } })
    const second = await device.sync(upload)

    expect(second.things?.new?.[1]).not.toBe(first)
    expect(second.things?.deleted).toBeUndefined()
    const { body } = await device.get('/user/get')
    expect(body.thingCount).toBe(path === '/thing/delete' ? 1 : 2)
  },
)

test('a thing that another session names is still taken for the same in a retry', async () => {
  const server = await openTestServer()
  const device = await server.openDevice()
  const other = await server.openDevice(device.userName)
  const upload = { from: 0, new_thing: [{ local_id: 1, title: 'A' }] }
  const first = (await device.sync(upload)).things?.new?.[1]

  await other.post('/thing/change', { json: { _id: first, html: 'x' } })

  expect((await device.sync(upload)).things?.new?.[1]).toBe(first)
})
