import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer, openTestServer, type TestDevice } from '../../support/open-test-server.ts'
import { pushKeys } from '../../support/push-keys.ts'
import { enrollDevice } from '../../support/test-device.ts'

const server = await openFileServer()

const anId = expect.stringMatching(/^[0-9A-Za-z]+$/)

const add = async (device: TestDevice, fields: object) => (await device.post('/thing/add', { json: fields })).body
const change = (device: TestDevice, fields: object) => device.post('/thing/change', { json: fields })
const list = async (device: TestDevice, query: Record<string, string> = {}) =>
  (await device.get('/things/get', { query })).body as unknown as { title: string }[]
const titles = async (device: TestDevice, query: Record<string, string> = {}) =>
  (await list(device, query)).map(({ title }) => title).join('')

test('thing/add responds with the thing, and no todoStatus when it is no todo', async () => {
  const device = await server.openDevice()
  const fields = { title: 'A', tags: 'x y', date: 5, url: 'https://a.example/', html: '<p>', archived: true }

  const thing = await add(device, { ...fields, todoStatus: true })

  expect(thing).toEqual({ _id: anId, ...fields })
  expect(await list(device, { archived: 'include' })).toEqual([thing])
})

test('thing/add by a form responds the same as by JSON', async () => {
  const device = await server.openDevice()
  await device.sync({ tag: { todo: { todo: true } } })

  const form = { title: 'A', tags: 'todo', date: '5', url: '', html: 'x', archived: '0', todoStatus: 'TRUE' }
  const { body } = await device.post('/thing/add', { form })

  expect(body).toEqual({ _id: anId, title: 'A', tags: 'todo', date: 5, html: 'x', todoStatus: true })
})

test.each<[string, string | undefined, string | undefined]>([
  ['https://a.example/x?y=1', undefined, 'https://a.example/x?y=1'],
  ['HTTP://a.example', undefined, 'HTTP://a.example'],
  ['https://a.example/', '', 'https://a.example/'],
  ['https://a.example/', 'https://b.example/', 'https://b.example/'],
  ['see https://a.example/', undefined, undefined],
  ['https://a.example/ and more', undefined, undefined],
  ['ftp://a.example/', undefined, undefined],
  ['https://', undefined, undefined],
  ['', undefined, undefined],
])('thing/add with the title %j and the url %j sets the url %j', async (title, url, expected) => {
  const device = await server.openDevice()

  const thing = await add(device, { title, date: 1, ...(url === undefined ? {} : { url }) })

  expect(thing).toEqual({ _id: anId, title, tags: '', date: 1, ...(expected === undefined ? {} : { url: expected }) })
})

test('thing/add takes a title for a URL only when its host has at most 1,024 characters', async () => {
  const device = await server.openDevice()
  // As long as a title may be: to encode this host took more than a second.
  const host = Array.from({ length: 65_000 }, (_, at) => (at % 2 === 0 ? 'a' : String.fromCharCode(0x4e00 + at / 4)))
  const titles = [`http://${host.join('')}/`, `http://${'a'.repeat(1_025)}/`, `http://a.example/${'a'.repeat(60_000)}`]

  const urls = []
  for (const title of titles) urls.push((await add(device, { title })).url)

  expect(urls).toEqual([undefined, undefined, titles[2]])
})

test('prevent_duplicate responds with the thing that has the url, and creates nothing', async () => {
  const device = await server.openDevice()
  const url = 'https://a.example/'
  const first = await add(device, { title: 'A', url, date: 1 })

  const again = await add(device, { title: 'B', url, prevent_duplicate: true })
  const byTitle = await add(device, { title: url, prevent_duplicate: true })
  const byForm = await device.post('/thing/add', { form: { title: 'C', url, prevent_duplicate: '1' } })

  expect([again, byTitle, byForm.body]).toEqual(Array(3).fill({ ...first, duplicate: true }))
  expect(await list(device)).toEqual([first])
  expect((await device.get('/user/get')).body.pos).toBe(1)
})

test('prevent_duplicate creates when no living thing has the url, or there is none', async () => {
  const device = await server.openDevice()
  const url = 'https://a.example/'
  const deleted = await add(device, { title: 'A', url })
  await device.post('/thing/delete', { json: { _id: deleted._id } })

  const created = await add(device, { title: 'B', url, prevent_duplicate: true })
  const without = [
    await add(device, { title: 'C', prevent_duplicate: true }),
    await add(device, { title: 'C', prevent_duplicate: true }),
  ]
  const twice = await add(device, { title: 'D', url, prevent_duplicate: false })

  expect([created, ...without, twice].filter((thing) => thing.duplicate)).toEqual([])
  expect(await titles(device)).toBe('BCCD')
})

test('thing/change changes the fields that are given and no other, also archived', async () => {
  const device = await server.openDevice()
  const content = { url: 'https://a.example/', html: 'x' }
  const { _id } = await add(device, { title: 'A', tags: 'x', date: 1, ...content, archived: true })

  const steps = [{ title: 'B' }, { archived: false }, { tags: 'y', date: 2 }, { url: '', html: '' }, {}]
  const responses = []
  for (const step of steps) responses.push((await change(device, { _id, ...step })).body)

  const bare = { _id, title: 'B', tags: 'y', date: 2 }
  expect(responses).toEqual([
    { _id, title: 'B', tags: 'x', date: 1, ...content, archived: true },
    { _id, title: 'B', tags: 'x', date: 1, ...content },
    { ...bare, ...content },
    bare,
    bare,
  ])
  expect(await list(device)).toEqual([bare])
})

test.each(['form', 'json'])('null in thing/change is the same as absent, by %s', async (spelling) => {
  const device = await server.openDevice()
  const fields = { tags: 'x', date: 1, url: 'https://a.example/', html: 'x' }
  const { _id } = await add(device, { title: 'A', ...fields })

  // A form has no null: what a client leaves out there is absent.
  const none = spelling === 'json' ? { tags: null, url: null, html: null } : {}
  const { body } = await device.post('/thing/change', { [spelling]: { _id: String(_id), title: 'B', ...none } })

  expect(body).toEqual({ _id, title: 'B', ...fields })
})

test('archived of things/get is spelled as booleans are', async () => {
  const device = await server.openDevice()
  await add(device, { title: 'a' })
  await add(device, { title: 'b', archived: true })

  const lists = []
  for (const archived of ['1', 'TRUE', '0', 'False']) lists.push(await titles(device, { archived }))
  const { status } = await device.get('/things/get', { query: { archived: 'yes' } })

  expect(lists).toEqual(['b', 'b', 'a', 'a'])
  expect(status).toBe(400)
})

test('thing/delete responds with the id, and the second time with 404', async () => {
  const device = await server.openDevice()
  const { _id } = await add(device, { title: 'A' })

  const first = await device.post('/thing/delete', { form: { _id: String(_id) } })
  const second = await device.post('/thing/delete', { form: { _id: String(_id) } })
  const changed = await change(device, { _id, title: 'B' })

  expect([first.status, first.body]).toEqual([200, { deleted_thing: _id }])
  expect([second, changed].map(({ status, body }) => [status, body.error])).toEqual(Array(2).fill([404, 'not_found']))
  expect(await list(device)).toEqual([])
})

test('things/get lists living, all or archived things in the order of their last change', async () => {
  const device = await server.openDevice()
  const a = await add(device, { title: 'a', tags: 'x' })
  await add(device, { title: 'b', tags: 'x y', archived: true })
  await add(device, { title: 'c', tags: 'xy' })
  await add(device, { title: 'd', tags: 'x' })
  await change(device, { _id: a._id, html: 'x' })

  const lists = []
  for (const query of [{}, { archived: 'false' }, { archived: 'true' }, { archived: 'include' }]) {
    lists.push(await titles(device, query as Record<string, string>))
  }
  const narrowed = [
    await titles(device, { tag: 'x' }),
    await titles(device, { tag: 'x', archived: 'include' }),
    await titles(device, { tag: 'none' }),
    await titles(device, { skip: '1' }),
    await titles(device, { limit: '2' }),
    await titles(device, { archived: 'include', skip: '1', limit: '2' }),
    await titles(device, { limit: '0' }),
    await titles(device, { tag: 'x', archived: 'include', skip: '1', limit: '1' }),
  ]

  expect(lists).toEqual(['cda', 'cda', 'b', 'bcda'])
  expect(narrowed).toEqual(['da', 'bda', '', 'da', 'cd', 'cd', '', 'd'])
})

test('things/get rejects an archived that it does not know', async () => {
  const device = await server.openDevice()

  const { status, body } = await device.get('/things/get', { query: { archived: 'maybe' } })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toContain('archived')
})

test('tags/get counts living and archived things per tag, favorites apart', async () => {
  const device = await server.openDevice()
  await device.sync({ tag: { fav: { favorite: true }, lonely: { favorite: true }, red: { color: '#f00' } } })
  await add(device, { title: 'a', tags: 'fav x x' })
  await add(device, { title: 'b', tags: 'fav red __proto__', archived: true })
  const removed = await add(device, { title: 'c', tags: 'gone x' })
  await device.post('/thing/delete', { json: { _id: removed._id } })

  const { text } = await device.get('/tags/get')

  const favorite = { fav: 2, lonely: 0 }
  expect(JSON.parse(text)).toEqual({ pos: 7, favorite, other: JSON.parse('{"x":1,"red":1,"__proto__":1}') })
})

test('tags/get with from equal to the position has empty maps, with any other from all counts', async () => {
  const device = await server.openDevice()
  await add(device, { title: 'a', tags: 'x' })
  await add(device, { title: 'b', tags: 'x' })

  const responses = []
  for (const from of ['2', '1', '0', '3']) responses.push((await device.get('/tags/get', { query: { from } })).body)

  const all = { pos: 2, favorite: {}, other: { x: 2 } }
  expect(responses).toEqual([{ pos: 2, favorite: {}, other: {} }, all, all, all])
})

test('user/get responds with name, date of creation, position and number of things', async () => {
  await server.addUser('emil')
  const device = await server.openDevice('emil')
  const empty = (await device.get('/user/get')).body
  await device.sync({ new_thing: [{ local_id: 1, title: 'a', archived: true }], tag: { x: { favorite: true } } })

  const date = expect.toSatisfy((time) => Number.isInteger(time) && Math.abs(time - Date.now() / 1000) < 120)
  expect(empty).toEqual({ username: 'emil', date, pos: 0, thingCount: 0 })
  expect((await device.get('/user/get')).body).toEqual({ username: 'emil', date, pos: 2, thingCount: 1 })
})

test('test responds to GET and POST with the name of the user', async () => {
  const device = await server.openDevice('anna')

  const responses = [await device.get('/test'), await device.post('/test'), await device.post('/test', { form: {} })]

  expect(responses.map(({ body }) => body)).toEqual(Array(3).fill({ user: 'anna' }))
})

test.each(['new_thing', 'changed_thing', 'deleted_thing', 'tag', 'any'])(
  'a webhook for %s is registered once, with a secret that is shown once, and unregistered',
  async (event) => {
    const device = await server.openDevice()
    const hook = { target_url: 'https://hook.example/x', event }

    const first = await device.post('/webhook/register', { form: hook })
    const second = await device.post('/webhook/register', { json: hook })
    const removed = await device.post('/webhook/unregister', { form: hook })
    const again = await device.post('/webhook/unregister', { form: hook })
    const registered = await device.post('/webhook/register', { form: hook })

    expect(first.body).toEqual({ registered: true, secret: expect.stringMatching(/^whsec_[\w+/]{43}=$/) })
    expect(second.body).toEqual({ registered: true })
    expect([removed.body, again.body]).toEqual(Array(2).fill({ unregistered: true }))
    expect(registered.body.secret).toMatch(/^whsec_/)
    expect(registered.body.secret).not.toBe(first.body.secret)
  },
)

test('the secret of a webhook is never shown to another app that registers the same URL', async () => {
  const device = await server.openDevice()
  const other = await addApp(server.store, 'another app', systemEnvironment)
  const token = await enrollDevice(server.store, device.userName, other.clientId, systemEnvironment)
  const hook = { target_url: 'https://hook.example/x', event: 'any' }
  const first = await device.post('/webhook/register', { form: hook })

  const others = await server.post('/webhook/register', { form: hook, token })
  await server.post('/webhook/unregister', { form: hook, token })
  const again = await device.post('/webhook/register', { form: hook })

  expect(others.body).toEqual({ registered: true, secret: expect.stringMatching(/^whsec_/) })
  expect(others.body.secret).not.toBe(first.body.secret)
  expect(again.body).toEqual({ registered: true })
})

test('the twenty-first webhook of a user is rejected', async () => {
  const device = await server.openDevice()
  const register = (index: number) =>
    device.post('/webhook/register', { form: { target_url: `https://hook.example/${index}`, event: 'any' } })
  for (let index = 0; index < 20; index++) expect((await register(index)).status).toBe(200)

  const { status, body } = await register(20)

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toContain('target_url')
})

test.each<[string, object]>([
  ['an unknown event', { target_url: 'https://hook.example/', event: 'all' }],
  ['no event', { target_url: 'https://hook.example/' }],
  ['no URL', { event: 'any' }],
  ['a URL of another scheme', { target_url: 'javascript:alert(1)', event: 'any' }],
  ['half a URL', { target_url: 'http://[', event: 'any' }],
  ['a password in its URL', { target_url: 'https://anna:horse@hook.example/', event: 'any' }],
])('a webhook with %s is rejected', async (_name, hook) => {
  const device = await server.openDevice()

  const { status, body } = await device.post('/webhook/register', { json: hook })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
})

test.each([
  ['/register/device', '/unregister/device'],
  ['/device/register', '/device/unregister'],
])(
  'a device is registered by %s and removed by %s, each of them as often as it likes',
  async (register, unregister) => {
    const device = await server.openDevice()
    const push = { type: 'webpush', id: 'd1', endpoint: 'https://push.example/1', ...pushKeys }

    const responses = [
      await device.post(register, { form: push }),
      await device.post(register, { json: { ...push, auth: 'AAAAAAAAAAAAAAAAAAAAAA' } }),
      await device.post(register, { form: { type: 'another-service', id: 'd2' } }),
      await device.post(unregister, { form: { type: 'webpush', id: 'd1' } }),
      await device.post(unregister, { json: { type: 'webpush', id: 'd1' } }),
    ]

    const [yes, no] = [{ registered: true }, { unregistered: true }]
    const kept = { registered: true, delivered: false }
    expect(responses.map(({ body }) => body)).toEqual([yes, yes, kept, no, no])
  },
)

test.each<[string, object]>([
  ['endpoint', pushKeys],
  ['p256dh', { endpoint: 'https://push.example/1', auth: pushKeys.auth }],
  ['auth', { endpoint: 'https://push.example/1', p256dh: pushKeys.p256dh, auth: '' }],
])('a webpush device without %s gets an error that names it', async (name, keys) => {
  const device = await server.openDevice()

  const { status, body } = await device.post('/register/device', { json: { type: 'webpush', id: 'd1', ...keys } })

  expect([status, body.error]).toEqual([400, 'parameter_invalid'])
  expect(body.error_description).toContain(name)
})

test('what is not on the public internet is registered when delivery_allow names it', async () => {
  const open = await openTestServer({ settings: { deliveryAllow: ['127.0.0.0/8', 'reader.localhost:8080'] } })
  const [device, other] = [await open.openDevice(), await server.openDevice()]
  const urls = ['http://127.0.0.1:9000/hook', 'http://reader.localhost:8080/', 'http://10.0.0.1/']
  const register = (on: TestDevice, url: string) => [
    on.post('/webhook/register', { form: { target_url: url, event: 'any' } }),
    on.post('/register/device', { form: { type: 'webpush', id: 'd1', endpoint: url, ...pushKeys } }),
  ]

  const responses = await Promise.all(urls.flatMap((url) => register(device, url)))
  const rejected = await Promise.all(urls.flatMap((url) => register(other, url)))

  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200, 400, 400])
  const reason = 'must lead to the public internet, or to a host that the setting delivery_allow of this server names'
  for (const { status, body } of [...responses.slice(4), ...rejected]) {
    expect([status, body.error]).toEqual([400, 'parameter_invalid'])
    expect(body.error_description).toMatch(new RegExp(`^(target_url|endpoint) ${reason}$`))
  }
})

test('webhooks and devices take no position', async () => {
  const device = await server.openDevice()

  await device.post('/webhook/register', { form: { target_url: 'https://hook.example/x', event: 'any' } })
  await device.post('/register/device', { form: { type: 'other', id: 'd1' } })

  expect(await device.sync()).toEqual({ pos: 0 })
})
