import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseTarget } from './request-head.ts'

test.each<[string, string, string, string?]>([
  ['/', '/', ''],
  ['/v1/sync?from=1&x=?', '/v1/sync', 'from=1&x=?'],
  ['/v1/sync?', '/v1/sync', ''],
  ['//', '//', ''],
  ['///x', '///x', ''],
  ['//things.example/v1/sync', '//things.example/v1/sync', ''],
  ['http://things.example/v1/sync?from=1', '/v1/sync', 'from=1', 'things.example'],
  ['HTTPS://a:b@things.example:99999/', '/', '', 'a:b@things.example:99999'],
])('the target %s is the path %s and the query %j', (target, path, query, host) => {
  expect(parseTarget(target)).toEqual({ path, query, host })
})

test.each([
  '',
  '*',
  'http://',
  'foo://',
  'http://a:b@',
  'http://things.example',
  'http://things.example?from=1/2',
  'http:///v1/sync',
  'ftp://things.example/v1/sync',
  'things.example:80',
  'v1/sync',
  '?from=1',
  '#/',
  '/v1/sync#x?y',
  '/v1/sync?from=1#',
  'http://things.example/v1/sync#x',
])('%j is no valid target', (target) => {
  expect(parseTarget(target)).toBeUndefined()
})

test('any target parses to a part of itself, or not at all', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })), (target) => {
      const read = parseTarget(target)
      if (read !== undefined) expect(target).toContain(read.path)
    }),
  )
})
