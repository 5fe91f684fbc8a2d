import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { findAccessToken } from './credentials.ts'

const find = (authorization?: string, query: string[] = [], body: string[] = []) =>
  findAccessToken({ authorization, query, body })

test.each([
  'Bearer T0k-en_.~',
  'bearer   T0k-en_.~ ',
  'BEARER\tT0k-en_.~',
  'OAuth T0k-en_.~',
  'oauth T0k-en_.~',
  'Token T0k-en_.~',
  'access_token=T0k-en_.~',
  'access_token="T0k-en_.~"',
  'access_token = "T0k-en_.~"',
  'token=T0k-en_.~',
  'OAuth access_token="T0k-en_.~"',
  'Bearer access_token=T0k-en_.~',
  'Token token="T0k-en_.~"',
  'Bearer "T0k-en_.~"',
  'T0k-en_.~',
])('the header %s presents the token', (authorization) => {
  expect(find(authorization)).toBe('T0k-en_.~')
})

test.each(['abc=', 'abc=='])('a bearer token may end in padding: %s', (token) => {
  expect(find(`Bearer ${token}`)).toBe(token)
})

test('a query or body parameter presents the token', () => {
  expect(find(undefined, ['T'])).toBe('T')
  expect(find(undefined, [], ['T'])).toBe('T')
})

test.each([
  undefined,
  '',
  ' ',
  'Bearer',
  'Bearer ',
  'OAuth',
  'access_token=',
  'access_token=""',
  'OAuth access_token=""',
])('the header %s presents no token, so that a parameter may', (authorization) => {
  expect(find(authorization)).toBeUndefined()
  expect(find(authorization, ['', 'T'], [''])).toBe('T')
})

test.each(['Basic YTpi', 'basic YTpi', 'Basic', 'Digest username="a"', 'Negotiate abc'])(
  'the header %s is of another scheme and presents no access token',
  (authorization) => {
    expect(find(authorization)).toBeUndefined()
  },
)

test('different tokens are rejected, in different locations and in the same location', () => {
  const different: [string | undefined, string[], string[]][] = [
    ['Bearer T', ['U'], []],
    ['access_token=T', [], ['U']],
    [undefined, ['T'], ['U']],
    [undefined, ['T', 'U'], []],
    [undefined, ['T', ''], ['T', 'U']],
    ['Bearer T', ['T'], ['U']],
  ]

  for (const ways of different) expect(() => find(...ways)).toThrow(new ApiError('tokenTwice'))
})

test('the same token may be presented in all locations at once', () => {
  expect(find('Bearer T', ['T', 'T'], ['T'])).toBe('T')
  expect(find('OAuth access_token="T"', ['', 'T'])).toBe('T')
})

test('a header with two tokens is a single invalid token, never the first of them', () => {
  expect(find('Bearer one two')).toBe('one two')
})

test('any header is parsed without an error', () => {
  const part = fc.oneof(fc.constantFrom('Bearer', 'OAuth', ' ', '=', '"', 'access_token', 'basic'), fc.string())
  fc.assert(fc.property(fc.array(part), (parts) => find(parts.join('')) !== ''))
})
