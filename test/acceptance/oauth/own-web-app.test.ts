import { expect, test } from 'vitest'
import { addPublicClient, registerBuiltInApps, webAppId } from '../../../src/accounts/apps.ts'
import { createLink } from '../../../src/accounts/links.ts'
import { systemEnvironment as environment } from '../../../src/environment.ts'
import { formatBytes } from '../../../src/pages/account/account-page.tsx'
import { buildProgram } from '../../support/build-program.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { type BrowserResponse, createTestBrowser, signInBrowser } from '../../support/test-browser.ts'

await buildProgram()
const server = await openFileServer({ settings: { web: true } })
const home = server.baseUrl.replace(/v1\/$/, '')
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'

/** The header that only the browser sets: pages of this origin alone led to the request. */
const fromOwnPage = { headers: { 'sec-fetch-site': 'same-origin' } }

const pathOf = (fields: Readonly<Record<string, string>> = {}) =>
  `/authorize?${new URLSearchParams({
    response_type: 'code',
    client_id: webAppId,
    redirect_uri: home,
    state: 's1',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...fields,
  })}`

const findTitle = ({ status, html }: BrowserResponse) => [status, /<h1>(.*?)<\/h1>/.exec(html)?.[1]]
const consent = [200, 'Allow thingsync in the browser?']

test('the own app gets a code without a page when its own page requests it, and the code needs the verifier', async () => {
  const anna = await signInBrowser(server, 'anna')

  const { status, location } = await anna.open(pathOf(), fromOwnPage)
  const { searchParams, origin, pathname } = new URL(location)
  const form = {
    grant_type: 'authorization_code',
    client_id: webAppId,
    code: searchParams.get('code') ?? '',
    redirect_uri: home,
  }
  const without = await server.post('/token', { form })
  const granted = await server.post('/token', { form: { ...form, code_verifier: verifier } })

  expect([status, `${origin}${pathname}`, searchParams.get('state')]).toEqual([303, home, 's1'])
  expect([without.status, granted.status]).toEqual([400, 200])
})

test.each(['cross-site', 'same-site', 'none', undefined])(
  'a request that the own page did not begin needs consent: %s',
  async (site) => {
    const anna = await signInBrowser(server, 'anna')
    const headers: Record<string, string> = site === undefined ? {} : { 'sec-fetch-site': site }

    expect(findTitle(await anna.open(pathOf(), { headers }))).toEqual(consent)
  },
)

test('the same app at another port or path of this computer needs consent, or is rejected', async () => {
  const anna = await signInBrowser(server, 'anna')
  const at = (redirect_uri: string) => anna.open(pathOf({ redirect_uri }), fromOwnPage)

  expect(findTitle(await at('http://127.0.0.1:9/'))).toEqual(consent)
  expect(findTitle(await at('http://localhost/'))).toEqual(consent)
  expect(findTitle(await at(`${home}other`))).toEqual([400, 'This app cannot get access'])
  expect(findTitle(await at('https://evil.example/'))).toEqual([400, 'This app cannot get access'])
})

test('another public client needs consent, also with the URL of the own app as its redirect URI', async () => {
  const anna = await signInBrowser(server, 'anna')
  const { clientId } = await addPublicClient(server.store, 'A copy', environment, { redirectUris: [home] })

  const shown = await anna.open(pathOf({ client_id: clientId }), fromOwnPage)

  expect(findTitle(shown)).toEqual([200, 'Allow A copy?'])
})

test('without a challenge of PKCE the own app gets no code', async () => {
  const anna = await signInBrowser(server, 'anna')

  const { location } = await anna.open(pathOf({ code_challenge: '', code_challenge_method: '' }), fromOwnPage)

  expect(Object.fromEntries(new URL(location).searchParams)).toMatchObject({ error: 'invalid_request', state: 's1' })
  expect(location).not.toContain('code=')
})

test('after a sign-out the own app gets the sign-in page, and no code', async () => {
  const anna = await signInBrowser(server, 'anna')
  const out = await anna.send(await anna.open('/account'), '/sign-out')
  const { html } = await anna.open(out.location)

  expect(html).toContain('You are signed out of these pages.')
  expect(findTitle(await anna.open(pathOf(), fromOwnPage))).toEqual([200, 'Sign in to your list'])
})

test('a text to copy has a script that adds a button, and a page without such a text has none', async () => {
  const anna = await signInBrowser(server, 'anna')

  const form = await anna.open('/account/tokens')
  const created = await anna.send(form, '/account/tokens', { name: 'A script', term: '30' })
  const page = await anna.open(created.location)
  const script = await fetch(`${home}copy.js`)

  expect(form.html).not.toContain('<script')
  expect(page.html).toContain('<script type="module" src="/copy.js"></script>')
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self';")
  expect([script.status, script.headers.get('content-type')]).toEqual([200, 'text/javascript; charset=utf-8'])
})

test('the account page shows no table at first, and sizes in common units', async () => {
  const anna = await signInBrowser(server, 'anna')

  const { html } = await anna.open('/account')

  expect(html.indexOf('<dl')).toBeGreaterThan(html.indexOf('<details class="more">'))
  expect(html).toContain('<span>0 items, 0 bytes</span>')
  expect([999, 1000, 1550, 12_345, 5_000_000].map(formatBytes)).toEqual([
    '999 bytes',
    '1 KB',
    '1.6 KB',
    '12 KB',
    '5 MB',
  ])
})

test('a server that does not serve the app asks, although the app is registered', async () => {
  const plain = await openTestServer({ settings: { web: false } })
  await registerBuiltInApps(plain.store, { webApp: { origin: undefined, prefix: '' } }, environment)
  const anna = await signInBrowser(plain, 'anna')
  const redirect_uri = plain.baseUrl.replace(/v1\/$/, '')

  expect(findTitle(await anna.open(pathOf({ redirect_uri }), fromOwnPage))).toEqual(consent)
})

test('a sign-in and a one-time link lead to the app, and tell it so', async () => {
  await server.addUser('zoe')
  const user = await server.store.registry.findUserByName('zoe')
  const { secret } = await createLink(server.store, { kind: 'set-password', userId: user?.id ?? '' }, environment)
  const typed = { password: 'correct horse', again: 'correct horse' }
  const [browser, linked] = [createTestBrowser(server), createTestBrowser(server)]

  const byPassword = await browser.send(await browser.open('/sign-in'), '/sign-in', {
    username: 'zoe',
    password: 'correct horse',
  })
  const byLink = await linked.send(await linked.open(`/link?key=${secret}`), '/link', typed)
  const again = await linked.open('/sign-in')

  const landing = '/#signed-in'
  expect([byPassword.location, byLink.location, again.location]).toEqual([landing, landing, landing])
})

test('the first link signs in and sets a password in one form, or only signs in', async () => {
  await server.addUser('first')
  const user = await server.store.registry.findUserByName('first')
  const make = async () =>
    (await createLink(server.store, { kind: 'first-sign-in', userId: user?.id ?? '' }, environment)).secret
  const use = async (fields: Readonly<Record<string, string>>) => {
    const browser = createTestBrowser(server)
    return browser.send(await browser.open(`/link?key=${await make()}`), '/link', fields)
  }

  const different = await use({ password: 'battery staple', again: 'battery' })
  const short = await use({ password: 'short', again: 'short' })
  const skipped = await use({ password: '', again: '' })
  await signInBrowser(server, 'first')
  const chosen = await use({ password: 'battery staple', again: 'battery staple' })

  expect([different.status, short.status]).toEqual([422, 422])
  expect([skipped.location, chosen.location]).toEqual(['/#signed-in', '/#signed-in'])
  await expect(signInBrowser(server, 'first')).rejects.toThrow('could not sign in: 422')
})
