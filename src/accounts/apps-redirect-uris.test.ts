import { expect, test } from 'vitest'
import { validateRedirectUris } from './apps.ts'

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
])('an app may register %s', (uri) => {
  expect(() => validateRedirectUris([uri])).not.toThrow()
})

test.each([
  ['', 'is not an absolute URL'],
  ['/back', 'is not an absolute URL'],
  ['//app.example/back', 'is not an absolute URL'],
  ['https://app.example/back#top', 'has a fragment'],
  ['https://app.example/back#', 'has a fragment'],
  ['https://app.example/back?code=x', 'has code in its query'],
  ['https://app.example/back?x=1&state=', 'has state in its query'],
  ['https://app.example/back?iss=https://app.example', 'has iss in its query'],
  ['com.example.app:/back?%65rror=x', 'has error in its query'],
  ['https://anna@app.example/back', 'user name or password'],
  ['https://anna:secret@app.example/', 'user name or password'],
  ['https://*.app.example/', 'has a * in it'],
  ['http://app.example/back', 'uses http, which only'],
  ['http://127.0.0.1.app.example/', 'uses http, which only'],
  ['http://localhost.app.example/', 'uses http, which only'],
  ['http://127.0.0.2/', 'uses http, which only'],
  ['javascript:alert(1)', 'scheme that is not allowed'],
  ['data:text/html,x', 'scheme that is not allowed'],
  ['myapp:/back', 'scheme that is not allowed'],
  ['com.example.app:back', 'scheme that is not allowed'],
  ['https://APP.example/back', 'must be written https://app.example/back'],
  ['https://app.example/a/../back', 'must be written https://app.example/back'],
  ['https://app.example\\back', 'must be written https://app.example/'],
  ['https://app.example:443/', 'must be written https://app.example/'],
  ['https://b\u00fccher.example/', 'must be written https://xn--bcher-kva.example/'],
  ['https://app.example/ back', 'must be written https://app.example/%20back'],
  ['https://app.example/\nback', 'must be written https://app.example/back'],
  [`https://app.example/${'x'.repeat(2000)}`, 'has more than 2000 characters'],
])('no app may register %j: %s', (uri, reason) => {
  expect(() => validateRedirectUris(['https://app.example/', uri])).toThrow(reason)
})

test('an app may have at most 20 redirect URIs', () => {
  const uris = Array.from({ length: 21 }, (_, n) => `https://app.example/${n}`)

  expect(() => validateRedirectUris(uris.slice(1))).not.toThrow()
  expect(() => validateRedirectUris(uris)).toThrow('an app may have at most 20 redirect URIs')
})
