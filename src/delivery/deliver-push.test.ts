import { createDecipheriv, createECDH, hkdfSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDeliveryFixture } from '../../test/support/delivery.ts'
import { openReceiver, type Received, respondWith } from '../../test/support/fake-receiver.ts'
import { createDeliveryRules } from '../outbound/address-guard.ts'
import { listDevices, registerDevice } from './devices.ts'
import type { DeliveryOptions } from './dispatcher.ts'
import { createSubscriptionGuard } from './subscriptions.ts'

const guard = createSubscriptionGuard(createDeliveryRules(['127.0.0.0/8']))

/** Opens a delivery with a fake push service and a fake browser that decrypts its messages. */
const openFixture = async (given: Partial<DeliveryOptions> = {}) => {
  const fixture = await openDeliveryFixture(given)
  const service = await openReceiver()
  service.respond = respondWith(201)
  const own = createECDH('prime256v1')
  const p256dh = own.generateKeys('base64url')
  const auth = Buffer.alloc(16, 7)
  const register = (id: string, sessionId: string) =>
    fixture.write((draft) => {
      const keys = { endpoint: `${service.url}${id}`, p256dh, auth: auth.toString('base64url') }
      return registerDevice(
        draft,
        { type: 'webpush', id, ...keys, sessionId, clientId: 'app' },
        fixture.environment,
        guard,
      )
    })
  /** Decrypts a message as a browser does (RFC 8291, RFC 8188). */
  const decrypt = ({ body }: Received): unknown => {
    const [salt, idBytes] = [body.subarray(0, 16), body[20] ?? 0]
    const sender = body.subarray(21, 21 + idBytes)
    const derive = (key: Uint8Array, from: Uint8Array, info: string | Buffer, length: number) =>
      Buffer.from(hkdfSync('sha256', key, from, info, length))
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(p256dh, 'base64url'), sender])
    const secret = derive(own.computeSecret(sender), auth, info, 32)
    const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
    const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
    const sealed = body.subarray(21 + idBytes)
    const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(sealed.subarray(-16))
    const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
    return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
  }
  const devices = async () => listDevices(await fixture.store.read('anna'))
  return { ...fixture, service, register, decrypt, devices }
}

test('a device gets the newest position, encrypted, but no push for changes of its own session', async () => {
  const { service, register, decrypt, put, write, open, until, dueIn, devices } = await openFixture()
  await register('phone', 'session of the phone')
  await open()
  await write(
    (draft) => draft.putTag('own', { favorite: true, color: false, todo: false }),
    'anna',
    'session of the phone',
  )
  expect(await dueIn()).toEqual([])

  await put('a')
  await service.untilReceived(1)
  await until(async () => expect(await dueIn()).toEqual([]))

  expect(service.received.map(decrypt)).toEqual([{ pos: 2 }])
  expect(service.received[0]?.path).toBe('/phone')
  expect(service.received[0]?.headers).toMatchObject({
    ttl: '86400',
    topic: 'pos',
    'content-encoding': 'aes128gcm',
    authorization: expect.stringMatching(/^vapid t=/),
  })
  expect(await devices()).toMatchObject([{ told: 2, lastSuccessAt: 1000 }])
})

test('a change of another session during a push is pushed a second later, an own change is not', async () => {
  const { service, register, decrypt, put, write, open, until, dueIn, timer } = await openFixture()
  const held: (() => void)[] = []
  service.respond = (response) => void held.push(() => response.writeHead(201).end())
  await register('phone', 'own')
  await open()
  await put('a')
  await service.untilReceived(1)
  await put('b')
  held[0]?.()
  await until(async () => expect(await dueIn()).toEqual([1000]))
  timer.advance(1000)
  await service.untilReceived(2)
  await write((draft) => draft.putTag('x', { favorite: true, color: false, todo: false }), 'anna', 'own')
  held[1]?.()

  await until(async () => expect(await dueIn()).toEqual([]))
  expect(service.received.map(decrypt)).toEqual([{ pos: 1 }, { pos: 2 }])
})

test.each([404, 410])('%s of the push service removes the device', async (status) => {
  const { service, register, put, open, until, dueIn, devices } = await openFixture()
  service.respond = respondWith(status)
  await register('phone', 'own')
  await open()

  await put('a')
  await until(async () => expect(await devices()).toEqual([]))
  await put('b')

  expect(await dueIn()).toEqual([])
})

test('a failed push has five retries with the newest position, and then one attempt an hour', async () => {
  const { service, register, decrypt, put, open, until, dueIn, timer, devices } = await openFixture()
  service.respond = respondWith(500)
  await register('phone', 'own')
  await open()
  const waits: number[] = []
  for (let tries = 1; tries <= 5; tries += 1) {
    await put(`a${tries}`)
    await until(async () => expect(await devices()).toMatchObject([{ tries }]))
    const [wait = 0] = await dueIn()
    waits.push(wait / 1000)
    if (tries < 5) timer.advance(wait)
  }
  await put('newest')
  timer.advance(waits[4] === undefined ? 0 : waits[4] * 1000)
  await until(async () => expect(await dueIn()).toEqual([]))
  await put('later')

  expect(waits).toEqual([5, 300, 1800, 7200, 18_000])
  expect(await dueIn()).toEqual([3_600_000])
  expect(service.received.map(decrypt).at(-1)).toEqual({ pos: 6 })
  expect(await devices()).toMatchObject([
    { tries: 6, lastFailure: { status: 500, reason: 'The receiver responded with status 500.' } },
  ])
})

test('a device whose session has ended gets no push and is deleted', async () => {
  const active = new Set(['own'])
  const { service, register, put, open, until, dueIn, devices } = await openFixture({
    isSessionActive: async (_, sessionId) => active.has(sessionId),
  })
  await register('phone', 'own')
  await register('tablet', 'ended')
  await open()

  await put('a')
  await until(async () => expect(await dueIn()).toEqual([]))

  expect((await devices()).map(({ id }) => id)).toEqual(['phone'])
  expect(service.received.map(({ path }) => path)).toEqual(['/phone'])
})
