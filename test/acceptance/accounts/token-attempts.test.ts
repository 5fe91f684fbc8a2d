import { expect, test } from 'vitest'
import { defaultAttemptLimits } from '../../../src/accounts/login-attempts.ts'
import { createLogTo } from '../../../src/log/log.ts'
import { openFileServer, openTestServer, type TestServer } from '../../support/open-test-server.ts'
import type { TestResponse } from '../../support/test-request.ts'

const { perPair, perAddress, windowSeconds } = defaultAttemptLimits
const server = await openFileServer({ settings: { trustProxy: ['loopback'] } })

const login = (one: TestServer, username: string, password: string, address: string) =>
  one.post('/token', {
    form: { grant_type: 'password', client_id: one.clientId, client_secret: one.clientSecret, username, password },
    headers: { 'x-forwarded-for': address },
  })

const send = (path: string, form: Record<string, string>, address: string) =>
  server.post(path, {
    form: { client_id: server.clientId, client_secret: server.clientSecret, ...form },
    headers: { 'x-forwarded-for': address },
  })

const statusesOf = (responses: readonly TestResponse[]) => responses.map(({ status }) => status)

const isSlowedDown = ({ status, headers, body }: TestResponse) => {
  expect([status, body.error]).toEqual([429, 'slow_down'])
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(windowSeconds)
}

test('wrong passwords lock an account for their own IP address for a while, and for no other', async () => {
  await server.addUser('bert')
  const failed = []
  for (let i = 0; i < perPair; i++) failed.push(await login(server, 'bert', 'wrong horse', '10.0.0.1'))

  expect(statusesOf(failed)).toEqual(Array(perPair).fill(400))
  isSlowedDown(await login(server, 'bert', 'correct horse', '10.0.0.1'))
  expect((await login(server, 'bert', 'correct horse', '10.0.0.2')).status).toBe(200)
  expect((await login(server, 'anna', 'correct horse', '10.0.0.1')).status).toBe(200)
})

test('the owner signs in from an IP address that has not failed, while many others guess', async () => {
  await server.addUser('carla')
  const guesses = Array.from({ length: 60 }, (_, i) => login(server, 'carla', 'wrong horse', `10.1.0.${i}`))

  const owner = await login(server, 'carla', 'correct horse', '10.1.1.1')

  expect(owner.status).toBe(200)
  expect(new Set(statusesOf(await Promise.all(guesses)))).toEqual(new Set([400]))
  expect((await login(server, 'carla', 'correct horse', '10.1.1.2')).status).toBe(200)
})

test('names that nobody has are counted alike, so that nothing can be learnt', async () => {
  for (let i = 0; i < perPair; i++) await login(server, 'no such user', 'wrong horse', '10.2.0.1')

  isSlowedDown(await login(server, 'no such user', 'wrong horse', '10.2.0.1'))
})

test('bad requests of an IP address stop no valid sign-in, refresh or revocation', async () => {
  const address = '10.3.0.1'
  const { body: pair } = await login(server, 'anna', 'correct horse', address)
  const bad = (client: object) =>
    send('/token', { grant_type: 'refresh_token', refresh_token: 'wrong', ...client }, address)
  const failed = await Promise.all(
    Array.from({ length: perAddress }, (_, i) => bad(i % 2 ? { client_secret: 'wrong' } : {})),
  )

  expect(new Set(statusesOf(failed))).toEqual(new Set([400, 401]))
  isSlowedDown(await bad({}))
  isSlowedDown(await send('/revoke', { client_secret: 'wrong', token: 'x' }, address))
  const refreshed = await send(
    '/token',
    { grant_type: 'refresh_token', refresh_token: String(pair.request_token) },
    address,
  )
  expect(refreshed.status).toBe(200)
  expect((await send('/revoke', { token: String(refreshed.body.request_token) }, address)).status).toBe(200)
  expect((await login(server, 'anna', 'correct horse', address)).status).toBe(200)
})

test('many attempts at once are not more than one after the other', async () => {
  await server.addUser('dora')

  const responses = await Promise.all(
    Array.from({ length: 30 }, () => login(server, 'dora', 'wrong horse', '10.4.0.1')),
  )

  const statuses = statusesOf(responses)
  expect(statuses.filter((status) => status === 400)).toHaveLength(perPair)
  expect(statuses.filter((status) => status === 429)).toHaveLength(30 - perPair)
})

test('the IP address that the trusted proxy wrote counts, not one that the client wrote before it', async () => {
  await server.addUser('emil')
  for (let i = 0; i < perPair; i++) await login(server, 'emil', 'wrong horse', `203.0.113.${i}, 10.6.0.1`)

  isSlowedDown(await login(server, 'emil', 'correct horse', '203.0.113.99, 10.6.0.1'))
  expect((await login(server, 'emil', 'correct horse', '10.6.0.1, 10.6.0.2')).status).toBe(200)
})

test('a value that is no IP address counts as the proxy itself, however long it is', async () => {
  await server.addUser('fritz')
  for (let i = 0; i < perPair; i++) await login(server, 'fritz', 'wrong horse', `${i}${'x'.repeat(5_000)}`)

  isSlowedDown(await login(server, 'fritz', 'correct horse', 'localhost'))
  expect((await login(server, 'fritz', 'correct horse', '10.7.0.1')).status).toBe(200)
})

test('without a trusted proxy no client escapes by naming another IP address', async () => {
  const plain = await openTestServer()
  for (let i = 0; i < perPair; i++) await login(plain, 'anna', 'wrong horse', `10.5.0.${i}`)

  isSlowedDown(await login(plain, 'anna', 'correct horse', '10.5.0.99'))
})

test('each attempt that failed is one line of the log, with its address and name and without a secret', async () => {
  const lines: string[] = []
  const log = createLogTo({ write: (line) => void lines.push(line) }, 'warn')
  const logged = await openTestServer({ settings: { trustProxy: ['loopback'] }, log })
  const client = { client_id: logged.clientId, client_secret: 'Wr0ngSecret' }
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

  await login(logged, 'anna', 'Wr0ngPassword', '203.0.113.7')
  await login(logged, 'nobody at all', 'Wr0ngPassword', '::ffff:203.0.113.8')
  const form = { grant_type: 'password', ...client, username: 'anna', password: 'correct horse' }
  await logged.post('/token', { form, ...from('2001:db8::1') })
  const named = { headers: { 'x-forwarded-for': '203.0.113.9', 'x-request-id': 'job-7' } }
  await logged.post('/revoke', { form: { ...client, token: 'Wr0ngToken' }, ...named })
  const { client_id, client_secret } = { ...client, client_secret: logged.clientSecret }
  const refresh = { grant_type: 'refresh_token', client_id, client_secret, refresh_token: 'Wr0ngToken' }
  await logged.post('/token', { form: refresh, ...from('203.0.113.9') })
  await login(logged, 'anna', 'correct horse', '203.0.113.7')

  expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
    'sign-in failed from 203.0.113.7: reason=password user=anna',
    'sign-in failed from 203.0.113.8: reason=password user=nobody?at?all',
    'sign-in failed from 2001:db8::1: reason=client user=anna',
    'sign-in failed from 203.0.113.9: reason=client',
    'sign-in failed from 203.0.113.9: reason=request_token',
  ])
  expect(lines.map((line) => JSON.parse(line).requestId)[3]).toBe('job-7')
  expect(lines.join('')).not.toMatch(/Wr0ng|horse/)
})
