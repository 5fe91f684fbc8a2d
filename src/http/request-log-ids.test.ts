import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { openTestServer } from '../../test/support/open-test-server.ts'
import { recordLog } from '../../test/support/record-log.ts'

test('every answer has a name of its own, which its line in the log has, too', async () => {
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

  const names = responses.map(({ headers }) => headers.get('x-request-id'))
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 401, 404, 200, 204])
  expect(names).toEqual(names.map(() => expect.stringMatching(/^[0-9a-f]{12}-\d+$/)))
  expect(new Set(names).size).toBe(names.length)
  await expect.poll(() => names.filter((name) => !lines.some(({ requestId }) => requestId === name))).toEqual([])
})

test.each(['a1B2-c3:d4.e5_f6', '0192f0c1-2b3c-7def-8abc-0123456789ab', 'x'.repeat(128)])(
  'a name that the client gives is taken: %s',
  async (name) => {
    const { lines, log } = recordLog()
    const server = await openTestServer({ log })

    const response = await fetch(`${server.baseUrl}sync`, { headers: { 'x-request-id': name } })

    expect(response.headers.get('x-request-id')).toBe(name)
    await expect.poll(() => lines.map(({ requestId }) => requestId)).toEqual([name])
  },
)

test.each(['', 'x'.repeat(129), 'two words', 'a,b', 'token=S3CRET', '<b>', '"', 'ä'])(
  'a name that could do harm is not taken: %j',
  async (name) => {
    const server = await openTestServer()

    const response = await fetch(`${server.baseUrl}sync`, { headers: { 'x-request-id': name } })

    expect(response.headers.get('x-request-id')).toMatch(/^[0-9a-f]{12}-\d+$/)
  },
)

test('browsers may read the name', async () => {
  const server = await openTestServer({ settings: { corsOrigins: ['https://app.example'] } })

  const response = await fetch(`${server.baseUrl}sync`, { headers: { origin: 'https://app.example' } })

  expect(response.headers.get('access-control-expose-headers')).toContain('x-request-id')
})

test('what cannot be read as HTTP is answered with a name, which the log has, too', async () => {
  const { lines, log } = recordLog()
  const server = await openTestServer({ log })
  const socket = connect(Number(new URL(server.baseUrl).port), '127.0.0.1')

  socket.write('this is no HTTP\r\n\r\n')
  const response = await text(socket)

  const name = /^x-request-id: (\S+)\r$/m.exec(response)?.[1]
  expect(name).toMatch(/^[\w-]+$/)
  expect(lines).toMatchObject([{ level: 'info', requestId: name, status: 400 }])
})
