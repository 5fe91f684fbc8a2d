import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import { decodeFormLeniently, decodeForm as decodeInPieces } from './form.ts'
import { longBytes } from './request-body.ts'

/** Above the number of fields of all forms here. */
const many = 1_000_000

const decodeForm = (bytes: Buffer, maxFields: number) => runToEnd(decodeInPieces(bytes, maxFields))
const decode = (text: string) => decodeForm(Buffer.from(text, 'latin1'), many)

test('fields come out in order, repeated names and empty parts included', () => {
  expect(decode('a=1&b=&c&=d&&a=2&a[]=%5B%5D&=')).toEqual([
    ['a', '1'],
    ['b', ''],
    ['c', ''],
    ['', 'd'],
    ['a', '2'],
    ['a[]', '[]'],
    ['', ''],
  ])
  expect(decode('')).toEqual([])
})

test('a plus is a space, an escaped plus is a plus, a later = belongs to the value', () => {
  expect(decode('a+b=c%2Bd+e=f')).toEqual([['a b', 'c+d e=f']])
})

test('escaped and plain UTF-8 both decode, in names and values, and a byte order mark stays', () => {
  expect(decodeForm(Buffer.from('d%C3%ADa=%F0%9f%91%A7👧\ufeff'), many)).toEqual([['día', '👧👧\ufeff']])
})

test('20,000 repeated parameters are all kept', () => {
  const ids = Array.from({ length: 20_000 }, (_, i) => `id${i}`)

  const fields = decode(ids.map((id) => `deleted_thing%5B%5D=${id}`).join('&'))

  expect(fields).toEqual(ids.map((id) => ['deleted_thing[]', id]))
})

test('a form of half a million names without values is not searched for each of them', () => {
  expect(decode('a&'.repeat(500_000))).toHaveLength(500_000)
})

test('the error of a malformed escape or malformed UTF-8 names the parameter', () => {
  const sentences = ['a=%', 'a=%4', 'a=%4&b=1', 'a=%zz', 'a=%C3', 'a=\xff', '%C3=a', '%4=1'].map((form) => {
    try {
      return decode(form)
    } catch (error) {
      return error instanceof ApiError ? error.message : error
    }
  })

  expect(sentences).toEqual([
    ...Array.from({ length: 6 }, () => 'a is not percent-encoded UTF-8'),
    'A parameter name is not percent-encoded UTF-8',
    'A parameter name is not percent-encoded UTF-8',
  ])
})

test('a form with too many fields, empty ones included, is rejected before decoding', () => {
  const tooManyError = new ApiError('tooManyItems', { parameter: 'The form', reason: 'has more than 2 fields' })

  expect(decodeForm(Buffer.from('a&b'), 2)).toHaveLength(2)
  for (const form of ['%61=%61&b&c', '&&&', '%&%&%']) {
    const bytes = Buffer.from(form)
    expect(() => decodeForm(bytes, 2)).toThrow(tooManyError)
    // Decoding would overwrite the bytes of the form.
    expect(bytes.toString()).toBe(form)
  }
})

test('the fields of a form are counted in pieces', () => {
  const work = decodeInPieces(Buffer.from('&'.repeat(20_000)), 10_000)

  expect([work.next().done, work.next().done]).toEqual([false, false])
  expect(() => work.next()).toThrow('The form has more than 10000 fields')
})

test('the fields that a browser encodes are decoded', () => {
  const text = fc.string({ unit: 'binary' })
  fc.assert(
    fc.property(fc.array(fc.tuple(text, text)), (fields) => {
      const encoded = new URLSearchParams(fields).toString()
      expect(decodeForm(Buffer.from(encoded), many)).toEqual([...new URLSearchParams(encoded)])
    }),
  )
})

test('a long value is returned as bytes of the same text', () => {
  const text = '{"title":"ключ + 100 %"},'.repeat(longBytes / 20)
  const encoded = new URLSearchParams([
    ['short', 'ä'],
    ['long', text],
    ['long', 'x'],
  ]).toString()

  const fields = decodeForm(Buffer.from(encoded), many)

  expect(fields.map(([, value]) => Buffer.isBuffer(value))).toEqual([false, true, false])
  expect(fields.map(([name, value]) => [name, String(value)])).toEqual([...new URLSearchParams(encoded)])
})

test.each(['%', '%4', '%zz', '%C3', '\xff'])('the error of a long value that ends in %j names it', (end) => {
  const bytes = Buffer.from(`long=${'x'.repeat(longBytes)}${end}`, 'latin1')

  expect(() => decodeForm(bytes, many)).toThrow('long is not percent-encoded UTF-8')
})

test('an escape is decoded wherever a long value is interrupted', () => {
  for (const before of [0, 1, 2, 3]) {
    const text = `${'x'.repeat(longBytes - before)}%41${'y'.repeat(longBytes)}`
    const [field] = decodeForm(Buffer.from(`a=${text}`), many)
    expect(String(field?.[1]) === text.replace('%41', 'A')).toBe(true)
  }
})

test('any bytes give fields or an ApiError', () => {
  const formLike = fc
    .array(fc.constantFrom('%', '&', '=', '+', '4', 'C', 'a', '\xc3', '\x00'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        formLike.map((text) => Buffer.from(text, 'latin1')),
      ),
      (bytes) => {
        try {
          decodeForm(Buffer.from(bytes), many)
        } catch (error) {
          expect(error).toBeInstanceOf(ApiError)
        }
      },
    ),
  )
})

test('lenient decoding: a malformed value hides no other, and a field with a malformed name is skipped', () => {
  const decodeLoosely = (text: string) => decodeFormLeniently(Buffer.from(text, 'latin1'), many)

  expect(decodeLoosely('a=%ff&b=1&&c=100%&%zz=2&d&a=%C3%A4&=x')).toEqual([
    ['a', undefined],
    ['b', '1'],
    ['c', undefined],
    ['d', ''],
    ['a', 'ä'],
    ['', 'x'],
  ])
  expect(() => decodeFormLeniently(Buffer.from('a&b&c'), 2)).toThrow('more than 2 fields')
})
