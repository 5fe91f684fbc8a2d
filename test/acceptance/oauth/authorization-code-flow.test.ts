import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { openFlow } from '../../support/open-flow.ts'
import { createTestBrowser } from '../../support/test-browser.ts'

const {
  environment,
  server,
  standard,
  several,
  open,
  back,
  own,
  verifier,
  pkce,
  pathOf,
  backAt,
  allow,
  issuer,
  secret,
  aSecret,
  asConfidential,
  asOpen,
  newUser,
  grant,
  outcome,
  use,
  anna,
} = await openFlow()

test('from the app to the sign-in, the consent, back to the app, and to a sync', async () => {
  const browser = createTestBrowser(server)
  const signIn = await browser.open(asConfidential)
  expect(signIn.status).toBe(200)
  expect(signIn.html).toContain('A reader')

  const signedIn = await browser.send(signIn, '/sign-in', { username: 'anna', password: 'correct horse' })
  expect([signedIn.status, signedIn.location]).toEqual([303, asConfidential])
  const consent = await browser.open(signedIn.location)
  const response = backAt(await browser.send(consent, '/authorize', { decision: 'allow' }), back)
  expect(response).toEqual({ code: aSecret, state: 's1', iss: issuer })

  const pair = await grant({ ...secret, code: String(response.code), redirect_uri: back })
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

test('an app with a challenge needs no secret: the verifier ends what it began', async () => {
  const address = 'http://127.0.0.1:51004/back'
  const { code = '' } = await allow(anna, asOpen(address), address)

  const pair = await grant({ client_id: open.clientId, code, redirect_uri: address, code_verifier: verifier })

  expect(pair.status).toBe(200)
  expect(await use(pair.body.access_token)).toBe(200)
  const form = { grant_type: 'refresh_token', client_id: open.clientId, refresh_token: String(pair.body.request_token) }
  const next = await server.post('/token', { form })
  expect(next.status).toBe(200)
  const token = String(next.body.access_token)
  expect((await server.post('/revoke', { form: { client_id: open.clientId, token } })).status).toBe(200)
  expect(await use(token)).toBe(401)
})

test('own schemes go back to the app on the device', async () => {
  expect(await allow(anna, asOpen(own), own)).toEqual({ code: aSecret, state: 's1', iss: issuer })
})

test('Deny goes back with access_denied and no code', async () => {
  const consent = await anna.open(asOpen(own))

  const response = backAt(await anna.send(consent, '/authorize', { decision: 'deny' }), own)

  expect(response).toEqual({
    error: 'access_denied',
    error_description: 'The user denied access',
    state: 's1',
    iss: issuer,
  })
})

test('a decision that is neither yes nor no leads nowhere, and the page names the field', async () => {
  const consent = await anna.open(asOpen(own))

  const { status, html, location } = await anna.send(consent, '/authorize', { decision: '<b>maybe' })

  expect([status, location]).toEqual([400, ''])
  expect(html).toContain('The field “decision” must be “allow” or “deny”')
})

test('the consent page names the app, its maker, the account, what it may do, and where the browser goes', async () => {
  await server.addUser('maker <b>')
  const [maker] = await server.store.registry.listUsersNamedLike('maker <b>')
  const details = { redirectUris: ['https://apps.example:8443/back'], ownerId: String(maker?.id) }
  const { clientId } = await addApp(server.store, '<i>An app</i>', environment, details)

  const { html, status } = await anna.open(pathOf({ client_id: clientId }))

  expect(status).toBe(200)
  const text = html.replace(/<style>.*<\/style>/s, '')
  expect(text).toContain('&lt;i>An app')
  for (const said of ['maker &lt;b>', 'anna', 'read, change and delete all your items', 'apps.example:8443', 'Deny']) {
    expect(text).toContain(said)
  }
  expect(text).not.toMatch(/<i>|<b>|<script/)
})

test('nobody takes the place of the administrator on the consent page by a name', async () => {
  const name = 'the administrator of this server'
  await server.addUser(name)
  const ownerId = String((await server.store.registry.findUserByName(name))?.id)
  const app = await addApp(server.store, 'Official app', environment, { redirectUris: [back], ownerId })

  const [forged, real] = [await anna.open(pathOf({ client_id: app.clientId })), await anna.open(asOpen(own))]

  expect(forged.html).toContain(`<dd>a user of this server, “<bdi>${name}</bdi>”</dd>`)
  expect(forged.html).not.toContain('<em>')
  expect(real.html).toContain(`<dd><em>${name}</em></dd>`)
})

test('state comes back as it was given, or not at all', async () => {
  const state = 'a b+c&d=é%25#\r\n"<>'

  const given = await allow(anna, pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce, state }), own)
  const absent = await allow(anna, pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce, state: '' }), own)

  expect(given.state).toBe(state)
  expect(absent).toEqual({ code: aSecret, iss: issuer })
})

test('a long state survives the sign-in', async () => {
  const state = 'é'.repeat(1_500)
  const browser = createTestBrowser(server)
  const path = pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce, state })

  const page = await browser.open(path)
  const signedIn = await browser.send(page, '/sign-in', { username: 'anna', password: 'correct horse' })

  expect((await allow(browser, signedIn.location, own)).state).toBe(state)
})

test('an absent redirect_uri is the only one of the app, and then none has to be named for the code', async () => {
  const { code = '' } = await allow(anna, pathOf({ client_id: standard.clientId }))
  const client = { client_id: standard.clientId, client_secret: standard.clientSecret }

  expect((await grant({ ...client, code })).status).toBe(200)
  expect((await anna.open(pathOf({ client_id: several.clientId }))).status).toBe(400)
})

test('an app that is registered as standard gets the same response without scope', async () => {
  const bert = await newUser('bert')
  const { code = '' } = await allow(bert, pathOf({ client_id: standard.clientId, redirect_uri: back }))
  const authorization = `Basic ${Buffer.from(`${standard.clientId}:${standard.clientSecret}`).toString('base64')}`

  const first = await server.post('/token', {
    form: { grant_type: 'authorization_code', code, redirect_uri: back },
    headers: { authorization },
  })
  const form = { grant_type: 'refresh_token', refresh_token: String(first.body.refresh_token) }
  const second = await server.post('/token', { form, headers: { authorization } })

  for (const { status, body } of [first, second]) {
    expect([status, Object.keys(body).sort()]).toEqual([
      200,
      ['access_token', 'expires_in', 'refresh_token', 'request_token', 'token_type'],
    ])
  }
})

test('the existing client sends its current URL as redirect_uri, with all that was appended', async () => {
  const carla = await newUser('carla')
  const consent = await carla.open(asConfidential)
  const { location } = await carla.send(consent, '/authorize', { decision: 'allow' })
  const code = new URL(location).searchParams.get('code') ?? ''

  const wrong = await grant({ ...secret, code, redirect_uri: location.replace('state=s1', 'state=s2') })
  const pair = await grant({ ...secret, code, redirect_uri: location })

  expect(outcome(wrong)).toEqual([400, 'invalid_grant'])
  expect([pair.status, pair.body.scope]).toEqual([200, null])
})

test('consent is remembered for https and an app with a secret, while a session that it began lives', async () => {
  const dora = await newUser('dora')
  const { code = '' } = await allow(dora, asConfidential)
  expect((await dora.open(asConfidential)).status).toBe(200)
  const { body: pair } = await grant({ ...secret, code, redirect_uri: back })

  const remembered = backAt(await dora.open(asConfidential), back)
  expect(remembered).toEqual({ code: aSecret, state: 's1', iss: issuer })
  expect((await anna.open(asConfidential)).status).toBe(303)
  await server.post('/revoke', { form: { ...secret, token: String(pair.request_token) } })
  expect((await dora.open(asConfidential)).status).toBe(200)
})
