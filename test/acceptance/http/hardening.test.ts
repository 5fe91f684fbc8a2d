import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { document } from '../../../generated/document.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'
import { recordLog } from '../../support/record-log.ts'

const server = await openFileServer({ settings: { maxBodyBytes: 100_000 } })
const origin = new URL(server.baseUrl).origin

const bodyOf = (response: string) => JSON.parse(response.slice(response.indexOf('\r\n\r\n')))

test('every kind of response carries the security headers and names no software', async () => {
  const { token } = await server.openDevice()
  const { headers: apiHeaders } = await server.get('/sync', { token })
  const others = await Promise.all(
    ['/v1/sync', '/v1/nothing', '/nothing', '/healthz', '/openapi.json'].map((path) => fetch(`${origin}${path}`)),
  )

  for (const headers of [apiHeaders, ...others.map((response) => response.headers)]) {
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('cache-control')).toBe('no-store')
    expect([headers.get('x-powered-by'), headers.get('server')]).toEqual([null, null])
  }
})

test('other origins get no CORS headers unless they are configured', async () => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST' }

  const responses = [await server.get('/sync', { headers }), await server.call('OPTIONS', '/sync', { headers })]

  for (const response of responses) {
    expect([...response.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
  }
})

test('a configured origin may call, and also reads errors; any other may not', async () => {
  const open = await openTestServer({ settings: { corsOrigins: ['https://app.example', 'http://localhost:3000'] } })
  const sendRequest = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' }
  const allowed = { origin: 'https://app.example' }

  const preflight = await fetch(`${open.baseUrl}sync`, { method: 'OPTIONS', headers: { ...allowed, ...sendRequest } })
  const error = await open.get('/sync', { headers: allowed })
  const other = await open.get('/sync', { headers: { origin: 'https://evil.example' } })

  expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, allowed.origin])
  expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization')
  expect(preflight.headers.get('access-control-allow-methods')).toBe('GET,POST')
  expect([error.status, error.headers.get('access-control-allow-origin')]).toEqual([401, allowed.origin])
  expect(error.headers.get('access-control-expose-headers')).toContain('www-authenticate')
  expect(other.headers.get('access-control-allow-origin')).toBeNull()
  expect(error.headers.get('vary')?.toLowerCase()).toContain('origin')
})

test('* allows every origin, but never its cookies', async () => {
  const open = await openTestServer({ settings: { corsOrigins: ['*'] } })

  const { headers } = await open.get('/sync', { headers: { origin: 'https://any.example' } })

  expect(headers.get('access-control-allow-origin')).toBe('*')
  expect(headers.get('access-control-allow-credentials')).toBeNull()
})

test('a client that is too slow with its head or its body gets 408', async () => {
  const { log, lines } = recordLog()
  const strict = await openTestServer({ log, settings: { requestTimeoutSeconds: 1 } })
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': '10' }

  const responses = await Promise.all([
    openRaw(strict.baseUrl, 'GET /v1/sync HTTP/1.1\r\nhost: x\r\n').then(({ ended }) => ended),
    openRaw(strict.baseUrl, `${rawHead('POST', '/v1/token', form)}grant`).then(({ ended }) => ended),
  ])

  for (const response of responses) {
    expect(response).toMatch(/^HTTP\/1\.1 408 /)
    expect(bodyOf(response).error).toBe('parameter_invalid')
  }
  const requestId = /^x-request-id: (.*)\r$/m.exec(responses[1] ?? '')?.[1]
  const ofBody = () => lines.filter((line) => line.requestId === requestId)
  await expect
    .poll(ofBody)
    .toEqual([
      expect.objectContaining({ status: 408, code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
      expect.objectContaining({ status: 408, path: '/v1/token' }),
    ])
  expect(ofBody()[1]).not.toHaveProperty('isComplete')
})

test('/healthz says that the process responds, /readyz that the store could take a write', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const check = () => Promise.reject(new StoreError('disk full'))
  const [up, down] = [await openTestServer(), await openTestServer({ store: { ...store, check } })]
  const preflight = async ({ baseUrl }: typeof up) => {
    const responses = [await fetch(new URL('/healthz', baseUrl)), await fetch(new URL('/readyz', baseUrl))]
    return Promise.all(responses.map(async (response) => [response.status, await response.json()]))
  }

  const ok = [200, { status: 'ok' }]
  expect(await preflight(up)).toEqual([ok, ok])
  expect(await preflight(down)).toEqual([ok, [503, expect.objectContaining({ error: 'temporarily_unavailable' })]])
})

test.each(['openapi', 'openapi.sdk'])(
  '%s is served as it was written and with its references resolved',
  async (name) => {
    const yaml = await fetch(`${origin}/${name}.yaml`)
    const json = await fetch(`${origin}/${name}.json`)

    expect(yaml.headers.get('content-type')).toContain('yaml')
    expect(await yaml.text()).toBe(await readFile(new URL(`../../../${name}.yaml`, import.meta.url), 'utf8'))
    expect(json.headers.get('content-type')).toContain('application/json')
    expect(await json.json()).toMatchObject({ openapi: '3.0.3', paths: { '/sync': expect.any(Object) } })
  },
)

test('a base URL with a path prefix is served, with and without a proxy that takes the prefix away', async () => {
  const prefixed = await openTestServer({ settings: { baseUrl: 'https://things.example/some/where/v1/' } })
  const { token } = await prefixed.openDevice()
  const bare = new URL('/v1/sync', prefixed.baseUrl)

  expect(prefixed.baseUrl).toMatch(/\/some\/where\/v1\/$/)
  expect((await prefixed.get('/sync', { token })).body).toEqual({ pos: 0 })
  expect((await fetch(bare, { headers: { authorization: `Bearer ${token}` } })).status).toBe(200)
  expect((await fetch(new URL('/where/v1/sync', prefixed.baseUrl))).status).toBe(404)
})

test.each<[string, string, string]>([
  ['whose length is announced', 'content-length: 1000000', 'x'.repeat(1_000_000)],
  ['in chunks', 'transfer-encoding: chunked', `${'4000\r\n'}${'x'.repeat(0x4000)}\r\n`.repeat(60).concat('0\r\n\r\n')],
])(
  'a client that sends a too large body %s to its end still reads 413, and its next response',
  async (_name, length, body) => {
    const { token } = await server.openDevice()
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const [name = '', value = ''] = length.split(': ')
    const { socket, received } = await openRaw(
      server.baseUrl,
      rawHead('POST', '/v1/thing/add', { ...headers, [name]: value }),
    )
    socket.pause()

    for (let at = 0; at < body.length; at += 100_000) {
      socket.write(body.slice(at, at + 100_000))
      await sleep(5)
    }
    socket.write(rawHead('GET', '/v1/test', headers))
    socket.resume()

    await expect.poll(() => received().match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200'])
  },
)

test('415 for a body with a content encoding also reaches its sender', async () => {
  const { token } = await server.openDevice()

  const { status, body } = await server.post('/thing/add', {
    token,
    body: new Uint8Array(90_000),
    headers: { 'content-encoding': 'gzip', 'content-type': 'application/json' },
  })

  expect([status, body.error]).toEqual([415, 'unsupported_media_type'])
})

test('headers that are too large are 431 with an error object', async () => {
  const { ended } = await openRaw(server.baseUrl, rawHead('GET', '/v1/sync', { authorization: 'x'.repeat(20_000) }))

  const response = await ended
  expect(response).toMatch(/^HTTP\/1\.1 431 /)
  expect(bodyOf(response)).toEqual({ error: 'parameter_invalid', error_description: expect.any(String) })
})

test('every operation declares the responses to a request that cannot be read', () => {
  const operations = Object.values(document.paths ?? {}).flatMap((methods) => Object.values(methods ?? {}))

  for (const { responses } of operations as { responses: object }[]) {
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(['400', '408', '431']))
  }
})

test.each([
  '//sync',
  '/v1//sync',
  '/v1/sync/',
  '/v1/%73ync',
  '/v1/..%2fhealthz',
  '/v1/__proto__',
  '/v1/constructor',
  '/v1',
  '/%',
  '/%ff%00',
  '*',
  'http://evil.example/etc/passwd',
])('the target %s is no operation', async (target) => {
  const { ended } = await openRaw(server.baseUrl, rawHead('GET', target, { connection: 'close' }))

  const response = await ended
  expect(response).toMatch(/^HTTP\/1\.1 40[04] /)
  expect(bodyOf(response)).toEqual({ error: expect.any(String), error_description: expect.any(String) })
})

test('a request without a Host gets an error object', async () => {
  const { ended } = await openRaw(server.baseUrl, 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')

  const response = await ended
  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(response)).toEqual({ error: 'parameter_invalid', error_description: 'The Host header is required' })
})

test.each<[string, Record<string, string>]>([
  ['an expectation that nobody knows', { expect: 'the unexpected' }],
  ['an upgrade', { connection: 'upgrade, close', upgrade: 'websocket' }],
])('a request with %s gets the response of any other', async (_name, headers) => {
  const { token } = await server.openDevice()
  const head = rawHead('GET', '/v1/test', { authorization: `Bearer ${token}`, connection: 'close', ...headers })

  expect(await (await openRaw(server.baseUrl, head)).ended).toMatch(/^HTTP\/1\.1 200 /)
})

test('closing lets a running request finish, takes no new one, and does not wait for silent clients', async () => {
  const closing = await openTestServer()
  const device = await closing.openDevice()
  const headers = {
    authorization: `Bearer ${device.token}`,
    'content-type': 'application/json',
    'content-length': '13',
  }
  await openRaw(closing.baseUrl, '')
  const { socket, ended } = await openRaw(closing.baseUrl, `${rawHead('POST', '/v1/thing/add', headers)}{"titl`)
  await sleep(100)

  const start = performance.now()
  const closed = closing.close()
  await sleep(100)
  await expect(fetch(closing.baseUrl)).rejects.toThrow('fetch failed')
  socket.write('e":"A"}')

  const response = await ended
  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  expect(response).toContain('"title":"A"')
  await closed
  // The silent one would be waited for until the time-out of requests, a minute.
  expect(performance.now() - start).toBeLessThan(20_000)
})
