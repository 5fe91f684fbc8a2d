import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'
import { openRaw, rawHead } from '../../support/raw-connection.ts'

const server = await openFileServer()

/** A busy machine takes its time. */
const busy = { timeout: 60_000 }

const form = { 'content-type': 'application/x-www-form-urlencoded' }
const json = { 'content-type': 'application/json' }
const large = { 'content-length': '3000000' }

// The bodies of these requests are never sent.
test.each<[string, string, Record<string, string>, number]>([
  ['a wrong token', '/v1/sync', { ...json, authorization: 'Bearer wrong' }, 401],
  ['a wrong token in the query', '/v1/sync?access_token=wrong', form, 401],
  ['JSON that is too large to hold a token', '/v1/sync', json, 413],
  ['a type that holds no token', '/v1/sync', { 'content-type': 'text/plain' }, 401],
  ['a wrong method', '/v1/user/get', form, 405],
  ['an unknown operation', '/v1/nothing', form, 404],
  ['a large request of a token', '/v1/token', form, 413],
])('%s gets its response without the body of the request', async (_name, path, headers, status) => {
  const { received } = await openRaw(server.baseUrl, rawHead('POST', path, { ...headers, ...large }))

  await expect.poll(() => received(), busy).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*"error_description"`))
})

test('100 Continue is sent to a client with a valid token, and to no other', async () => {
  const { token } = await server.openDevice()
  const send = async (authorization: string) => {
    const headers = { ...form, authorization, expect: '100-continue', 'content-length': '7' }
    return openRaw(server.baseUrl, rawHead('POST', '/v1/sync', headers))
  }

  const wrong = await send('Bearer wrong')
  const right = await send(`Bearer ${token}`)

  await expect.poll(() => wrong.received(), busy).toMatch(/^HTTP\/1\.1 401 /)
  await expect.poll(() => right.received(), busy).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  right.socket.write('limit=0')
  await expect.poll(() => right.received(), busy).toMatch(/HTTP\/1\.1 200 [\s\S]*\{"pos":0\}$/)
})

test('a large form with its token at the end is still taken, and so is one with it at the beginning', async () => {
  const { token, userName } = await server.openDevice()
  const things = Array.from({ length: 10_000 }, (_, i): [string, string] => [
    'new_thing[]',
    JSON.stringify({ local_id: i, title: 'a' }),
  ])

  const last = await server.post('/sync', { form: [...things, ['access_token', token]] })
  const first = await server.post('/sync', { form: [['access_token', token], ...things] })

  expect([last.status, first.status]).toEqual([200, 200])
  expect((await (await server.openDevice(userName)).sync({ limit: 0 })).thingCount).toBe(20_000)
})
