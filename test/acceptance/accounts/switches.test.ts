import { expect, test } from 'vitest'
import { openFileServer } from '../../support/open-test-server.ts'

const off = await openFileServer({ settings: { passwordGrant: false, queryToken: false } })
const client = { client_id: off.clientId, client_secret: off.clientSecret }
const password = { grant_type: 'password', ...client, username: 'anna', password: 'correct horse' }

test('a password grant that is switched off is rejected like an unknown grant', async () => {
  const right = await off.post('/token', { form: password })
  const wrong = await off.post('/token', { form: { ...password, password: 'wrong horse' } })

  expect([right.status, right.body]).toEqual([
    400,
    {
      error: 'unsupported_grant_type',
      error_description:
        'This server does not accept passwords from apps; use the authorization code flow (grant_type authorization_code)',
    },
  ])
  expect(wrong.body).toEqual(right.body)
})

test('sessions go on where the password grant is switched off', async () => {
  const { token } = await off.openDevice()
  const refresh = await off.post('/token', { form: { grant_type: 'refresh_token', ...client, refresh_token: 'x' } })

  expect((await off.get('/test', { token })).status).toBe(200)
  expect(refresh.body.error).toBe('invalid_grant')
})

test('a token in the URL is rejected where that is switched off, even beside the same one in the header', async () => {
  const { token, userName } = await off.openDevice()
  const query = { access_token: token }
  const rejected = {
    error: 'invalid_request',
    error_description: 'This server does not accept an access token in the URL; send it in the Authorization header',
  }

  const responses = [
    await off.get('/test', { query }),
    await off.get('/test', { query, token }),
    await off.post('/sync', { query, form: {} }),
    await off.get('/test', { query: { access_token: 'wrong' } }),
  ]

  expect(responses.map(({ status, body }) => [status, body])).toEqual(Array(4).fill([400, rejected]))
  expect((await off.get('/test', { token, query: { access_token: '' } })).body).toEqual({ user: userName })
  expect((await off.post('/test', { form: { access_token: token } })).body).toEqual({ user: userName })
})
