import { expect, test } from 'vitest'
import { isSignedBy, readSecret } from './message-crypto.ts'
import type { Delivery } from './receiver.ts'

/** The example of the libraries of the specification. */
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const signature = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='

const deliveryOf = (changes: Readonly<Record<string, string>> = {}, body = '{"test": 2432232314}'): Delivery => ({
  ...{ index: 0, method: 'POST', at: 0, date: 0, body: Buffer.from(body) },
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': signature,
    ...changes,
  },
})

test('the signed message of the specification is signed, also with other signatures beside it', () => {
  expect(isSignedBy(secret, deliveryOf())).toBe(true)
  expect(isSignedBy(secret, deliveryOf({ 'webhook-signature': `v1,AAAA v1a,x ${signature}` }))).toBe(true)
})

test.each([
  ['another id', { 'webhook-id': 'msg_1' }],
  ['another time', { 'webhook-timestamp': '1614265331' }],
  ['no version', { 'webhook-signature': signature.slice(3) }],
  ['another version', { 'webhook-signature': signature.replace('v1', 'v2') }],
  ['none', { 'webhook-signature': '' }],
])('a message with %s is not signed', (_what, changes) => {
  expect(isSignedBy(secret, deliveryOf(changes))).toBe(false)
})

test('another body or another secret is not accepted', () => {
  expect(isSignedBy(secret, deliveryOf({}, '{"test":2432232314}'))).toBe(false)
  expect(isSignedBy(`whsec_${Buffer.alloc(24).toString('base64')}`, deliveryOf())).toBe(false)
})

test('a secret is whsec_ and the base64 of 24 to 64 bytes', () => {
  const ofLength = (bytes: number): unknown => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`

  expect([ofLength(24), ofLength(64)].map((each) => readSecret(each)?.length)).toEqual([24, 64])
  for (const wrong of [ofLength(23), ofLength(65), 'whsec_', secret.slice(6), 'whsec_no base64!', 7, undefined]) {
    expect(readSecret(wrong)).toBeUndefined()
  }
})
