import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApp, removeApp } from '../../../src/accounts/apps.ts'
import { resetPassword } from '../../../src/accounts/users.ts'
import { openFlow } from '../../support/open-flow.ts'

const {
  clock,
  environment,
  server,
  confidential,
  standard,
  several,
  open,
  back,
  other,
  loopback,
  own,
  verifier,
  pkce,
  pathOf,
  allow,
  secret,
  asOpen,
  newUser,
  grant,
  outcome,
  use,
  anna,
  secretOf,
  challenge,
} = await openFlow()

test('a code is good once; the second use ends the session that the first began', async () => {
  const { code = '' } = await allow(anna, asOpen(own), own)
  const form = { client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier }
  const { body: pair } = await grant(form)
  expect(await use(pair.access_token)).toBe(200)

  const replayed = await grant(form)

  expect(outcome(replayed)).toEqual([400, 'invalid_grant'])
  expect(replayed.body.error_description).toBe('The code provided is invalid, expired or already used')
  expect(await use(pair.access_token)).toBe(401)
  const refresh = { grant_type: 'refresh_token', client_id: open.clientId, refresh_token: String(pair.request_token) }
  expect(outcome(await server.post('/token', { form: refresh }))).toEqual([400, 'invalid_grant'])
})

test('the same code many times at once begins one session at most, and ends that', async () => {
  const { code = '' } = await allow(anna, asOpen(own), own)
  const form = { client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier }

  const responses = await Promise.all(Array.from({ length: 5 }, () => grant(form)))

  const granted = responses.filter(({ status }) => status === 200)
  expect(granted).toHaveLength(1)
  expect(await use(granted[0]?.body.access_token)).toBe(401)
})

test('another app can neither use a code nor end the session that it began', async () => {
  const { code = '' } = await allow(anna, pathOf({ client_id: several.clientId, redirect_uri: back }))
  const stolen = { ...secret, code, redirect_uri: back }
  const right = { ...secretOf(several), code, redirect_uri: back }

  expect(outcome(await grant(stolen))).toEqual([400, 'invalid_grant'])
  const { body: pair } = await grant(right)
  expect(outcome(await grant(stolen))).toEqual([400, 'invalid_grant'])

  expect(await use(pair.access_token)).toBe(200)
})

test('a code is good for 60 s', async () => {
  const { code: young = '' } = await allow(anna, asOpen(own), own)
  clock.now += 58_000
  const form = { client_id: open.clientId, redirect_uri: own, code_verifier: verifier }
  expect((await grant({ ...form, code: young })).status).toBe(200)
  const { code: old = '' } = await allow(anna, asOpen(own), own)
  clock.now += 61_000

  expect(outcome(await grant({ ...form, code: old }))).toEqual([400, 'invalid_grant'])
})

const wrongCodes: [string, Record<string, string>, RegExp][] = [
  ['no code', { code: '' }, /^code is required$/],
  ['a guessed code', { code: 'a'.repeat(43) }, /^The code provided is invalid/],
  ['no redirect_uri', { redirect_uri: '' }, /^redirect_uri differs/],
  ['another redirect_uri', { redirect_uri: loopback }, /^redirect_uri differs/],
  ['a longer redirect_uri', { redirect_uri: `${own}/more` }, /^redirect_uri differs/],
  ['the URL of another code', { redirect_uri: `${own}?code=${'b'.repeat(43)}&state=s1` }, /^redirect_uri differs/],
  ['no verifier', { code_verifier: '' }, /^code_verifier is required/],
  ['another verifier', { code_verifier: 'x'.repeat(43) }, /^code_verifier does not match/],
  ['the challenge as verifier', { code_verifier: challenge }, /^code_verifier does not match/],
]

test.each(wrongCodes)(
  '%s gets no token, and the code stays valid for the right request',
  async (_name, change, description) => {
    const { code = '' } = await allow(anna, asOpen(own), own)
    const form = { client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier }

    const wrong = await grant({ ...form, ...change })

    expect(outcome(wrong)).toEqual([400, change.code === '' ? 'invalid_request' : 'invalid_grant'])
    expect(wrong.body.error_description).toMatch(description)
    expect((await grant(form)).status).toBe(200)
  },
)

test('an app with a secret that began with a challenge ends with the verifier, and without one without', async () => {
  const path = pathOf({ client_id: several.clientId, redirect_uri: other })
  const client = { ...secretOf(several), redirect_uri: other }
  const gina = await newUser('gina')
  const { code: withChallenge = '' } = await allow(gina, `${path}&${new URLSearchParams(pkce)}`, other)
  const { code: without = '' } = await allow(gina, path, other)

  expect(outcome(await grant({ ...client, code: withChallenge }))).toEqual([400, 'invalid_grant'])
  const downgraded = await grant({ ...client, code: without, code_verifier: verifier })
  expect(outcome(downgraded)).toEqual([400, 'invalid_grant'])
  expect((await grant({ ...client, code: withChallenge, code_verifier: verifier })).status).toBe(200)
  expect((await grant({ ...client, code: without })).status).toBe(200)
})

const mixedUp: [string, Record<string, string>][] = [
  ['an app with a secret, without it', { client_id: confidential.clientId }],
  ['an app with a secret, with another', { client_id: confidential.clientId, client_secret: standard.clientSecret }],
  ['an app without a secret, with one', { client_id: open.clientId, client_secret: confidential.clientSecret }],
  ['an unknown app', { client_id: 'nobody' }],
  ['no app', {}],
]

test.each(mixedUp)('%s is no client', async (_name, client) => {
  const { code = '' } = await allow(anna, asOpen(own), own)

  const response = await grant({ ...client, code, redirect_uri: own, code_verifier: verifier })

  expect(outcome(response)).toEqual([401, 'invalid_client'])
})

test('an app without a secret gets no token for a password', async () => {
  const form = { grant_type: 'password', client_id: open.clientId, username: 'anna', password: 'correct horse' }

  expect(outcome(await server.post('/token', { form }))).toEqual([400, 'unauthorized_client'])
})

test('a code dies with its app, and with a new password', async () => {
  const [app, hedi] = [await addApp(server.store, 'gone', environment, { redirectUris: [back] }), await newUser('hedi')]
  const { code: ofApp = '' } = await allow(hedi, pathOf({ client_id: app.clientId }))
  const { code: ofUser = '' } = await allow(hedi, asOpen(own), own)

  await removeApp(server.store, app.clientId)
  await resetPassword(server.store, { name: 'hedi', password: 'battery staple' })

  expect(outcome(await grant({ ...secretOf(app), code: ofApp, redirect_uri: back }))).toEqual([401, 'invalid_client'])
  const form = { client_id: open.clientId, code: ofUser, redirect_uri: own, code_verifier: verifier }
  expect(outcome(await grant(form))).toEqual([400, 'invalid_grant'])
})

test('codes and secrets of a flow are kept as hashes only', async () => {
  const { code = '' } = await allow(anna, asOpen(own), own)
  const [cookie = ''] = anna.cookies.values()
  const kept: unknown[] = []
  for await (const item of server.store.listItems()) kept.push(item)

  const text = JSON.stringify(kept)

  expect(text).toContain(createHash('sha256').update(code).digest('base64url'))
  expect(text).not.toContain(code)
  expect(text).not.toContain(cookie)
})
