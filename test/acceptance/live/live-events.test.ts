import { expect, test } from 'vitest'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { eventOf, openEventReader } from '../../support/event-reader.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'

const server = await openFileServer({ settings: { corsOrigins: ['https://notes.example'] } })
const upload = (title = 'Buy milk') => ({ new_thing: [{ local_id: 'n1', title }] })

/** Two sessions of one user. */
const openPair = async () => {
  const reading = await server.openDevice()
  return { reading, writing: await server.openDevice(reading.userName) }
}

test('events say the position at once, and again after each change of another session', async () => {
  const { reading, writing } = await openPair()
  const { pos } = await writing.sync(upload())
  const events = await openEventReader(server.baseUrl, reading.token)
  const first = await events.next()
  const changed = await writing.sync(upload('Buy oat milk'))

  expect(events.status).toBe(200)
  expect(first).toBe(eventOf(pos))
  expect(await events.next()).toBe(eventOf(changed.pos))
})

test('changes of tags and deletions are also events', async () => {
  const { reading, writing } = await openPair()
  const created = await writing.sync(upload())
  const events = await openEventReader(server.baseUrl, reading.token)
  await events.next()

  const tagged = await writing.sync({ tag: { todo: { favorite: true } } })
  expect(await events.next()).toBe(eventOf(tagged.pos))
  const deleted = await writing.sync({ deleted_thing: [created.things?.new?.n1] })
  expect(await events.next()).toBe(eventOf(deleted.pos))
})

test('a change of the session itself is no event, and neither is one of another user', async () => {
  const { reading, writing } = await openPair()
  const events = await openEventReader(server.baseUrl, reading.token)
  await events.next()

  await reading.sync(upload('my own'))
  await (await server.openDevice()).sync(upload('of another user'))
  const { pos } = await writing.sync(upload('of another session'))

  expect(await events.next()).toBe(eventOf(pos))
})

test('a client that comes back with the last id gets the current position at once', async () => {
  const { reading, writing } = await openPair()
  const { pos } = await writing.sync(upload())

  for (const id of [pos, 0, 'nonsense']) {
    const events = await openEventReader(server.baseUrl, reading.token, { 'last-event-id': String(id) })
    expect(await events.next()).toBe(eventOf(pos))
    events.leave()
  }
})

test('events are neither compressed nor kept, and proxies are requested to forward them at once', async () => {
  const { token } = await server.openDevice()

  const { headers } = await openEventReader(server.baseUrl, token, { 'accept-encoding': 'gzip, br' })

  expect(headers).toMatchObject({
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  })
  expect(headers).not.toHaveProperty('content-encoding')
})

test('HEAD gets the headers, and no request waits then', async () => {
  const { token } = await server.openDevice()

  for (let count = 0; count < 20; count += 1) {
    const { status, headers } = await server.call('HEAD', '/sync/events', { token })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream'])
  }
})

test('a client of HTTP/1.0 gets events that nothing stands around', async () => {
  const { token } = await server.openDevice()
  const head = rawHead('GET', '/v1/sync/events', { authorization: `Bearer ${token}` }).replace('HTTP/1.1', 'HTTP/1.0')
  const raw = await openRaw(server.baseUrl, head)
  while (!raw.received().endsWith(`\r\n\r\n${eventOf(0)}\n\n`)) await new Promise((go) => raw.socket.once('data', go))

  expect(raw.received()).not.toMatch(/transfer-encoding/i)
})

test('a personal access token that may only read may listen', async () => {
  const { userName } = await server.openDevice()
  const user = await server.store.registry.findUserByName(userName)
  const script = { userId: String(user?.id), name: 'script', isReadOnly: true }
  const { token } = await addPersonalToken(server.store, script, systemEnvironment)

  const events = await openEventReader(server.baseUrl, token)

  expect(await events.next()).toBe(eventOf(0))
})

test('a page of another origin may listen, and send the last id', async () => {
  const { token } = await server.openDevice()
  const origin = 'https://notes.example'
  const requested = {
    origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'last-event-id',
  }

  const preflight = await fetch(`${server.baseUrl}sync/events`, { method: 'OPTIONS', headers: requested })
  const events = await openEventReader(server.baseUrl, token, { origin, 'last-event-id': '0' })

  expect(preflight.headers.get('access-control-allow-headers')).toBe('last-event-id')
  expect(events.headers['access-control-allow-origin']).toBe(origin)
})

test('without a valid token there are no events', async () => {
  expect((await server.get('/sync/events')).status).toBe(401)
  expect((await server.get('/sync/events', { token: 'wrong' })).status).toBe(401)
  expect((await server.post('/sync/events', { token: 'wrong' })).status).toBe(401)
})

test('a server that stops ends its streams at once', async () => {
  const own = await openTestServer()
  const { token } = await own.openDevice()
  const events = await openEventReader(own.baseUrl, token)
  expect(await events.next()).toBe(eventOf(0))

  const closed = own.close()

  expect(await events.next()).toBeUndefined()
  await closed
})
