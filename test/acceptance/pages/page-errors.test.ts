import { expect, test } from 'vitest'
import { openMemoryStore } from '../../../src/store/memory-store.ts'
import { StoreError } from '../../../src/store/store.ts'
import { thingForm } from '../../../src/things/thing.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { recordLog } from '../../support/record-log.ts'
import { type BrowserResponse, createTestBrowser, findFormToken, signInBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const origin = new URL(server.baseUrl).origin
const anna = await signInBrowser(server, 'anna')
const form = { name: 'An app', redirect_uris: '', kind: 'secret' }

const titleOf = ({ html }: BrowserResponse) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
const countApps = async () => (await server.store.registry.listApps()).length

test('a form without the token of this browser does nothing, and says what to do', async () => {
  const before = await countApps()
  const anonymous = createTestBrowser(server)
  const foreign = findFormToken(await anonymous.open('/sign-in'))
  await server.addUser('ben')
  const bens = findFormToken(await (await signInBrowser(server, 'ben')).open('/account'))
  const mine = findFormToken(await anna.open('/account'))

  const tokens = ['', 'x.y', foreign, bens, `${mine}x`, mine.slice(1), mine.split('.')[0] ?? '']
  const responses = await Promise.all(
    tokens.map((form_token) => anna.post('/account/apps/new', { ...form, form_token })),
  )

  expect(responses.map(({ status }) => status)).toEqual(tokens.map(() => 403))
  expect(responses.map(titleOf)).toEqual(tokens.map(() => 'This form has expired'))
  expect(await countApps()).toBe(before)
})

test('a form that another site sends is rejected, even with a right token', async () => {
  const page = await anna.open('/account/apps/new')
  const before = await countApps()

  for (const site of ['cross-site', 'same-site']) {
    const response = await anna.send(page, '/account/apps/new', form, { headers: { 'sec-fetch-site': site } })
    expect([response.status, titleOf(response)]).toEqual([403, 'This form was sent by another site'])
  }

  expect(await countApps()).toBe(before)
})

test('a form that was opened before signing out does nothing afterwards', async () => {
  const browser = await signInBrowser(server, 'anna')
  const page = await browser.open('/account/apps/new')
  await browser.send(page, '/sign-out')

  const response = await browser.send(page, '/account/apps/new', form)

  expect(response.status).toBe(403)
})

test.each([
  'application/json',
  'multipart/form-data; boundary=x',
  'text/plain',
  'application/x-www-form-urlencoded-not',
])('a form as %s is rejected', async (type) => {
  const response = await anna.post('/account/password', 'a=b', { headers: { 'content-type': type } })

  // The test's own content type goes on top of what fetch would say.
  expect([response.status, titleOf(response)]).toEqual([415, 'This form cannot be read'])
})

test('a form that is too large, or has too many fields, is a page that says so', async () => {
  const large = { ...form, name: 'x'.repeat(100_000), form_token: findFormToken(await anna.open('/account')) }
  const many = new URLSearchParams(Array.from({ length: 101 }, (_, index) => [`f${index}`, '']))

  const responses = [await anna.post('/account/apps/new', large), await anna.post('/account/apps/new', `${many}`)]

  expect(responses.map(({ status }) => status)).toEqual([413, 413])
  expect(responses.map(titleOf)).toEqual(['Too much data', 'Too much data'])
})

test.each(['name=%zz', 'name=%ff', '%=x'])('a form that cannot be decoded is a page that says so: %s', async (body) => {
  const cookie = [...anna.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = { cookie, 'content-type': 'application/x-www-form-urlencoded' }

  const response = await fetch(`${origin}/account/apps/new`, { method: 'POST', headers, body })

  expect([response.status, await response.text()]).toEqual([
    400,
    expect.stringContaining('<h1>This is not possible</h1>'),
  ])
})

test('a name of more than 200 characters gets an error beside its field, and is kept', async () => {
  const name = 'ä'.repeat(201)

  const response = await anna.send(await anna.open('/account/apps/new'), '/account/apps/new', { ...form, name })

  expect(response.status).toBe(422)
  expect(response.html).toContain('id="name-wrong">The name of the app must have 1 to 200 characters')
  expect(response.html).toContain(`value="${name}"`)
})

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='x",
  '</title><h1>x',
  '&lt;b&gt;',
  '{{7*7}}',
]

/** The only script of these pages: it adds buttons to texts to copy. */
const ownScript = '<script type="module" src="/copy.js"></script>'

test.each(hostile)('a name like %s is text on every page that shows it', async (name) => {
  const created = await anna.send(await anna.open('/account/apps/new'), '/account/apps/new', { ...form, name })
  const pages = [created.location, '/account/apps', '/account/sessions', '/admin/apps']

  const escaped = name.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
  for (const path of pages) {
    const { html } = await anna.open(path)
    if (path !== '/account/sessions') expect(html).toContain(escaped)
    expect(html.replace(ownScript, '')).not.toMatch(/<script|<img|<h1>x/)
    // Outside of quoted values no attribute came from the name.
    expect(html.replace(/="[^"]*"/g, '')).not.toMatch(/<[^>]*\sonmouseover/)
  }
})

test.each(['GET', 'POST', 'PUT', 'DELETE', 'PATCH'])(
  '%s where a page does not take it is 405 with what it takes',
  async (method) => {
    const takes = {
      '/account': 'GET, HEAD',
      '/account/password': 'GET, HEAD, POST',
      '/account/sessions/end-others': 'POST',
    }

    for (const [path, allow] of Object.entries(takes)) {
      if (allow.includes(method)) continue
      const response = await fetch(`${origin}${path}`, { method, redirect: 'manual' })
      expect([path, response.status, response.headers.get('allow')]).toEqual([path, 405, allow])
    }
  },
)

test('HEAD of a page has the headers of GET and no body', async () => {
  const response = await fetch(`${origin}/sign-in`, { method: 'HEAD' })

  expect([response.status, await response.text()]).toEqual([200, ''])
  expect(Number(response.headers.get('content-length'))).toBeGreaterThan(1000)
})

test('every page forbids scripts, frames, foreign forms and being kept', async () => {
  const policy =
    /^default-src 'none'; style-src 'sha256-[\w+/]{43}='; img-src data:; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/
  for (const path of ['/account', '/account/apps/new', '/admin', '/link?key=x', '/nowhere', '/register']) {
    const { headers } = await anna.open(path)
    expect(headers.get('content-security-policy')).toMatch(policy)
    expect(['cache-control', 'referrer-policy', 'x-content-type-options'].map((name) => headers.get(name))).toEqual([
      'no-store',
      'no-referrer',
      'nosniff',
    ])
  }
})

test('an unknown path is a page for users, and JSON for programs', async () => {
  const page = await anna.open('/nowhere')
  const json = await fetch(`${origin}/nowhere`)

  expect([page.status, titleOf(page)]).toEqual([404, 'Page not found'])
  expect([json.status, await json.json()]).toEqual([
    404,
    { error: 'not_found', error_description: 'No operation has this path' },
  ])
})

test('pages have no cross-origin headers, even where the API has them for everybody', async () => {
  const open = await openTestServer({ settings: { corsOrigins: ['*'] } })

  const { headers } = await createTestBrowser(open, { origin: 'https://evil.example' }).open('/sign-in')

  expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
})

test('a store that fails is a page that says to try again, and a bug one that says nothing of itself', async () => {
  const inner = await openMemoryStore({ form: thingForm })
  const failing = { fail: undefined as Error | undefined }
  const read: typeof inner.read = (userId) =>
    failing.fail === undefined ? inner.read(userId) : Promise.reject(failing.fail)
  const { log, lines } = recordLog()
  const other = await openTestServer({ store: { ...inner, read }, log })
  const browser = await signInBrowser(other, 'anna')

  failing.fail = new StoreError('/srv/things is full')
  const full = await browser.open('/account')
  failing.fail = new TypeError('x is undefined in /srv/things')
  const bug = await browser.open('/account')

  expect([full.status, titleOf(full), full.headers.get('retry-after')]).toEqual([
    503,
    'The server is not available now',
    '30',
  ])
  expect([bug.status, titleOf(bug)]).toEqual([500, 'Internal server error'])
  expect(full.html + bug.html).not.toContain('/srv/things')
  expect(JSON.stringify(lines)).toContain('x is undefined')
})

test('below a path prefix all links and forms stay below it', async () => {
  const other = await openTestServer({ settings: { baseUrl: 'https://things.example/some/where/v1/' } })
  const browser = await signInBrowser(other, 'anna')

  const page = await browser.open('/account')
  const addresses = [...page.html.matchAll(/ (?:href|action)="(\/[^"]*)"/g)].map(([, address = '']) => address)

  expect(page.status).toBe(200)
  expect(addresses.filter((address) => !address.startsWith('/some/where/'))).toEqual([])
  expect([...browser.cookies.keys()]).toEqual([expect.stringMatching(/^__Host-thingsync-/)])
  expect((await browser.open('/account/nowhere')).html).toContain('href="/some/where/account"')
})

test('a cookie that another path planted beside the right one signs nobody in', async () => {
  const browser = await signInBrowser(server, 'anna')
  const [[name = '', secret = ''] = []] = [...browser.cookies]
  const attackers = await signInBrowser(server, 'anna')
  const [planted] = attackers.cookies.values()

  const response = await fetch(`${origin}/account`, {
    redirect: 'manual',
    headers: { cookie: `${name}=${planted}; ${name}=${secret}` },
  })

  expect([response.status, response.headers.get('location')]).toEqual([303, '/sign-in?next=%2Faccount'])
})

test('nothing secret is logged: cookies, form tokens, links, passwords, and new secrets', async () => {
  const { log, lines } = recordLog()
  const other = await openTestServer({ log })
  const browser = await signInBrowser(other, 'anna')
  const page = await browser.open('/account/apps/new')
  const created = await browser.send(page, '/account/apps/new', form)
  const shown = await browser.open(created.location)
  const secret = /CLIENT_SECRET=([\w-]{43})/.exec(shown.html)?.[1] ?? ''
  await browser.open(`/link?key=${secret}`)
  await browser.send(await browser.open('/account/password'), '/account/password', {
    old: 'not the one',
    password: 'new secret',
    again: 'new secret',
  })

  const text = JSON.stringify(lines)
  const secrets = [
    ...browser.cookies.values(),
    findFormToken(page),
    secret,
    'correct horse',
    'not the one',
    'new secret',
  ]
  expect(text).toContain('/account/apps/new')
  expect(secrets.every((one) => one.length > 8)).toBe(true)
  expect(secrets.filter((one) => text.includes(one))).toEqual([])
})

test('an app of an unknown kind is not registered, and the field is named', async () => {
  const before = await countApps()

  const response = await anna.send(await anna.open('/account/apps/new'), '/account/apps/new', { ...form, kind: 'x' })

  expect(response.status).toBe(422)
  expect(response.html).toContain('<span class="wrong" id="kind-wrong">The type must be “secret” or “public”.</span>')
  expect(await countApps()).toBe(before)
})

test('an unknown path is a page to browsers, and JSON to others and below the API', async () => {
  const send = async (path: string, accept: string) => {
    const response = await fetch(`${origin}${path}`, { headers: { accept } })
    return [response.status, response.headers.get('content-type')]
  }
  const [browser, json] = ['text/html,application/xhtml+xml;q=0.9,*/*;q=0.8', 'application/json; charset=utf-8']

  expect(await send('/nothing-is-here', browser)).toEqual([404, 'text/html; charset=utf-8'])
  expect(await send('/nothing-is-here', '*/*')).toEqual([404, json])
  expect(await send('/nothing-is-here', 'application/json')).toEqual([404, json])
  expect(await send('/v1/nothing-is-here', browser)).toEqual([404, json])
})

test('every page, redirect and error has the X-Request-Id that its line in the log has', async () => {
  const { lines, log } = recordLog()
  const logged = await openFileServer({ log })
  const site = new URL(logged.baseUrl).origin
  const paths = [
    '/',
    '/docs',
    '/docs/send-requests.js',
    '/sign-in',
    '/authorize',
    '/account',
    '/admin',
    '/nothing',
    '/link',
  ]

  const responses = await Promise.all(
    paths.map((path) => fetch(`${site}${path}`, { redirect: 'manual', headers: { accept: 'text/html' } })),
  )
  const posted = await fetch(`${site}/sign-in`, { method: 'POST', headers: { 'x-request-id': 'my-own' } })
  const file = await (await signInBrowser(logged, 'anna')).open('/account/export')

  const names = [...responses, posted, file].map(({ headers }) => headers.get('x-request-id'))
  expect(names).toEqual([...paths.map(() => expect.stringMatching(/^[0-9a-f]{12}-\d+$/)), 'my-own', expect.any(String)])
  await expect.poll(() => names.filter((name) => !lines.some(({ requestId }) => requestId === name))).toEqual([])
})
