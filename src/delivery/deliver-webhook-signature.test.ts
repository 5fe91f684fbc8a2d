import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { signWebhook } from './deliver-webhook.ts'

// With the length of a registered secret: 43 characters of base64url, as base64.
const createSecret = () => `whsec_${Buffer.from(systemEnvironment.newSecret(), 'base64url').toString('base64')}`
const body = '{"type":"any","data":{"pos":7,"ids":["ü"]}}'

test('the example of the specification gets the signature of the specification', () => {
  const headers = signWebhook({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    now: 1_614_265_330_999,
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })

  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

test('the library of Standard Webhooks accepts a signed message and rejects a changed one', () => {
  const secret = createSecret()
  const headers = signWebhook({ id: 'msg_1', now: Date.now(), body, secrets: [secret] })
  const receiver = new Webhook(secret)

  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature found')
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow('No matching signature found')
  expect(() => new Webhook(createSecret()).verify(body, headers)).toThrow('No matching signature found')
})

test('the library rejects an old signature, so each attempt is signed again with the same id', () => {
  const secret = createSecret()
  const now = Date.now()
  const [first, second] = [now - 600_000, now].map((at) =>
    signWebhook({ id: 'msg_1', now: at, body, secrets: [secret] }),
  )

  expect(() => new Webhook(secret).verify(body, first ?? {})).toThrow('Message timestamp too old')
  expect(new Webhook(secret).verify(body, second ?? {})).toEqual(JSON.parse(body))
  expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
})

test('after a replacement, receivers with either secret accept the message', () => {
  const [older, newer] = [createSecret(), createSecret()]

  const headers = signWebhook({ id: 'msg_1', now: Date.now(), body, secrets: [newer, older] })

  expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
})
