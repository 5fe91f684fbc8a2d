import { expect, test } from 'vitest'
import { systemEnvironment } from '../environment.ts'
import { createCookieJar } from './cookies.ts'
import { createFindSite } from './site.ts'

const siteAt = (baseUrl: string) =>
  createFindSite(new URL(baseUrl).pathname, baseUrl)({ host: undefined, isEncrypted: false })
const secret = systemEnvironment.newSecret()
const pairOf = (cookie: string) => cookie.split(';', 1)[0] ?? ''

test('with https only this host can set the cookie, for all paths as __Host- requires', () => {
  const cookie = createCookieJar(siteAt('https://example.org/things/v1/')).write('session', secret)

  expect(cookie).toMatch(/^__Host-thingsync-[\da-f]{8}=/)
  expect(cookie).toContain('; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=2592000')
})

test('without https a cookie has a plain name and the path prefix', () => {
  const cookie = createCookieJar(siteAt('http://127.0.0.1:8484/things/v1/')).write('session', secret)

  expect(cookie).toMatch(/^thingsync-[\da-f]{8}=/)
  expect(cookie).toContain('; Path=/things/; HttpOnly; SameSite=Lax; Max-Age=2592000')
  expect(cookie).not.toContain('Secure')
})

test('servers on other ports, and below other prefixes of a host, have cookies of their own', () => {
  const addresses = ['http://h:1/v1/', 'http://h:2/v1/', 'https://h/v1/', 'https://h/anna/v1/', 'https://h/ben/v1/']
  const names = addresses.map((address) => pairOf(createCookieJar(siteAt(address)).write('session', secret)))

  expect(new Set(names).size).toBe(addresses.length)
})

test('a cookie is read back among others; each kind has its own', () => {
  const jar = createCookieJar(siteAt('https://example.org/v1/'))
  const header = `theme=dark; ${pairOf(jar.write('session', secret))}; x=y`

  expect([jar.read(header, 'session'), jar.read(header, 'visitor')]).toEqual([[secret], []])
})

test('all cookies of a name are read, each secret once, unless there are too many', () => {
  const jar = createCookieJar(siteAt('http://127.0.0.1:8484/things/v1/'))
  const secrets = Array.from({ length: 21 }, () => systemEnvironment.newSecret())
  const read = (...given: string[]) =>
    jar.read(given.map((one) => pairOf(jar.write('session', one))).join('; '), 'session')

  expect(read(secret, ...secrets.slice(2), secret)).toEqual([secret, ...secrets.slice(2)])
  expect(read(...secrets)).toEqual([])
})

test.each(['', 'short', `${'a'.repeat(43)}"`, 'a'.repeat(44), '"', `${'ä'.repeat(43)}`])(
  'what we never gave out is no secret: %s',
  (value) => {
    const jar = createCookieJar(siteAt('https://example.org/v1/'))
    const name = pairOf(jar.write('session', secret)).split('=')[0]

    expect(jar.read(`${name}=${value}`, 'session')).toEqual([])
  },
)
