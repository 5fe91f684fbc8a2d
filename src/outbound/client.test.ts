import { createServer as createSecureServer } from 'node:https'
import { expect, test } from 'vitest'
import { fakeCertificate } from '../../test/support/certificate.ts'
import { createNames, createTestOutbound, loopback, noResponse } from '../../test/support/outbound.ts'
import { openRawReceiver, openReceiver, openServerAsReceiver } from '../../test/support/outbound-receiver.ts'
import { createDeliveryRules } from './address-guard.ts'
import { createOutbound } from './client.ts'

test('a request is a POST with the given headers, Host, Content-Length, User-Agent and no more', async () => {
  const receiver = await openReceiver((response) => response.writeHead(204, { 'set-cookie': 'a=b' }).end())
  const { send } = createTestOutbound(loopback)
  const url = `http://127.0.0.1:${receiver.port}/hook?x=ü#part`

  const outcomes = [await send(url), await send(url)]

  const headers = {
    host: `127.0.0.1:${receiver.port}`,
    connection: 'close',
    'content-type': 'application/json',
    'content-length': '7',
    'user-agent': 'thingsync/1.2.3',
  }
  const one = { method: 'POST', url: '/hook?x=%C3%BC', headers, body: '{"a":1}' }
  expect(outcomes).toEqual([
    { kind: 'responded', status: 204 },
    { kind: 'responded', status: 204 },
  ])
  expect(receiver.received).toEqual([one, one])
  expect(receiver.connections()).toBe(2)
})

test('a body of bytes is sent unchanged', async () => {
  const body = new Uint8Array([0, 255, 128])
  const receiver = await openRawReceiver((socket) => {
    let received = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk])
      if (received.subarray(-3).equals(body)) socket.end('HTTP/1.1 201 Created\r\n\r\n')
    })
  })
  const outbound = createOutbound(createDeliveryRules(loopback), { version: '1' })

  const outcome = await outbound.send({ url: `http://127.0.0.1:${receiver.port}/`, headers: {}, body })

  expect(outcome).toEqual({ kind: 'responded', status: 201 })
})

test.each([301, 302, 303, 307, 308])('a redirect with %d is a response and is not followed', async (status) => {
  const target = await openReceiver((response) => response.end())
  const receiver = await openReceiver((response) =>
    response.writeHead(status, { location: `http://127.0.0.1:${target.port}/` }).end(),
  )

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'responded', status })
  expect(target.connections()).toBe(0)
})

test.each<[string, number | undefined]>([
  ['120', 120_000],
  ['0', 0],
  ['99999999999999999999', 86_400_000],
  ['Sun, 22 Nov 2026 10:00:30 GMT', 30_000],
  ['Sun, 22 Nov 2026 09:00:00 GMT', 0],
  ['Sun, 22 Nov 2099 09:00:00 GMT', 86_400_000],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['tomorrow GMT', undefined],
])('Retry-After %j is read', async (header, retryAfterMs) => {
  const receiver = await openReceiver((response) => response.writeHead(503, { 'retry-after': header }).end())
  const { send } = createTestOutbound(loopback, { now: () => Date.parse('2026-11-22T10:00:00Z') })

  const outcome = await send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'responded', status: 503, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
})

test('a lost connection is not opened again automatically', async () => {
  const closing = await openRawReceiver((socket) => socket.end())
  const resetting = await openRawReceiver((socket) => socket.resetAndDestroy())
  const { send } = createTestOutbound(loopback)

  await Promise.all([send(`http://127.0.0.1:${closing.port}/`), send(`http://127.0.0.1:${resetting.port}/`)])

  expect([closing.connections(), resetting.connections()]).toEqual([1, 1])
})

test.each(['http', 'https'])(
  'a receiver that never responds to %s times out, and its connection is closed',
  async (scheme) => {
    const receiver = await openRawReceiver(() => undefined)

    const outcome = await createTestOutbound(loopback, { timeoutMs: 100 }).send(
      `${scheme}://127.0.0.1:${receiver.port}/`,
    )
    await receiver.allClosed()

    expect(outcome).toEqual(noResponse)
    expect(receiver.connections()).toBe(1)
  },
)

test('a receiver that sends its head byte by byte times out', async () => {
  const receiver = await openRawReceiver((socket) => {
    const timer = setInterval(() => socket.write('H'), 10)
    socket.write('HTTP/1.1 200 OK\r\nX: ')
    socket.on('close', () => clearInterval(timer))
  })

  const outcome = await createTestOutbound(loopback, { timeoutMs: 200 }).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noResponse)
})

test('a response with an endless body counts, and little of it is read', async () => {
  let written = 0
  const receiver = await openReceiver((response) => {
    response.writeHead(200, { 'content-length': String(10 * 2 ** 30) })
    const chunk = Buffer.alloc(65_536)
    const more = () => {
      do written += chunk.length
      while (!response.destroyed && response.write(chunk))
    }
    response.on('drain', more)
    more()
  })

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual({ kind: 'responded', status: 200 })
  // Both ends of the connection and the system buffer some of it.
  expect(written).toBeLessThan(64 * 2 ** 20)
})

test('an endless head is no response', async () => {
  const receiver = await openRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(`X: ${'x'.repeat(1000)}\r\n`));
    }
    socket.on('drain', more)
    more()
  })

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noResponse)
})

test('a response that claims to be compressed is not decompressed', async () => {
  const receiver = await openReceiver((response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end('this is no gzip'),
  )

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'responded', status: 200 })
})

test.each<[string, string]>([
  ['breaks off', 'HTTP/1.1 410 Gone\r\nContent-Length: 100\r\n\r\nhalf'],
  ['is broken', 'HTTP/1.1 410 Gone\r\nTransfer-Encoding: chunked\r\n\r\nnonsense'],
])('a response counts by its head when its body %s', async (_how, bytes) => {
  const receiver = await openRawReceiver((socket) => {
    socket.once('data', () => socket.end(bytes))
  })

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'responded', status: 410 })
})

test('a response counts by its head when its body never ends', async () => {
  const receiver = await openReceiver((response) => response.writeHead(200).write('a'))

  const outcome = await createTestOutbound(loopback, { timeoutMs: 200 }).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual({ kind: 'responded', status: 200 })
})

test('a certificate is checked for the host name, though the connection goes to an IP address', async () => {
  const receiver = await openServerAsReceiver(
    createSecureServer(fakeCertificate, (_request, response) => response.end()),
  )
  const names = createNames(['127.0.0.1'])
  const trusting = createTestOutbound(loopback, { ...names, authorities: [fakeCertificate.cert] })

  const outcomes = [
    await trusting.send(`https://hook.test:${receiver.port}/`),
    await trusting.send(`https://hook.test.:${receiver.port}/`),
    await trusting.send(`https://other.test:${receiver.port}/`),
    await trusting.send(`https://127.0.0.1:${receiver.port}/`),
    await createTestOutbound(loopback, names).send(`https://hook.test:${receiver.port}/`),
  ]

  const responded = { kind: 'responded', status: 200 }
  expect(outcomes).toEqual([responded, responded, noResponse, noResponse, noResponse])
})

test('the number of simultaneous requests is limited for each host', async () => {
  const silent = await openRawReceiver(() => undefined)
  const receiver = await openReceiver((response) => response.end())
  const { send } = createTestOutbound(loopback, { maxPerHost: 2, ...createNames(['127.0.0.1']) })
  const stop = new AbortController()
  const slow = `http://slow.test:${silent.port}/`
  const waiting = [send(slow, stop.signal), send(slow, stop.signal)]

  const outcomes = [await send(slow), await send(`http://quick.test:${receiver.port}/`)]
  stop.abort(new Error('the test is over'))
  await expect(Promise.all(waiting)).rejects.toThrow('the test is over')
  await Promise.allSettled(waiting)
  const later = await send(`http://slow.test:${receiver.port}/`)

  const busy = { kind: 'busy', reason: 'Too many deliveries to this host are in progress.' }
  const responded = { kind: 'responded', status: 200 }
  expect([...outcomes, later]).toEqual([busy, responded, responded])
})

test('names with the same address share a limit of simultaneous requests', async () => {
  const silent = await openRawReceiver(() => undefined)
  const receiver = await openReceiver((response) => response.end())
  const { send } = createTestOutbound(loopback, { maxPerHost: 1, ...createNames(['127.0.0.1']) })
  const stop = new AbortController()
  const waiting = ['a', 'b'].map((name) => send(`http://${name}.test:${silent.port}/`, stop.signal))

  const third = await send(`http://c.test:${silent.port}/`)
  stop.abort(new Error('the test is over'))
  await Promise.allSettled(waiting)
  const fourth = await send(`http://c.test:${receiver.port}/`)

  expect([third.kind, fourth.kind]).toEqual(['busy', 'responded'])
})

test('a response that switches to another protocol is no response', async () => {
  const receiver = await openRawReceiver((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
  })

  const outcome = await createTestOutbound(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noResponse)
})

test('an aborted request ends at once, also during the name lookup', async () => {
  const silent = await openRawReceiver(() => undefined)
  const stop = new AbortController()
  const resolveName = () => new Promise<readonly string[]>(() => undefined)
  const { send } = createTestOutbound(loopback, { resolveName })
  const both = [send(`http://127.0.0.1:${silent.port}/`, stop.signal), send('http://slow.test/', stop.signal)]

  stop.abort(new Error('the server stops'))

  const [first, second] = await Promise.allSettled(both)
  expect([first, second]).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('the server stops') }))
  await expect(send('http://127.0.0.1/', stop.signal)).rejects.toThrow('the server stops')
  await silent.allClosed()
})

test('a bug of the server is thrown and is no failure of the receiver', async () => {
  const receiver = await openReceiver((response) => response.end())
  const outbound = createOutbound(createDeliveryRules(loopback), { version: '1' })

  const sent = outbound.send({ url: `http://127.0.0.1:${receiver.port}/`, headers: { 'bad name': 'x' }, body: '' })

  await expect(sent).rejects.toThrow('Header name must be a valid HTTP token')
})
