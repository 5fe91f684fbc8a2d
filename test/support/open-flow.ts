import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { addApp, addPublicClient } from '../../src/accounts/apps.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from './open-test-server.ts'
import { type BrowserResponse, signInBrowser, type TestBrowser } from './test-browser.ts'

const back = 'https://app.example/back'
const [other, loopback, own] = ['https://app.example/other', 'http://127.0.0.1/back', 'com.example.app:/back']
const verifier = randomBytes(32).toString('base64url')
const challenge = createHash('sha256').update(verifier).digest('base64url')
const pkce = { code_challenge: challenge, code_challenge_method: 'S256' }

const pathOf = (fields: Record<string, string>) =>
  `/authorize?${new URLSearchParams({ response_type: 'code', state: 's1', ...fields })}`

/** The fields that a redirect brings back to an address. */
const backAt = ({ status, location }: BrowserResponse, address: string) => {
  expect([status, location.slice(0, address.length + 1)]).toEqual([303, `${address}?`])
  return Object.fromEntries(new URLSearchParams(location.slice(address.length + 1)))
}

const allow = async (browser: TestBrowser, path: string, address = back) =>
  backAt(await browser.send(await browser.open(path), '/authorize', { decision: 'allow' }), address)

/** The credentials of an app. */
const secretOf = (one: { clientId: string; clientSecret: string }) => ({
  client_id: one.clientId,
  client_secret: one.clientSecret,
})

/**
 * A server for all tests of a file, at which anna is signed in, with an app of each kind: with a secret, standard, with
 * several redirect URIs, and without a secret.
 */
export const openFlow = async () => {
  const clock = { now: Date.now() }
  const environment = { ...systemEnvironment, now: () => clock.now }
  const server = await openFileServer({ environment })
  const confidential = await addApp(server.store, 'A reader', environment, { redirectUris: [back] })
  const standard = await addApp(server.store, 'A strict reader', environment, {
    redirectUris: [back],
    isStandard: true,
  })
  const several = await addApp(server.store, 'A reader of many', environment, { redirectUris: [back, other] })
  const open = await addPublicClient(server.store, 'A native reader', environment, { redirectUris: [loopback, own] })
  return {
    ...{ clock, environment, server, confidential, standard, several, open },
    ...{ back, other, loopback, own, verifier, challenge, pkce, pathOf, backAt, allow, secretOf },
    issuer: server.baseUrl.replace(/\/v1\/$/, ''),
    secret: secretOf(confidential),
    aSecret: expect.stringMatching(/^[\w-]{43}$/),
    asConfidential: pathOf({ client_id: confidential.clientId, redirect_uri: back }),
    asOpen: (redirect_uri: string) => pathOf({ client_id: open.clientId, redirect_uri, ...pkce }),
    newUser: async (name: string) => {
      await server.addUser(name)
      return signInBrowser(server, name)
    },
    grant: (form: Record<string, string>) =>
      server.post('/token', { form: { grant_type: 'authorization_code', ...form } }),
    outcome: ({ status, body }: { status: number; body: { error?: unknown } }) => [status, body.error],
    use: async (token: unknown) => (await server.get('/test', { token: String(token) })).status,
    anna: await signInBrowser(server, 'anna'),
  }
}
