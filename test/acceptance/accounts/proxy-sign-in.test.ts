import { request } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { disableUser } from '../../../src/accounts/users.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openTestServer, type TestServerOptions } from '../../support/open-test-server.ts'
import { createTemporaryFolder } from '../../support/run-cli.ts'
import { createTestBrowser, signInBrowser } from '../../support/test-browser.ts'

const header = 'x-forwarded-user'

/** A server behind a proxy that may say who is signed in; the tests are that proxy, unless it trusts another one. */
const openBehindProxy = (settings: TestServerOptions['settings'] = {}) =>
  openTestServer({ settings: { authHeader: 'X-Forwarded-User', trustProxy: ['127.0.0.1'], ...settings } })

test('a user whom the proxy has signed in needs no password, on any way into the pages', async () => {
  const server = await openBehindProxy()
  const browser = createTestBrowser(server, { [header]: 'Anna' })

  const requested = await browser.open('/account/tokens')
  const signedIn = await browser.open(requested.location)
  const shown = await browser.open(signedIn.location)

  expect([requested.status, requested.location]).toEqual([303, '/sign-in?next=%2Faccount%2Ftokens'])
  expect([signedIn.status, signedIn.location]).toEqual([303, '/account/tokens'])
  expect(shown.status).toBe(200)
})

test('the header is believed from nobody but a trusted proxy, and only where it is set', async () => {
  const elsewhere = await openBehindProxy({ trustProxy: ['192.0.2.1'] })
  const unset = await openTestServer({ settings: { trustProxy: ['127.0.0.1'] } })

  for (const server of [elsewhere, unset]) {
    const page = await createTestBrowser(server, { [header]: 'anna' }).open('/sign-in')
    expect([page.status, page.html]).toEqual([200, expect.stringContaining('name="password"')])
  }
})

test("a header that is there twice signs nobody in: one may be the client's own", async () => {
  const server = await openBehindProxy()
  const { port } = new URL(server.baseUrl)

  const status = await new Promise((resolve) => {
    const sent = request({ host: '127.0.0.1', port, path: '/sign-in', headers: { [header]: ['anna', 'anna'] } })
    sent.on('response', (response) => resolve(response.resume().statusCode)).end()
  })

  expect(status).toBe(200)
})

test('a name that is spelled in other signs is another user at the proxy', async () => {
  const server = await openBehindProxy()

  for (const name of ['ａｎｎａ', 'an\u200Dna', 'ªnna']) {
    const browser = createTestBrowser(server, { [header]: Buffer.from(name).toString('latin1') })
    expect((await browser.open('/sign-in')).status).toBe(403)
  }
})

test('a user without an account gets a page that says so, unless accounts may be created', async () => {
  const closed = await openBehindProxy()
  const open = await openBehindProxy({ authCreate: true })

  const rejected = await createTestBrowser(closed, { [header]: 'zoé' }).open('/sign-in')
  const browser = createTestBrowser(open, { [header]: Buffer.from('zoé').toString('latin1') })
  const created = await browser.open('/sign-in')
  const again = await browser.open('/account')

  expect([rejected.status, rejected.html]).toEqual([403, expect.stringContaining('no account here has that name')])
  expect(await closed.store.registry.listUsers()).toHaveLength(1)
  expect([created.status, again.status]).toEqual([303, 200])
  expect(again.html).toContain('zoé')
  expect(await open.store.registry.findUserByName('zoé')).not.toHaveProperty('isAdmin')
})

test('a disabled user cannot sign in', async () => {
  const server = await openBehindProxy()
  await server.addUser('bob')
  await disableUser(server.store, 'bob', systemEnvironment)

  const { status, html } = await createTestBrowser(server, { [header]: 'bob' }).open('/sign-in')

  expect([status, html]).toEqual([403, expect.stringContaining('disabled here')])
})

test('when another user has signed in at the proxy, the previous session has ended', async () => {
  const server = await openBehindProxy()
  await server.addUser('bob')
  const before = await signInBrowser(server, 'anna')

  const requested = await before.open('/account', { headers: { [header]: 'bob' } })
  const signedIn = await before.open('/sign-in', { headers: { [header]: 'bob' } })
  const shown = await before.open('/account', { headers: { [header]: 'bob' } })

  expect([requested.status, signedIn.status]).toEqual([303, 303])
  expect(shown.html).toContain('<bdi>bob</bdi>')
  const { registry } = server.store
  const signedInAs = async (name: string) =>
    (await registry.listBrowserSessions((await registry.findUserByName(name))?.id ?? expect.unreachable())).length
  expect([await signedInAs('anna'), await signedInAs('bob')]).toEqual([0, 1])
})

test('behind a Unix socket the server trusts the proxy and its IP address of the client', async () => {
  const path = join(await createTemporaryFolder(), 's')
  await openTestServer({
    settings: { authHeader: header, socket: { path, mode: 0o600 }, baseUrl: 'http://things.example/v1/' },
  })

  const location = await new Promise((resolve) => {
    const sent = request({ socketPath: path, path: '/sign-in', headers: { [header]: 'anna' } })
    sent.on('response', (response) => resolve(response.resume().headers.location)).end()
  })

  expect(location).toBe('/account')
})
