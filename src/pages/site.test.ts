import { expect, test } from 'vitest'
import { createFindSite } from './site.ts'

test('a base URL sets the site, whatever the Host header says', () => {
  const find = createFindSite('/things/v1/', 'https://example.org/things/v1/')

  const site = find({ host: 'evil.example', isEncrypted: false })

  expect([site.origin, site.prefix, site.isSecure, site.baseUrl, site.href('/account')]).toEqual([
    'https://example.org',
    '/things',
    true,
    'https://example.org/things/v1/',
    '/things/account',
  ])
})

test.each([
  ['127.0.0.1:8484', false, 'http://127.0.0.1:8484'],
  ['[::1]:8484', false, 'http://[::1]:8484'],
  ['Things.Local', true, 'https://things.local'],
  ['my_server-1.local.:80', false, 'http://my_server-1.local.'],
  ['things.local:', false, 'http://things.local'],
])('without a base URL, the Host header sets the site: %s', (host, isEncrypted, origin) => {
  const site = createFindSite('/v1/', undefined)({ host, isEncrypted })

  expect([site.origin, site.prefix, site.isSecure]).toEqual([origin, '', isEncrypted])
})

test.each([
  undefined,
  '',
  'a b',
  'evil/path',
  'a@b',
  '"><script>',
  'h:123456',
  'a:99999',
  '300.1.1.1',
  '[:::]',
  'a..b',
  '-',
  '%',
])('an invalid Host is not shown: %s', (host) => {
  expect(createFindSite('/v1/', undefined)({ host, isEncrypted: false }).origin).toBe('http://localhost')
})
