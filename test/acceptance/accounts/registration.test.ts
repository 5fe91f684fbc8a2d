import { expect, test } from 'vitest'
import { createLink } from '../../../src/accounts/links.ts'
import { systemEnvironment } from '../../../src/environment.ts'
import { openFileServer, openTestServer } from '../../support/open-test-server.ts'
import { createTestBrowser } from '../../support/test-browser.ts'

const server = await openFileServer()
const typed = { password: 'battery staple', again: 'battery staple' }

test('nobody can register unless the administrator opened it', async () => {
  const browser = createTestBrowser(server)

  const page = await browser.open('/register')

  expect([page.status, page.html]).toEqual([404, expect.stringContaining('Ask for an invitation.')])
  expect((await browser.post('/register', { name: 'ben', ...typed })).status).not.toBe(303)
  expect(await server.store.registry.findUserByName('ben')).toBeUndefined()
})

test('where it is open, a new user is signed in, is no admin, and the form works once', async () => {
  const open = await openTestServer({ settings: { openRegistration: true } })
  const browser = createTestBrowser(open)
  const page = await browser.open('/register')

  const [created, twice] = await Promise.all([
    browser.send(page, '/register', { name: 'ben', ...typed }),
    browser.send(page, '/register', { name: 'ben', ...typed }),
  ])

  expect([created.location, twice.location]).toEqual(['/account', '/account'])
  expect((await browser.open('/account')).html).toContain('<bdi>ben</bdi>')
  expect((await browser.open('/admin')).status).toBe(404)
})

test('an IP address may register 20 accounts in an hour, and another address goes on', async () => {
  const open = await openTestServer({ settings: { openRegistration: true, trustProxy: ['loopback'] } })
  const register = async (address: string, name: string) => {
    const browser = createTestBrowser(open, { 'x-forwarded-for': address })
    return browser.send(await browser.open('/register'), '/register', { name, password: 'short', again: 'short' })
  }

  const responses = []
  for (let count = 0; count < 21; count++) responses.push((await register('203.0.113.1', `user ${count}`)).status)
  const rejected = await register('203.0.113.1', 'one more')

  expect(responses).toEqual([...Array(20).fill(422), 429])
  expect(Number(rejected.headers.get('retry-after'))).toBeGreaterThan(3500)
  expect((await register('203.0.113.2', 'ben')).status).toBe(422)
})

test('the first link signs the owner in once, by its button, and looking at it uses nothing up', async () => {
  const anna = await server.store.registry.findUserByName('anna')
  const { secret } = await createLink(
    server.store,
    { kind: 'first-sign-in', userId: anna?.id ?? '' },
    systemEnvironment,
  )
  const path = `/link?key=${secret}`
  const [one, two] = [createTestBrowser(server), createTestBrowser(server)]

  await fetch(new URL(path, server.baseUrl), { method: 'HEAD' })
  const [page, other] = [await one.open(path), await two.open(path)]
  const signedIn = await one.send(page, '/link')
  const late = await two.send(other, '/link')

  expect([signedIn.status, signedIn.location]).toEqual([303, '/account'])
  expect((await one.open('/admin')).status).toBe(200)
  expect([late.status, late.html]).toEqual([404, expect.stringContaining('This link is not valid')])
})

test('a first link expires after 30 minutes', async () => {
  const clock = { now: Date.now() }
  const environment = { ...systemEnvironment, now: () => clock.now }
  const other = await openTestServer({ environment })
  const anna = await other.store.registry.findUserByName('anna')
  const { secret } = await createLink(other.store, { kind: 'first-sign-in', userId: anna?.id ?? '' }, environment)
  const browser = createTestBrowser(other)
  const look = async () => (await browser.open(`/link?key=${secret}`)).status

  clock.now += 29 * 60_000
  const before = await look()
  clock.now += 2 * 60_000

  expect([before, await look()]).toEqual([200, 404])
})

test('guessing links from one IP address is slowed down', async () => {
  const other = await openTestServer()
  const browser = createTestBrowser(other)

  const responses = []
  for (let count = 0; count < 101; count++) responses.push((await browser.open(`/link?key=guess${count}`)).status)

  expect(responses).toEqual([...Array(100).fill(404), 429])
})

test.each(['', '?key=', `?key=${'x'.repeat(4000)}`, '?key=%00', '?other=1'])(
  'what is no link is a page that says so: %s',
  async (query) => {
    const page = await createTestBrowser(server).open(`/link${query}`)

    expect([page.status, page.html]).toEqual([404, expect.stringContaining('This link is not valid')])
  },
)
