import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isText } from './json-schema.ts'

test('every well-formed text without NUL is text, including emoji and the empty text', () => {
  const wellFormed = fc.string({ unit: 'binary' }).filter((value) => !value.includes('\0'))

  fc.assert(fc.property(wellFormed, (value) => isText(value)))
  expect(['', 'día', '👩‍👧', '\uffff', '\n\t'].map(isText)).toEqual([true, true, true, true, true])
})

test('a NUL is not text', () => {
  expect(['\0', 'a\0b'].map(isText)).toEqual([false, false])
})

test('half of a surrogate pair is not text', () => {
  expect(['\ud800', 'a\udc00', '\udc00\ud800', '👧\ud83d'].map(isText)).toEqual([false, false, false, false])
})
