import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'

const server = await openFileServer()

const anId = expect.stringMatching(/^[0-9A-Za-z]+$/)
const aTime = expect.toSatisfy((date) => Number.isInteger(date) && Math.abs(date - Date.now() / 1000) < 60)

/** The returned form of a thing that is created with these fields, as another device lists it. */
const createAndList = async (fields: object, upload: object = {}) => {
  const phone = await server.openDevice()
  const laptop = await server.openDevice(phone.userName)
  await phone.sync({ ...upload, new_thing: [{ local_id: 'n', title: 'A', ...fields }] })
  const { things } = await laptop.sync()
  return things?.changed?.[0]
}

test('a thing with nothing but a title has _id, title, tags and date and no other field', async () => {
  expect(await createAndList({})).toEqual({ _id: anId, title: 'A', tags: '', date: aTime })
})

test('a thing with everything has every field', async () => {
  const fields = { tags: 'work home', date: 12.5, url: 'https://a.example/', html: '<b>x</b>', archived: true }

  const thing = await createAndList({ ...fields, todoStatus: true }, { tag: { home: { todo: true } } })

  expect(thing).toEqual({ _id: anId, title: 'A', ...fields, todoStatus: true })
})

test.each<[string, object]>([
  ['an empty text', { url: '', html: '', tags: '' }],
  ['null', { url: null, html: null, tags: null }],
])('url and html are absent and tags is empty when they are given as %s', async (_name, fields) => {
  expect(await createAndList(fields)).toEqual({ _id: anId, title: 'A', tags: '', date: aTime })
})

test('archived false is the same as no archived', async () => {
  expect(await createAndList({ archived: false })).toEqual({ _id: anId, title: 'A', tags: '', date: aTime })
})

test('url, html and archived go away when a change clears them', async () => {
  const phone = await server.openDevice()
  const laptop = await server.openDevice(phone.userName)
  const fields = { title: 'A', tags: 'x', date: 0, url: 'https://a.example/', html: 'x', archived: true }
  const created = await phone.sync({ new_thing: [{ local_id: 1, ...fields }] })
  const _id = created.things?.new?.[1]

  await phone.sync({ changed_thing: [{ _id, title: 'A', url: '', html: '', tags: '' }] })

  expect((await laptop.sync()).things?.changed).toEqual([{ _id, title: 'A', tags: '', date: 0 }])
})

test.each<[string, object, string, boolean | undefined]>([
  ['carries no tag', { todo: 'strike' }, '', undefined],
  ['carries a tag without todo', { favorite: true }, 'home', undefined],
  ['carries a tag with "strike"', { todo: 'strike' }, 'work home', false],
  ['carries a tag with "dont-strike"', { todo: 'dont-strike' }, 'home', false],
  ['carries a tag whose name only begins alike', { todo: true }, 'homework', undefined],
])('a thing that %s has todoStatus exactly when it is a todo', async (_name, settings, tags, todoStatus) => {
  const thing = await createAndList({ tags }, { tag: { home: settings } })

  expect(thing).toEqual({
    _id: anId,
    title: 'A',
    tags,
    date: aTime,
    ...(todoStatus === undefined ? {} : { todoStatus }),
  })
})

test('todoStatus comes and goes with the setting of the tag and keeps its value', async () => {
  const phone = await server.openDevice()
  await phone.sync({ new_thing: [{ local_id: 1, title: 'A', date: 5, tags: 'home', todoStatus: true }] })
  const listed = async () => (await phone.get('/things/get')).body[0]

  const before = await listed()
  await phone.sync({ tag: { home: { todo: true } } })
  const during = await listed()
  await phone.sync({ tag: { home: { todo: false } } })
  const after = await listed()

  const thing = { _id: anId, title: 'A', tags: 'home', date: 5 }
  expect([before, during, after]).toEqual([thing, { ...thing, todoStatus: true }, thing])
})

test.each<[string, object, object]>([
  ['favorite', { favorite: true }, { favorite: true, color: false, todo: false }],
  ['color', { color: '#F80' }, { favorite: false, color: '#f80', todo: false }],
  ['a long color', { color: '#00ff7F' }, { favorite: false, color: '#00ff7f', todo: false }],
  ['todo true', { todo: true }, { favorite: false, color: false, todo: 'strike' }],
  ['todo "strike"', { todo: 'strike' }, { favorite: false, color: false, todo: 'strike' }],
  ['todo "dont-strike"', { todo: 'dont-strike' }, { favorite: false, color: false, todo: 'dont-strike' }],
])('tag settings are returned in full when only %s is given, in every listing', async (_name, change, settings) => {
  const phone = await server.openDevice()
  const laptop = await server.openDevice(phone.userName)

  const own = await phone.sync({ tag: { 'a tag': change } })
  const full = await laptop.sync()

  expect([own, full]).toEqual(Array(2).fill({ pos: 1, tags: { 'a tag': settings } }))
})

test('parts of a sync response that hold nothing are absent', async () => {
  const phone = await server.openDevice()
  const laptop = await server.openDevice(phone.userName)

  const empty = await phone.sync()
  const created = await phone.sync({ new_thing: [{ local_id: 'a', title: 'A', date: 1 }] })
  const listed = await laptop.sync()
  const _id = created.things?.new?.a
  const deleted = await phone.sync({ from: created.pos, deleted_thing: [_id] })
  const removed = await laptop.sync({ from: listed.pos })
  const again = await laptop.sync({ from: removed.pos })
  const full = await laptop.sync()

  expect([empty, created, listed]).toEqual([
    { pos: 0 },
    { pos: 1, thingCount: 1, things: { new: { a: anId } } },
    { pos: 1, thingCount: 1, things: { changed: [{ _id, title: 'A', tags: '', date: 1 }] } },
  ])
  expect([deleted, removed, again, full]).toEqual([
    { pos: 2 },
    { pos: 2, thingCount: 1, things: { deleted: [_id] } },
    { pos: 2 },
    { pos: 2 },
  ])
})

test('an _id has letters and digits only, and no two are alike', async () => {
  const phone = await server.openDevice()
  const things = Array.from({ length: 500 }, (_, i) => ({ local_id: i, title: '' }))

  const { things: created } = await phone.sync({ new_thing: things })

  const ids = Object.values(created?.new ?? {})
  expect(ids.every((id) => /^[0-9A-Za-z]+$/.test(String(id)))).toBe(true)
  expect(new Set(ids).size).toBe(500)
})
