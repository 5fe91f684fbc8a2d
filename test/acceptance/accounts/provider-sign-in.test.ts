import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test, vi } from 'vitest'
import { addPublicClient } from '../../../src/accounts/apps.ts'
import { disableUser, renameUser } from '../../../src/accounts/users.ts'
import { systemEnvironment as environment } from '../../../src/environment.ts'
import { createHandler } from '../../../src/http/handler.ts'
import type { ProviderSettings } from '../../../src/provider/openid-provider.ts'
import { openProvider, unbindUser } from '../../../src/provider/openid-provider.ts'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { buildProgram } from '../../support/build-program.ts'
import {
  createSigningKey,
  type Lie,
  openProviderFixture,
  type ProviderFixture,
  type ProviderUser,
} from '../../support/provider.ts'
import { recordLog } from '../../support/record-log.ts'
import { type BrowserResponse, createTestBrowser, type TestBrowser } from '../../support/test-browser.ts'
import { enrollUser } from '../../support/test-device.ts'

await buildProgram()

interface Options extends Partial<Pick<ProviderSettings, 'userClaim' | 'issuer'>> {
  readonly authCreate?: boolean
  /** What its clocks show, in milliseconds. */
  readonly clock?: () => number
  readonly lie?: Lie
  /** False: the server has no base URL. */
  readonly hasBaseUrl?: boolean
  /** True: the server serves the web app. */
  readonly web?: boolean
}

/** A server with the users `anna` and `bob`, and a provider for it with users of these claims. */
const openFixture = async (
  users: Record<string, ProviderUser>,
  { authCreate = false, clock, lie, hasBaseUrl = true, web = false, ...asked }: Options = {},
) => {
  const { log, lines } = recordLog()
  const store = await openMemoryStore({ form: thingForm })
  for (const name of ['anna', 'bob']) await renameUser(store, await enrollUser(store, environment), name)
  const known = new Map(Object.entries(users))
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fixture = await openProviderFixture(known, [`${origin}/sign-in/provider/back`], lie)
  const { issuer, clientId, clientSecret } = fixture
  const base = hasBaseUrl ? { baseUrl: `${origin}/v1/` } : {}
  const settings = { issuer, clientId, clientSecret, name: 'the Club', userClaim: 'preferred_username' as const }
  /** A server of its own, for all that it keeps in memory. */
  const start = async () => {
    const provider = openProvider({ ...settings, ...asked }, clock && { now: clock, passed: clock })
    server
      .removeAllListeners('request')
      .on('request', await createHandler({ store, provider, authCreate, log, web, ...base }))
  }
  await start()
  onTestFinished(async () => {
    server.closeAllConnections()
    server.close()
    await store.close()
  })
  return {
    store,
    origin,
    fixture,
    known,
    lines,
    restart: start,
    browse: () => createTestBrowser({ baseUrl: `${origin}/v1/` }),
  }
}

/** Begins in a browser; returns the URL of the request to the provider. */
const begin = async (browser: TestBrowser, next = '/account'): Promise<string> => {
  const page = await browser.open(`/sign-in?${new URLSearchParams({ next })}`)
  const link = /href="(\/sign-in\/provider[^"]*)"/.exec(page.html)?.[1] ?? ''
  const { status, location } = await browser.open(link.replaceAll('&amp;', '&'))
  expect(status).toBe(303)
  return location
}

/** Comes back with what the provider says. */
const comeBack = (browser: TestBrowser, address: string): Promise<BrowserResponse> => {
  const { pathname, search } = new URL(address)
  return browser.open(`${pathname}${search}`)
}

const signIn = async (browser: TestBrowser, fixture: ProviderFixture, subject: string, next?: string) =>
  comeBack(browser, await fixture.signIn(await begin(browser, next), subject))

const nameOn = async (browser: TestBrowser) => /<bdi>(.*?)<\/bdi>/.exec((await browser.open('/account')).html)?.[1]

test('a user signs in at the provider and goes on, with state, nonce and PKCE', async () => {
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'Anna' } })
  const browser = browse()

  const requested = new URL(await begin(browser, '/account/tokens'))
  const back = await comeBack(browser, await fixture.signIn(requested.href, 's1'))

  expect(Object.fromEntries(requested.searchParams)).toMatchObject({
    response_type: 'code',
    scope: 'openid profile email',
    code_challenge_method: 'S256',
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    state: expect.stringMatching(/^[\w-]{200,400}$/),
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect([back.status, back.location]).toEqual([303, '/account/tokens'])
  expect(await nameOn(browser)).toBe('anna')
})

test('a sign-in at the provider leads to the web app, and needs no consent for it', async () => {
  const { fixture, origin, browse } = await openFixture({ s1: { preferred_username: 'anna' } }, { web: true })
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: 'thingsync-web',
    redirect_uri: `${origin}/`,
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  })
  const [plain, inApp] = [browse(), browse()]

  const landed = await signIn(plain, fixture, 's1', '/')
  const forwarded = await signIn(inApp, fixture, 's1', `/authorize?${request}`)
  const [, next = ''] = /^0; url=(.*)$/.exec(forwarded.headers.get('refresh') ?? '') ?? []
  const done = await inApp.open(next, { headers: { 'sec-fetch-site': 'same-origin' } })

  expect([landed.status, landed.location]).toEqual([303, '/#signed-in'])
  expect([forwarded.status, new URL(next, origin).pathname]).toEqual([200, '/authorize'])
  expect([done.status, done.location.startsWith(`${origin}/?code=`)]).toEqual([303, true])
})

test('another server, or one that was started again, goes on with what was begun', async () => {
  const { fixture, restart, browse } = await openFixture({ s1: { preferred_username: 'anna' } })
  const browser = browse()
  const address = await fixture.signIn(await begin(browser, '/account/tokens'), 's1')

  await restart()
  const back = await comeBack(browser, address)

  expect([back.status, back.location]).toEqual([303, '/account/tokens'])
})

test('what comes back is taken once, in the browser that began, with the state that it was given', async () => {
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } })
  const [browser, other] = [browse(), browse()]
  await other.open('/sign-in')
  const address = await fixture.signIn(await begin(browser), 's1')
  const strange = new URL(address)
  strange.searchParams.set('state', 'x'.repeat(43))

  const elsewhere = await comeBack(other, address)
  const without = await comeBack(browser, strange.href)
  const cookies = [...browser.cookies]
  const first = await comeBack(browser, address)
  browser.cookies.clear()
  for (const [name, value] of cookies) browser.cookies.set(name, value)
  const replayed = await comeBack(browser, address)

  expect([elsewhere.status, without.status, first.status, replayed.status]).toEqual([400, 400, 303, 400])
  expect(replayed.html).toContain('was not started in this browser, was already used, or has expired')
})

test('a sign-in that takes longer than ten minutes has to begin again', async () => {
  let now = 1
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } }, { clock: () => now })
  const browser = browse()
  const address = await fixture.signIn(await begin(browser), 's1')

  now += 10 * 60_000 + 1

  expect((await comeBack(browser, address)).status).toBe(400)
})

test('a code that was used, a response of another issuer, and a denial sign nobody in', async () => {
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } })
  const browser = browse()
  const used = new URL(await fixture.signIn(await begin(browser), 's1'))
  await comeBack(browser, used.href)
  await browser.send(await browser.open('/account'), '/sign-out')
  const change = async (changed: Record<string, string>, removed: readonly string[] = []) => {
    const address = new URL(await fixture.signIn(await begin(browser), 's1'))
    for (const [name, value] of Object.entries(changed)) address.searchParams.set(name, value)
    for (const name of removed) address.searchParams.delete(name)
    return comeBack(browser, address.href)
  }

  const codeAgain = await change({ code: used.searchParams.get('code') ?? '' })
  const otherIssuer = await change({ iss: 'https://evil.example' })
  const denied = await change({ error: 'access_denied' }, ['code'])

  expect([codeAgain.status, otherIssuer.status, denied.status]).toEqual([400, 502, 403])
  expect(codeAgain.html).toContain('was already used')
  expect(otherIssuer.html).toContain('is not valid')
  expect(denied.html).toContain('denied the sign-in')
  expect(await nameOn(browser)).toBeUndefined()
})

test('a provider that has another issuer than is set, or is not there, leads to a page that says so', async () => {
  const lies = createServer((_request: IncomingMessage, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer: 'https://evil.example', authorization_endpoint: 'https://evil.example/a' }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => lies.once('listening', listening))
  onTestFinished(() => void lies.close())
  const issuer = `http://127.0.0.1:${(lies.address() as AddressInfo).port}`

  for (const requested of [issuer, 'http://127.0.0.1:1']) {
    const { browse } = await openFixture({}, { issuer: requested })
    const browser = browse()
    await browser.open('/sign-in')
    const { status, html } = await browser.open('/sign-in/provider')
    expect([status, html]).toEqual([502, expect.stringContaining('The sign-in service did not send a valid response.')])
  }
})

const clientSecret = 'a secret of this client, long enough'

test.each<[string, Lie, string]>([
  [
    'with a signature that is not right',
    { token: (header, claims, { sign, keys }) => spoil(sign(header, claims, keys().privateKey)) },
    'JWT signature verification failed',
  ],
  [
    'signed by another key of that name',
    { token: (header, claims, { sign }) => sign(header, claims, createSigningKey('first').privateKey) },
    'JWT signature verification failed',
  ],
  [
    'signed by a key that the provider does not name',
    { token: (header, claims, { sign }) => sign({ ...header, kid: 'x' }, claims, createSigningKey('x').privateKey) },
    'no applicable keys found',
  ],
  [
    'without a signature',
    { token: (header, claims, { sign }) => sign({ ...header, alg: 'none' }, claims, undefined) },
    'alg',
  ],
  [
    'signed by the secret of the client',
    { token: (header, claims, { sign }) => sign({ ...header, alg: 'HS256' }, claims, clientSecret) },
    'alg',
  ],
  ['of an empty subject', { token: withSubject('') }, '1 to 255 characters'],
  ['of a subject that is too long', { token: withSubject('s'.repeat(256)) }, '1 to 255 characters'],
  ['of a subject that is no text', { token: withSubject(1) }, 'sub'],
])('an ID token %s signs nobody in, and the log says why', async (_, lie, reason) => {
  const { fixture, browse, lines } = await openFixture(
    { s1: { preferred_username: 'anna' } },
    { lie, authCreate: true },
  )

  const response = await signIn(browse(), fixture, 's1')

  expect([response.status, response.html]).toEqual([502, expect.stringContaining('is not valid')])
  expect(JSON.stringify(lines.filter(({ level }) => level === 'warn'))).toContain(reason)
})

/** Another last sign but one: of the last, not all bits count. */
const spoil = (token: string): string => `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`

function withSubject(sub: unknown): NonNullable<Lie['token']> {
  return (header, claims, { sign, keys }) => sign(header, { ...claims, sub }, keys().privateKey)
}

test.each<[string, NonNullable<Lie['keys']>]>([
  ['fails', (context) => Object.assign(context, { status: 500, body: 'no keys today' })],
  ['is no JSON', (context) => Object.assign(context, { body: 'keys' })],
  ['is endless', (context) => Object.assign(context, { body: { keys: [], more: 'x'.repeat(4 * 1024 * 1024) } })],
])('where the list of keys %s, the provider does not respond as it should', async (_, keys) => {
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } }, { lie: { keys } })

  const response = await signIn(browse(), fixture, 's1')

  expect([response.status, response.html]).toEqual([
    502,
    expect.stringContaining('The sign-in service did not send a valid response.'),
  ])
})

test('a provider may change its keys', async () => {
  const { fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } })
  const first = await signIn(browse(), fixture, 's1')

  // A list of keys that is younger than a minute is not requested again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  onTestFinished(() => void vi.useRealTimers())
  fixture.changeKey('second')
  const second = await signIn(browse(), fixture, 's1')

  expect([first.status, second.status]).toEqual([303, 303])
})

test('a server without a base URL sends no user to the provider, whatever the Host header says', async () => {
  const { browse, lines } = await openFixture({ s1: { preferred_username: 'anna' } }, { hasBaseUrl: false })
  const browser = browse()
  await browser.open('/sign-in?signed-out=provider')

  const responses = [
    await browser.open('/sign-in/provider'),
    await browser.open('/sign-in/provider/back?code=x&state=y'),
  ]

  for (const { status, html } of responses) {
    expect([status, html]).toEqual([403, expect.stringContaining('This server does not know its own URL')])
    expect(html).toContain('base_url')
  }
  expect(lines.map(({ msg }) => msg)).toContain(
    'users cannot sign in at the OpenID provider, because base_url is not set; set it to the base URL that clients use',
  )
})

test('a provider cannot fill the memory: the rest of a response of megabytes is not received', async () => {
  const { browse } = await openFixture({}, { issuer: await openTalkative(4 * 1024 * 1024) })
  const { browse: browseShort } = await openFixture({}, { issuer: await openTalkative(4 * 1024) })

  const statuses: number[] = []
  for (const browser of [browse(), browseShort()]) {
    await browser.open('/sign-in')
    statuses.push((await browser.open('/sign-in/provider')).status)
  }

  expect(statuses).toEqual([502, 303])
})

/** A provider whose metadata says so much beside what it must. */
const openTalkative = async (bytes: number): Promise<string> => {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ issuer, authorization_endpoint: `${issuer}/a`, more: 'x'.repeat(bytes) }))
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(() => void server.close())
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return issuer
}

test('a provider that fails is called again after a while, however often the button is pressed', async () => {
  let now = 1
  let requested = 0
  const broken = createServer((_request, response) => {
    requested += 1
    response.writeHead(500).end()
  }).listen(0, '127.0.0.1')
  await new Promise((listening) => broken.once('listening', listening))
  onTestFinished(() => void broken.close())
  const issuer = `http://127.0.0.1:${(broken.address() as AddressInfo).port}`
  const { browse } = await openFixture({}, { issuer, clock: () => now })
  const browser = browse()
  await browser.open('/sign-in')
  const press = async () => (await browser.open('/sign-in/provider')).status

  const first = [await press(), await press(), await press()]
  const requestedFirst = requested
  now += 5_001
  const later = await press()

  expect([first, requestedFirst, later, requested]).toEqual([[502, 502, 502], 1, 502, 2])
})

test('a user without an account gets a page that says so, or an account where that is set', async () => {
  const closed = await openFixture({ s9: { preferred_username: 'zoe' } })
  const open = await openFixture({ s9: { preferred_username: 'zoe' } }, { authCreate: true })
  const browser = open.browse()

  const rejected = await signIn(closed.browse(), closed.fixture, 's9')
  const created = await signIn(browser, open.fixture, 's9')

  expect([rejected.status, rejected.html]).toEqual([403, expect.stringContaining('no account here has that name')])
  expect(created.status).toBe(303)
  expect(await nameOn(browser)).toBe('zoe')
})

test('the first sign-in binds the account: a later owner of the name stays out, and another name is no matter', async () => {
  const { store, fixture, known, browse } = await openFixture({
    s1: { preferred_username: 'anna' },
    s2: { preferred_username: 'anna' },
  })
  await signIn(browse(), fixture, 's1')

  const second = await signIn(browse(), fixture, 's2')
  known.set('s1', { preferred_username: 'anna-maria' })
  await renameUser(store, 'anna', 'am')
  const browser = browse()
  const first = await signIn(browser, fixture, 's1')
  const nameThen = await nameOn(browser)

  await renameUser(store, 'am', 'anna')
  await unbindUser(store, 'anna')
  await expect(unbindUser(store, 'anna')).rejects.toThrow('user "anna" is not linked to an OpenID provider')
  const unbound = await signIn(browse(), fixture, 's2')

  expect([second.status, second.html]).toEqual([403, expect.stringContaining('belongs to another user')])
  expect([first.status, nameThen, unbound.status]).toEqual([303, 'am', 303])
})

test('a name that looks like the name of an account, or is spelled in other signs, is another user', async () => {
  const lookalikes = ['ａｎｎａ', 'an\u200Dna', 'ªnna', ' anna']
  const users = Object.fromEntries(lookalikes.map((name, at) => [`s${at}`, { preferred_username: name }]))
  for (const authCreate of [false, true]) {
    const { fixture, browse } = await openFixture({ ...users, own: { preferred_username: 'Anna' } }, { authCreate })

    const statuses: number[] = []
    for (const subject of [...Object.keys(users), 'own'])
      statuses.push((await signIn(browse(), fixture, subject)).status)

    expect(statuses).toEqual([403, 403, 403, 403, 303])
  }
})

test('a claim that is too long for a user name is rejected by a page, even when the subject is known', async () => {
  const longName = `a${'\u0345'.repeat(16_000)}${'\u0301'.repeat(16_000)}`
  const { store, fixture, known, browse } = await openFixture(
    { s1: { preferred_username: longName }, s2: { preferred_username: 'bob' } },
    { authCreate: true },
  )
  await signIn(browse(), fixture, 's2')
  known.set('s2', { preferred_username: 'b'.repeat(401) })

  const responses = [await signIn(browse(), fixture, 's1'), await signIn(browse(), fixture, 's2')]

  const sentence = 'The user name from the sign-in service is too long: a user name has at most 200 characters.'
  for (const { status, html } of responses) expect([status, html]).toEqual([403, expect.stringContaining(sentence)])
  expect(await store.registry.listUsers()).toHaveLength(2)
})

test('a mail address is a name only when the provider has checked it', async () => {
  const { store, fixture, browse } = await openFixture(
    { s1: { email: 'anna@club.example', email_verified: true }, s2: { email: 'bob@club.example' }, s3: {} },
    { userClaim: 'email' },
  )
  await renameUser(store, 'anna', 'anna@club.example')
  await renameUser(store, 'bob', 'bob@club.example')

  const responses = [
    await signIn(browse(), fixture, 's1'),
    await signIn(browse(), fixture, 's2'),
    await signIn(browse(), fixture, 's3'),
  ]

  expect(responses.map(({ status }) => status)).toEqual([303, 403, 403])
  expect(responses[1]?.html).toContain('has not verified your email address')
  expect(responses[2]?.html).toContain('did not send a user name for this server')
})

test('a disabled user cannot sign in, and an existing session ends at once', async () => {
  const { store, fixture, browse } = await openFixture({ s2: { preferred_username: 'bob' } })
  const browser = browse()
  await signIn(browser, fixture, 's2')
  await disableUser(store, 'bob', environment)

  const shown = await browser.open('/account')
  const again = await signIn(browse(), fixture, 's2')

  expect([shown.status, shown.location]).toEqual([303, '/sign-in?next=%2Faccount'])
  expect([again.status, again.html]).toEqual([403, expect.stringContaining('is disabled here')])
})

test('signing out ends the session here, and leads to the way out of the provider', async () => {
  const { fixture, browse, origin } = await openFixture({ s1: { preferred_username: 'anna' } })
  const browser = browse()
  await signIn(browser, fixture, 's1')

  const out = await browser.send(await browser.open('/account'), '/sign-out')
  const page = await browser.open(out.location)
  const link = new URL((/href="([^"]*session\/end[^"]*)"/.exec(page.html)?.[1] ?? '').replaceAll('&amp;', '&'))

  expect([out.status, await nameOn(browser)]).toEqual([303, undefined])
  expect([link.origin, Object.fromEntries(link.searchParams)]).toEqual([
    fixture.issuer,
    { client_id: fixture.clientId, post_logout_redirect_uri: `${origin}/sign-in` },
  ])
  expect((await fetch(link)).status).toBe(200)
})

test('the way of an app goes through the provider and on to its consent', async () => {
  const { store, fixture, browse } = await openFixture({ s1: { preferred_username: 'anna' } })
  const app = await addPublicClient(store, 'an app', environment, { redirectUris: ['https://app.example/back'] })
  const browser = browse()
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })

  const requested = await browser.open(`/authorize?${query}`)
  const link = /href="(\/sign-in\/provider[^"]*)"/.exec(requested.html)?.[1]?.replaceAll('&amp;', '&') ?? ''
  const there = await browser.open(link)
  const back = await comeBack(browser, await fixture.signIn(there.location, 's1'))
  const consent = await browser.open(back.location)

  expect(back.location).toMatch(/^\/authorize\?/)
  expect([consent.status, consent.html]).toEqual([200, expect.stringContaining('an app')])
})

test('without a provider there are no such pages, and the sign-in page names none', async () => {
  const store = await openMemoryStore({ form: thingForm })
  const server = createServer(await createHandler({ store })).listen(0, '127.0.0.1')
  await new Promise((listening) => server.once('listening', listening))
  onTestFinished(async () => {
    server.close()
    await store.close()
  })
  const browser = createTestBrowser({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/` })

  expect((await browser.open('/sign-in')).html).not.toContain('Sign in with')
  expect((await browser.open('/sign-in/provider')).status).toBe(404)
  expect((await browser.open('/sign-in/provider/back?code=x&state=y')).status).toBe(404)
})
