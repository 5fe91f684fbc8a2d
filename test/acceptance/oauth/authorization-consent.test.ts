import { expect, test } from 'vitest'
import { addApp, addPublicClient, changeApp } from '../../../src/accounts/apps.ts'
import { openFlow } from '../../support/open-flow.ts'

const {
  environment,
  server,
  open,
  back,
  other,
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
  anna,
  secretOf,
} = await openFlow()

test('consent is never remembered for an app without a secret', async () => {
  const emil = await newUser('emil')
  const { code = '' } = await allow(emil, asOpen(own), own)
  const pair = await grant({ client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier })
  expect(pair.status).toBe(200)

  expect((await emil.open(asOpen(own))).status).toBe(200)
  const web = await addPublicClient(server.store, 'A reader in a browser', environment, { redirectUris: [back] })
  const asWeb = pathOf({ client_id: web.clientId, ...pkce })
  const { code: webCode = '' } = await allow(emil, asWeb)
  const form = { client_id: web.clientId, code: webCode, code_verifier: verifier }
  expect((await grant(form)).status).toBe(200)
  expect((await emil.open(asWeb)).status).toBe(200)
})

test('consent is remembered for the name and the redirect URI that the user saw, and for no other', async () => {
  const ida = await newUser('ida')
  const app = await addApp(server.store, 'Nice notes', environment, { redirectUris: [back, other] })
  const at = (redirect_uri: string) => pathOf({ client_id: app.clientId, redirect_uri })
  const { code = '' } = await allow(ida, at(back))
  expect((await grant({ ...secretOf(app), code, redirect_uri: back })).status).toBe(200)
  expect((await ida.open(at(back))).status).toBe(303)

  expect((await ida.open(at(other))).status).toBe(200)
  await changeApp(server.store, app.clientId, { name: 'Another name' })
  expect((await ida.open(at(back))).status).toBe(200)
})

test('an app that is renamed while the user reads needs consent again', async () => {
  const app = await addApp(server.store, 'Nice notes', environment, { redirectUris: [back] })
  const consent = await anna.open(pathOf({ client_id: app.clientId }))
  await changeApp(server.store, app.clientId, { name: 'Another name' })

  const again = await anna.send(consent, '/authorize', { decision: 'allow' })

  expect([again.status, again.html]).toEqual([200, expect.stringContaining('Allow Another name?')])
  const response = backAt(await anna.send(again, '/authorize', { decision: 'allow' }), back)
  expect(response).toEqual({ code: aSecret, state: 's1', iss: issuer })
})

test('a code for a redirect URI that was removed from its app is invalid', async () => {
  const app = await addApp(server.store, 'Nice notes', environment, { redirectUris: [back] })
  const { code = '' } = await allow(anna, pathOf({ client_id: app.clientId, redirect_uri: back }))
  await changeApp(server.store, app.clientId, { redirectUris: [other] })

  expect(outcome(await grant({ ...secretOf(app), code, redirect_uri: back }))).toEqual([400, 'invalid_grant'])
})

test('a sign-in by password is no consent to the authorization code flow', async () => {
  const frida = await newUser('frida')
  const form = { grant_type: 'password', ...secret, username: 'frida', password: 'correct horse' }
  expect((await server.post('/token', { form })).status).toBe(200)

  expect((await frida.open(asConfidential)).status).toBe(200)
})
