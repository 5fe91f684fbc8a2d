import { expect, test } from 'vitest'
import { defaultAttemptLimits } from '../accounts/attempts.ts'
import { openFileServer, openTestServer, type TestServer } from './open-test-server.ts'
import type { TestAnswer } from './test-request.ts'

const { perAccount, perAddress, windowSeconds } = defaultAttemptLimits
const server = await openFileServer({ settings: { trustProxy: true } })

const login = (one: TestServer, username: string, password: string, address: string) =>
  one.post('/token', {
    form: { grant_type: 'password', client_id: one.clientId, client_secret: one.clientSecret, username, password },
    headers: { 'x-forwarded-for': address },
  })

const isSlowedDown = ({ status, headers, body }: TestAnswer) => {
  expect([status, body.error]).toEqual([429, 'slow_down'])
  const seconds = Number(headers.get('retry-after'))
  expect(seconds).toBeGreaterThan(0)
  expect(seconds).toBeLessThanOrEqual(windowSeconds)
}

test('an account that failed too often is refused for a while, from wherever and with the right password too', async () => {
  await server.addUser('bert')
  const failed = []
  for (let i = 0; i < perAccount; i++) failed.push((await login(server, 'bert', 'wrong horse', `10.0.0.${i}`)).status)

  const right = await login(server, 'bert', 'correct horse', '10.0.0.99')
  const other = await login(server, 'anna', 'correct horse', '10.0.0.99')

  expect(failed).toEqual(Array(perAccount).fill(400))
  isSlowedDown(right)
  expect(other.status).toBe(200)
})

test('a success clears the count of the account', async () => {
  await server.addUser('carla')
  for (let round = 0; round < 3; round++) {
    for (let i = 0; i < 5; i++) await login(server, 'carla', 'wrong horse', `10.1.${round}.${i}`)
    expect((await login(server, 'carla', 'correct horse', '10.1.9.9')).status).toBe(200)
  }
})

test('names that nobody has are counted alike, so that nothing can be learnt', async () => {
  for (let i = 0; i < perAccount; i++) await login(server, 'no such user', 'wrong horse', `10.2.0.${i}`)

  isSlowedDown(await login(server, 'no such user', 'wrong horse', '10.2.0.99'))
})

test('an address that failed too often is refused for a while, whatever it tries', async () => {
  const refused = (client_secret: string) =>
    server.post('/token', {
      form: { grant_type: 'refresh_token', client_id: server.clientId, client_secret, refresh_token: 'wrong' },
      headers: { 'x-forwarded-for': '10.3.0.1' },
    })
  const failed = await Promise.all(
    Array.from({ length: perAddress }, (_, i) => refused(i % 2 ? 'wrong' : server.clientSecret)),
  )

  expect(new Set(failed.map(({ status }) => status))).toEqual(new Set([400, 401]))
  isSlowedDown(await login(server, 'anna', 'correct horse', '10.3.0.1'))
  expect((await login(server, 'anna', 'correct horse', '10.3.0.2')).status).toBe(200)
})

test('many attempts at once are not more than one after the other', async () => {
  await server.addUser('dora')

  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, i) => login(server, 'dora', 'wrong horse', `10.4.0.${i}`)),
  )

  expect(answers.filter(({ status }) => status === 400)).toHaveLength(perAccount)
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(30 - perAccount)
})

test('without a trusted proxy nobody escapes by naming another address', async () => {
  const plain = await openTestServer()
  const form = { grant_type: 'refresh_token', client_id: 'wrong', client_secret: 'wrong', refresh_token: 'wrong' }
  for (let i = 0; i < perAddress; i++)
    await plain.post('/token', { form, headers: { 'x-forwarded-for': `10.5.0.${i}` } })

  isSlowedDown(await login(plain, 'anna', 'correct horse', '10.5.0.99'))
})
