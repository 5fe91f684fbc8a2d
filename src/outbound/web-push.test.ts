import { expect, test } from 'vitest'
import { openPushService } from '../../test/support/push-service.ts'
import { createDeliveryRules } from './address-guard.ts'
import { createOutbound } from './client.ts'
import { authorizePush, createPush, createVapidKeys, encryptPush, readP256dh, readPushAuth } from './web-push.ts'

const rfc = {
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
}
const outbound = createOutbound(createDeliveryRules(['127.0.0.1']), { version: '1' })
const common = { message: '{"pos":7}', topic: 'anna', now: Date.now() }

test('encrypting the example of RFC 8291, 5 gives the bytes of the RFC', () => {
  const secrets = {
    salt: Buffer.from('DGv6ra1nlYgDCS1FRnbzlw', 'base64url'),
    privateKey: Buffer.from('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw', 'base64url'),
  }

  const body = encryptPush('When I grow up, I want to be a watermelon', rfc, secrets)

  expect(body.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_' +
      'yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test('a push service accepts a message, and the device decrypts it', async () => {
  const service = await openPushService()
  const vapid = createVapidKeys()
  const { endpoint, ...keys } = service.subscribe('phone', vapid.publicKey)
  const message = `{"pos":${'7'.repeat(3985)}}`

  const outcomes = [
    await outbound.send(createPush({ ...common, endpoint, keys, vapid })),
    await outbound.send(createPush({ ...common, message, endpoint, keys, vapid, contact: 'mailto:anna@example.org' })),
  ]

  const received = { device: 'phone', message: '{"pos":7}', ttl: '86400', topic: 'anna', urgency: 'normal' }
  expect(service.rejected).toEqual([])
  expect(outcomes).toEqual(Array(2).fill({ kind: 'responded', status: 201 }))
  expect(service.received).toEqual([
    { ...received, publicKey: vapid.publicKey, contact: undefined },
    { ...received, message, publicKey: vapid.publicKey, contact: 'mailto:anna@example.org' },
  ])
})

test('the fake push service rejects other keys, other origins and expired tokens', async () => {
  const service = await openPushService()
  const [vapid, others] = [createVapidKeys(), createVapidKeys()]
  const { endpoint, ...keys } = service.subscribe('phone', vapid.publicKey)
  const right = createPush({ ...common, endpoint, keys, vapid })
  const claiming = (authorization: string) => ({ ...right, headers: { ...right.headers, authorization } })

  await outbound.send(createPush({ ...common, endpoint, keys, vapid: others }))
  await outbound.send(claiming(authorizePush(endpoint, others, common.now).replace(others.publicKey, vapid.publicKey)))
  await outbound.send(claiming(authorizePush('https://push.example/', vapid, common.now)))
  await outbound.send(claiming(authorizePush(endpoint, vapid, common.now - 86_400_000)))
  await outbound.send(createPush({ ...common, endpoint, keys: rfc, vapid }))

  expect(service.received).toEqual([])
  expect(service.rejected).toEqual([
    'this device is subscribed to another server',
    'signature verification failed',
    'unexpected "aud" claim value',
    '"exp" claim timestamp check failed',
    'Unsupported state or unable to authenticate data',
  ])
})

test('the same message is encrypted differently each time', () => {
  const [first, second] = [encryptPush('a', rfc), encryptPush('a', rfc)]

  expect(first.subarray(0, 16)).not.toEqual(second.subarray(0, 16))
  expect(first.subarray(21, 86)).not.toEqual(second.subarray(21, 86))
})

test('an invalid push message throws before it is sent', () => {
  const vapid = createVapidKeys()
  const push = { ...common, endpoint: 'https://push.example/1', keys: rfc, vapid }

  expect(() => createPush({ ...push, message: 'a'.repeat(3994) })).toThrow(RangeError)
  expect(() => createPush({ ...push, topic: 'a b' })).toThrow(RangeError)
  expect(() => createPush({ ...push, topic: 'a'.repeat(33) })).toThrow(RangeError)
  expect(() => createPush({ ...push, keys: { ...rfc, auth: 'AA' } })).toThrow(TypeError)
})

test('VAPID keys are a point and a scalar of 32 bytes', () => {
  const pairs = Array.from({ length: 300 }, createVapidKeys)

  expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(300)
  for (const { publicKey, privateKey } of pairs) {
    expect(readP256dh(publicKey)).toHaveLength(65)
    expect(Buffer.from(privateKey, 'base64url')).toHaveLength(32)
  }
})

const point = Buffer.from(rfc.p256dh, 'base64url')

test.each<[string, string, boolean]>([
  ['base64url', rfc.p256dh, true],
  ['base64', point.toString('base64'), true],
  ['base64url with padding', `${rfc.p256dh}=`, true],
  ['nothing', '', false],
  ['a point that is not on the curve', Buffer.from([...point.subarray(0, 64), 0]).toString('base64url'), false],
  ['the point at infinity', 'AA', false],
  ['a compressed point', Buffer.from([2, ...point.subarray(1, 33)]).toString('base64url'), false],
  ['a hybrid point', Buffer.from([6, ...point.subarray(1)]).toString('base64url'), false],
  ['a byte more', Buffer.from([...point, 0]).toString('base64url'), false],
  ['other characters', `${rfc.p256dh.slice(0, -1)}!`, false],
  ['zeros', Buffer.concat([Buffer.from([4]), Buffer.alloc(64)]).toString('base64url'), false],
])('a public key as %s is read or rejected', (_what, text, isKey) => {
  expect(readP256dh(text)).toEqual(isKey ? point : undefined)
})

test.each<[string, boolean]>([
  [rfc.auth, true],
  [`${rfc.auth}==`, true],
  ['BTBZMqHH6r4Tts7J/aSIgg', true],
  ['BTBZMqHH6r4Tts7J_aSI', false],
  ['BTBZMqHH6r4Tts7J_aSIggAA', false],
  ['BTBZMqHH6r4Tts7J aSIgg', false],
  ['', false],
])('the secret %j is read or rejected', (text, isSecret) => {
  expect(readPushAuth(text)).toEqual(isSecret ? Buffer.from(rfc.auth, 'base64url') : undefined)
})
