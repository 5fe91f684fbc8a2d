import { expect, test } from 'vitest'
import { addApp } from '../../../src/accounts/apps.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { type BrowserResponse, createTestBrowser, hiddenFields, signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const back = 'https://app.example/back'
const { clientId } = await addApp(server.store, 'A reader', systemEnvironment, { redirectUris: [back] })
const request = `/authorize?response_type=code&client_id=${clientId}&state=s1`

const right = { username: 'anna', password: 'correct horse' }
const isConsent = ({ status, html }: BrowserResponse) => status === 200 && html.includes('value="allow"')

test('each sign-in has a new cookie; what the browser had before does not work any more (session fixation)', async () => {
  const browser = await signInBrowser(server, 'anna')
  const [[name = '', first = ''] = []] = [...browser.cookies]
  const planted = createTestBrowser(server)
  planted.cookies.set(name, 'p'.repeat(43))
  const page = await planted.open('/sign-in')
  await planted.send(page, '/sign-in', right)

  expect(planted.cookies.get(name)).toMatch(/^[\w-]{43}$/)
  expect([planted.cookies.get(name) !== first, planted.cookies.get(name) !== 'p'.repeat(43)]).toEqual([true, true])
  const out = await browser.send(await browser.open(request), '/sign-out')
  expect([out.status, browser.cookies.has(name)]).toEqual([303, false])
  browser.cookies.set(name, first)
  expect(isConsent(await browser.open(request))).toBe(false)
})

test('the cookie of a session that has ended keeps nobody from signing in', async () => {
  await server.addUser('carla')
  const browser = createTestBrowser(server)
  const [name = ''] = (await signInBrowser(server, 'anna')).cookies.keys()
  browser.cookies.set(name, 'e'.repeat(43))

  const page = await browser.open('/sign-in')
  expect((await browser.send(page, '/sign-in', { ...right, username: 'carla' })).status).toBe(303)

  expect((await browser.open(request)).html).toContain('carla')
})

test('of cookies of two living sessions neither is believed (cookie tossing)', async () => {
  const [victim, attacker] = [await signInBrowser(server, 'anna'), await signInBrowser(server, 'anna')]
  const [[name = '', mine = ''] = []] = [...victim.cookies]
  const [[, planted = ''] = []] = [...attacker.cookies]
  const bare = createTestBrowser(server)

  for (const cookie of [`${name}=${planted}; ${name}=${mine}`, `${name}=${mine}; ${name}=${planted}`]) {
    const page = await bare.open(request, { headers: { cookie } })
    expect([page.status, isConsent(page)]).toEqual([200, false])
  }
  expect(isConsent(await bare.open(request, { headers: { cookie: `${name}=${mine}` } }))).toBe(true)
})

test('a planted cookie that is no session signs nobody out, and a sign-in beside it works', async () => {
  const planted = 'p'.repeat(43)
  const anna = await signInBrowser(server, 'anna')
  const [[name = '', mine = ''] = []] = [...anna.cookies]
  const bare = createTestBrowser(server)

  for (const cookie of [`${name}=${planted}; ${name}=${mine}`, `${name}=${mine}; ${name}=${planted}`]) {
    const page = await bare.open(request, { headers: { cookie } })
    expect([page.status, isConsent(page)]).toEqual([200, true])
    const form = hiddenFields(page.html, '/authorize')
    const denied = await bare.post('/authorize', { ...form, decision: 'deny' }, { headers: { cookie } })
    expect(denied.location).toContain('error=access_denied')
  }
  const signIn = await bare.open('/sign-in', { headers: { cookie: `${name}=${planted}` } })
  const [visitor = ''] = [...bare.cookies].map(([kind, value]) => `${kind}=${value}`)
  const signedIn = await bare.post(
    '/sign-in',
    { ...hiddenFields(signIn.html, '/sign-in'), ...right },
    { headers: { cookie: `${name}=${planted}; ${visitor}` } },
  )
  const fresh = signedIn.headers.getSetCookie().find((line) => line.startsWith(`${name}=`)) ?? ''
  const both = { headers: { cookie: `${name}=${planted}; ${fresh.split(';')[0]}` } }

  expect(isConsent(await bare.open(request, both))).toBe(true)
})

test('behind https and a path prefix cookies are kept from other hosts and paths, and named by the prefix', async () => {
  const open = async (baseUrl: string) => {
    const one = await openTestServer({ settings: { baseUrl } })
    const browser = createTestBrowser(one)
    const page = await browser.open('/sign-in')
    const { headers, status } = await browser.send(page, '/sign-in', right)
    expect(status).toBe(303)
    return headers.getSetCookie().find((line) => !line.includes('Max-Age=0')) ?? ''
  }

  const things = await open('https://example.org/things/v1/')
  const other = await open('https://example.org/other/v1/')
  const plain = await open('http://example.org/things/v1/')

  const rest = 'Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000'
  expect(things).toMatch(new RegExp(`^__Host-thingsync-[0-9a-f]{8}=[\\w-]{43}; ${rest}$`))
  expect(other).toMatch(new RegExp(`^__Host-thingsync-[0-9a-f]{8}=[\\w-]{43}; ${rest}$`))
  expect(other.split('=')[0]).not.toBe(things.split('=')[0])
  expect(plain).toMatch(/^thingsync-[0-9a-f]{8}=[\w-]{43}; Path=\/things\/; HttpOnly; SameSite=Lax; Max-Age=2592000$/)
})

test('behind https a cookie without the prefix __Host- signs nobody in', async () => {
  const one = await openTestServer({ settings: { baseUrl: 'https://example.org/things/v1/' } })
  const browser = await signInBrowser(one, 'anna')
  const [[name = '', cookie = ''] = []] = [...browser.cookies]
  expect((await browser.open('/sign-in')).status).toBe(303)

  browser.cookies.clear()
  browser.cookies.set(name.replace('__Host-', ''), cookie)

  expect((await browser.open('/sign-in')).status).toBe(200)
})

test('the whole flow works below a path prefix, also when a proxy takes the prefix away', async () => {
  const baseUrl = 'https://example.org/things/v1/'
  const one = await openTestServer({ settings: { baseUrl } })
  const app = await addApp(one.store, 'A reader', systemEnvironment, { redirectUris: [back] })
  const browser = createTestBrowser(one)
  const path = `/authorize?response_type=code&client_id=${app.clientId}&state=s1`

  const signedIn = await browser.send(await browser.open(path), '/sign-in', right)
  expect(signedIn.location).toBe(`/things${path}`)
  const consent = await browser.open(path)
  const { location } = await browser.send(consent, '/authorize', { decision: 'allow' })
  const response = new URL(location)
  expect([response.searchParams.get('iss'), response.searchParams.get('state')]).toEqual([
    'https://example.org/things',
    's1',
  ])
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const stripped = await fetch(`${one.baseUrl.replace('/things/v1/', '')}${path}`, { headers: { cookie } })
  expect([stripped.status, (await stripped.text()).includes('action="/things/authorize"')]).toEqual([200, true])
})
