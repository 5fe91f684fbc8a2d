import { expect, test } from 'vitest'
import { openFileServer, openTestServer, type TestDevice } from '../../support/open-test-server.ts'
import { openWatchedStore } from '../../support/watched-store.ts'

const { store, untilWatched } = await openWatchedStore()
const server = await openFileServer({ store })
const upload = (title = 'Buy milk') => ({ new_thing: [{ local_id: 'n1', title }] })

/** Two sessions of one user, whose account is at a position. */
const openPair = async () => {
  const reading = await server.openDevice()
  const writing = await server.openDevice(reading.userName)
  const { pos } = await writing.sync(upload())
  return { reading, writing, pos: Number(pos) }
}

const wait = (device: TestDevice, query: Readonly<Record<string, string>>) =>
  device.get('/sync', { query: { wait: '60', ...query } })

test('wait responds as soon as another session has changed something, with what it changed', async () => {
  const { reading, writing, pos } = await openPair()
  const waiting = wait(reading, { from: String(pos) })
  await untilWatched(1)

  const changed = await writing.sync(upload('Buy oat milk'))

  const { body } = await waiting
  expect(body).toMatchObject({ pos: changed.pos, thingCount: 1, things: { changed: [{ title: 'Buy oat milk' }] } })
})

test('wait with limit lists one page of what has changed', async () => {
  const { reading, writing, pos } = await openPair()
  const waiting = wait(reading, { from: String(pos), limit: '0' })
  await untilWatched(1)

  const changed = await writing.sync(upload('Buy oat milk'))

  expect((await waiting).body).toEqual({ pos: changed.pos, thingCount: 1 })
})

test('a request for changes that are there already gets its response at once', async () => {
  const { reading, writing, pos } = await openPair()
  const changed = await writing.sync(upload('Buy oat milk'))

  const { body } = await wait(reading, { from: String(pos) })

  expect(body).toMatchObject({ pos: changed.pos, thingCount: 1 })
})

test('a full sync gets its response at once: without from, with 0, and from beyond the position', async () => {
  const { reading, pos } = await openPair()

  for (const query of [{}, { from: '0' }, { from: String(pos + 1) }]) {
    expect((await wait(reading, query)).body).toMatchObject({ pos, thingCount: 1, things: { changed: [{}] } })
  }
})

test('a later page gets its response at once', async () => {
  const { reading, pos } = await openPair()

  expect((await wait(reading, { from: String(pos), skip: '1' })).body).toEqual({ pos })
})

test('in an account without anything one waits at position 0', async () => {
  const reading = await server.openDevice()
  const writing = await server.openDevice(reading.userName)
  const waiting = wait(reading, {})
  await untilWatched(1)

  const { pos } = await writing.sync(upload())

  expect((await waiting).body).toMatchObject({ pos, thingCount: 1 })
})

test('a change of the session itself ends no wait, and is in the response that ends it', async () => {
  const { reading, writing, pos } = await openPair()
  const waiting = wait(reading, { from: String(pos) })
  await untilWatched(1)

  await reading.sync(upload('my own'))
  const changed = await writing.sync(upload('of another session'))

  const { body } = await waiting
  expect(body).toMatchObject({ pos: changed.pos, thingCount: 2 })
})

test('when nothing happens the response says that nothing has changed', async () => {
  const { reading, pos } = await openPair()

  expect((await wait(reading, { from: String(pos), wait: '1' })).body).toEqual({ pos })
  await untilWatched(0)
})

test('wait is a whole number from 1 to 60', async () => {
  const { reading, pos } = await openPair()

  for (const given of ['0', '61', '-1', '1.5', 'soon', '']) {
    const { status, body } = await wait(reading, { from: String(pos), wait: given })
    expect([given, status, body.error]).toEqual([given, 400, 'parameter_invalid'])
    expect(body.error_description).toContain('wait')
  }
})

test('a POST knows no wait', async () => {
  const { reading, pos } = await openPair()
  const form = { from: String(pos), wait: '60' }

  expect((await reading.post('/sync', { form })).body).toEqual({ pos })
  expect((await reading.post('/sync', { json: { from: pos, wait: 'long' } })).body).toEqual({ pos })
  expect((await reading.post('/sync', { query: form })).body).toEqual({ pos })
})

test('a request that its client ends no longer waits', async () => {
  const { reading, pos } = await openPair()
  const leaving = new AbortController()
  const url = `${server.baseUrl}sync?from=${pos}&wait=60&access_token=${reading.token}`
  const waiting = fetch(url, { signal: leaving.signal }).catch(() => 'left')
  await untilWatched(1)

  leaving.abort()

  expect(await waiting).toBe('left')
  await untilWatched(0)
})

test('a server that stops responds to waiting requests at once', async () => {
  const watched = await openWatchedStore()
  const own = await openTestServer({ store: watched.store })
  const waiting = wait(await own.openDevice(), {})
  await watched.untilWatched(1)

  const closed = own.close()

  expect((await waiting).body).toEqual({ pos: 0 })
  await closed
})

test('the limits on slow clients let a complete request wait', async () => {
  const own = await openTestServer({ settings: { requestTimeoutSeconds: 1 } })

  // The server checks its connections once a second. After two more it drops a client that does not read its response.
  expect((await wait(await own.openDevice(), { wait: '4' })).body).toEqual({ pos: 0 })
})
