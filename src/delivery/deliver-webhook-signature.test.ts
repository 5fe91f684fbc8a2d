import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { signWebhook } from './deliver-webhook.ts'

// Of the length that registration makes: 43 characters of base64url, as base64.
const makeSecret = () => `whsec_${Buffer.from(systemEnvironment.newSecret(), 'base64url').toString('base64')}`
const body = '{"type":"any","data":{"pos":7,"ids":["ü"]}}'

test('a signature is the one of the example in the specification', () => {
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

test('a receiver with the library of Standard Webhooks takes what is signed, and nothing that was changed', () => {
  const secret = makeSecret()
  const headers = signWebhook({ id: 'msg_1', now: Date.now(), body, secrets: [secret] })
  const receiver = new Webhook(secret)

  expect(receiver.verify(body, headers)).toEqual(JSON.parse(body))
  expect(() => receiver.verify(`${body} `, headers)).toThrow('No matching signature found')
  expect(() => receiver.verify(body, { ...headers, 'webhook-id': 'msg_2' })).toThrow('No matching signature found')
  expect(() => new Webhook(makeSecret()).verify(body, headers)).toThrow('No matching signature found')
})

test('an old signature is refused, so each try is signed anew with the same id', () => {
  const secret = makeSecret()
  const now = Date.now()
  const [first, second] = [now - 600_000, now].map((at) =>
    signWebhook({ id: 'msg_1', now: at, body, secrets: [secret] }),
  )

  expect(() => new Webhook(secret).verify(body, first ?? {})).toThrow('Message timestamp too old')
  expect(new Webhook(secret).verify(body, second ?? {})).toEqual(JSON.parse(body))
  expect(second?.['webhook-id']).toBe(first?.['webhook-id'])
})

test('while a secret is replaced receivers with either of them take what is signed', () => {
  const [older, newer] = [makeSecret(), makeSecret()]

  const headers = signWebhook({ id: 'msg_1', now: Date.now(), body, secrets: [newer, older] })

  expect(headers['webhook-signature']).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/)
  for (const secret of [older, newer]) expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body))
})
