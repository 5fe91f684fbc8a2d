import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { createLink } from '../../../src/accounts/links.ts'
import { addPersonalToken } from '../../../src/accounts/token-grants.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openTestServer } from '../../support/open-test-server.ts'
import { recordLog } from '../../support/record-log.ts'
import { createTestBrowser, hiddenFields } from '../../support/test-browser.ts'

test('the log of a whole flow holds no code, cookie, form token, link, password, verifier or token', async () => {
  const { log, lines } = recordLog('debug')
  const server = await openTestServer({ log })
  const back = 'https://app.example/back'
  const app = await addApp(server.store, 'web', systemEnvironment, { redirectUris: [back] })
  const userId = (await server.store.registry.findUserByName('anna'))?.id ?? ''
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const secrets = new Map([
    ['secret', app.clientSecret],
    ['verifier', verifier],
    ['password', 'correct horse'],
    ['wrong password', 'a wrong horse'],
    ['link', (await createLink(server.store, { kind: 'set-password', userId }, systemEnvironment)).secret],
    ['used link', (await createLink(server.store, { kind: 'first-sign-in', userId }, systemEnvironment)).secret],
  ])
  const keep = (name: string, value: unknown): string => {
    secrets.set(`${name} ${secrets.size}`, String(value))
    return String(value)
  }
  const browser = createTestBrowser(server)
  const keepCookies = () => browser.cookies.forEach((value, name) => void keep(`cookie ${name}`, value))

  // Of the hidden fields those that nobody could guess.
  const keepFields = (html: string, action: string) => {
    const values = Object.values(hiddenFields(html, action)).filter((value) => /^[\w-]{20,}(\.[\w-]+)*$/.test(value))
    expect(values.length).toBeGreaterThan(0)
    for (const value of values) if (value !== app.clientId) keep('form field', value)
  }

  // Links first: they are opened, one is used, and wrong forms are rejected.
  for (const name of ['link', 'used link']) await browser.open(`/link?key=${secrets.get(name)}`)
  const page = await browser.open(`/link?key=${secrets.get('used link')}`)
  keepFields(page.html, '/link')
  await browser.send(page, '/link')
  keepCookies()
  await browser.open(`/link?key=${secrets.get('used link')}`)
  await browser.send(await browser.open('/account'), '/sign-out')

  // The authorization code flow, with a wrong password on the way.
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const query = { response_type: 'code', client_id: app.clientId, redirect_uri: back, state, code_challenge: challenge }
  const path = `/authorize?${new URLSearchParams({ ...query, code_challenge_method: 'S256' })}`
  const signIn = await browser.open(path)
  keepCookies()
  await browser.send(signIn, '/sign-in', { username: 'anna', password: 'a wrong horse' })
  await browser.send(signIn, '/sign-in', { username: 'anna', password: 'correct horse' })
  keepCookies()
  const consent = await browser.open(path)
  keepFields(consent.html, '/authorize')
  const { location } = await browser.send(consent, '/authorize', { decision: 'allow' })
  const code = keep('code', new URL(location).searchParams.get('code'))

  // The token endpoint, right and wrong, and both tokens in every location.
  const client = { client_id: app.clientId, client_secret: app.clientSecret }
  const form = { grant_type: 'authorization_code', code, redirect_uri: back, code_verifier: verifier, ...client }
  await server.post('/token', { form: { ...form, redirect_uri: 'https://app.example/' } })
  const { body } = await server.post('/token', { form })
  const token = keep('access token', body.access_token)
  const refreshToken = keep('refresh token', body.refresh_token)
  await server.get('/sync', { query: { access_token: token } })
  await server.post('/sync', { form: { access_token: token } })
  await server.post('/token', { form: { grant_type: 'refresh_token', refresh_token: refreshToken, ...client } })
  await server.post('/token', { form })
  await server.post('/revoke', { form: { token: refreshToken, ...client } })
  const { token: personal } = await addPersonalToken(
    server.store,
    { userId, name: 'script', isReadOnly: true },
    systemEnvironment,
  )
  keep('personal token', personal)
  await server.post('/thing/add', { token: personal, json: { title: 'A' } })

  const text = lines.map((line) => JSON.stringify(line)).join('\n')
  for (const logged of ['/authorize', '/sign-in', '/link', '/v1/token', '/v1/sync']) expect(text).toContain(logged)
  expect(text).toContain('sign-in failed from 127.0.0.1: reason=password')
  for (const [name, value] of secrets) {
    expect(value.length, name).toBeGreaterThan(10)
    for (const spelled of [value, encodeURIComponent(value), new URLSearchParams({ a: value }).toString().slice(2)])
      expect(text.includes(spelled), `${name} is in the log`).toBe(false)
  }
  expect(text).not.toContain(state)
  expect(secrets.size).toBeGreaterThan(12)
})
