import { expect, test } from 'vitest'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'

const server = await openFileServer()

const invalid = { error: 'invalid_grant', error_description: 'The access token provided is invalid' }

test.each<[string, (token: string) => string]>([
  ['Bearer T', (token) => `Bearer ${token}`],
  ['bearer T', (token) => `bearer ${token}`],
  ['OAuth T', (token) => `OAuth ${token}`],
  ['Token T', (token) => `Token ${token}`],
  ['access_token=T', (token) => `access_token=${token}`],
  ['access_token="T"', (token) => `access_token="${token}"`],
  ['OAuth access_token="T"', (token) => `OAuth access_token="${token}"`],
  ['Bearer token=T', (token) => `Bearer token=${token}`],
])('the header may hold the token as %s', async (_name, toHeader) => {
  const { token, userName } = await server.openDevice()

  const good = await server.get('/test', { headers: { authorization: toHeader(token) } })
  const bad = await server.get('/test', { headers: { authorization: toHeader('wrong') } })

  expect(good.body).toEqual({ user: userName })
  expect([bad.status, bad.body]).toEqual([401, invalid])
})

test('the token may be a query, form or JSON parameter, and each gets the same error', async () => {
  const { token, userName } = await server.openDevice()

  const call = async (access_token: string) => [
    await server.get('/test', { query: { access_token } }),
    await server.post('/test', { query: { access_token } }),
    await server.post('/test', { form: { access_token } }),
    await server.post('/test', { json: { access_token } }),
  ]

  expect((await call(token)).map(({ body }) => body)).toEqual(Array(4).fill({ user: userName }))
  expect((await call('wrong')).map(({ status, body }) => [status, body])).toEqual(Array(4).fill([401, invalid]))
})

test('two different tokens are rejected on every way, even when one of them is invalid', async () => {
  const { token, userName } = await server.openDevice()
  const { token: other } = await server.openDevice(userName)

  const responses = [
    await server.get('/test', { token, query: { access_token: other } }),
    await server.post('/test', { token, form: { access_token: other } }),
    await server.post('/test', { token, form: { access_token: 'wrong' } }),
    await server.post('/test', { query: { access_token: token }, form: { access_token: other } }),
    await server.post('/test', { token, json: { access_token: other } }),
    await server.post('/test', {
      form: [
        ['access_token', token],
        ['access_token', other],
      ],
    }),
  ]

  expect(responses.map(({ status, body }) => [status, body.error])).toEqual(Array(6).fill([400, 'invalid_request']))
})

test('the same token is taken in all ways at once, because generated clients fill every scheme of a document', async () => {
  const { token, userName } = await server.openDevice()
  const query = { access_token: token }

  const responses = [
    await server.get('/test', { token, query }),
    await server.post('/test', { token, query, form: { access_token: token } }),
    await server.post('/test', { token, query, json: { access_token: token } }),
    await server.post('/test', { query, form: { access_token: token } }),
  ]

  expect(responses.map(({ body }) => body)).toEqual(Array(4).fill({ user: userName }))
})

test('the same token is taken twice in one query and in one form', async () => {
  const { token, userName } = await server.openDevice()
  const twice = [
    ['access_token', token],
    ['access_token', token],
  ] as const
  const query = `access_token=${token}&access_token=${token}`

  const responses = [
    await server.get('/test', { query }),
    await server.post('/test', { query }),
    await server.post('/test', { form: twice }),
    await server.post('/test', { token, form: [...twice, ['access_token', '']] }),
  ]
  const synced = await server.post('/sync', { form: [...twice, ['tag[x]', '{"favorite":true}']] })

  expect(responses.map(({ body }) => body)).toEqual(Array(4).fill({ user: userName }))
  expect(synced.body).toMatchObject({ pos: 1, tags: { x: { favorite: true } } })
})

test('without a token every operation says so, with WWW-Authenticate', async () => {
  const operations = [
    ...['/sync', '/tags/get', '/things/get', '/user/get', '/test'].map((path) => ['GET', path] as const),
    ...['/sync', '/test', '/thing/add', '/thing/change', '/thing/delete'].map((path) => ['POST', path] as const),
    ...['/webhook/register', '/webhook/unregister'].map((path) => ['POST', path] as const),
    ...['/register/device', '/device/register', '/unregister/device', '/device/unregister'].map(
      (path) => ['POST', path] as const,
    ),
  ]

  for (const [method, path] of operations) {
    const { status, headers, body } = await server.call(method, path)
    expect([path, status, body]).toEqual([
      path,
      401,
      {
        error: 'invalid_request',
        error_description: 'An access token is required; send it in the Authorization header',
      },
    ])
    expect(headers.get('www-authenticate')).toMatch(/^Bearer /)
  }
})

test('the token is checked before method, parameters and body of a known operation', async () => {
  const method = await server.call('DELETE', '/sync', { token: 'wrong' })
  const parameter = await server.get('/sync', { token: 'wrong', query: { from: 'abc' } })
  const body = await server.post('/thing/add', {
    token: 'wrong',
    body: '{',
    headers: { 'content-type': 'application/json' },
  })
  const unknown = await server.get('/nothing/here', { token: 'wrong' })

  expect([method.status, parameter.status, body.status, unknown.status]).toEqual([401, 401, 401, 404])
})

test('an expired token is rejected in the words of the interface', async () => {
  let now = Date.now()
  const server = await openTestServer({ environment: { ...systemEnvironment, now: () => now } })
  const token = await server.signIn()
  expect((await server.get('/test', { token })).status).toBe(200)

  now += 3_600_000 + 1_000

  const { status, headers, body } = await server.get('/test', { token })
  expect([status, body]).toEqual([401, invalid])
  expect(headers.get('www-authenticate')).toContain('invalid_token')
})
