import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { defaultAttemptLimits } from '../../../src/accounts/login-attempts.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { createLogTo } from '../../../src/log/log.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { type BrowserResponse, createTestBrowser, findFormToken, signInBrowser } from '../../support/test-browser.ts'

const clock = { now: Date.now() }
const environment = { ...systemEnvironment, now: () => clock.now }
const server = await openFileServer({ environment, settings: { trustProxy: ['loopback'] } })
const back = 'https://app.example/back'
const { clientId } = await addApp(server.store, 'A reader', environment, { redirectUris: [back] })
const request = `/authorize?response_type=code&client_id=${clientId}&state=s1`

const from = (address: string) => ({ 'x-forwarded-for': address })
const right = { username: 'anna', password: 'correct horse' }
const isConsent = ({ status, html }: BrowserResponse) => status === 200 && html.includes('value="allow"')

test('a wrong password is an error on the page, which keeps the name and the next page', async () => {
  const browser = createTestBrowser(server, from('10.0.0.1'))
  const page = await browser.open(request)

  const wrong = await browser.send(page, '/sign-in', { username: 'anna', password: 'wrong horse' })
  expect(wrong.status).toBe(422)
  expect(wrong.html).toContain('The user name or the password is wrong')
  expect(wrong.html).toContain('value="anna"')
  expect(wrong.html).not.toContain('horse')
  const nobody = await browser.send(wrong, '/sign-in', { username: 'nobody', password: 'wrong horse' })
  expect(nobody.status).toBe(422)
  const empty = await browser.send(nobody, '/sign-in', { username: 'anna', password: '' })
  expect([empty.status, empty.html]).toEqual([422, expect.stringContaining('Enter your user name')])

  const done = await browser.send(empty, '/sign-in', right)
  expect([done.status, isConsent(await browser.open(done.location))]).toEqual([303, true])
})

test('ten wrong passwords lock the account for their IP address only, at page and token endpoint', async () => {
  await server.addUser('bert')
  const guesser = createTestBrowser(server, from('10.1.0.1'))
  let page = await guesser.open('/sign-in')
  for (let i = 0; i < defaultAttemptLimits.perPair; i++) {
    page = await guesser.send(page, '/sign-in', { username: 'bert', password: 'wrong horse' })
    expect(page.status).toBe(422)
  }

  const closed = await guesser.send(page, '/sign-in', { username: 'bert', password: 'correct horse' })
  expect(closed.status).toBe(429)
  expect(closed.html).toContain('Your account is not locked')
  const seconds = Number(closed.headers.get('retry-after'))
  expect(seconds > 0 && seconds <= defaultAttemptLimits.windowSeconds).toBe(true)
  const client = { client_id: server.clientId, client_secret: server.clientSecret }
  const form = { grant_type: 'password', ...client, username: 'bert', password: 'correct horse' }
  expect((await server.post('/token', { form, headers: from('10.1.0.1') })).status).toBe(429)

  const owner = createTestBrowser(server, from('10.1.0.2'))
  const signedIn = await owner.send(await owner.open('/sign-in'), '/sign-in', { ...right, username: 'bert' })
  expect(signedIn.status).toBe(303)
})

test('a form without its token, with another browser’s, or from another site does nothing', async () => {
  const [victim, attacker] = [await signInBrowser(server, 'anna'), await signInBrowser(server, 'anna')]
  const consent = await victim.open(request)
  const fields = { response_type: 'code', client_id: clientId, decision: 'allow' }
  const theirs = await attacker.open(request)
  const token = findFormToken(theirs)

  const responses = [
    await victim.post('/authorize', fields),
    await victim.post('/authorize', { ...fields, form_token: '' }),
    await victim.post('/authorize', { ...fields, form_token: token }),
    await victim.send(consent, '/authorize', fields, { headers: { 'sec-fetch-site': 'cross-site' } }),
    await victim.send(consent, '/authorize', fields, { headers: { 'sec-fetch-site': 'same-site' } }),
    await victim.post('/sign-out', {}),
    await createTestBrowser(server).post('/sign-in', right),
  ]

  expect(token).not.toBe('')
  expect(responses.map(({ status, location }) => [status, location])).toEqual(responses.map(() => [403, '']))
  expect(isConsent(await victim.open(request))).toBe(true)
  expect((await victim.send(consent, '/authorize', fields)).status).toBe(303)
})

test('a page of this origin signs out without a form token, and a page of another one does not', async () => {
  const browser = await signInBrowser(server, 'anna')
  const from = (site: string) =>
    browser.post('/sign-out', {}, { headers: { 'sec-fetch-site': site, origin: new URL(server.baseUrl).origin } })

  const others = [await from('cross-site'), await from('same-site'), await from('none')]
  const before = await browser.open('/account')
  const own = await from('same-origin')
  const after = await browser.open('/account')

  expect(others.map(({ status }) => status)).toEqual([403, 403, 403])
  expect([before.status, own.status, after.status]).toEqual([200, 303, 303])
})

test('a browser that does not know Sec-Fetch-Site is signed out by a page of this origin and by no other', async () => {
  const browser = await signInBrowser(server, 'anna')
  const from = (origin: string) => browser.post('/sign-out', {}, { headers: { origin } })
  const { origin, host, port } = new URL(server.baseUrl)

  const others = [
    await from('null'),
    await from(''),
    await from(`https://${host}`),
    await from('https://evil.example'),
    await from(`${origin}.evil.example`),
    await from(`http://127.0.0.1:${port === '1' ? 2 : 1}`),
  ]
  const before = await browser.open('/account')
  const own = await from(origin)
  const after = await browser.open('/account')

  expect(others.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
  expect([before.status, own.status, after.status]).toEqual([200, 303, 303])
})

test('a form from before a sign-in, or of an ended session, does nothing afterwards', async () => {
  const browser = await signInBrowser(server, 'anna')
  const consent = await browser.open(request)
  await browser.send(consent, '/sign-out')
  const page = await browser.open('/sign-in')
  await browser.send(page, '/sign-in', right)

  const late = await browser.send(consent, '/authorize', { decision: 'allow' })

  expect([late.status, late.html]).toEqual([403, expect.stringContaining('This form has expired')])
})

test('a double click signs in once, and on Allow leads to the app both times', async () => {
  const browser = createTestBrowser(server)
  const page = await browser.open('/sign-in')
  const [one, two] = await Promise.all([browser.send(page, '/sign-in', right), browser.send(page, '/sign-in', right)])
  expect([one.status, two.status]).toEqual([303, 303])
  expect(one.headers.getSetCookie()[0]).toBe(two.headers.getSetCookie()[0])

  const consent = await browser.open(request)
  const allow = () => browser.send(consent, '/authorize', { decision: 'allow' })
  const responses = await Promise.all([allow(), allow()])
  expect(responses.map(({ location }) => location.startsWith(`${back}?code=`))).toEqual([true, true])
})

test('a user who signs in as another user ends the session that the browser had', async () => {
  await server.addUser('dora')
  const browser = await signInBrowser(server, 'anna')
  const [[name = '', first = ''] = []] = [...browser.cookies]
  const form_token = findFormToken(await browser.open(request))

  const done = await browser.post('/sign-in', { ...right, username: 'dora', form_token })

  expect([done.status, browser.cookies.get(name) === first]).toEqual([303, false])
  browser.cookies.set(name, first)
  expect(isConsent(await browser.open(request))).toBe(false)
})

test('the sign-in form of a second tab checks what is typed, whichever user signed in in the first', async () => {
  await server.addUser('emma')
  const browser = createTestBrowser(server, from('10.2.0.1'))
  const [tab, second] = [
    await browser.open('/sign-in'),
    await browser.open(`/sign-in?next=${encodeURIComponent(request)}`),
  ]
  await browser.send(tab, '/sign-in', right)

  const same = await browser.send(second, '/sign-in', right)
  const wrong = await browser.send(second, '/sign-in', { ...right, password: 'wrong horse' })
  const bare = await browser.post('/sign-in', { username: 'emma', password: 'wrong horse' })
  const other = await browser.send(second, '/sign-in', { ...right, username: 'emma' })

  expect([same.status, same.location]).toEqual([303, request])
  for (const rejected of [wrong, bare]) {
    expect([rejected.status, rejected.location]).toEqual([422, ''])
    expect(rejected.html).toContain('The user name or the password is wrong')
  }
  expect([other.status, other.html]).toEqual([422, expect.stringContaining('signed in as anna by now')])
  expect((await browser.open('/account')).html).toContain('anna')
  const changed = await browser.send(other, '/sign-in', { ...right, username: 'emma' })
  expect([changed.status, changed.location]).toEqual([303, request])
  expect((await browser.open(request)).html).toContain('I am not emma')
})

test('HEAD of a request with consent creates no code', async () => {
  const head = await fetch(new URL(request, server.baseUrl), { method: 'HEAD', redirect: 'manual' })

  expect([head.status, head.headers.get('allow'), head.headers.get('location')]).toEqual([405, 'GET, POST', null])
})

test('a sign-in that nobody uses ends after 30 days, and goes on while it is used', async () => {
  const browser = await signInBrowser(server, 'anna')
  const day = 24 * 3600 * 1000

  clock.now += 29 * day
  const used = await browser.open(request)
  clock.now += 29 * day
  const usedAgain = await browser.open(request)
  clock.now += 31 * day
  const idle = await browser.open(request)

  expect([used, usedAgain, idle].map(isConsent)).toEqual([true, true, false])
  expect(idle.html).toContain('name="password"')
})

test('a sign-in leads to pages of this server only', async () => {
  const traps = [
    '//evil.example/',
    '/\\evil.example',
    '\\/evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/@evil.example/..//evil.example',
    '/\t/evil.example',
    '/%0d%0aset-cookie:a=b\r\nx:y',
    'evil.example',
    '',
  ]
  for (const next of traps) {
    const browser = createTestBrowser(server)
    const page = await browser.open(`/sign-in?${new URLSearchParams({ next })}`)
    const done = await browser.send(page, '/sign-in', { ...right, next })
    expect([next, done.status, done.location]).toEqual([next, 303, '/account'])
    const again = await browser.open(`/sign-in?${new URLSearchParams({ next })}`)
    expect([next, again.location]).toEqual([next, '/account'])
    const out = await browser.send(await browser.open(request), '/sign-out', { next })
    expect([next, out.location]).toEqual([next, '/sign-in'])
  }
})

test('no page of the flow may be framed, keeps what it shows, or lets forms lead elsewhere than to the app', async () => {
  const browser = await signInBrowser(server, 'anna')
  const pages = [
    await createTestBrowser(server).open('/sign-in'),
    await createTestBrowser(server).open(request),
    await browser.open(request),
    await browser.open('/authorize?client_id=nobody'),
    await browser.post('/authorize', {}),
  ]

  const policies = pages.map(({ headers }) => headers.get('content-security-policy') ?? '')
  for (const policy of policies) {
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
  }
  const targets = policies.map((policy) => /form-action ([^;]*)/.exec(policy)?.[1])
  const withApp = "'self' https://app.example"
  expect(targets).toEqual(["'self'", withApp, withApp, "'self'", "'self'"])
  for (const { headers } of pages) {
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  // No other site learns the URL of a page. Firefox needs a referrer from the sign-in page (sign-in-page.tsx).
  const referrers = pages.map(({ headers }) => headers.get('referrer-policy'))
  expect(referrers).toEqual(['same-origin', 'same-origin', 'no-referrer', 'no-referrer', 'no-referrer'])
})

test('the app that opened the flow in a window of its own is not cut off from it', async () => {
  const browser = await signInBrowser(server, 'anna')
  const consent = await browser.open(request)
  const responses = [
    await createTestBrowser(server).open(request),
    consent,
    await browser.send(consent, '/authorize', { decision: 'allow' }),
  ]

  expect(responses.map(({ headers }) => headers.get('cross-origin-opener-policy') ?? 'unsafe-none')).toEqual(
    responses.map(() => 'unsafe-none'),
  )
})

test('nothing secret of a flow is logged', async () => {
  const lines: string[] = []
  const log = createLogTo({ write: (line) => void lines.push(line) }, 'trace')
  const logged = await openTestServer({ log })
  const app = await addApp(logged.store, 'A reader', systemEnvironment, { redirectUris: [back] })
  const browser = createTestBrowser(logged)
  const path = `/authorize?response_type=code&client_id=${app.clientId}&state=Secr3tState`
  const page = await browser.open(path)
  const formToken = findFormToken(page)
  const wrong = await browser.send(page, '/sign-in', { ...right, password: 'Wr0ngPassword' })
  await browser.send(wrong, '/sign-in', right)
  const { location } = await browser.send(await browser.open(path), '/authorize', { decision: 'allow' })
  const code = new URL(location).searchParams.get('code') ?? ''
  const client = { client_id: app.clientId, client_secret: app.clientSecret }
  const form = { grant_type: 'authorization_code', ...client, code, redirect_uri: location }
  const { body: pair } = await logged.post('/token', { form })
  await logged.post('/token', { form })

  const text = lines.join('')
  const secrets = [code, formToken, app.clientSecret, ...browser.cookies.values(), 'Secr3tState', 'Wr0ngPassword']
  const tokens = [pair.access_token, pair.request_token].map(String)
  expect(text).toContain('/authorize')
  expect(text).toContain('reason=code')
  expect([...secrets, ...tokens].filter((one) => one.length < 8 || text.includes(one))).toEqual([])
})
