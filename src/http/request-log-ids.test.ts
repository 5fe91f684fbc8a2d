import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openTestServer } from '../../test/support/open-test-server.ts'
import { recordLog } from '../../test/support/record-log.ts'

test('every response has an ID of its own, which its line in the log also has', async () => {
  const { lines, log } = recordLog()
  const server = await openTestServer({ log, settings: { corsOrigins: ['*'] } })
  const { token } = await server.openDevice()
  const authorization = `Bearer ${token}`
  const things = Array.from({ length: 500 }, (_, index) => ({ local_id: index, title: 'x'.repeat(1000) }))
  const upload = { method: 'POST', body: JSON.stringify({ new_thing: things }) }
  const json = { 'content-type': 'application/json' }

  const responses = [
    await fetch(`${server.baseUrl}test`, { headers: { authorization } }),
    await fetch(`${server.baseUrl}sync`, { ...upload, headers: { authorization, ...json } }),
    await fetch(`${server.baseUrl}sync`, { headers: { authorization } }),
    await fetch(`${server.baseUrl}sync`),
    await fetch(`${server.baseUrl}nothing`),
    await fetch(new URL('/healthz', server.baseUrl)),
    await fetch(`${server.baseUrl}sync`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
    }),
  ]
  for (const response of responses) await response.arrayBuffer()

  const ids = responses.map(({ headers }) => headers.get('x-request-id'))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 200, 204])
  expect(ids).toEqual(ids.map(() => expect.stringMatching(/^[0-9a-f]{12}-\d+$/)))
  expect(new Set(ids).size).toBe(ids.length)
  await expect.poll(() => ids.filter((id) => !lines.some(({ requestId }) => requestId === id))).toEqual([])
})

test.each(['a1B2-c3:d4.e5_f6', '0192f0c1-2b3c-7def-8abc-0123456789ab', 'x'.repeat(128)])(
  'the ID of the client is used: %s',
  async (id) => {
    const { lines, log } = recordLog()
    const server = await openTestServer({ log })

    const response = await fetch(`${server.baseUrl}sync`, { headers: { 'x-request-id': id } })

    expect(response.headers.get('x-request-id')).toBe(id)
    await expect.poll(() => lines.map(({ requestId }) => requestId)).toEqual([id])
  },
)

test.each(['', 'x'.repeat(129), 'two words', 'a,b', 'token=S3CRET', '<b>', '"', 'ä'])(
  'an ID that could do harm is replaced: %j',
  async (id) => {
    const server = await openTestServer()

    const response = await fetch(`${server.baseUrl}sync`, { headers: { 'x-request-id': id } })

    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-\d+$/)
  },
)

test('browsers may read the ID', async () => {
  const server = await openTestServer({ settings: { corsOrigins: ['https://app.example'] } })

  const response = await fetch(`${server.baseUrl}sync`, { headers: { origin: 'https://app.example' } })

  expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id')
})

test('the response to a message that is no HTTP has an ID, which the log also has', async () => {
  const { lines, log } = recordLog()
  const server = await openTestServer({ log })
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')

  socket.write('this is no HTTP\r\n\r\n')
  const response = await text(socket)

  const id = /^x-request-id: (\S+)\r$/m.exec(response)?.[1]
  expect(id).toMatch(/^[\w-]+$/)
  expect(lines).toMatchObject([{ level: 'info', requestId: id, status: 400 }])
})
