import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import { enrollDevice } from '../../support/test-device.ts'

const server = await openFileServer()
const date = expect.any(Number)
const push = {
  endpoint: 'https://push.example.org/x',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}

/** A user's session of this server's app, one of another app, and a personal token that may do everything. */
const openFixture = async () => {
  const device = await server.openDevice()
  const other = await addApp(server.store, 'other', systemEnvironment)
  const otherToken = await enrollDevice(server.store, device.userName, other.clientId, systemEnvironment)
  const user = await server.store.registry.findUserByName(device.userName)
  const script = { userId: String(user?.id), name: 'script', isReadOnly: false }
  const { token } = await addPersonalToken(server.store, script, systemEnvironment)
  return { device, otherToken, token }
}

test('webhook/list shows an app its webhooks, the oldest first, and never a secret', async () => {
  const { device, otherToken, token } = await openFixture()
  const hooks = ['any', 'tag'].map((event) => ({ target_url: `https://hooks.example.org/${event}`, event }))
  const secrets: string[] = []
  for (const hook of hooks) {
    secrets.push(String((await device.post('/webhook/register', { json: hook })).body.secret))
  }
  await server.post('/webhook/register', { token: otherToken, json: hooks[0] })

  const { status, body, text } = await device.get('/webhook/list')

  expect(status).toBe(200)
  expect(body).toEqual(hooks.map((hook) => ({ ...hook, state: 'working', waiting: false, date })))
  for (const secret of secrets) expect(text).not.toContain(secret.slice('whsec_'.length))
  expect((await server.get('/webhook/list', { token: otherToken })).body).toHaveLength(1)
  expect((await server.get('/webhook/list', { token })).body).toEqual([])
})

test('device/list shows an app the devices that its sessions registered, and a personal token all', async () => {
  const { device, otherToken, token } = await openFixture()
  await device.post('/register/device', { json: { type: 'webpush', id: 'phone', ...push } })
  await server.post('/register/device', { token: otherToken, json: { type: 'apns', id: 'tablet' } })
  const phone = { type: 'webpush', id: 'phone', delivered: true, date }
  const tablet = { type: 'apns', id: 'tablet', delivered: false, date }

  const { body, text } = await device.get('/device/list')

  expect(body).toEqual([{ ...phone, current: true }])
  for (const secret of Object.values(push)) expect(text).not.toContain(secret)
  expect((await server.get('/device/list', { token: otherToken })).body).toEqual([{ ...tablet, current: true }])
  const all = (await server.get('/device/list', { token })).body
  expect(all).toHaveLength(2)
  expect(all).toEqual(
    expect.arrayContaining([
      { ...phone, current: false },
      { ...tablet, current: false },
    ]),
  )
})

test('the response says that a device of a type without notifications is not notified', async () => {
  const { device } = await openFixture()
  const webpush = await device.post('/register/device', { json: { type: 'webpush', id: 'phone', ...push } })

  expect(webpush.body).toEqual({ registered: true })
  for (const path of ['/register/device', '/device/register']) {
    const { body } = await device.post(path, { json: { type: 'apns', id: 'tablet' } })
    expect(body).toEqual({ registered: true, delivered: false })
  }
})

test('device/key gives everybody the same key: a point of P-256', async () => {
  const [one, another] = await Promise.all([server.openDevice(), server.openDevice()])

  const { status, body } = await one.get('/device/key')

  const key = Buffer.from(String(body.key), 'base64url')
  expect([status, key.length, key[0]]).toEqual([200, 65, 4])
  expect((await another.get('/device/key')).body).toEqual(body)
})
