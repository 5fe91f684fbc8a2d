import { request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { findUserByTypedName } from '../../../src/accounts/users.ts'
import { openFileServer, openTestServer, type TestServer } from '../../support/open-test-server.ts'
import {
  type BrowserResponse,
  createTestBrowser,
  hiddenFields,
  signInBrowser,
  type TestBrowser,
} from '../../support/test-browser.ts'

/**
 * 64 KB whose normalization took 1.4 s and blocked the server: all marks of one class behind all marks of another, which
 * Unicode normalization sorts in quadratic time.
 */
const longName = `a${'\u0345'.repeat(16_000)}${'\u0301'.repeat(16_000)}`
/** As long as a name of a user may be: 200 characters of two code units. */
const longestName = '\u{1d11e}'.repeat(200)
/** A letter longer than any name. */
const tooLong = `${longestName}a`
const sentence = 'is too long: a user name has at most 200 characters'

const server = await openFileServer({ settings: { openRegistration: true } })
await server.addUser(longestName)
const password = 'correct horse'

/** A form with its texts as they are: percent-encoded, this name would be more than the 64 KiB that a form may have. */
const write = (fields: Readonly<Record<string, string>>) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${value.replaceAll(' ', '+')}`)
    .join('&')

const send = (browser: TestBrowser, page: BrowserResponse, action: string, fields: Readonly<Record<string, string>>) =>
  browser.post(action, write({ ...hiddenFields(page.html, action), ...fields }))

const said = ({ status, html }: BrowserResponse) => [status, html.includes(sentence)]

describe.each([
  ['64 KB of marks', longName],
  ['one letter too many', tooLong],
])('a name with %s', (_name, username) => {
  test('is rejected by the sign-in page, which names the field', async () => {
    const browser = createTestBrowser(server)
    const page = await browser.open('/sign-in')

    const response = await send(browser, page, '/sign-in', { username, password })

    expect(said(response)).toEqual([422, true])
    expect(response.html).toContain('The user name is too long')
  })

  test('is rejected by a sign-in page that was open while the browser signed in', async () => {
    const browser = createTestBrowser(server)
    const page = await browser.open('/sign-in')
    await browser.send(page, '/sign-in', { username: 'anna', password })

    expect(said(await send(browser, page, '/sign-in', { username, password }))).toEqual([422, true])
  })

  test.each(['password', 'refresh_token', 'authorization_code'])(
    'is rejected by /token, grant %s',
    async (grant_type) => {
      const form = { grant_type, client_id: server.clientId, client_secret: server.clientSecret, username, password }

      const { status, body } = await server.post('/token', { form: write(form) })

      expect([status, body.error]).toEqual([400, 'invalid_request'])
      expect(body.error_description).toMatch(
        /^username is (too long: a user name has at most 200|longer than \d+) characters$/,
      )
    },
  )

  test('is rejected by the form to register', async () => {
    const browser = createTestBrowser(server)
    const page = await browser.open('/register')

    const response = await send(browser, page, '/register', { name: username, password, again: password })

    expect([response.status, response.html]).toEqual([422, expect.stringContaining('must have 1 to 200 characters')])
    expect(await server.store.registry.listUsers()).toHaveLength(2)
  })

  test('is rejected by the pages of admins, as a new name, a new user and an invitation', async () => {
    const browser = await signInBrowser(server, 'anna')
    const people = await browser.open('/admin/users')
    const [anna] = await server.store.registry.listUsers()
    const path = `/admin/users/${anna?.id}/change`

    const responses = [
      await send(browser, people, '/admin/users', { name: username }),
      await send(browser, people, '/admin/users/invite', { invited: username }),
      await send(browser, await browser.open(path), path, { name: username }),
    ]

    for (const { status, html } of responses)
      expect([status, html]).toEqual([422, expect.stringContaining('must have 1 to 200 characters')])
  })

  test('matches no user', async () => {
    const { registry } = server.store

    expect(await registry.listUsersNamedLike(username)).toEqual([])
    expect(await registry.findUserByName(username)).toBeUndefined()
    expect(await findUserByTypedName(registry, ` ${longestName}${' '.repeat(60_000)}`)).toBeUndefined()
  })
})

/** Asks a page as a proxy does that names a user, in bytes as it writes them. */
const requestThroughProxy = ({ baseUrl }: TestServer, path: string, name: string, cookie = '') =>
  new Promise<{ status: number | undefined; html: string }>((resolve, reject) => {
    const headers = { 'x-forwarded-user': Buffer.from(name).toString('latin1'), accept: 'text/html', cookie }
    const sent = request({ host: '127.0.0.1', port: new URL(baseUrl).port, path, headers }, (response) => {
      let html = ''
      response.setEncoding('utf8').on('data', (text) => {
        html += text
      })
      response.on('end', () => resolve({ status: response.statusCode, html }))
    })
    sent.on('error', reject).end()
  })

test('a longer name from a proxy is rejected at every page, even for a user who is signed in', async () => {
  const behind = await openTestServer({ settings: { authHeader: 'X-Forwarded-User', trustProxy: ['127.0.0.1'] } })
  await behind.addUser(longestName)
  const browser = await signInBrowser(behind, 'anna')
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  // Node takes 16 KB of headers.
  const names = [tooLong, `a${'\u0345'.repeat(3_000)}${'\u0301'.repeat(3_000)}`]

  const responses = []
  for (const name of names)
    for (const path of ['/sign-in', '/account']) responses.push(await requestThroughProxy(behind, path, name, cookie))

  for (const { status, html } of responses)
    expect([status, html]).toEqual([
      400,
      expect.stringContaining(`The user name that the proxy gives (setting auth_header) ${sentence}`),
    ])
  expect((await requestThroughProxy(behind, '/sign-in', longestName)).status).toBe(303)
})

test('the longest name that there may be signs in, at the page and at /token', async () => {
  expect(await signInBrowser(server, longestName)).toBeDefined()
  expect(await server.signIn(longestName)).toMatch(/^[\w-]{43}$/)
})
