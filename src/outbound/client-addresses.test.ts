import { describe, expect, test } from 'vitest'
import { findFreePort } from '../../test/free-port.ts'
import { createNames, guardedSenders, loopback } from '../../test/support/outbound.ts'
import { openRawReceiver, openReceiver } from '../../test/support/outbound-receiver.ts'

describe.each(guardedSenders)('%s', (_name, { create, responded, notAllowed, noResponse }) => {
  test('a name that resolves to a private address is blocked, even if it was allowed before', async () => {
    const receiver = await openReceiver((response) => response.end())
    const send = create(loopback, createNames(['127.0.0.1'], ['127.0.0.2'], ['127.0.0.1'], ['::1']))
    const url = `http://rebinding.test:${receiver.port}/`

    const outcomes = [await send(url), await send(url), await send(url), await send(url)]

    expect(outcomes).toEqual([responded, notAllowed, responded, notAllowed])
    expect(receiver.connections()).toBe(2)
  })

  test('the connection goes to an address that was checked, and the name is not looked up again', async () => {
    const receiver = await openReceiver((response) => response.end())
    const names = createNames(['127.0.0.1'], ['127.0.0.2'])

    const outcome = await create(loopback, names)(`http://rebinding.test.:${receiver.port}/`)

    expect(outcome).toEqual(responded)
    expect(names.requested).toEqual(['rebinding.test'])
    expect(receiver.received[0]?.headers.host).toBe(`rebinding.test.:${receiver.port}`)
  })

  test.each<[string, readonly string[]]>([
    ['a public and a private address', ['8.8.8.8', '127.0.0.1']],
    ['a private and an allowed address', ['127.0.0.2', '127.0.0.1']],
    ['a mapped private address', ['::ffff:127.0.0.2']],
    ['a metadata service', ['169.254.169.254']],
    ['an address with a zone', ['fe80::1%eth0']],
    ['text that is no address', ['localhost']],
    ['no address', []],
  ])('a name that resolves to %s is blocked without a connection', async (_what, addresses) => {
    const receiver = await openReceiver((response) => response.end())
    const allowed = ['127.0.0.2', '127.0.0.1'].filter((address) => address !== addresses[0]).slice(-1)

    const outcome = await create(
      addresses[0] === '8.8.8.8' ? [] : allowed,
      createNames(addresses),
    )(`http://receiver.test:${receiver.port}/`)

    expect(outcome).toEqual(notAllowed)
    expect(receiver.connections()).toBe(0)
  })

  test('the outcome is the same with a listener, without a listener, and for an unknown name', async () => {
    const [open, closed] = [await openReceiver((response) => response.end()), await findFreePort()]
    const send = create([], createNames(['127.0.0.1'], ['127.0.0.1'], []))

    const outcomes = [
      await send(`http://127.0.0.1:${open.port}/`),
      await send(`http://127.0.0.1:${closed}/`),
      await send('http://localhost/'),
      await send(`http://inside.test:${open.port}/`),
      await send(`http://inside.test:${closed}/`),
      await send('http://unknown.test/'),
      await send('http://['),
    ]

    expect(outcomes).toEqual(Array(7).fill(notAllowed))
    expect(open.connections()).toBe(0)
  })

  test.each<[string, (port: number) => string, (port: number) => string]>([
    ['a network', () => '127.0.0.0/8', (port) => `http://127.0.0.1:${port}/`],
    ['a mapped address in it', () => '127.0.0.0/8', (port) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['an address and port', (port) => `127.0.0.1:${port}`, (port) => `http://127.0.0.1:${port}/`],
    ['a name', () => 'localhost', (port) => `http://localhost:${port}/`],
    ['a name and port', (port) => `localhost:${port}`, (port) => `http://LOCALHOST.:${port}/`],
  ])('the setting opens %s', async (_what, target, url) => {
    const receiver = await openReceiver((response) => response.end())
    const port = receiver.port

    const outcome = await create([target(port)])(url(port))

    expect(outcome).toEqual(responded)
  })

  test('a port that the setting does not name stays blocked', async () => {
    const receiver = await openReceiver((response) => response.end())
    const send = create([`127.0.0.1:${receiver.port + 1}`, `localhost:${receiver.port + 1}`])

    const outcomes = [
      await send(`http://127.0.0.1:${receiver.port}/`),
      await send(`http://localhost:${receiver.port}/`),
    ]

    expect(outcomes).toEqual([notAllowed, notAllowed])
    expect(receiver.connections()).toBe(0)
  })

  test('for an address that the setting opened, the outcome does not say how the request failed', async () => {
    const silent = await openRawReceiver(() => undefined)
    const closing = await openRawReceiver((socket) => socket.end())
    const smtp = await openRawReceiver((socket) => socket.end('220 mail.example ESMTP\r\n'))
    const send = create(loopback, { timeoutMs: 300 })
    const ports = [silent.port, closing.port, smtp.port, await findFreePort()]

    const outcomes = await Promise.all(
      ports.flatMap((port) => [send(`http://127.0.0.1:${port}/`), send(`https://127.0.0.1:${port}/`)]),
    )

    expect(outcomes).toEqual(Array(8).fill(noResponse))
  })
})
