import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'
import { recordLog } from '../../support/record-log.ts'

const { log, lines } = recordLog()
const server = await openFileServer({ log })

const bodyOf = (response: string) => JSON.parse(response.slice(response.indexOf('\r\n\r\n')))
const send = async (text: string) => (await openRaw(server.baseUrl, text)).ended
const close = { connection: 'close' }

test.each([
  'http://',
  'foo://',
  'http://a:b@',
  'http://things.example',
  'http:///v1/sync',
  'http://[',
  'ftp://things.example/v1/sync',
  '*',
  'things.example:80',
  '/v1/sync#x',
  '/healthz?a#',
])('the request target %s is 400 and logged, and the server lives', async (target) => {
  for (const method of ['GET', 'OPTIONS']) {
    lines.length = 0

    const response = await send(rawHead(method, target, close))

    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(response).error).toBe('parameter_invalid')
    // Some of them Node itself does not read; of the others a line is written when the response is sent.
    await expect.poll(() => server.get('/test').then(({ status }) => status)).toBe(401)
    expect(lines.filter(({ path }) => path !== '/v1/test').every(({ status }) => status === 400)).toBe(true)
  }
})

test.each(['//', '///x', '//v1/sync', '/v1/\\..', 'http://things.example//'])(
  'the target %s is not found',
  async (target) => {
    const response = await send(rawHead('GET', target, close))

    expect(response).toMatch(/^HTTP\/1\.1 404 /)
    expect(bodyOf(response).error).toBe('not_found')
  },
)

test('an absolute URL as request target is taken, and its query is not logged', async () => {
  const { token } = await server.openDevice()
  lines.length = 0

  const response = await send(rawHead('GET', `http://other.example/v1/test?access_token=${token}`, close))

  expect(response).toMatch(/^HTTP\/1\.1 200 /)
  await expect.poll(() => lines.map(({ path, status }) => [path, status])).toEqual([['/v1/test', 200]])
  expect(JSON.stringify(lines)).not.toContain(token)
})

test('an error about bytes behind a request never becomes the response to that request', async () => {
  const { token, sync } = await server.openDevice()
  const { pos } = await sync({})

  const response = await send(
    `${rawHead('GET', `/v1/sync?from=${pos}&wait=5`, { authorization: `Bearer ${token}` })}nonsense\r\n\r\n`,
  )

  expect(response).toBe('')
})

test('CONNECT gets 400', async () => {
  const response = await send(rawHead('CONNECT', 'things.example:443'))

  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(response).error).toBe('parameter_invalid')
})

test.each<[string, string]>([
  ['two hosts', 'host: a.example\r\nhost: b.example\r\n'],
  ['the same host twice', 'host: a.example\r\nHost: a.example\r\n'],
  ['two content types', 'host: a\r\ncontent-type: application/json\r\nContent-Type: text/plain\r\n'],
  ['two authorizations', 'host: a\r\nauthorization: Bearer a\r\nauthorization: Bearer b\r\n'],
  ['two lengths', 'host: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n'],
  ['a length and chunks', 'host: a\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n'],
])('%s are 400', async (_name, headers) => {
  for (const path of ['/v1/sync', '/healthz']) {
    const response = await send(`POST ${path} HTTP/1.1\r\n${headers}connection: close\r\n\r\n`)

    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(bodyOf(response)).toEqual({ error: expect.any(String), error_description: expect.any(String) })
  }
})

test.each([
  ['1.1', 'gzip, chunked'],
  ['1.1', 'gzip\r\ntransfer-encoding: chunked'],
  ['1.0', 'chunked'],
])('a body in HTTP/%s with the transfer coding %j is 400', async (version, coding) => {
  const { token } = await server.openDevice()
  const head = `POST /v1/sync HTTP/${version}\r\nhost: a\r\nauthorization: Bearer ${token}\r\nconnection: close`

  const response = await send(`${head}\r\ntransfer-encoding: ${coding}\r\n\r\n0\r\n\r\n`)
  const taken = await send(`${head.replace('1.0', '1.1')}\r\ntransfer-encoding: Chunked\r\n\r\n0\r\n\r\n`)

  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(bodyOf(response).error).toBe('parameter_invalid')
  expect(taken).toMatch(/^HTTP\/1\.1 200 /)
})

test.each([
  ['1.1', 'gzip, chunked'],
  ['1.0', 'chunked'],
])('nothing behind a body in HTTP/%s with the transfer coding %j is done', async (version, coding) => {
  const { token, get } = await server.openDevice()
  const headers = `host: a\r\nauthorization: Bearer ${token}\r\nconnection: keep-alive`
  const hidden = rawHead('POST', '/v1/thing/add?title=hidden', { authorization: `Bearer ${token}` })
  const bad = `POST /v1/sync HTTP/${version}\r\n${headers}\r\ntransfer-encoding: ${coding}\r\n\r\n0\r\n\r\n`

  const response = await send(`${bad}${hidden}`)

  expect(response).toMatch(/^HTTP\/1\.1 400 /)
  expect(response).toMatch(/^connection: close\r$/im)
  expect(response).not.toContain('200 OK')
  expect((await get('/things/get')).body).toEqual([])
})

test('an upload that its client breaks off before any response is logged without a status', async () => {
  const { token } = await server.openDevice()
  lines.length = 0
  const headers = { authorization: `Bearer ${token}`, 'content-length': '100', expect: '100-continue' }
  const { socket, received } = await openRaw(server.baseUrl, rawHead('POST', '/v1/sync', headers))
  await expect.poll(received).toContain('100 Continue')

  socket.write('from=0')
  socket.resetAndDestroy()

  const noted = () =>
    lines.filter(({ path }) => path === '/v1/sync').map(({ status, isComplete }) => ({ status, isComplete }))
  await expect.poll(noted).toEqual([{ status: undefined, isComplete: false }])
})

test('the same authorization twice is taken, and so are any other headers', async () => {
  const { token } = await server.openDevice()
  const twice = `authorization: Bearer ${token}\r\n`.repeat(2)

  const response = await send(
    `GET /v1/test HTTP/1.1\r\nhost: a\r\n${twice}vary_: 1\r\nvary_: 2\r\nconnection: close\r\n\r\n`,
  )

  expect(response).toMatch(/^HTTP\/1\.1 200 /)
})

test('a token behind so many headers that Node may drop it is 431 and not 401; behind fewer it is seen', async () => {
  const { token } = await server.openDevice()
  const request = (count: number) =>
    `GET /v1/test HTTP/1.1\r\nhost: a\r\nconnection: close\r\n${'a:\r\n'.repeat(count)}authorization: Bearer ${token}\r\n\r\n`

  const [many, fewer] = [await send(request(2100)), await send(request(990))]

  expect(many).toMatch(/^HTTP\/1\.1 431 /)
  expect(bodyOf(many)).toEqual({
    error: 'parameter_invalid',
    error_description: 'A request may have at most 999 headers',
  })
  expect(fewer).toMatch(/^HTTP\/1\.1 200 /)
})
