import { createServer as createSecureServer } from 'node:https'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../test/free-port.ts'
import { fakeCertificate } from '../../test/support/certificate.ts'
import { guardedUrls } from '../../test/support/guarded-urls.ts'
import { createNames, createTestReader, loopback, pageNotAllowed } from '../../test/support/outbound.ts'
import { openRawReceiver, openReceiver, openServerAsReceiver } from '../../test/support/outbound-receiver.ts'
import type { Reached } from './connection.ts'
import { describePageFailure } from './read-page.ts'

const MiB = 1024 * 1024
const failed = (reason: string) => ({ kind: 'failed', reason })
const urlOf = ({ port }: { readonly port: number }, path = '/') => `http://127.0.0.1:${port}${path}`

test('a request is a GET without cookie and referrer, and says what sends it', async () => {
  const receiver = await openReceiver((response, { url }) => {
    if (url === '/first?x=%C3%BC') response.writeHead(302, { location: '/second', 'set-cookie': 'a=b' }).end()
    else response.end('page')
  })

  const outcome = await createTestReader(loopback).read(urlOf(receiver, '/first?x=ü#part'))

  const headers = {
    host: `127.0.0.1:${receiver.port}`,
    connection: 'close',
    'user-agent': 'thingsync/1.2.3',
    accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
    'accept-encoding': 'gzip',
  }
  expect(outcome).toEqual({ kind: 'read', result: 'page' })
  expect(receiver.received).toEqual([
    { method: 'GET', url: '/first?x=%C3%BC', headers, body: '' },
    { method: 'GET', url: '/second', headers, body: '' },
  ])
  expect(receiver.connections()).toBe(2)
})

test.each([301, 302, 303, 307, 308])('a redirect with %d is followed to the URL in UTF-8', async (status) => {
  const target = await openReceiver((response) => response.end('page'))
  const location = Buffer.from(`http://127.0.0.1:${target.port}/ü`).toString('latin1')
  const receiver = await openReceiver((response) => response.writeHead(status, { location }).end())

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome).toEqual({ kind: 'read', result: 'page' })
  expect(target.received[0]?.url).toBe('/%C3%BC')
})

test('the sixth redirect is not followed', async () => {
  const receiver = await openReceiver((response, { url = '' }) =>
    response.writeHead(302, { location: `/${Number(url.slice(1)) + 1}` }).end(),
  )

  const outcome = await createTestReader(loopback).read(urlOf(receiver, '/1'))

  expect(outcome).toEqual(failed('it redirects more than 5 times'))
  expect(receiver.received.map(({ url }) => url)).toEqual(['/1', '/2', '/3', '/4', '/5', '/6'])
})

describe.each(guardedUrls.filter(([, result]) => result !== 'allowed'))('the blocked URL %j', (url) => {
  test('is not read', async () => {
    const names = createNames(['127.0.0.1'])

    expect(await createTestReader([], names).read(url)).toEqual(pageNotAllowed)
    expect(names.requested).toEqual([])
  })

  test('is not read behind a redirect', async () => {
    const receiver = await openReceiver((response) =>
      response.writeHead(302, { location: encodeURI(url).replaceAll('%25', '%') }).end(),
    )
    const { read } = createTestReader([`127.0.0.1:${receiver.port}`], createNames([]))

    const outcome = await read(urlOf(receiver))

    // A relative URL leads to the receiver itself, again and again.
    expect([pageNotAllowed.reason, 'it redirects more than 5 times']).toContain(
      outcome.kind === 'failed' ? outcome.reason : 'read',
    )
    expect(receiver.received.every(({ headers }) => headers.host === `127.0.0.1:${receiver.port}`)).toBe(true)
  })
})

test('a redirect to a name that resolves to a metadata service the second time is blocked', async () => {
  const receiver = await openReceiver((response) =>
    response.writeHead(302, { location: `http://rebinding.test:${receiver.port}/latest/meta-data/` }).end(),
  )
  const names = createNames(['127.0.0.1'], ['169.254.169.254'])

  const outcome = await createTestReader(loopback, names).read(`http://rebinding.test:${receiver.port}/`)

  expect(outcome).toEqual(pageNotAllowed)
  expect(names.requested).toEqual(['rebinding.test', 'rebinding.test'])
  expect(receiver.connections()).toBe(1)
})

test.each([204, 206])('a page with status %d is read', async (status) => {
  const receiver = await openReceiver((response) => response.writeHead(status).end(status === 204 ? '' : 'part'))

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome).toEqual({ kind: 'read', result: status === 204 ? '' : 'part' })
})

test.each([300, 304, 401, 403, 404, 410, 429, 500, 503])('a page with status %d is an error', async (status) => {
  const receiver = await openReceiver((response) => response.writeHead(status).end('no page'))

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome).toEqual(failed(`its host responded with status ${status}`))
})

test('of a body of 10 MB, the first 512 KiB are read and the connection is closed', async () => {
  const receiver = await openReceiver((response) => response.end(Buffer.alloc(10 * MiB, 'x')))

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome).toEqual({ kind: 'read', result: 'x'.repeat(512 * 1024) })
  await receiver.allClosed()
})

test('of an endless body, the first 512 KiB are read and the connection is closed', async () => {
  const receiver = await openReceiver((response) => {
    const write = () => {
      while (response.write('x'.repeat(65_536)));
    }
    response.on('drain', write)
    write()
  })

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome).toEqual({ kind: 'read', result: 'x'.repeat(512 * 1024) })
  await receiver.allClosed()
})

test('a compressed page is decompressed, also one whose end is missing', async () => {
  const zipped = gzipSync(Buffer.from('<title>ü</title>'.repeat(500)), { level: 0 })
  const receiver = await openReceiver((response, { url }) =>
    response
      .writeHead(200, { 'content-encoding': url === '/old' ? 'x-gzip' : 'GZIP' })
      .end(url === '/half' ? zipped.subarray(0, 4_000) : zipped),
  )
  const { read } = createTestReader(loopback)

  const whole = [await read(urlOf(receiver)), await read(urlOf(receiver, '/old'))]
  const half = await read(urlOf(receiver, '/half'))

  expect(whole).toEqual(Array(2).fill({ kind: 'read', result: '<title>ü</title>'.repeat(500) }))
  expect(half.kind === 'read' && half.result.startsWith('<title>ü</title>')).toBe(true)
})

test('of a gzip bomb, 512 KiB are decompressed', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * MiB), { level: 9 })
  const receiver = await openReceiver((response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb))

  const outcome = await createTestReader(loopback).read(urlOf(receiver))

  expect(outcome.kind === 'read' && outcome.result.length).toBe(512 * 1024)
})

test('of endless empty gzip members, 512 KiB are received', async () => {
  const empty = Buffer.concat(Array(2_000).fill(gzipSync('')))
  const receiver = await openReceiver((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    const write = () => {
      while (response.write(empty));
    }
    response.on('drain', write)
    write()
  })

  const outcome = await createTestReader(loopback, { timeoutMs: 60_000 }).read(urlOf(receiver))

  expect(outcome).toEqual({ kind: 'read', result: '' })
  await receiver.allClosed()
})

test('a page with damaged or unknown compression is an error', async () => {
  const receiver = await openReceiver((response, { url = '' }) =>
    response.writeHead(200, { 'content-encoding': url.slice(1) }).end('<title>plain</title>'),
  )
  const { read } = createTestReader(loopback)

  expect(await read(urlOf(receiver, '/gzip'))).toEqual(failed('its compression is damaged'))
  expect(await read(urlOf(receiver, '/br'))).toEqual(failed('it is compressed in a way that this server does not read'))
})

test('of a page whose connection breaks, and of a page that never ends, the part that came is read', async () => {
  const broken = await openRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nbegun')
    setImmediate(() => socket.destroySoon())
  })
  const hanging = await openReceiver((response) => response.write('begun'))
  const { read } = createTestReader(loopback, { timeoutMs: 500 })

  expect(await read(urlOf(broken))).toEqual({ kind: 'read', result: 'begun' })
  expect(await read(urlOf(hanging))).toEqual({ kind: 'read', result: 'begun' })
  await hanging.allClosed()
})

test('a page whose first byte does not come in time is an error', async () => {
  const silent = await openRawReceiver(() => undefined)
  const headOnly = await openReceiver((response) => response.writeHead(200).flushHeaders())
  const { read } = createTestReader(loopback, { timeoutMs: 300 })

  expect(await read(urlOf(silent))).toEqual(failed('its host did not respond'))
  expect(await read(urlOf(headOnly))).toEqual(failed('it took longer than 0.3 s'))
  await Promise.all([silent.allClosed(), headOnly.allClosed()])
})

test('a lookup that does not end is an error', async () => {
  const resolveName = () => new Promise<never>(() => {})

  const outcome = await createTestReader([], { timeoutMs: 100, resolveName }).read('http://slow.test/')

  expect(outcome).toEqual(failed('it took longer than 0.1 s'))
})

test('redirects share one time', async () => {
  const receiver = await openReceiver((response, { url }) => {
    if (url === '/') response.writeHead(302, { location: '/hang' }).end()
  })

  const outcome = await createTestReader(loopback, { timeoutMs: 300 }).read(urlOf(receiver))

  expect(outcome).toEqual(failed('its host did not respond'))
  expect(receiver.received.map(({ url }) => url)).toEqual(['/', '/hang'])
})

test('a certificate is checked for the host name, though the connection goes to an IP address', async () => {
  const receiver = await openServerAsReceiver(
    createSecureServer(fakeCertificate, (_request, response) => response.end('page')),
  )
  const { read } = createTestReader(loopback, { ...createNames(['127.0.0.1']), authorities: [fakeCertificate.cert] })

  const outcomes = [
    await read(`https://hook.test:${receiver.port}/`),
    await read(`https://other.test:${receiver.port}/`),
    await read(`https://127.0.0.1:${receiver.port}/`),
  ]

  const noResponse = failed('its host did not respond')
  expect(outcomes).toEqual([{ kind: 'read', result: 'page' }, noResponse, noResponse])
})

test('an error of the function that reads a page is passed on, and the connection is closed', async () => {
  const receiver = await openReceiver((response) => response.write('begun'))
  const { readPage } = createTestReader(loopback)

  await expect(readPage(urlOf(receiver), () => Promise.reject(new Error('mine')))).rejects.toThrow('mine')
  await receiver.allClosed()
})

test('a closed port and a host that talks no HTTP have the same outcome', async () => {
  const smtp = await openRawReceiver((socket) => socket.end('220 mail.example ESMTP\r\n'))
  const { read } = createTestReader(loopback)

  const outcomes = [await read(urlOf(smtp)), await read(urlOf({ port: await findFreePort() }))]

  expect(outcomes).toEqual(Array(2).fill(failed('its host did not respond')))
})

test.each<[Reached, string]>([
  ['nothing', 'no connection to its host could be made'],
  ['socket', 'no secure connection to its host could be made, for example because of the certificate'],
  ['receiver', 'its host did not respond in HTTP'],
])('the reason of a failure (%s) is given for public addresses only', (reached, reason) => {
  expect(describePageFailure(reached, true)).toBe(reason)
  expect(describePageFailure(reached, false)).toBe('its host did not respond')
})
