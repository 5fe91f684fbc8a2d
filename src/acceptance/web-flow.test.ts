import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApp, addPublicApp, removeApp } from '../accounts/apps.ts'
import { resetPassword } from '../accounts/users.ts'
import { systemWorld } from '../world.ts'
import { openFileServer } from './open-test-server.ts'
import { type BrowserAnswer, createTestBrowser, signInBrowser, type TestBrowser } from './test-browser.ts'

const clock = { now: Date.now() }
const world = { ...systemWorld, now: () => clock.now }
const server = await openFileServer({ world })
const issuer = server.baseUrl.replace(/\/v1\/$/, '')

const back = 'https://app.example/back'
const [other, loopback, own] = ['https://app.example/other', 'http://127.0.0.1/back', 'com.example.app:/back']
const confidential = await addApp(server.store, 'A reader', world, { redirectUris: [back] })
const secret = { client_id: confidential.clientId, client_secret: confidential.clientSecret }
const standard = await addApp(server.store, 'A strict reader', world, { redirectUris: [back], isStandard: true })
const several = await addApp(server.store, 'A reader of many', world, { redirectUris: [back, other] })
const open = await addPublicApp(server.store, 'A native reader', world, { redirectUris: [loopback, own] })

const aSecret = expect.stringMatching(/^[\w-]{43}$/)
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

const pathOf = (fields: Record<string, string>) =>
  `/authorize?${new URLSearchParams({ response_type: 'code', state: 's1', ...fields })}`
const asConfidential = pathOf({ client_id: confidential.clientId, redirect_uri: back })
const asOpen = (redirect_uri: string) => pathOf({ client_id: open.clientId, redirect_uri, ...pkce })

/** The fields that a redirect brings back to an address. */
const backAt = ({ status, location }: BrowserAnswer, address: string) => {
  expect([status, location.slice(0, address.length + 1)]).toEqual([303, `${address}?`])
  return Object.fromEntries(new URLSearchParams(location.slice(address.length + 1)))
}

const allow = async (browser: TestBrowser, path: string, address = back) =>
  backAt(await browser.send(await browser.open(path), '/authorize', { decision: 'allow' }), address)

const newUser = async (name: string) => {
  await server.addUser(name)
  return signInBrowser(server, name)
}

const grant = (form: Record<string, string>) =>
  server.post('/token', { form: { grant_type: 'authorization_code', ...form } })
const outcome = ({ status, body }: { status: number; body: { error?: unknown } }) => [status, body.error]
const use = async (token: unknown) => (await server.get('/test', { token: String(token) })).status

const anna = await signInBrowser(server, 'anna')

test('from the app to the sign-in, the consent, back to the app, and to a sync', async () => {
  const browser = createTestBrowser(server)
  const signIn = await browser.open(asConfidential)
  expect(signIn.status).toBe(200)
  expect(signIn.html).toContain('A reader')

  const signedIn = await browser.send(signIn, '/sign-in', { username: 'anna', password: 'correct horse' })
  expect([signedIn.status, signedIn.location]).toEqual([303, asConfidential])
  const consent = await browser.open(signedIn.location)
  const answer = backAt(await browser.send(consent, '/authorize', { decision: 'allow' }), back)
  expect(answer).toEqual({ code: aSecret, state: 's1', iss: issuer })

  const pair = await grant({ ...secret, code: String(answer.code), redirect_uri: back })
  expect([pair.status, pair.body]).toEqual([
    200,
    {
      access_token: aSecret,
      expires_in: 3600,
      request_token: aSecret,
      refresh_token: pair.body.request_token,
      token_type: 'bearer',
      scope: null,
    },
  ])
  expect(pair.headers.get('cache-control')).toBe('no-store')
  expect((await server.get('/test', { token: String(pair.body.access_token) })).body).toEqual({ user: 'anna' })
})
