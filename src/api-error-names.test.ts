import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitizeName } from './api-error.ts'

test('an ordinary name is shown as it is', () => {
  expect(['', 'new_thing', 'día', 'a]b'].map(sanitizeName)).toEqual(['', 'new_thing', 'día', 'a]b'])
})

test('a long name is cut to 60 characters and ends in an ellipsis', () => {
  expect(sanitizeName('x'.repeat(60))).toBe('x'.repeat(60))
  expect(sanitizeName('x'.repeat(1_000_000))).toBe(`${'x'.repeat(59)}…`)
  expect(sanitizeName('👧'.repeat(61))).toBe(`${'👧'.repeat(59)}…`)
})

test('no name brings control characters or lone surrogates into a response', () => {
  expect(sanitizeName('a\r\nb\u2028c\ud800')).toBe('a��b�c�')
  fc.assert(fc.property(fc.string({ unit: 'binary' }), (name) => !/[\p{Cc}\p{Cs}]/u.test(sanitizeName(name))))
})
