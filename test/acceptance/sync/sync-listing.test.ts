import { expect, test } from 'vitest'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'
import type { Body } from '../../support/test-request.ts'

const server = await openFileServer()

/** Creates one thing for each title and gives their ids, by title. */
const create = async (device: TestDevice, ...titles: string[]): Promise<Record<string, string>> => {
  const { things } = await device.sync({ new_thing: titles.map((title) => ({ local_id: title, title, date: 0 })) })
  return { ...(things?.new as unknown as Record<string, string>) }
}

const titlesOf = ({ things }: Body) =>
  ((things?.changed ?? []) as unknown as { title: string }[]).map(({ title }) => title)

const show = (_id: string | undefined, title: string) => ({ _id, title, tags: '', date: 0 })

test('a full sync has every thing once in its latest state, even archived ones, and no deleted ids', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b, c } = await create(phone, 'a', 'b', 'c')
  await phone.sync({ changed_thing: [{ _id: a, title: 'a2' }] })
  await phone.sync({ changed_thing: [{ _id: a, title: 'a3', archived: true }], deleted_thing: [b] })

  const byGet = (await laptop.get('/sync')).body
  const from0 = (await laptop.get('/sync', { query: { from: '0' } })).body
  const byPost = await laptop.sync()

  const listed = { pos: 6, thingCount: 2, things: { changed: [show(c, 'c'), { ...show(a, 'a3'), archived: true }] } }
  expect([byGet, from0, byPost]).toEqual([listed, listed, listed])
})

test('a full sync has the settings of favorite and special tags and of no others', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await phone.sync({ tag: { fav: { favorite: true }, red: { color: '#f00' }, todo: { todo: 'dont-strike' } } })
  await phone.sync({ tag: { plain: { favorite: false }, was: { favorite: true } } })
  await phone.sync({ tag: { was: { favorite: false } } })

  expect(await laptop.sync()).toEqual({
    pos: 6,
    tags: {
      fav: { favorite: true, color: false, todo: false },
      red: { favorite: false, color: '#f00', todo: false },
      todo: { favorite: false, color: false, todo: 'dont-strike' },
    },
  })
})

test('an incremental sync has what changed or was deleted after from, each thing in its latest state', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b, c } = await create(phone, 'a', 'b', 'c', 'd')
  const { pos } = await laptop.sync()
  const { e } = await create(phone, 'e')
  await phone.sync({ changed_thing: [{ _id: a, title: 'a2' }] })
  await phone.sync({ changed_thing: [{ _id: a, title: 'a3' }], deleted_thing: [c, b] })

  expect(await laptop.sync({ from: pos })).toEqual({
    pos: 9,
    thingCount: 4,
    things: { changed: [show(e, 'e'), show(a, 'a3')], deleted: [c, b] },
  })
})

test('an incremental sync has only the tag settings that changed after from, even if switched off', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await phone.sync({ tag: { old: { favorite: true }, off: { favorite: true } } })
  const { pos } = await laptop.sync()

  await phone.sync({ tag: { off: { favorite: false } } })

  const off = { favorite: false, color: false, todo: false }
  expect(await laptop.sync({ from: pos })).toEqual({ pos: 3, tags: { off } })
})

test('when nothing changed the response is the position alone, however it is requested', async () => {
  const { phone } = await server.openTwoDevices()
  await create(phone, 'a')
  const query = { from: '1' }

  const responses = [
    await phone.sync({ from: 1 }),
    (await phone.get('/sync', { query })).body,
    (await phone.get('/sync', { query: { ...query, limit: '5' } })).body,
    (await phone.post('/sync', { form: query })).body,
  ]

  expect(responses).toEqual(Array(4).fill({ pos: 1 }))
})

test('a thing created and deleted after from is not listed', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a } = await create(phone, 'a')
  const { pos } = await laptop.sync()
  const { b } = await create(phone, 'b')
  await phone.sync({ deleted_thing: [b] })

  expect(await laptop.sync({ from: pos })).toEqual({ pos: 3 })
  expect(await laptop.sync()).toEqual({ pos: 3, thingCount: 1, things: { changed: [show(a, 'a')] } })
})

test('a from beyond the current position gets a full sync', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b } = await create(phone, 'a', 'b')
  await phone.sync({ deleted_thing: [b] })

  const full = { pos: 3, thingCount: 1, things: { changed: [show(a, 'a')] } }
  expect(await laptop.sync({ from: 4 })).toEqual(full)
  expect((await laptop.get('/sync', { query: { from: '1e15' } })).body).toEqual(full)
})

test('a from between two positions is none', async () => {
  const { laptop } = await server.openTwoDevices()

  const { body } = await laptop.get('/sync', { query: { from: '1.5' } })

  expect(body).toEqual({ error: 'parameter_invalid', error_description: 'from must be a whole number' })
})

test.each([undefined, 0, 2])('own uploads with from %j are not listed in their response', async (from) => {
  const { phone } = await server.openTwoDevices()
  const { a, b } = await create(phone, 'a', 'b')
  const start = from === undefined ? {} : { from }

  const response = await phone.sync({
    ...start,
    new_thing: [{ local_id: 'c', title: 'c' }],
    changed_thing: [{ _id: a, title: 'a2' }],
    deleted_thing: [b],
  })

  const c = expect.any(String)
  expect(response).toEqual({ pos: 5, thingCount: 1, things: { new: { c } } })
})

test('earlier own uploads are listed with from=0, because the client requests everything', async () => {
  const { phone } = await server.openTwoDevices()
  const { a } = await create(phone, 'a')
  const { b } = await create(phone, 'b')

  const response = await phone.sync({ from: 0, changed_thing: [{ _id: b, title: 'b2' }] })

  expect(response).toEqual({ pos: 3, thingCount: 1, things: { changed: [show(a, 'a')] } })
})

test('what others changed after from is listed beside an upload', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b, c } = await create(phone, 'a', 'b', 'c')
  const { pos } = await laptop.sync()
  await phone.sync({ changed_thing: [{ _id: a, title: 'a2' }], deleted_thing: [b] })

  const response = await laptop.sync({ from: pos, changed_thing: [{ _id: c, title: 'c2' }] })

  expect(response).toEqual({ pos: 6, thingCount: 2, things: { changed: [show(a, 'a2')], deleted: [b] } })
})

test('what others changed after from is listed even when we upload the same thing', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a } = await create(phone, 'a')
  const { pos } = await laptop.sync()
  await phone.sync({ changed_thing: [{ _id: a, title: 'a', html: 'theirs' }] })

  const response = await laptop.sync({ from: pos, changed_thing: [{ _id: a, title: 'ours' }] })

  expect(response).toEqual({ pos: 3, thingCount: 1, things: { changed: [{ ...show(a, 'ours'), html: 'theirs' }] } })
})

test('submitted tag settings are in the response in full, beside those that others changed', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { pos } = await laptop.sync({ tag: { mine: { color: '#123456' } } })
  await phone.sync({ tag: { theirs: { favorite: true } } })

  const response = await laptop.sync({ from: pos, tag: { mine: { favorite: true } } })

  expect(response).toEqual({
    pos: 3,
    tags: {
      theirs: { favorite: true, color: false, todo: false },
      mine: { favorite: true, color: '#123456', todo: false },
    },
  })
})

test('submitted tag settings are in the response even when they end being special and from is 0', async () => {
  const { phone } = await server.openTwoDevices()
  await phone.sync({ tag: { work: { favorite: true } } })

  const off = { favorite: false, color: false, todo: false }
  expect(await phone.sync({ tag: { work: { favorite: false } } })).toEqual({ pos: 2, tags: { work: off } })
})

test('thingCount counts new, changed and deleted things before skip and limit', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b } = await create(phone, 'a', 'b', 'c')
  const { pos } = await laptop.sync()
  await phone.sync({ changed_thing: [{ _id: a, title: 'a2' }], deleted_thing: [b] })
  await create(phone, 'd')

  const response = await laptop.sync({ from: pos, limit: 1, new_thing: [{ local_id: 'n', title: 'n' }] })

  expect(response).toEqual({
    pos: 7,
    thingCount: 4,
    things: { new: { n: expect.any(String) }, changed: [show(a, 'a2')] },
  })
})

test('skip_id leaves changed and deleted ids out, also from thingCount', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b, c, d } = await create(phone, 'a', 'b', 'c', 'd')
  const { pos } = await laptop.sync()
  await phone.sync({ changed_thing: [a, b].map((_id) => ({ _id, title: 'x' })), deleted_thing: [c, d] })

  const inJson = await laptop.sync({ from: pos, skip_id: [a, c, 'unknown'] })
  const inForm = await laptop.post('/sync', { form: `from=${pos}&skip_id=${a}&skip_id=${c}` })
  const all = await laptop.sync({ from: pos, skip_id: [a, b, c, d] })

  const response = { pos: 8, thingCount: 2, things: { changed: [show(b, 'x')], deleted: [d] } }
  expect([inJson, inForm.body, all]).toEqual([response, response, { pos: 8 }])
})

test('skip_id in a full sync leaves out the things that the client has', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b } = await create(phone, 'a', 'b')

  expect(await laptop.sync({ skip_id: [a] })).toEqual({ pos: 2, thingCount: 1, things: { changed: [show(b, 'b')] } })
})

test('things come in the order of their last change, deleted ids behind them', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { a, b, c } = await create(phone, 'a', 'b', 'c', 'd', 'e')
  const { pos } = await laptop.sync()
  await phone.sync({ deleted_thing: [c] })
  await phone.sync({ changed_thing: [b, a].map((_id, i) => ({ _id, title: `${i}` })) })

  expect(titlesOf(await laptop.sync())).toEqual(['d', 'e', '0', '1'])
  expect(await laptop.sync({ from: pos })).toMatchObject({
    things: { changed: [{ _id: b }, { _id: a }], deleted: [c] },
  })
})

test('things added, changed and deleted one at a time are listed to all other clients', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const { pos } = await laptop.sync()
  const added = (await phone.post('/thing/add', { json: { title: 'a', date: 0 } })).body
  const removed = (await phone.post('/thing/add', { json: { title: 'b', date: 0 } })).body
  const between = await laptop.sync({ from: pos })
  await phone.post('/thing/change', { json: { _id: added._id, title: 'a2' } })
  await phone.post('/thing/delete', { json: { _id: removed._id } })

  expect(between).toEqual({ pos: 2, thingCount: 2, things: { changed: [added, removed] } })
  expect(await laptop.sync({ from: between.pos })).toEqual({
    pos: 4,
    thingCount: 2,
    things: { changed: [{ ...added, title: 'a2' }], deleted: [removed._id] },
  })
})
