import { expect, test } from 'vitest'
import { document } from '../../../generated/document.ts'
import { addApp } from '../../../src/accounts/apps.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()

/** A user with a personal token, beside a device with the token of a grant. */
const openFixture = async (isReadOnly: boolean) => {
  const device = await server.openDevice()
  const user = await server.store.registry.findUserByName(device.userName)
  if (user === undefined) throw new Error('there is no user')
  const created = await addPersonalToken(
    server.store,
    { userId: user.id, name: 'script', isReadOnly },
    systemEnvironment,
  )
  return { device, user, ...created }
}

const date = expect.any(Number)

test('session/list shows a personal token all that may act for the user, and which of them sent the request', async () => {
  const { id, token } = await openFixture(false)

  const { status, body, text } = await server.get('/session/list', { token })

  const app = { kind: 'app', name: 'tests', client_id: server.clientId, began: 'password', date, expires: date }
  const script = { id, kind: 'token', name: 'script', read_only: false, date, last_used: date }
  expect(status).toBe(200)
  expect(body).toHaveLength(2)
  expect(body).toEqual(
    expect.arrayContaining([
      { ...app, id: expect.any(String), current: false },
      { ...script, current: true },
    ]),
  )
  expect(text).not.toContain(token)
})

test('session/list shows a token that may only read itself', async () => {
  const { id, token } = await openFixture(true)

  const { body } = await server.get('/session/list', { token })

  expect(body).toEqual([expect.objectContaining({ id, current: true, read_only: true })])
})

test('an app sees and ends its own sessions only, and those of the user that are not its are not there', async () => {
  await server.addUser('gerda')
  const userId = String((await server.store.registry.findUserByName('gerda'))?.id)
  const wanted = { userId, name: 'script', isReadOnly: false }
  const { id, token } = await addPersonalToken(server.store, wanted, systemEnvironment)
  const other = await addApp(server.store, 'another', systemEnvironment)
  const form = { grant_type: 'password', username: 'gerda', password: 'correct horse' }
  const grant = ({ clientId, clientSecret }: { clientId: string; clientSecret: string }) =>
    server.post('/token', { form: { ...form, client_id: clientId, client_secret: clientSecret } })
  const [first, granted] = [await grant(server), await grant(other)]
  const browser = await signInBrowser(server, 'gerda')
  const all = (await server.get('/session/list', { token })).body as unknown as { id: string; kind: string }[]
  expect(all.map(({ kind }) => kind).sort()).toEqual(['app', 'app', 'browser', 'token'])

  const { body } = await server.get('/session/list', { token: String(granted.body.access_token) })
  const own = body as unknown as { id: string }[]
  const strange = all.filter((one) => one.id !== own[0]?.id)
  const ends = strange.map((one) =>
    server.post('/session/revoke', { token: String(granted.body.access_token), json: { id: one.id } }),
  )

  expect(body).toEqual([expect.objectContaining({ kind: 'app', client_id: other.clientId, current: true })])
  expect(strange.map((one) => one.id)).toContain(id)
  expect((await Promise.all(ends)).map(({ status }) => status)).toEqual([404, 404, 404])
  expect((await server.get('/test', { token: String(first.body.access_token) })).status).toBe(200)
  expect((await browser.open('/account')).status).toBe(200)
})

test('a session that a grant begins is listed with the IP address and the program', async () => {
  await server.addUser('berta')
  const form = { grant_type: 'password', client_id: server.clientId, client_secret: server.clientSecret }
  const granted = await server.post('/token', {
    form: { ...form, username: 'berta', password: 'correct horse' },
    headers: { 'user-agent': 'phone/1' },
  })

  const { body } = await server.get('/session/list', { token: String(granted.body.access_token) })

  expect(body).toEqual([expect.objectContaining({ address: '127.0.0.1', user_agent: 'phone/1', last_used: date })])
})

test('session/revoke ends a session of the user at once, and no other', async () => {
  const { device, id, token } = await openFixture(false)
  const other = await openFixture(false)
  const revoke = (given: object) => server.post('/session/revoke', { token, json: given })
  const [own] = (await device.get('/session/list')).body as unknown as { id: string }[]

  expect(await revoke({ id: other.id })).toMatchObject({ status: 404, body: { error: 'not_found' } })
  expect(await revoke({})).toMatchObject({ status: 400, body: { error_description: 'id is required' } })
  expect(await revoke({ id: own?.id })).toMatchObject({ status: 200, body: { revoked_session: own?.id } })

  expect((await device.get('/test')).status).toBe(401)
  expect((await server.get('/test', { token: other.token })).status).toBe(200)
  expect((await revoke({ id: own?.id })).status).toBe(404)
  expect((await server.post('/session/revoke', { token, form: { id } })).status).toBe(200)
  expect((await server.get('/test', { token })).status).toBe(401)
})

test('an app ends the session of its request, as a sign-out', async () => {
  const { device } = await openFixture(false)
  const [own] = (await device.get('/session/list')).body as unknown as { id: string }[]

  expect((await device.post('/session/revoke', { form: { id: String(own?.id) } })).status).toBe(200)

  expect((await device.get('/test')).status).toBe(401)
})

const examples: Readonly<Record<string, object>> = {
  '/sync': { new_thing: [{ local_id: 1, title: 'A' }] },
  '/thing/add': { title: 'A' },
  '/thing/change': { _id: 'a', title: 'A' },
  '/thing/delete': { _id: 'a' },
  '/session/revoke': { id: 'a' },
  '/webhook/register': { target_url: 'https://hooks.example/', event: 'any' },
  '/webhook/unregister': { target_url: 'https://hooks.example/', event: 'any' },
  '/register/device': { type: 'other', id: 'a' },
  '/device/register': { type: 'other', id: 'a' },
  '/unregister/device': { type: 'other', id: 'a' },
  '/device/unregister': { type: 'other', id: 'a' },
}

const posts = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
  const { post } = (item ?? {}) as { post?: { security?: readonly object[] } }
  return (post?.security ?? []).length > 0 && path !== '/test' ? [path] : []
})

test.each(posts)('a token that may only read changes nothing: %s', async (path) => {
  const { device, token } = await openFixture(true)
  const before = await device.sync()

  const { status, headers, body } = await server.post(path, { token, json: examples[path] })
  const inForm = await server.post(path, { form: { access_token: token, ...asForm(examples[path] ?? {}) } })

  expect([status, body]).toEqual([
    403,
    { error: 'insufficient_scope', error_description: 'This access token is read-only; use a token that may write' },
  ])
  expect(headers.get('www-authenticate')).toBe('Bearer realm="thingsync", error="insufficient_scope"')
  expect(inForm.status).toBe(403)
  expect(await device.sync()).toEqual(before)
})

const asForm = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  )

test('a token that may only read reads everything, also by POST', async () => {
  const { device, token } = await openFixture(true)
  await device.sync({ new_thing: [{ local_id: 1, title: 'A' }] })

  for (const path of ['/sync', '/things/get', '/tags/get', '/user/get', '/test', '/session/list'])
    expect((await server.get(path, { token })).status, path).toBe(200)
  expect((await server.post('/sync', { token, json: { from: 0 } })).body.thingCount).toBe(1)
  expect((await server.post('/test', { token, json: {} })).status).toBe(200)
})

test('a personal token that may do everything syncs like any other, as a client of its own', async () => {
  const { device, token } = await openFixture(false)

  const response = await server.post('/sync', { token, json: { from: 0, new_thing: [{ local_id: 1, title: 'A' }] } })
  const listed = await device.sync()

  expect(response.body.things).toMatchObject({ new: { 1: expect.any(String) } })
  expect(listed.thingCount).toBe(1)
})
