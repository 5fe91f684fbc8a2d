import { expect, test } from 'vitest'
import { addPublicClient } from '../../src/accounts/apps.ts'
import { systemEnvironment } from '../../src/environment.ts'
import { openFileServer } from '../../test/support/open-test-server.ts'
import { signInBrowser } from '../../test/support/test-browser.ts'
import { beginSignIn, createClient, createMemoryTokenStorage, isClientError } from './index.ts'

const server = await openFileServer()
const redirectUri = 'https://page.example/'
const { clientId } = await addPublicClient(server.store, 'A page', systemEnvironment, { redirectUris: [redirectUri] })
const site = server.baseUrl.replace(/\/v1\/$/, '')

/** Sends the decision of the user on the page of the server, and returns the URL to which the browser goes then. */
const decide = async (address: string, decision: 'allow' | 'deny'): Promise<string> => {
  const browser = await signInBrowser(server, 'anna')
  const page = await browser.open(address.slice(site.length))
  return (await browser.send(page, '/authorize', { decision })).location
}

const begin = async () => {
  const begun = await beginSignIn({ baseUrl: server.baseUrl, clientId, redirectUri })
  const client = createClient({ baseUrl: server.baseUrl, clientId, tokens: createMemoryTokenStorage() })
  return { begun, client }
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: unknown) => (isClientError(error) ? [error.code, error.error] : error),
  )

test('a public client signs in by the authorization code flow, refreshes its tokens, and signs out', async () => {
  const { begun, client } = await begin()

  await client.finishSignIn(begun, await decide(begun.address, 'allow'))
  const { data } = await client.api.GET('/user/get')
  const isConfirmed = await client.signOut()

  expect([data?.username, isConfirmed]).toEqual(['anna', true])
})

test('the last slash of the base URL may be left out', async () => {
  const baseUrl = server.baseUrl.slice(0, -1)
  const begun = await beginSignIn({ baseUrl, clientId, redirectUri })
  const client = createClient({ baseUrl, clientId, tokens: createMemoryTokenStorage() })

  await client.finishSignIn(begun, await decide(begun.address, 'allow'))
  const { data } = await client.api.GET('/user/get')

  expect(data?.username).toBe('anna')
})

test('tokens of the authorization code flow are refreshed without a secret', async () => {
  let now = Date.now()
  const { begun } = await begin()
  const tokens = createMemoryTokenStorage()
  const client = createClient({ baseUrl: server.baseUrl, clientId, tokens, now: () => now })
  await client.finishSignIn(begun, await decide(begun.address, 'allow'))
  const before = await tokens.read()

  now += 3_600_000
  const { data } = await client.api.GET('/user/get')
  const after = await tokens.read()

  expect(data?.username).toBe('anna')
  expect(after?.accessToken).not.toBe(before?.accessToken)
  expect(after?.session).toBe(before?.session)
})

test('a user who denies access causes access_denied', async () => {
  const { begun, client } = await begin()

  const said = await codeOf(client.finishSignIn(begun, await decide(begun.address, 'deny')))

  expect(said).toEqual(['rejected', 'access_denied'])
})

test('an unrequested response, or a response of another server, is rejected', async () => {
  const { begun, client } = await begin()
  const arrived = new URL(await decide(begun.address, 'allow'))
  const changed = (name: string, value: string) => {
    const other = new URL(arrived)
    other.searchParams.set(name, value)
    return other.href
  }

  const said = [
    await codeOf(client.finishSignIn(begun, changed('state', 'of another sign-in'))),
    await codeOf(client.finishSignIn(begun, changed('iss', 'https://evil.example'))),
    await codeOf(client.finishSignIn(begun, `${redirectUri}?state=${begun.state}`)),
    await codeOf(client.finishSignIn({ ...begun, verifier: 'a'.repeat(43) }, arrived.href)),
  ]

  expect(said).toEqual([
    ['unexpected_response', undefined],
    ['unexpected_response', undefined],
    ['unexpected_response', undefined],
    ['rejected', 'invalid_grant'],
  ])
})
