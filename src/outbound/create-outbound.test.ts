import { createServer as createSecureServer } from 'node:https'
import { expect, test } from 'vitest'
import { findFreePort } from '../../test/free-port.ts'
import { trialCertificate } from './certificate-trial.ts'
import { createOutbound, type OutboundOptions } from './create-outbound.ts'
import { createDeliveryRules } from './delivery-rules.ts'
import type { Outcome } from './outcome.ts'
import { openRawReceiver, openReceiver, openServerAsReceiver } from './receiver-trial.ts'

const refused: Outcome = {
  kind: 'failed',
  reason:
    'Nothing was sent: the name is unknown, or leads to where this server may not deliver (its setting delivery_allow).',
}
const noAnswer: Outcome = { kind: 'failed', reason: 'The receiver gave no answer.' }
const loopback = ['127.0.0.1']

const createTrial = (places: readonly string[], options: Partial<OutboundOptions> = {}) => {
  const outbound = createOutbound(createDeliveryRules(places), { version: '1.2.3', ...options })
  const send = (url: string, signal?: AbortSignal) =>
    outbound.send({
      url,
      headers: { 'content-type': 'application/json' },
      body: '{"a":1}',
      ...(signal ? { signal } : {}),
    })
  return { ...outbound, send }
}

/** Answers the questions one after the other, the last answer for ever. */
const createNames = (...answers: readonly (readonly string[])[]) => {
  const asked: string[] = []
  return {
    asked,
    resolveName: async (name: string) => {
      asked.push(name)
      return answers[Math.min(asked.length, answers.length) - 1] ?? []
    },
  }
}

test('what is sent is a POST with the given headers, the length and the name of the program, and nothing else', async () => {
  const receiver = await openReceiver((answer) => answer.writeHead(204, { 'set-cookie': 'a=b' }).end())
  const { send } = createTrial(loopback)
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
    { kind: 'answered', status: 204 },
    { kind: 'answered', status: 204 },
  ])
  expect(receiver.received).toEqual([one, one])
  expect(receiver.connections()).toBe(2)
})

test('bytes are sent as they are', async () => {
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

  expect(outcome).toEqual({ kind: 'answered', status: 201 })
})

test.each([301, 302, 303, 307, 308])('a redirect by %d is an answer and is not followed', async (status) => {
  const aim = await openReceiver((answer) => answer.end())
  const receiver = await openReceiver((answer) =>
    answer.writeHead(status, { location: `http://127.0.0.1:${aim.port}/` }).end(),
  )

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'answered', status })
  expect(aim.connections()).toBe(0)
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
  const receiver = await openReceiver((answer) => answer.writeHead(503, { 'retry-after': header }).end())
  const { send } = createTrial(loopback, { now: () => Date.parse('2026-11-22T10:00:00Z') })

  const outcome = await send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'answered', status: 503, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) })
})

test('a name that led to an allowed address and then to a private one is refused, whatever was connected before', async () => {
  const receiver = await openReceiver((answer) => answer.end())
  const { send } = createTrial(loopback, createNames(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['::1']))
  const url = `http://rebinding.test:${receiver.port}/`

  const outcomes = [await send(url), await send(url), await send(url), await send(url)]

  const answered = { kind: 'answered', status: 200 }
  expect(outcomes).toEqual([answered, refused, answered, refused])
  expect(receiver.connections()).toBe(2)
})

test('the connection goes to an address that was judged, and the name is not looked up again', async () => {
  const receiver = await openReceiver((answer) => answer.end())
  const names = createNames(['127.0.0.1'], ['127.0.0.2'])

  const outcome = await createTrial(loopback, names).send(`http://rebinding.test.:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
  expect(names.asked).toEqual(['rebinding.test'])
  expect(receiver.received[0]?.headers.host).toBe(`rebinding.test.:${receiver.port}`)
})

test.each<[string, readonly string[]]>([
  ['a public and a private address', ['8.8.8.8', '127.0.0.1']],
  ['a private and an allowed address', ['127.0.0.2', '127.0.0.1']],
  ['a mapped private address', ['::ffff:127.0.0.2']],
  ['a metadata service', ['169.254.169.254']],
  ['an address with a zone', ['fe80::1%eth0']],
  ['what is no address', ['localhost']],
  ['no address', []],
])('a name that leads to %s is refused, and nothing is connected', async (_what, addresses) => {
  const receiver = await openReceiver((answer) => answer.end())
  const allowed = ['127.0.0.2', '127.0.0.1'].filter((address) => address !== addresses[0]).slice(-1)

  const outcome = await createTrial(addresses[0] === '8.8.8.8' ? [] : allowed, createNames(addresses)).send(
    `http://receiver.test:${receiver.port}/`,
  )

  expect(outcome).toEqual(refused)
  expect(receiver.connections()).toBe(0)
})

test('the refusal is the same whether something listens, nothing does, or there is no such name', async () => {
  const [open, closed] = [await openReceiver((answer) => answer.end()), await findFreePort()]
  const { send } = createTrial([], createNames(['127.0.0.1'], ['127.0.0.1'], []))

  const outcomes = [
    await send(`http://127.0.0.1:${open.port}/`),
    await send(`http://127.0.0.1:${closed}/`),
    await send('http://localhost/'),
    await send(`http://inside.test:${open.port}/`),
    await send(`http://inside.test:${closed}/`),
    await send('http://unknown.test/'),
    await send('http://['),
  ]

  expect(outcomes).toEqual(Array(7).fill(refused))
  expect(open.connections()).toBe(0)
})

test.each<[string, (port: number) => string, (port: number) => string]>([
  ['a network', () => '127.0.0.0/8', (port) => `http://127.0.0.1:${port}/`],
  ['a mapped address in it', () => '127.0.0.0/8', (port) => `http://[::ffff:127.0.0.1]:${port}/`],
  ['an address and port', (port) => `127.0.0.1:${port}`, (port) => `http://127.0.0.1:${port}/`],
  ['a name', () => 'localhost', (port) => `http://localhost:${port}/`],
  ['a name and port', (port) => `localhost:${port}`, (port) => `http://LOCALHOST.:${port}/`],
])('delivery_allow opens %s', async (_what, place, url) => {
  const receiver = await openReceiver((answer) => answer.end())
  const port = receiver.port

  const outcome = await createTrial([place(port)]).send(url(port))

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
})

test('another port than that which delivery_allow names stays closed', async () => {
  const receiver = await openReceiver((answer) => answer.end())
  const { send } = createTrial([`127.0.0.1:${receiver.port + 1}`, `localhost:${receiver.port + 1}`])

  const outcomes = [await send(`http://127.0.0.1:${receiver.port}/`), await send(`http://localhost:${receiver.port}/`)]

  expect(outcomes).toEqual([refused, refused])
  expect(receiver.connections()).toBe(0)
})

test('of an address that delivery_allow opened it is not told how it failed', async () => {
  const silent = await openRawReceiver(() => undefined)
  const closing = await openRawReceiver((socket) => socket.end())
  const speechless = await openRawReceiver((socket) => socket.end('220 mail.example ESMTP\r\n'))
  const { send } = createTrial(loopback, { timeoutMs: 300 })
  const ports = [silent.port, closing.port, speechless.port, await findFreePort()]

  const outcomes = await Promise.all(
    ports.flatMap((port) => [send(`http://127.0.0.1:${port}/`), send(`https://127.0.0.1:${port}/`)]),
  )

  expect(outcomes).toEqual(Array(8).fill(noAnswer))
})

test('a connection that is lost is not made again by itself', async () => {
  const closing = await openRawReceiver((socket) => socket.end())
  const resetting = await openRawReceiver((socket) => socket.resetAndDestroy())
  const { send } = createTrial(loopback)

  await Promise.all([send(`http://127.0.0.1:${closing.port}/`), send(`http://127.0.0.1:${resetting.port}/`)])

  expect([closing.connections(), resetting.connections()]).toEqual([1, 1])
})

test.each(['http', 'https'])(
  'a receiver that never answers to %s is left, and its connection is closed',
  async (scheme) => {
    const receiver = await openRawReceiver(() => undefined)

    const outcome = await createTrial(loopback, { timeoutMs: 100 }).send(`${scheme}://127.0.0.1:${receiver.port}/`)
    await receiver.allClosed()

    expect(outcome).toEqual(noAnswer)
    expect(receiver.connections()).toBe(1)
  },
)

test('a receiver that says one byte of its head at a time is left when the time is over', async () => {
  const receiver = await openRawReceiver((socket) => {
    const timer = setInterval(() => socket.write('H'), 10)
    socket.write('HTTP/1.1 200 OK\r\nX: ')
    socket.on('close', () => clearInterval(timer))
  })

  const outcome = await createTrial(loopback, { timeoutMs: 200 }).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noAnswer)
})

test('an answer without end is one, of which little is read', async () => {
  let written = 0
  const receiver = await openReceiver((answer) => {
    answer.writeHead(200, { 'content-length': String(10 * 2 ** 30) })
    const chunk = Buffer.alloc(65_536)
    const more = () => {
      do written += chunk.length
      while (!answer.destroyed && answer.write(chunk))
    }
    answer.on('drain', more)
    more()
  })

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
  // What both ends of a connection and the system keep for a moment.
  expect(written).toBeLessThan(64 * 2 ** 20)
})

test('a head without end is no answer', async () => {
  const receiver = await openRawReceiver((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n')
    const more = () => {
      while (!socket.destroyed && socket.write(`X: ${'x'.repeat(1000)}\r\n`));
    }
    socket.on('drain', more)
    more()
  })

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noAnswer)
})

test('an answer that says it is compressed is not unpacked', async () => {
  const receiver = await openReceiver((answer) =>
    answer.writeHead(200, { 'content-encoding': 'gzip' }).end('this is no gzip'),
  )

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
})

test.each<[string, string]>([
  ['breaks off', 'HTTP/1.1 410 Gone\r\nContent-Length: 100\r\n\r\nhalf'],
  ['is broken', 'HTTP/1.1 410 Gone\r\nTransfer-Encoding: chunked\r\n\r\nnonsense'],
])('an answer counts by its head when its body %s', async (_how, bytes) => {
  const receiver = await openRawReceiver((socket) => {
    socket.once('data', () => socket.end(bytes))
  })

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)

  expect(outcome).toEqual({ kind: 'answered', status: 410 })
})

test('an answer counts by its head when its body never ends', async () => {
  const receiver = await openReceiver((answer) => answer.writeHead(200).write('a'))

  const outcome = await createTrial(loopback, { timeoutMs: 200 }).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
})

test('a certificate is judged by the name that was asked for, though the connection goes to an address', async () => {
  const receiver = await openServerAsReceiver(createSecureServer(trialCertificate, (_request, answer) => answer.end()))
  const names = createNames(['127.0.0.1'])
  const trusting = createTrial(loopback, { ...names, authorities: [trialCertificate.cert] })

  const outcomes = [
    await trusting.send(`https://hook.test:${receiver.port}/`),
    await trusting.send(`https://hook.test.:${receiver.port}/`),
    await trusting.send(`https://other.test:${receiver.port}/`),
    await trusting.send(`https://127.0.0.1:${receiver.port}/`),
    await createTrial(loopback, names).send(`https://hook.test:${receiver.port}/`),
  ]

  const answered = { kind: 'answered', status: 200 }
  expect(outcomes).toEqual([answered, answered, noAnswer, noAnswer, noAnswer])
})

test('to one host only so many are sent at once; others have their own', async () => {
  const silent = await openRawReceiver(() => undefined)
  const receiver = await openReceiver((answer) => answer.end())
  const { send } = createTrial(loopback, { mostPerHost: 2, ...createNames(['127.0.0.1']) })
  const stop = new AbortController()
  const slow = `http://slow.test:${silent.port}/`
  const waiting = [send(slow, stop.signal), send(slow, stop.signal)]

  const outcomes = [await send(slow), await send(`http://quick.test:${receiver.port}/`)]
  stop.abort(new Error('the test is over'))
  await expect(Promise.all(waiting)).rejects.toThrow('the test is over')
  await Promise.allSettled(waiting)
  const later = await send(`http://slow.test:${receiver.port}/`)

  const busy = { kind: 'busy', reason: 'Too many deliveries are on their way to this host.' }
  const answered = { kind: 'answered', status: 200 }
  expect([...outcomes, later]).toEqual([busy, answered, answered])
})

test('many names for one address share what is sent to it at once', async () => {
  const silent = await openRawReceiver(() => undefined)
  const receiver = await openReceiver((answer) => answer.end())
  const { send } = createTrial(loopback, { mostPerHost: 1, ...createNames(['127.0.0.1']) })
  const stop = new AbortController()
  const waiting = ['a', 'b'].map((name) => send(`http://${name}.test:${silent.port}/`, stop.signal))

  const third = await send(`http://c.test:${silent.port}/`)
  stop.abort(new Error('the test is over'))
  await Promise.allSettled(waiting)
  const fourth = await send(`http://c.test:${receiver.port}/`)

  expect([third.kind, fourth.kind]).toEqual(['busy', 'answered'])
})

test('an answer that asks for another protocol is none', async () => {
  const receiver = await openRawReceiver((socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n')
  })

  const outcome = await createTrial(loopback).send(`http://127.0.0.1:${receiver.port}/`)
  await receiver.allClosed()

  expect(outcome).toEqual(noAnswer)
})

test('what is given up ends at once, also while the name is looked up', async () => {
  const silent = await openRawReceiver(() => undefined)
  const stop = new AbortController()
  const resolveName = () => new Promise<readonly string[]>(() => undefined)
  const { send } = createTrial(loopback, { resolveName })
  const both = [send(`http://127.0.0.1:${silent.port}/`, stop.signal), send('http://slow.test/', stop.signal)]

  stop.abort(new Error('the server stops'))

  const [first, second] = await Promise.allSettled(both)
  expect([first, second]).toEqual(Array(2).fill({ status: 'rejected', reason: new Error('the server stops') }))
  await expect(send('http://127.0.0.1/', stop.signal)).rejects.toThrow('the server stops')
  await silent.allClosed()
})

test('a mistake of ours is no failure of the receiver', async () => {
  const receiver = await openReceiver((answer) => answer.end())
  const outbound = createOutbound(createDeliveryRules(loopback), { version: '1' })

  const sent = outbound.send({ url: `http://127.0.0.1:${receiver.port}/`, headers: { 'bad name': 'x' }, body: '' })

  await expect(sent).rejects.toThrow('Header name must be a valid HTTP token')
})
