import { expect, test } from 'vitest'
import { findFreePort } from '../../test/free-port.ts'
import { createNames, createTrial, loopback, noAnswer, refused } from '../../test/support/outbound.ts'
import { openRawReceiver, openReceiver } from '../../test/support/outbound-receiver.ts'

test('a name that led to an allowed address and then to a private one is refused, whatever was connected before', async () => {
  const receiver = await openReceiver((response) => response.end())
  const { send } = createTrial(loopback, createNames(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['::1']))
  const url = `http://rebinding.test:${receiver.port}/`

  const outcomes = [await send(url), await send(url), await send(url), await send(url)]

  const answered = { kind: 'answered', status: 200 }
  expect(outcomes).toEqual([answered, refused, answered, refused])
  expect(receiver.connections()).toBe(2)
})

test('the connection goes to an address that was judged, and the name is not looked up again', async () => {
  const receiver = await openReceiver((response) => response.end())
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
  const receiver = await openReceiver((response) => response.end())
  const allowed = ['127.0.0.2', '127.0.0.1'].filter((address) => address !== addresses[0]).slice(-1)

  const outcome = await createTrial(addresses[0] === '8.8.8.8' ? [] : allowed, createNames(addresses)).send(
    `http://receiver.test:${receiver.port}/`,
  )

  expect(outcome).toEqual(refused)
  expect(receiver.connections()).toBe(0)
})

test('the refusal is the same whether something listens, nothing does, or there is no such name', async () => {
  const [open, closed] = [await openReceiver((response) => response.end()), await findFreePort()]
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
  const receiver = await openReceiver((response) => response.end())
  const port = receiver.port

  const outcome = await createTrial([place(port)]).send(url(port))

  expect(outcome).toEqual({ kind: 'answered', status: 200 })
})

test('another port than that which delivery_allow names stays closed', async () => {
  const receiver = await openReceiver((response) => response.end())
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
