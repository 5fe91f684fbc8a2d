import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { enrollDevice } from '../../test/support/test-device.ts'
import { addApp } from '../accounts/apps.ts'
import { addUser } from '../accounts/users.ts'
import { ApiError } from '../api-error.ts'
import { systemEnvironment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { thingForm } from '../things/thing.ts'
import { createRateLimiter } from './client-address.ts'
import { createHandler } from './handler.ts'

/** Opens a rate limiter of 3 requests at once and one a second, with a clock that the test sets. */
const open = () => {
  const clock = { ms: 5_000 }
  const rateLimiter = createRateLimiter({ perSecond: 1, burst: 3, maxAddresses: 2 }, () => clock.ms)
  const send = (address: string) => {
    try {
      rateLimiter.count(address)
      return 'served'
    } catch (error) {
      if (error instanceof ApiError) return error.details.retryAfterSeconds
      throw error
    }
  }
  return { clock, send: send }
}

test('an address may send a burst, then requests at the average rate; rejected ones cost nothing', () => {
  const { clock, send } = open()

  const atOnce = [1, 2, 3, 4, 5].map(() => send('203.0.113.1'))
  clock.ms += 1_000
  const later = [send('203.0.113.1'), send('203.0.113.1')]
  clock.ms += 60_000
  const muchLater = [1, 2, 3, 4].map(() => send('203.0.113.1'))

  expect(atOnce).toEqual(['served', 'served', 'served', 1, 1])
  expect(later).toEqual(['served', 1])
  expect(muchLater).toEqual(['served', 'served', 'served', 1])
})

test('each address has its own count, and the addresses of one /64 share one', () => {
  const { send } = open()
  for (const end of [1, 2, 3]) send(`2001:db8::${end}`)

  expect([send('2001:db8::4'), send('2001:db8:0:1::1'), send('203.0.113.1')]).toEqual([1, 'served', 'served'])
})

/** Opens a server behind proxies of 127.0.0.0/8. `send` returns status and `Retry-After` for a forwarded address. */
const openBehindProxies = async (rateLimiter: { readonly perSecond: number; readonly burst: number }) => {
  const store = await openMemoryStore({ form: thingForm })
  const handle = await createHandler({ store, trustProxy: ['loopback'], rateLimits: rateLimiter })
  const server = createServer(handle).listen(0, '127.0.0.1')
  onTestFinished(async () => {
    server.close()
    await store.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const send = async (path: string, from = '203.0.113.1', token?: string) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
    const headers = { 'x-forwarded-for': from, connection: 'close', ...authorization }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers })
    await response.arrayBuffer()
    return [response.status, response.headers.get('retry-after')]
  }
  return { store, send: send }
}

test('too many requests for pages get Retry-After; other addresses and health are served', async () => {
  const { send } = await openBehindProxies({ perSecond: 0.001, burst: 2 })

  const pages = [
    await send('/sign-in'),
    await send('/openapi.yaml'),
    await send('/sign-in'),
    await send('/openapi.yaml'),
  ]

  expect(pages).toEqual([
    [200, null],
    [200, null],
    [429, '1000'],
    [429, '1000'],
  ])
  expect(await send('/sign-in', '203.0.113.2')).toEqual([200, null])
  expect(await send('/healthz')).toEqual([200, null])
})

test.each([
  ['IPv4', '203.0.113.1', '203.0.113.1', '203.0.113.2'],
  ['IPv6, a /64 together', '2001:db8::1', '2001:db8::2:3', '2001:db8:0:1::1'],
  [
    'two proxies, with a header that the client began',
    '198.51.100.7, 203.0.113.1',
    '203.0.113.1, 127.0.0.5',
    '203.0.113.2',
  ],
])(
  'requests to the API without a token are counted by address, and others are served (%s)',
  async (_, one, same, other) => {
    const { send, store } = await openBehindProxies({ perSecond: 0.001, burst: 3 })
    await addUser(store, { name: 'anna', password: 'correct horse' }, systemEnvironment)
    const { clientId } = await addApp(store, 'tests', systemEnvironment)
    const token = await enrollDevice(store, 'anna', clientId, systemEnvironment)

    const unauthenticated = [await send('/v1/sync', one), await send('/v1/nothing', same), await send('/v1/token', one)]
    const tooMany = [await send('/v1/sync', one), await send('/v1/nothing', same), await send('/v1/token', one)]

    expect(unauthenticated.map(([status]) => status)).toEqual([401, 404, 405])
    expect(tooMany).toEqual([
      [429, '1000'],
      [429, '1000'],
      [429, '1000'],
    ])
    // Not limited: a client with a token, a client whose token expired, and other clients behind the same proxy.
    expect(await send('/v1/sync', one, token)).toEqual([200, null])
    expect(await send('/v1/sync', one, 'expired')).toEqual([401, null])
    expect(await send('/v1/sync', other)).toEqual([401, null])
  },
)
