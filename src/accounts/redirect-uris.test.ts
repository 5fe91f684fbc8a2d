import { expect, test } from 'vitest'
import { findRedirectUri, isSameRedirect, refuseBadRedirectUris } from './redirect-uris.ts'

const app = (...redirectUris: string[]) => ({ clientId: 'a', name: 'app', createdAt: 0, redirectUris })

test.each([
  'https://app.example',
  'https://app.example/back',
  'https://app.example:8443/back?from=thingsync',
  'http://127.0.0.1/back',
  'http://127.0.0.1:8080/back',
  'http://[::1]/back',
  'http://localhost:3000/back',
  'com.example.app:/back',
  'com.example.app://back',
])('people may be sent to %s', (uri) => {
  expect(() => refuseBadRedirectUris([uri])).not.toThrow()
})

test.each([
  ['', 'is no absolute address'],
  ['/back', 'is no absolute address'],
  ['//app.example/back', 'is no absolute address'],
  ['https://app.example/back#top', 'has a fragment'],
  ['https://app.example/back#', 'has a fragment'],
  ['https://anna@app.example/back', 'user name or password'],
  ['https://anna:secret@app.example/', 'user name or password'],
  ['https://*.app.example/', 'has a * in it'],
  ['http://app.example/back', 'is http; that is for'],
  ['http://127.0.0.1.app.example/', 'is http; that is for'],
  ['http://localhost.app.example/', 'is http; that is for'],
  ['http://127.0.0.2/', 'is http; that is for'],
  ['javascript:alert(1)', 'scheme that is not allowed'],
  ['data:text/html,x', 'scheme that is not allowed'],
  ['myapp:/back', 'scheme that is not allowed'],
  ['com.example.app:back', 'scheme that is not allowed'],
  ['https://APP.example/back', 'has to be written https://app.example/back'],
  ['https://app.example/a/../back', 'has to be written https://app.example/back'],
  ['https://app.example\\back', 'has to be written https://app.example/'],
  ['https://app.example:443/', 'has to be written https://app.example/'],
  ['https://b\u00fccher.example/', 'has to be written https://xn--bcher-kva.example/'],
  ['https://app.example/ back', 'has to be written https://app.example/%20back'],
  ['https://app.example/\nback', 'has to be written https://app.example/back'],
  [`https://app.example/${'x'.repeat(2000)}`, 'has more than 2000 characters'],
])('nobody is sent to %j: %s', (uri, reason) => {
  expect(() => refuseBadRedirectUris(['https://app.example/', uri])).toThrow(reason)
})

test('an app may have 20 redirect addresses', () => {
  const uris = Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`)

  expect(() => refuseBadRedirectUris(uris.slice(1))).not.toThrow()
  expect(() => refuseBadRedirectUris(uris)).toThrow('an app may have 20 redirect addresses')
})

test('an address that is named must be one of the app to the letter', () => {
  const registered = ['https://app.example/back', 'com.example.app:/back']
  const find = (named: string) => findRedirectUri(app(...registered), named)

  expect(registered.map(find)).toEqual(registered)
  for (const named of [
    '',
    'https://app.example/back/',
    'https://app.example/back?',
    'https://app.example/back#',
    'https://app.example/back/../back',
    'https://app.example/BACK',
    'https://APP.example/back',
    'https://app.example:443/back',
    'https://app.example:8443/back',
    'https://app.example.evil.example/back',
    'https://app.example@evil.example/back',
    'https://evil.example\\@app.example/back',
    '//app.example/back',
    'http://app.example/back',
    'com.example.app://back',
  ])
    expect(find(named), named).toBeUndefined()
})

test('only the port of a loopback address may be another one', () => {
  const find = (named: string) => findRedirectUri(app('http://127.0.0.1/back?a=b', 'http://[::1]:1/back'), named)

  for (const named of ['http://127.0.0.1:49152/back?a=b', 'http://127.0.0.1/back?a=b', 'http://[::1]:8080/back'])
    expect(find(named)).toBe(named)
  for (const named of [
    'http://127.0.0.1:49152/other?a=b',
    'http://127.0.0.1:49152/back',
    'http://127.0.0.1:99999/back?a=b',
    'http://127.0.0.1:80@evil.example/back?a=b',
    'http://127.0.0.1:80.evil.example/back?a=b',
    'http://localhost:49152/back?a=b',
    'https://127.0.0.1:49152/back?a=b',
  ])
    expect(find(named), named).toBeUndefined()
})

test('when none is named it is the only one of the app', () => {
  expect(findRedirectUri(app('https://app.example/'), undefined)).toBe('https://app.example/')
  expect(findRedirectUri(app('https://app.example/', 'https://app.example/2'), undefined)).toBeUndefined()
  expect(findRedirectUri(app(), undefined)).toBeUndefined()
  expect(
    findRedirectUri({ clientId: 'a', name: 'an app of an earlier version', createdAt: 0 }, undefined),
  ).toBeUndefined()
})

test('a token request may name the address with what was appended to it, and with nothing else', () => {
  const plain = 'https://app.example/back'
  const query = 'https://app.example/back?a=b'

  for (const [redirectUri, named] of [
    [plain, plain],
    [plain, `${plain}?code=C`],
    [plain, `${plain}?code=C&state=x%20y&iss=https%3A%2F%2Fthings.example`],
    [query, `${query}&state=&code=C`],
    ['https://app.example', 'https://app.example/?code=C'],
    ['com.example.app:/back', 'com.example.app:/back?code=C'],
  ] as const)
    expect(isSameRedirect(redirectUri, named, 'C'), named).toBe(true)
  for (const [redirectUri, named] of [
    [plain, `${plain}?code=D`],
    [plain, `${plain}?state=x`],
    [plain, `${plain}?code=C&code=D`],
    [plain, `${plain}?code=C&next=x`],
    [plain, `${plain}/?code=C`],
    [plain, `${plain}&code=C`],
    [query, `${query}?code=C`],
    [plain, `https://evil.example/?${plain}?code=C`],
    [plain, ''],
  ] as const)
    expect(isSameRedirect(redirectUri, named, 'C'), named).toBe(false)
})
