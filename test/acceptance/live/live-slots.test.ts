import { expect, test } from 'vitest'
import { openEventReader } from '../../support/event-reader.ts'
import { openTestServer } from '../../support/open-test-server.ts'
import { openWatchedStore } from '../../support/watched-store.ts'

test('at most ten requests of a session wait, of both kinds, and a client that leaves frees a slot', async () => {
  const { store, untilWatched } = await openWatchedStore()
  const server = await openTestServer({ store })
  const device = await server.openDevice()
  const other = await server.openDevice(device.userName)
  const openStream = () => openEventReader(server.baseUrl, device.token)
  const streams = await Promise.all(Array.from({ length: 9 }, openStream))
  const leaving = new AbortController()
  const url = `${server.baseUrl}sync?from=0&wait=60&access_token=${device.token}`
  const waiting = fetch(url, { signal: leaving.signal }).catch(() => 'left')
  await untilWatched(10)

  const rejected = await device.get('/sync', { query: { wait: '60' } })
  expect(rejected.status).toBe(429)
  expect(rejected.body.error).toBe('slow_down')
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await openStream()).status).toBe(429)
  expect((await device.get('/sync')).status).toBe(200)
  expect((await openEventReader(server.baseUrl, other.token)).status).toBe(200)
  await untilWatched(11)

  leaving.abort()
  expect(await waiting).toBe('left')
  await untilWatched(10)
  expect((await openStream()).status).toBe(200)
  streams[0]?.leave()
  await untilWatched(10)
  expect((await openStream()).status).toBe(200)
})

test('a request for what is there already takes no slot', async () => {
  const { store, untilWatched } = await openWatchedStore()
  const server = await openTestServer({ store })
  const device = await server.openDevice()
  await Promise.all(Array.from({ length: 10 }, () => openEventReader(server.baseUrl, device.token)))
  await untilWatched(10)

  const { body } = await device.get('/sync', { query: { from: '7', wait: '60' } })

  expect(body).toEqual({ pos: 0 })
})
