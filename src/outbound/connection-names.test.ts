import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { openReceiver } from '../../test/support/outbound-receiver.ts'
import { createDeliveryRules } from './address-guard.ts'
import { createOutbound } from './client.ts'
import { createResolveName, lookUpName } from './connection.ts'

type Zone = Readonly<Record<string, { readonly a?: readonly string[]; readonly aaaa?: string } | 'silent' | 'broken'>>

const readQuestion = (message: Buffer) => {
  const labels: string[] = []
  let at = 12
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.'), kind: message.readUInt16BE(at + 1), end: at + 5 }
}

const showRecord = (kind: number, data: Buffer): Buffer => {
  const head = Buffer.from([0xc0, 12, 0, kind, 0, 1, 0, 0, 0, 0, 0, data.length])
  return Buffer.concat([head, data])
}

/** Opens a name server (RFC 1035) that knows the zone only. */
const openNameServer = async (zone: Zone) => {
  const socket = createSocket('udp4')
  const requested: string[] = []
  socket.on('message', (message, { port }) => {
    const { name, kind, end } = readQuestion(message)
    requested.push(name)
    const entry = zone[name]
    if (entry === 'silent') return
    const known = typeof entry === 'object' ? entry : {}
    const a = kind === 1 ? (known.a ?? []).map((text) => Buffer.from(text.split('.').map(Number))) : []
    const aaaa = kind === 28 && known.aaaa !== undefined ? [Buffer.from(known.aaaa, 'hex')] : []
    const records = [...a, ...aaaa].map((data) => showRecord(kind, data))
    const response = Buffer.concat([message.subarray(0, end), ...records])
    // A response, with recursion; code 2 is SERVFAIL, 3 is NXDOMAIN.
    response.writeUInt16BE(0x8180 | (entry === 'broken' ? 2 : entry === undefined ? 3 : 0), 2)
    response.writeUInt16BE(records.length, 6)
    response.writeUInt32BE(0, 8)
    socket.send(response, port, '127.0.0.1')
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  onTestFinished(() => {
    socket.close()
  })
  return { address: `127.0.0.1:${socket.address().port}`, requested: requested, socket }
}

const zone: Zone = {
  'both.test': { a: ['192.0.2.1', '192.0.2.2'], aaaa: '20010db8000000000000000000000001' },
  'four.test': { a: ['127.0.0.1'] },
  'six.test': { aaaa: '00000000000000000000ffff7f000001' },
  'empty.test': {},
  'silent.test': 'silent',
  'broken.test': 'broken',
}

test('a lookup queries the name servers and returns all addresses of the name', async () => {
  const { address } = await openNameServer(zone)
  const resolveName = createResolveName([address])
  const { signal } = new AbortController()
  const find = async (name: string) => [...(await resolveName(name, signal))].sort()

  expect(await find('both.test')).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1'])
  expect(await find('four.test')).toEqual(['127.0.0.1'])
  expect(await find('six.test')).toEqual(['::ffff:127.0.0.1'])
  expect(await find('empty.test')).toEqual([])
  expect(await find('unknown.test')).toEqual([])
  expect(await find('broken.test')).toEqual([])
  expect(await find(`${'a'.repeat(64)}.test`)).toEqual([])
})

test('an aborted lookup at a silent name server ends without an address', async () => {
  const { address, socket } = await openNameServer(zone)
  const stop = new AbortController()

  const found = createResolveName([address])('silent.test', stop.signal)
  await once(socket, 'message')
  stop.abort()

  expect(await found).toEqual([])
})

test('a request goes to the addresses from the name servers if they are allowed', async () => {
  const { address, requested } = await openNameServer(zone)
  const receiver = await openReceiver((response) => response.end())
  const send = (name: string, targets: readonly string[]) =>
    createOutbound(createDeliveryRules(targets), { version: '1', resolveName: createResolveName([address]) }).send({
      url: `http://${name}:${receiver.port}/`,
      headers: {},
      body: '',
    })

  const outcomes = [await send('four.test', ['127.0.0.1']), await send('six.test', ['127.0.0.1'])]
  const blocked = [await send('four.test', []), await send('six.test', []), await send('unknown.test', ['127.0.0.1'])]

  expect(outcomes).toEqual(Array(2).fill({ kind: 'responded', status: 200 }))
  expect(blocked.map(({ kind }) => kind)).toEqual(['failed', 'failed', 'failed'])
  expect(receiver.connections()).toBe(2)
  expect(new Set(requested)).toEqual(new Set(['four.test', 'six.test', 'unknown.test']))
})

test('a name that the administrator has listed is looked up as the system does', async () => {
  const { signal } = new AbortController()

  expect(await lookUpName('localhost', signal)).toContain('127.0.0.1')
  expect(await lookUpName(`${'a'.repeat(64)}.test`, signal)).toEqual([])
})
