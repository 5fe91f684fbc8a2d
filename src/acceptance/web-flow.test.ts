import { createHash, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { addApp, addPublicApp, changeApp, removeApp } from '../accounts/apps.ts'
import { resetPassword } from '../accounts/users.ts'
import { systemWorld } from '../world.ts'
import { openFileServer } from './open-test-server.ts'
import { type BrowserAnswer, createTestBrowser, hiddenFields, signInBrowser, type TestBrowser } from './test-browser.ts'

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

  const answer = backAt(await anna.send(consent, '/authorize', { decision: 'deny' }), own)

  expect(answer).toEqual({ error: 'access_denied', error_description: 'The person said no', state: 's1', iss: issuer })
})

test('a decision that is neither yes nor no leads nowhere, and the page names the field', async () => {
  const consent = await anna.open(asOpen(own))

  const { status, html, location } = await anna.send(consent, '/authorize', { decision: '<b>maybe' })

  expect([status, location]).toEqual([400, ''])
  expect(html).toContain('The field “decision” has to be “allow” or “deny”')
})

test('the consent page names the app, its maker, the account, what it may do, and where the browser goes', async () => {
  await server.addUser('maker <b>')
  const [maker] = await server.store.registry.listUsersNamedLike('maker <b>')
  const details = { redirectUris: ['https://apps.example:8443/back'], ownerId: String(maker?.id) }
  const { clientId } = await addApp(server.store, '<i>An app</i>', world, details)

  const { html, status } = await anna.open(pathOf({ client_id: clientId }))

  expect(status).toBe(200)
  const text = html.replace(/<style>.*<\/style>/s, '')
  expect(text).toContain('&lt;i>An app')
  for (const said of ['maker &lt;b>', 'anna', 'read, change and delete all your things', 'apps.example:8443', 'Deny']) {
    expect(text).toContain(said)
  }
  expect(text).not.toMatch(/<i>|<b>|<script/)
})

test('nobody takes the place of the operator on the consent page by a name', async () => {
  const name = 'the operator of this server'
  await server.addUser(name)
  const ownerId = String((await server.store.registry.findUserByName(name))?.id)
  const app = await addApp(server.store, 'Official app', world, { redirectUris: [back], ownerId })

  const [forged, real] = [await anna.open(pathOf({ client_id: app.clientId })), await anna.open(asOpen(own))]

  expect(forged.html).toContain(`<dd>a person with an account here, “<bdi>${name}</bdi>”</dd>`)
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

test('an app that is registered as standard is answered the same without scope', async () => {
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

test('the old client sends its current address as redirect_uri, with all that was appended', async () => {
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

test('consent is never remembered for an app without a secret', async () => {
  const emil = await newUser('emil')
  const { code = '' } = await allow(emil, asOpen(own), own)
  const pair = await grant({ client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier })
  expect(pair.status).toBe(200)

  expect((await emil.open(asOpen(own))).status).toBe(200)
  const web = await addPublicApp(server.store, 'A reader in a browser', world, { redirectUris: [back] })
  const asWeb = pathOf({ client_id: web.clientId, ...pkce })
  const { code: webCode = '' } = await allow(emil, asWeb)
  const form = { client_id: web.clientId, code: webCode, code_verifier: verifier }
  expect((await grant(form)).status).toBe(200)
  expect((await emil.open(asWeb)).status).toBe(200)
})

test('consent is remembered for the name and the address that the person saw, and for no other', async () => {
  const ida = await newUser('ida')
  const app = await addApp(server.store, 'Nice notes', world, { redirectUris: [back, other] })
  const at = (redirect_uri: string) => pathOf({ client_id: app.clientId, redirect_uri })
  const { code = '' } = await allow(ida, at(back))
  expect((await grant({ ...secretOf(app), code, redirect_uri: back })).status).toBe(200)
  expect((await ida.open(at(back))).status).toBe(303)

  expect((await ida.open(at(other))).status).toBe(200)
  await changeApp(server.store, app.clientId, { name: 'Another name' })
  expect((await ida.open(at(back))).status).toBe(200)
})

test('an app that is renamed while the person reads is asked about again', async () => {
  const app = await addApp(server.store, 'Nice notes', world, { redirectUris: [back] })
  const consent = await anna.open(pathOf({ client_id: app.clientId }))
  await changeApp(server.store, app.clientId, { name: 'Another name' })

  const again = await anna.send(consent, '/authorize', { decision: 'allow' })

  expect([again.status, again.html]).toEqual([200, expect.stringContaining('Allow Another name?')])
  const answer = backAt(await anna.send(again, '/authorize', { decision: 'allow' }), back)
  expect(answer).toEqual({ code: aSecret, state: 's1', iss: issuer })
})

test('a code for an address that was removed from its app is not good', async () => {
  const app = await addApp(server.store, 'Nice notes', world, { redirectUris: [back] })
  const { code = '' } = await allow(anna, pathOf({ client_id: app.clientId, redirect_uri: back }))
  await changeApp(server.store, app.clientId, { redirectUris: [other] })

  expect(outcome(await grant({ ...secretOf(app), code, redirect_uri: back }))).toEqual([400, 'invalid_grant'])
})

test('a sign-in by password is no consent to the web flow', async () => {
  const frida = await newUser('frida')
  const form = { grant_type: 'password', ...secret, username: 'frida', password: 'correct horse' }
  expect((await server.post('/token', { form })).status).toBe(200)

  expect((await frida.open(asConfidential)).status).toBe(200)
})

const wrongRequests: [string, Record<string, string>, string, string][] = [
  ['no response_type', { response_type: '' }, 'invalid_request', 'response_type is required'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type', 'response_type must be code'],
  ['no challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request', 'code_challenge is required'],
  ['plain', { code_challenge_method: 'plain' }, 'invalid_request', 'code_challenge_method must be S256'],
  ['no method', { code_challenge_method: '' }, 'invalid_request', 'code_challenge_method must be S256'],
  ['a short challenge', { code_challenge: 'abc' }, 'invalid_request', 'code_challenge must be a SHA-256'],
]

test.each(wrongRequests)('%s goes back to the app', async (_name, change, error, description) => {
  const path = pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce, ...change })

  const stranger = backAt(await createTestBrowser(server).open(path), own)
  const known = backAt(await anna.open(path), own)

  expect(stranger).toEqual({ error, error_description: expect.stringContaining(description), state: 's1', iss: issuer })
  expect(known).toEqual(stranger)
})

test.each(['state', 'scope', 'code_challenge', 'code_challenge_method', 'response_type'])(
  'a badly encoded %s goes back to the app',
  async (name) => {
    const rest = new URLSearchParams(pathOf({ client_id: open.clientId, redirect_uri: own, ...pkce }).split('?')[1])
    rest.delete(name)
    const state = name === 'state' ? {} : { state: 's1' }

    for (const broken of ['%ff', '100%', '%zz', '%C3']) {
      const path = `/authorize?${name}=${broken}&${rest}`
      const stranger = backAt(await createTestBrowser(server).open(path), own)
      const known = backAt(await anna.open(path), own)

      const error_description = `${name} is not percent-encoded UTF-8`
      expect(stranger).toEqual({ error: 'invalid_request', error_description, ...state, iss: issuer })
      expect(known).toEqual(stranger)
    }
  },
)

test('a badly encoded parameter that nobody knows hinders nobody', async () => {
  const page = await anna.open(`${asOpen(own)}&utm=%ff&%ff=1`)

  expect([page.status, page.html.includes('Allow A native reader')]).toEqual([200, true])
})

test('a form whose state was spoilt on its way goes back to the app, too', async () => {
  const page = await anna.open(asOpen(own))
  const form = `${new URLSearchParams({ ...hiddenFields(page.html, '/authorize'), decision: 'allow' })}`

  expect(backAt(await anna.post('/authorize', form.replace('state%3Ds1', 'state%3D%25ff')), own)).toEqual({
    error: 'invalid_request',
    error_description: 'state is not percent-encoded UTF-8',
    iss: issuer,
  })
})

test.each(['client_id', 'redirect_uri'])(
  'a badly encoded %s is a page that names it, and leads nowhere',
  async (name) => {
    const rest = new URLSearchParams(asConfidential.split('?')[1])
    rest.delete(name)

    for (const browser of [createTestBrowser(server), anna]) {
      const page = await browser.open(`/authorize?${name}=%ff&${rest}`)

      expect([page.status, page.location]).toEqual([400, ''])
      expect(page.html).toContain(`<code>${name}</code> is not percent-encoded UTF-8`)
    }
  },
)

const lost: [string, string, Record<string, string>][] = [
  ['client_id', 'an unknown app', { client_id: 'nobody', redirect_uri: back }],
  ['client_id', 'no app', { client_id: '', redirect_uri: back }],
  ['redirect_uri', 'a redirect of another app', { client_id: several.clientId, redirect_uri: loopback }],
  ['redirect_uri', 'an unknown redirect', { client_id: confidential.clientId, redirect_uri: 'https://evil.example/' }],
]

test.each(lost)('%s: %s is a page that names the parameter, and leads nowhere', async (parameter, _name, change) => {
  for (const browser of [createTestBrowser(server), anna]) {
    const page = await browser.open(pathOf(change))

    expect([page.status, page.location]).toEqual([400, ''])
    expect(page.html).toContain(`<code>${parameter}</code>`)
    expect(page.html.replace(/<style>.*<\/style>/s, '')).not.toContain('example')
    expect(page.html).toContain('Go back to the app')
  }
})

test.each([
  '//app.example/back',
  'https:/app.example/back',
  'https:\\\\app.example\\back',
  'https://app.example\\@evil.example/back',
  'https://app.example@evil.example/back',
  'https://anna:x@app.example/back',
  'https://app.example/back#x',
  'https://app.example/x/../back',
  'https://app.example/%2e%2e/back',
  'https://app.example/BACK',
  'https://APP.example/back',
  'https://app.example:8443/back',
  'https://app.example:443/back',
  'https://app.example./back',
  'https://аpp.example/back',
  'https://app.example/back\r\nset-cookie:a=b',
  'https://app.example/back?x=1',
  'http://app.example/back',
  'javascript:alert(1)//https://app.example/back',
])('%j leads nowhere', async (redirect_uri) => {
  const { status, location, headers } = await anna.open(pathOf({ client_id: confidential.clientId, redirect_uri }))

  expect([status, location, headers.get('set-cookie')]).toEqual([400, '', null])
})

test('parameters that are there twice are refused; those of the app where nobody knows whose they are', async () => {
  const twice = `&redirect_uri=${encodeURIComponent(back)}`
  const onPage = await Promise.all([
    anna.open(`${asConfidential}${twice}`),
    anna.open(`${asConfidential}&client_id=${confidential.clientId}`),
  ])

  expect(onPage.map(({ status, location }) => [status, location])).toEqual(Array(2).fill([400, '']))
  expect(backAt(await anna.open(`${asConfidential}&state=s2`), back)).toEqual({
    error: 'invalid_request',
    error_description: 'state is given more than once',
    iss: issuer,
  })
})

const secretOf = (one: { clientId: string; clientSecret: string }) => ({
  client_id: one.clientId,
  client_secret: one.clientSecret,
})

test('a code is good once; the second use ends the session that the first began', async () => {
  const { code = '' } = await allow(anna, asOpen(own), own)
  const form = { client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier }
  const { body: pair } = await grant(form)
  expect(await use(pair.access_token)).toBe(200)

  const replayed = await grant(form)

  expect(outcome(replayed)).toEqual([400, 'invalid_grant'])
  expect(replayed.body.error_description).toBe('The code provided is invalid, expired or used before')
  expect(await use(pair.access_token)).toBe(401)
  const refresh = { grant_type: 'refresh_token', client_id: open.clientId, refresh_token: String(pair.request_token) }
  expect(outcome(await server.post('/token', { form: refresh }))).toEqual([400, 'invalid_grant'])
})

test('the same code many times at once begins one session at most, and ends that', async () => {
  const { code = '' } = await allow(anna, asOpen(own), own)
  const form = { client_id: open.clientId, code, redirect_uri: own, code_verifier: verifier }

  const answers = await Promise.all(Array.from({ length: 5 }, () => grant(form)))

  const granted = answers.filter(({ status }) => status === 200)
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
  ['no redirect_uri', { redirect_uri: '' }, /^redirect_uri is not/],
  ['another redirect_uri', { redirect_uri: loopback }, /^redirect_uri is not/],
  ['a longer redirect_uri', { redirect_uri: `${own}/more` }, /^redirect_uri is not/],
  ['the address of another code', { redirect_uri: `${own}?code=${'b'.repeat(43)}&state=s1` }, /^redirect_uri is not/],
  ['no verifier', { code_verifier: '' }, /^code_verifier is required/],
  ['another verifier', { code_verifier: 'x'.repeat(43) }, /^code_verifier is not/],
  ['the challenge as verifier', { code_verifier: challenge }, /^code_verifier is not/],
]

test.each(wrongCodes)(
  '%s gets no token, and leaves the code to who has it right',
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

  const answer = await grant({ ...client, code, redirect_uri: own, code_verifier: verifier })

  expect(outcome(answer)).toEqual([401, 'invalid_client'])
})

test('an app without a secret gets no token for a password', async () => {
  const form = { grant_type: 'password', client_id: open.clientId, username: 'anna', password: 'correct horse' }

  expect(outcome(await server.post('/token', { form }))).toEqual([400, 'unauthorized_client'])
})

test('a code dies with its app, and with a new password', async () => {
  const [app, hedi] = [await addApp(server.store, 'gone', world, { redirectUris: [back] }), await newUser('hedi')]
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
