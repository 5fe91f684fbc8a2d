import { expect, test } from 'vitest'
import { resetPassword } from '../../../src/accounts/users.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer } from '../../support/open-test-server.ts'
import type { TestRequest, TestResponse } from '../../support/test-request.ts'

const clock = { now: Date.now() }
const server = await openFileServer({ environment: { ...systemEnvironment, now: () => clock.now } })

const client = { client_id: server.clientId, client_secret: server.clientSecret }
const login = { grant_type: 'password', ...client, username: 'anna', password: 'correct horse' }

const grant = (form: Record<string, string>, request: TestRequest = {}) => server.post('/token', { form, ...request })
const refresh = (token: unknown) => grant({ grant_type: 'refresh_token', ...client, refresh_token: String(token) })
const use = async (token: unknown) => (await server.get('/test', { token: String(token) })).status
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
})
const outcome = ({ status, body }: TestResponse) => [status, body.error]

const aSecret = expect.stringMatching(/^[\w-]{43}$/)
const isPair = ({ body }: TestResponse) => {
  expect(body).toEqual({
    access_token: aSecret,
    expires_in: 3600,
    request_token: aSecret,
    refresh_token: body.request_token,
    token_type: 'bearer',
    scope: null,
  })
  expect(body.access_token).not.toBe(body.request_token)
}

test('the password grant responds with a pair of tokens that no cache keeps', async () => {
  const response = await grant(login)

  expect(response.status).toBe(200)
  isPair(response)
  expect([response.headers.get('cache-control'), response.headers.get('pragma')]).toEqual(['no-store', 'no-cache'])
  expect(await use(response.body.access_token)).toBe(200)
})

test('errors of the token endpoint are kept by no cache either', async () => {
  const { headers } = await grant({ ...login, grant_type: 'none' })

  expect(headers.get('cache-control')).toBe('no-store')
})

test('the client may come by HTTP Basic, percent-encoded as in a form', async () => {
  const { client_id: _, client_secret: __, ...form } = login
  const encoded = [...server.clientId].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')

  const plain = await grant(form, { headers: basic(server.clientId, server.clientSecret) })
  const percent = await grant(form, { headers: basic(encoded, server.clientSecret) })

  isPair(plain)
  isPair(percent)
})

test('the client given in two ways is rejected', async () => {
  const both = await grant(login, { headers: basic(server.clientId, server.clientSecret) })

  expect(outcome(both)).toEqual([400, 'invalid_request'])
})

test('each grant issues a new pair, and both sessions go on', async () => {
  const [first, second] = [await grant(login), await grant(login)]

  expect(new Set([first, second].flatMap(({ body }) => [body.access_token, body.request_token])).size).toBe(4)
  expect([await use(first.body.access_token), await use(second.body.access_token)]).toEqual([200, 200])
})

test('a refresh responds with a new pair, and the access token in use works until it expires', async () => {
  const first = await grant(login)
  await use(first.body.access_token)

  const second = await refresh(first.body.request_token)

  isPair(second)
  expect(await use(second.body.access_token)).toBe(200)
  expect(await use(first.body.access_token)).toBe(200)
})

test('a refresh whose response was lost can be repeated, and each response works', async () => {
  const first = await grant(login)

  const lost = await refresh(first.body.request_token)
  const second = await refresh(first.body.request_token)

  isPair(lost)
  isPair(second)
  expect(await use(second.body.access_token)).toBe(200)
  isPair(await refresh(second.body.request_token))
})

test('a request token presented after its successor was used ends the session', async () => {
  const first = await grant(login)
  const second = await refresh(first.body.request_token)
  await use(second.body.access_token)

  const stolen = await refresh(first.body.request_token)

  expect(outcome(stolen)).toEqual([400, 'invalid_grant'])
  expect([await use(first.body.access_token), await use(second.body.access_token)]).toEqual([401, 401])
  expect(outcome(await refresh(second.body.request_token))).toEqual([400, 'invalid_grant'])
})

test('the end of a session leaves the other sessions of the user alone', async () => {
  const [one, other] = [await grant(login), await grant(login)]
  const next = await refresh(one.body.request_token)
  await use(next.body.access_token)
  await refresh(one.body.request_token)

  expect([await use(one.body.access_token), await use(other.body.access_token)]).toEqual([401, 200])
})

test('an access token lives for an hour, a request token for 90 days from its last use', async () => {
  const first = await grant(login)
  const hour = 3_600_000
  const day = 24 * hour

  clock.now += hour - 2000
  const before = await use(first.body.access_token)
  clock.now += 4000
  const after = await use(first.body.access_token)
  clock.now += 89 * day
  const second = await refresh(first.body.request_token)
  clock.now += 89 * day
  const third = await refresh(second.body.request_token)
  clock.now += 91 * day
  const tooLate = await refresh(third.body.request_token)

  expect([before, after]).toEqual([200, 401])
  expect([second, third, tooLate].map(({ status }) => status)).toEqual([200, 200, 400])
  expect(tooLate.body.error).toBe('invalid_grant')
})

test('changing the password ends all sessions of the user and of nobody else', async () => {
  await server.addUser('bert')
  const bert = { ...login, username: 'bert' }
  const [one, two, anna] = [await grant(bert), await grant(bert), await grant(login)]

  await resetPassword(server.store, { name: 'bert', password: 'battery staple' })

  const used = await Promise.all([one, two, anna].map(({ body }) => use(body.access_token)))
  expect(used).toEqual([401, 401, 200])
  expect(outcome(await refresh(one.body.request_token))).toEqual([400, 'invalid_grant'])
  expect(outcome(await grant(bert))).toEqual([400, 'invalid_grant'])
  isPair(await grant({ ...bert, password: 'battery staple' }))
})

test.each(['access_token', 'request_token'])('revoking the %s ends the session', async (which) => {
  const { body: pair } = await grant(login)

  const byForm = await server.post('/revoke', { form: { ...client, token: String(pair[which]) } })

  expect([byForm.status, byForm.body]).toEqual([200, {}])
  expect(await use(pair.access_token)).toBe(401)
  expect(outcome(await refresh(pair.request_token))).toEqual([400, 'invalid_grant'])
})

test('revoking also takes JSON and HTTP Basic, and shows nothing about an unknown token', async () => {
  const { body: pair } = await grant(login)
  const headers = basic(server.clientId, server.clientSecret)

  const unknown = await server.post('/revoke', { json: { ...client, token: 'unknown', token_type_hint: 'x' } })
  const known = await server.post('/revoke', { json: { token: pair.request_token }, headers })

  expect([unknown, known].map(({ status, body }) => [status, body])).toEqual(Array(2).fill([200, {}]))
  expect(await use(pair.access_token)).toBe(401)
})

test('revoking needs the client and a token', async () => {
  const { body: pair } = await grant(login)
  const token = String(pair.access_token)

  const responses = [
    await server.post('/revoke', { form: { token } }),
    await server.post('/revoke', { form: { ...client, client_secret: 'wrong', token } }),
    await server.post('/revoke', { form: client }),
  ]

  expect(responses.map(outcome)).toEqual([
    [401, 'invalid_client'],
    [401, 'invalid_client'],
    [400, 'invalid_request'],
  ])
  expect(await use(token)).toBe(200)
})

test.each<[string, Record<string, string>, number, string]>([
  ['a wrong password', { password: 'wrong horse' }, 400, 'invalid_grant'],
  ['an unknown user', { username: 'nobody' }, 400, 'invalid_grant'],
  ['a wrong client secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
  ['an unknown client', { client_id: 'wrong' }, 401, 'invalid_client'],
  ['a grant that does not exist', { grant_type: 'magic' }, 400, 'unsupported_grant_type'],
  ['an unknown request token', { grant_type: 'refresh_token', refresh_token: 'wrong' }, 400, 'invalid_grant'],
])('%s is rejected as RFC 6749 has it', async (_name, change, status, error) => {
  const response = await grant({ ...login, ...change })

  expect(outcome(response)).toEqual([status, error])
  expect(response.headers.get('www-authenticate')?.split(' ')[0]).toBe(status === 401 ? 'Bearer' : undefined)
  expect(response.text).not.toContain('horse')
})

test.each<[string, string[], number, string]>([
  ['grant_type', ['grant_type'], 400, 'invalid_request'],
  ['username', ['username'], 400, 'invalid_request'],
  ['password', ['password'], 400, 'invalid_request'],
  ['client', ['client_id', 'client_secret'], 401, 'invalid_client'],
])('a grant without %s is rejected, and the error says so', async (name, missing, status, error) => {
  const form = Object.fromEntries(Object.entries(login).filter(([field]) => !missing.includes(field)))

  const response = await grant(form)

  expect(outcome(response)).toEqual([status, error])
  expect(response.body.error_description).toContain(name)
})

test('a request token is no access token, and an access token no request token', async () => {
  const { body } = await grant(login)

  expect(await use(body.request_token)).toBe(401)
  expect(outcome(await refresh(body.access_token))).toEqual([400, 'invalid_grant'])
})

test('parameters in the URL are not read, and JSON is rejected', async () => {
  const inQuery = await server.post('/token', { query: login, form: '' })
  const inJson = await server.post('/token', { json: login })
  const byGet = await server.get('/token', { query: login })

  expect([inQuery, inJson, byGet].map(outcome)).toEqual([
    [400, 'invalid_request'],
    [415, 'unsupported_media_type'],
    [405, 'method_not_allowed'],
  ])
})
