import { gunzipSync } from 'node:zlib'
import { afterEach, expect, test } from 'vitest'
import { openScriptedServer, type ScriptedServer } from './scripted-server.ts'
import {
  acceptedCodings,
  awkwardBorders,
  compressed,
  compressedBy,
  compressedInPieces,
  cutBody,
  editJson,
  inPieces,
  lateInside,
  loseAtGateway,
  loseRequest,
  loseResponse,
  respondWith,
} from './wire.ts'

let open: ScriptedServer[] = []

afterEach(async () => {
  await Promise.all(open.map((server) => server.close()))
  open = []
})

async function start(options: Parameters<typeof openScriptedServer>[0] = {}): Promise<ScriptedServer> {
  const server = await openScriptedServer(options)
  open.push(server)
  return server
}

async function tokenOf(server: ScriptedServer): Promise<string> {
  const { tokens } = await server.withTokens()
  return (tokens as { access_token: string }).access_token
}

async function sync(server: ScriptedServer, token: string, form?: Record<string, string>): Promise<Response> {
  const body = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }
  return fetch(`${server.wire.baseUrl}sync`, { headers: { authorization: `Bearer ${token}` }, ...body })
}

const upload = { new_thing: '{"local_id":"a","title":"ä"}' }

test('a response that is lost was committed, a request that is lost was not', async () => {
  const server = await start()
  const token = await tokenOf(server)
  server.wire.once('upload', loseRequest)
  server.wire.once('upload', loseResponse)

  await expect(sync(server, token, upload)).rejects.toThrow('fetch failed')
  const before = server.things().length
  await expect(sync(server, token, upload)).rejects.toThrow('fetch failed')

  expect([before, server.things().length]).toEqual([0, 1])
  expect(server.wire.exchanges.map(({ fate }) => fate.split(' ')[1])).toEqual(['before', 'after'])
})

test('a body that is cut was committed, and does not end', async () => {
  const server = await start()
  server.wire.once('sync', cutBody(0.5))

  const response = await sync(server, await tokenOf(server), upload)

  await expect(response.text()).rejects.toThrow('terminated')
  expect(server.things()).toHaveLength(1)
})

test('pieces end inside characters, numbers and escapes, and give the same text', async () => {
  const body = Buffer.from('{"a":"ä\\n","b":123}')
  expect(awkwardBorders(body).map((at) => body.subarray(0, at).toString('latin1'))).toEqual([
    '{',
    '{"a":"Ã',
    '{"a":"Ã¤\\',
    '{"a":"Ã¤\\n","b":1',
    '{"a":"Ã¤\\n","b":12',
  ])
  const server = await start()
  const other = await server.device()
  await other.create({ title: 'ä\n12' })
  server.wire.once('sync', inPieces(awkwardBorders))

  const response = await sync(server, await tokenOf(server))

  expect(await response.json()).toMatchObject({ things: { changed: [{ title: 'ä\n12' }] } })
})

test('a response is compressed for a client that accepts it', async () => {
  const server = await start()
  server.wire.once('sync', compressed)

  const response = await sync(server, await tokenOf(server))

  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(await response.json()).toEqual({ pos: 0 })
  expect(gunzipSync(server.wire.exchanges[0]?.response?.body ?? '').toString()).toBe('{"pos":0}')
})

test('a flushed stream of gzip, and every coding that is accepted, give the same text', async () => {
  const server = await start()
  const token = await tokenOf(server)
  const other = await server.device()
  await other.create({ title: 'a title that needs more than one flushed piece'.repeat(10) })
  const plain = await (await sync(server, token)).json()
  const acts = [compressedInPieces, compressedBy('deflate'), lateInside(1)]
  for (const act of acts) server.wire.once('sync', act)

  const responses = [await sync(server, token), await sync(server, token), await sync(server, token)]

  expect(responses.map(({ headers }) => headers.get('content-encoding'))).toEqual(['gzip', 'deflate', null])
  expect(await Promise.all(responses.map((response) => response.json()))).toEqual([plain, plain, plain])
})

test.each([
  [undefined, []],
  ['identity, *', []],
  ['GZIP;q=0.5, br ; q=0, deflate;q=1', ['gzip', 'deflate']],
  ['x-gzip,br', ['x-gzip', 'br']],
])('accept-encoding %s accepts %j', (header, codings) => {
  expect(acceptedCodings({ headers: header === undefined ? {} : { 'accept-encoding': header } })).toEqual(codings)
})

test('a gateway that gives up hides a request that was committed', async () => {
  const server = await start()
  server.wire.once('upload', loseAtGateway)

  const response = await sync(server, await tokenOf(server), upload)

  expect([response.status, server.things().length]).toEqual([504, 1])
})

test('scripts are used in order, then standing ones, then the model server', async () => {
  const server = await start()
  const token = await tokenOf(server)
  server.wire.once('sync', respondWith(503, {}))
  server.wire.once(
    'sync',
    editJson((body) => ({ ...body, more: 1 })),
  )
  const stop = server.wire.always('sync', respondWith(429, {}))

  const [first, second, third] = [await sync(server, token), await sync(server, token), await sync(server, token)]
  stop()
  const fourth = await sync(server, token)

  expect([first.status, await second.json(), third.status, fourth.status]).toEqual([503, { pos: 0, more: 1 }, 429, 200])
})

test('the arrival of a request is seen before it is handled', async () => {
  const server = await start()
  const token = await tokenOf(server)
  const arrival = server.wire.arrival('upload')
  const responding = sync(server, token, upload)

  const request = await arrival

  expect([request.form, server.things().length]).toEqual([[['new_thing', upload.new_thing]], 0])
  await responding
})

test('expired tokens and ended sessions are those of the client only', async () => {
  const server = await start()
  const other = await server.device()
  const token = await tokenOf(server)

  server.expireAccessTokens()
  const expired = await sync(server, token)

  expect([expired.status, await other.create({ title: 'x' })]).toEqual([401, expect.any(String)])
})

test('a base URL can have a path before its version', async () => {
  const server = await start({ prefix: '/notes' })

  const response = await sync(server, await tokenOf(server))

  expect([server.wire.baseUrl.endsWith('/notes/v1/'), response.status]).toEqual([true, 200])
})
