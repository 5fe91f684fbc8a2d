import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isText } from '../../../src/wire/json-schema.ts'
import { openFileServer, type TestDevice } from '../../support/open-test-server.ts'

// Created before the server is there: on a busy machine it takes seconds. Meanwhile the server would end an idle
// connection, and the next request would use that connection.
const text = fc.string({ unit: 'binary', maxLength: 30 }).filter(isText)
const fields = fc.record({ title: text, tags: text, url: text.map((t) => `${t}.`), html: text.map((t) => `<${t}`) })
const manyTexts = [
  ...fc.sample(fields, 150),
  { title: '\r\n\u2028"\\/', tags: '  a  b ', url: '%41+&=', html: '\ufeff<' },
]

const server = await openFileServer()

const create = async (device: TestDevice, fields: object = {}): Promise<string> => {
  const { things } = await device.sync({ new_thing: [{ local_id: 'n', title: 'A', date: 0, ...fields }] })
  return String(things?.new?.n)
}

const changedOf = async (device: TestDevice) => (await device.sync()).things?.changed

test('a change keeps what it does not name, except archived', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const fields = { tags: 'work', date: -5, url: 'https://a.example/', html: '<i>x</i>' }
  const _id = await create(phone, { ...fields, archived: true })

  await phone.sync({ changed_thing: [{ _id, title: 'B' }] })

  expect(await changedOf(laptop)).toEqual([{ _id, title: 'B', ...fields }])
})

test('"" in a change clears url, html and tags', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const _id = await create(phone, { tags: 'work', url: 'https://a.example/', html: 'x' })

  const cleared = { _id, title: 'A', url: '', html: '', tags: '' }
  await phone.post('/sync', { form: { changed_thing: JSON.stringify(cleared) } })

  expect(await changedOf(laptop)).toEqual([{ _id, title: 'A', tags: '', date: 0 }])
})

test.each(['form', 'json'])('null in a change of the title wipes nothing, by %s', async (spelling) => {
  const { phone, laptop } = await server.openTwoDevices()
  const fields = { tags: 'work', url: 'https://a.example/', html: 'x' }
  const _id = await create(phone, fields)

  const changed = { _id, title: 'B', tags: null, url: null, html: null }
  const sent =
    spelling === 'json' ? { json: { changed_thing: [changed] } } : { form: { changed_thing: JSON.stringify(changed) } }
  const { status } = await phone.post('/sync', sent)

  expect(status).toBe(200)
  expect(await changedOf(laptop)).toEqual([{ _id, title: 'B', date: 0, ...fields }])
})

test('deletion wins over a later change, and the rest of the request is applied', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const removed = await create(phone)
  const { pos } = await laptop.sync()
  await phone.sync({ deleted_thing: [removed] })

  const response = await laptop.sync({
    from: pos,
    changed_thing: [
      { _id: removed, title: 'B' },
      { _id: 'never', title: 'C' },
    ],
    new_thing: [{ local_id: 'n', title: 'N', date: 0 }],
  })

  expect(response).toEqual({
    pos: 3,
    thingCount: 3,
    things: {
      new: { n: expect.any(String) },
      deleted: expect.toSatisfy((ids) => ids.sort().join() === [removed, 'never'].sort().join()),
    },
  })
  expect(await changedOf(phone)).toEqual([{ _id: response.things?.new?.n, title: 'N', tags: '', date: 0 }])
})

test('a lost deletion may be repeated, and an unknown id does no harm', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const _id = await create(phone)

  const responses = [
    await phone.sync({ from: 1, deleted_thing: [_id] }),
    await phone.sync({ from: 1, deleted_thing: [_id, 'never', _id] }),
    (await phone.post('/sync', { form: { from: '1', deleted_thing: _id } })).body,
  ]

  expect(responses).toEqual(Array(3).fill({ pos: 2 }))
  expect((await laptop.sync({ from: 1 })).things).toEqual({ deleted: [_id] })
})

test('a deletion reaches a client however late it comes', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const _id = await create(phone)
  const { pos } = await laptop.sync()
  await phone.sync({ deleted_thing: [_id] })
  for (let i = 0; i < 30; i++) await phone.sync({ deleted_thing: [await create(phone)] })

  expect(await laptop.sync({ from: pos })).toEqual({ pos: 62, thingCount: 1, things: { deleted: [_id] } })
})

test('in one request the order is new, changed, deleted, tags, whatever the order of the parameters', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const both = await create(phone, { tags: 'todo' })
  const changed = await create(phone, { tags: 'todo' })
  const { pos } = await laptop.sync()

  const form: [string, string][] = [
    ['tag[todo]', '{"todo":true}'],
    ['deleted_thing', both],
    ['changed_thing', JSON.stringify([both, changed].map((_id) => ({ _id, title: 'changed' })))],
    ['new_thing', JSON.stringify({ local_id: 'n', title: 'new', tags: 'todo', date: 0 })],
  ]
  const { body } = await phone.post('/sync', { form })

  const todo = { tags: 'todo', date: 0, todoStatus: false }
  expect(await laptop.sync({ from: pos })).toEqual({
    pos: 7,
    thingCount: 3,
    tags: { todo: { favorite: false, color: false, todo: 'strike' } },
    things: {
      changed: [
        { _id: body.things?.new?.n, title: 'new', ...todo },
        { _id: changed, title: 'changed', ...todo },
      ],
      deleted: [both],
    },
  })
})

test('the last writer wins, also within one request', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const _id = await create(phone)

  await phone.sync({ changed_thing: [{ _id, title: 'phone', html: 'kept' }] })
  await laptop.sync({
    changed_thing: [
      { _id, title: 'laptop 1' },
      { _id, title: 'laptop 2' },
    ],
  })

  expect(await changedOf(phone)).toEqual([{ _id, title: 'laptop 2', tags: '', date: 0, html: 'kept' }])
})

test('uploads that arrive at the same time are all kept, each at a position of its own', async () => {
  const devices = await Promise.all(Array.from({ length: 5 }, () => server.openDevice('anna')))

  const responses = await Promise.all(
    Array.from({ length: 50 }, (_, i) => devices[i % 5]?.sync({ new_thing: [{ local_id: i, title: `t${i}` }] })),
  )

  // The response shows the account at the time of the response, which may hold later uploads by then.
  expect(new Set(responses.map((response) => Object.keys(response?.things?.new ?? {}).length))).toEqual(new Set([1]))
  const { pos, thingCount } = (await devices[0]?.sync()) ?? {}
  expect({ pos, thingCount }).toEqual({ pos: 50, thingCount: 50 })
  for (let from = 1; from < 50; from += 1) expect((await devices[0]?.sync({ from }))?.thingCount).toBe(50 - from)
})

test.each([0, -1, 12.5, 1e300, -0.1, 253402300800])('the date %d is returned as it was given', async (date) => {
  const { phone, laptop } = await server.openTwoDevices()
  const _id = await create(phone, { date })

  expect(await changedOf(laptop)).toEqual([{ _id, title: 'A', tags: '', date }])
})

test('a date that is absent is the time of the server in whole seconds, and a change keeps it', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const start = Math.floor(Date.now() / 1000)
  const { things } = await phone.sync({ new_thing: [{ local_id: 'n', title: 'A' }] })
  const end = Math.floor(Date.now() / 1000)

  const before = (await changedOf(laptop)) as unknown as { _id: string; date: number }[]
  await phone.sync({ changed_thing: [{ _id: things?.new?.n, title: 'A' }] })

  expect(before.every(({ date }) => Number.isInteger(date) && date >= start && date <= end)).toBe(true)
  expect(await changedOf(laptop)).toEqual(before)
})

test('a title may be empty but not absent', async () => {
  const { phone, laptop } = await server.openTwoDevices()

  const _id = await create(phone, { title: '' })
  const absent = await phone.post('/sync', { json: { changed_thing: [{ _id }] } })

  expect([absent.status, absent.body.error_description]).toEqual([400, 'changed_thing[0].title is required'])
  expect(await changedOf(laptop)).toEqual([{ _id, title: '', tags: '', date: 0 }])
})

test('texts come back exactly as sent, by form and by JSON', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  const things = manyTexts.map((sample, i) => ({ local_id: i, date: i, ...sample }))

  await phone.post('/sync', { form: things.slice(75).map((thing) => ['new_thing[]', JSON.stringify(thing)] as const) })
  await phone.sync({ new_thing: things.slice(0, 75) })

  const listed = (await changedOf(laptop)) as unknown as { _id: string; date: number }[]
  const expected = things.map(({ local_id: _, ...thing }) => ({ _id: expect.any(String), ...thing }))
  expect([...listed].sort((a, b) => a.date - b.date)).toEqual(expected)
})

test('tag settings keep what a change does not name', async () => {
  const { phone, laptop } = await server.openTwoDevices()
  await phone.sync({ tag: { work: { favorite: true, color: '#abc', todo: 'dont-strike' } } })

  const changes = [{ color: false }, { todo: false }, {}, { favorite: false }, { todo: true }]
  const responses = []
  for (const work of changes) responses.push((await phone.sync({ tag: { work } })).tags?.work)

  expect(responses).toEqual([
    { favorite: true, color: false, todo: 'dont-strike' },
    { favorite: true, color: false, todo: false },
    { favorite: true, color: false, todo: false },
    { favorite: false, color: false, todo: false },
    { favorite: false, color: false, todo: 'strike' },
  ])
  expect((await laptop.sync()).tags).toEqual({ work: { favorite: false, color: false, todo: 'strike' } })
})

test.each(['red', '#ff', '#12345', '#1234567', '#ggg', '', true, 0])('the color %j is rejected', async (color) => {
  const { phone } = await server.openTwoDevices()

  const { status, body } = await phone.post('/sync', { json: { tag: { work: { color } } } })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toContain('tag[work].color')
})
