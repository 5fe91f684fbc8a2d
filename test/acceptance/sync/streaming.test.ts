import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { type JsonRun, type Store, StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer, type TestDevice, type TestServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'
import { toUrl } from '../../support/test-request.ts'

const thingTotal = 20_000
const state = { openRuns: 0, givenRuns: 0, failAfterRuns: Number.POSITIVE_INFINITY }

async function* watchRuns(runs: AsyncIterable<JsonRun>): AsyncGenerator<JsonRun> {
  state.openRuns++
  let given = 0
  try {
    for await (const run of runs) {
      if (given++ >= state.failAfterRuns) throw new StoreError('the disk is gone')
      state.givenRuns++
      yield run
    }
  } finally {
    state.openRuns--
  }
}

/** The store, whose listings can be watched and can fail on their way. */
const watchListings = (store: Store): Store => ({
  ...store,
  read: async (userId) => {
    const view = await store.read(userId)
    const list: typeof view.list = async (query) => {
      const listing = await view.list(query)
      return { ...listing, changed: () => watchRuns(listing.changed()) }
    }
    return { ...view, list }
  },
})

const createManyThings = async (server: TestServer): Promise<TestDevice> => {
  const device = await server.openDevice()
  const html = 'x'.repeat(700)
  for (let from = 0; from < thingTotal; from += 5000) {
    const things = Array.from({ length: 5000 }, (_, i) => ({ local_id: i, title: `ключ ${from + i}`, html }))
    await device.sync({ new_thing: things, limit: 0 })
  }
  return device
}

const server = await openFileServer({ store: watchListings(await openMemoryStore({ form: thingForm })) })
const device = await createManyThings(server)

const fetchListing = (encoding: string, signal?: AbortSignal) =>
  fetch(toUrl(server.baseUrl, '/sync'), {
    headers: { authorization: `Bearer ${device.token}`, 'accept-encoding': encoding },
    ...(signal === undefined ? {} : { signal }),
  })

const listingHead = rawHead('GET', '/v1/sync', { authorization: `Bearer ${device.token}` })

/** The body of a raw response that was sent in chunks. */
const joinChunks = (response: string): Buffer => {
  const pieces: string[] = []
  let at = response.indexOf('\r\n\r\n') + 4
  for (;;) {
    const end = response.indexOf('\r\n', at)
    const size = Number.parseInt(response.slice(at, end), 16)
    if (size === 0) return Buffer.from(pieces.join(''), 'latin1')
    pieces.push(response.slice(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

test('20,000 things are one valid JSON text, sent as it is created', async () => {
  const response = await fetchListing('identity')
  const listing = (await response.json()) as {
    pos: number
    thingCount: number
    things: { changed: { title: string }[] }
  }

  expect(response.headers.get('content-length')).toBeNull()
  expect([listing.pos, listing.thingCount]).toEqual([thingTotal, thingTotal])
  expect(listing.things.changed.map(({ title }) => title)).toEqual(
    Array.from({ length: thingTotal }, (_, i) => `ключ ${i}`),
  )
})

test.each<[string, string | null]>([
  ['gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'gzip'],
  ['gzip;q=0.5, br', 'br'],
  ['gzip;q=1, br;q=0', 'gzip'],
  ['*', 'br'],
  ['deflate', null],
  ['gzip;q=0', null],
  ['', null],
])('for accept-encoding %j the encoding is %s, and the JSON is the same', async (accept, expected) => {
  const plain = await (await fetchListing('identity')).text()

  const head = rawHead('GET', '/v1/sync', {
    authorization: `Bearer ${device.token}`,
    'accept-encoding': accept,
    connection: 'close',
  })
  const response = await (await openRaw(server.baseUrl, head)).ended

  const encoding = /^content-encoding: (.*)\r$/im.exec(response)?.[1] ?? null
  const sent = joinChunks(response)
  const decoded = encoding === 'br' ? brotliDecompressSync(sent) : encoding === 'gzip' ? gunzipSync(sent) : sent
  expect(encoding).toBe(expected)
  expect(response).toMatch(/^vary: accept-encoding\r$/im)
  expect(decoded.toString() === plain).toBe(true)
  if (encoding !== null) expect(sent.length).toBeLessThan(plain.length / 4)
})

test('small responses are not compressed', async () => {
  const { headers } = await device.get('/test', { headers: { 'accept-encoding': 'gzip, br' } })

  expect(headers.get('content-encoding')).toBeNull()
})

test('HEAD has the headers of GET and no body, and leaves no listing open', async () => {
  const head = await server.call('HEAD', '/sync', { token: device.token })
  const rejected = await server.call('HEAD', '/sync', { token: 'wrong' })

  expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
    200,
    '',
    'application/json; charset=utf-8',
  ])
  expect([rejected.status, rejected.text]).toEqual([401, ''])
  await expect.poll(() => state.openRuns).toBe(0)
})

test.each(['identity', 'gzip', 'br'])(
  'a client that goes away in the middle leaves no listing open (%s)',
  async (encoding) => {
    const leaving = new AbortController()
    const response = await fetchListing(encoding, leaving.signal)
    await response.body?.getReader().read()

    leaving.abort()

    await expect.poll(() => state.openRuns).toBe(0)
    expect((await device.get('/test')).status).toBe(200)
  },
)

test('a client that goes away at once leaves no listing open', async () => {
  const given = state.givenRuns
  const connections = await Promise.all(Array.from({ length: 20 }, () => openRaw(server.baseUrl, listingHead)))
  for (const { socket } of connections) socket.destroy()

  await expect.poll(async () => (await device.get('/test')).status).toBe(200)
  await expect.poll(() => state.openRuns).toBe(0)
  expect(state.givenRuns - given).toBeLessThan(20 * 90)
})

test('for a client that reads nothing little is prepared, and others are served meanwhile', async () => {
  const before = state.givenRuns
  const { socket } = await openRaw(server.baseUrl, listingHead)
  socket.pause()

  await expect.poll(() => state.givenRuns).toBeGreaterThan(before)
  const small = await device.get('/user/get')
  let created = 0
  while (created < state.givenRuns) {
    created = state.givenRuns
    await sleep(300)
  }

  expect(small.body.thingCount).toBe(thingTotal)
  expect(state.openRuns).toBe(1)
  socket.destroy()
  await expect.poll(() => state.openRuns).toBe(0)
})

test.each(['identity', 'gzip', 'br'])(
  'a store that fails in the middle breaks the connection visibly (%s)',
  async (encoding) => {
    state.failAfterRuns = 12
    const response = await fetchListing(encoding)

    await expect(response.text()).rejects.toThrow('terminated')
    state.failAfterRuns = Number.POSITIVE_INFINITY
    expect(response.status).toBe(200)
    expect((await (await fetchListing(encoding)).text()).endsWith('}')).toBe(true)
  },
)

test('a store that fails before the first byte is 503', async () => {
  state.failAfterRuns = 0
  const { status, body } = await device.get('/sync')
  state.failAfterRuns = Number.POSITIVE_INFINITY

  expect([status, body.error]).toEqual([503, 'temporarily_unavailable'])
})

test('what cannot be read as HTTP never gets into a response that is under way', async () => {
  const { ended, received } = await openRaw(server.baseUrl, listingHead)
  await expect.poll(received).toContain('"pos"')

  const second = await openRaw(server.baseUrl, `${listingHead}NONSENSE\r\n\r\n`)

  // The client would take an error for the response to the first request, which had not begun yet.
  expect(await second.ended).toBe('')
  await expect.poll(() => received().endsWith('0\r\n\r\n')).toBe(true)
  void ended
})

test('a client that does not read any more is dropped after the time-out', async () => {
  const store = watchListings(await openMemoryStore({ form: thingForm }))
  const strict = await openTestServer({ store, settings: { requestTimeoutSeconds: 1 } })
  const reader = await createManyThings(strict)
  const { socket } = await openRaw(
    strict.baseUrl,
    rawHead('GET', '/v1/sync', { authorization: `Bearer ${reader.token}` }),
  )
  socket.pause()
  await expect.poll(() => state.openRuns).toBe(1)

  await expect.poll(() => state.openRuns, { timeout: 60_000 }).toBe(0)
})
