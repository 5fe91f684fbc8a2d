import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createTokenSearch } from './credentials.ts'

/** Searches a form that arrives in chunks of so many bytes. */
const search = (form: string | Buffer, chunkBytes = Number.POSITIVE_INFINITY): string | undefined => {
  const bytes = Buffer.from(form)
  const { add, end } = createTokenSearch()
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const found = add(bytes.subarray(at, at + chunkBytes))
    if (found !== undefined) return found
  }
  return end()
}

test.each([
  ['access_token=T', 'T'],
  ['access_token=T&', 'T'],
  ['a=1&access_token=T&b=2', 'T'],
  ['&&access_token=T', 'T'],
  ['%61ccess%5Ftoken=T', 'T'],
  ['%61%63%63%65%73%73%5f%74%6f%6b%65%6e=T', 'T'],
  ['access_token=%54+%2B%3D=', 'T +=='],
  ['access_token=&access_token=T', 'T'],
  ['access_token&access_token=T', 'T'],
  ['access_token=T&access_token=U', 'T'],
  ['a=%zz&%zz=1&\xff&access_token=T', 'T'],
])('in %s the token is %s, however it arrives', (form, token) => {
  for (const chunkBytes of [1, 2, 3, 7, 1000]) expect(search(form, chunkBytes)).toBe(token)
})

test.each([
  '',
  'access_token',
  'access_token=',
  'access_token=&a=access_token=T',
  'access_tokens=T',
  'access_toke=T',
  'Access_token=T',
  'access_token[]=T',
  'access%token=T',
  'access_token%3DT',
  'access+token=T',
  'a=%26access_token=T',
])('%j holds no token', (form) => {
  for (const chunkBytes of [1, 1000]) expect(search(form, chunkBytes)).toBeUndefined()
})

test.each([
  'access_token=%',
  'access_token=%4',
  'access_token=%zz',
  'access_token=%FF',
  `access_token=${'T'.repeat(2000)}`,
])('a value that cannot be a token counts as an invalid token: %.20s', (form) => {
  expect(search(form)).toBe(' ')
  expect(search(`${form}&`, 1)).toBe(' ')
})

test('a token is found as soon as its field ends', () => {
  const { add } = createTokenSearch()

  expect(add(Buffer.from('access_token=T'))).toBeUndefined()
  expect(add(Buffer.from('&and then'))).toBe('T')
})

test('the search finds the same token as decoding the whole form', () => {
  const name = fc.oneof(fc.constantFrom('access_token', 'access', 'access_token[]', 'a'), fc.string({ unit: 'binary' }))
  const value = fc.oneof(fc.constantFrom('', 'T', 'access_token', '&', '%'), fc.string({ unit: 'binary' }))
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.integer({ min: 1, max: 20 }), (fields, chunkBytes) => {
      const form = new URLSearchParams(fields).toString()
      const expected = [...new URLSearchParams(form)].find(
        ([key, token]) => key === 'access_token' && token !== '',
      )?.[1]
      expect(search(form, chunkBytes)).toBe(expected)
    }),
  )
})
