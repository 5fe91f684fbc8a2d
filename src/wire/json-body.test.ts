import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import { decodeJsonBody, defaultJsonLimits } from './json.ts'

const decode = (bytes: Buffer) => runToEnd(decodeJsonBody(bytes, defaultJsonLimits))

test('the members of the object are the fields, whatever their names', () => {
  expect(decode(Buffer.from('{"limit": 3, "__proto__": {"a": null}, "": "día"}'))).toEqual([
    ['limit', 3],
    ['__proto__', { a: null }],
    ['', 'día'],
  ])
})

test('an empty body has no fields', () => {
  expect(decode(Buffer.alloc(0))).toEqual([])
})

test.each([
  ['[]', 'The request body must be a JSON object'],
  ['null', 'The request body must be a JSON object'],
  ['"a"', 'The request body must be a JSON object'],
  ['{"a":', 'The request body is not valid JSON'],
  [' ', 'The request body must be a JSON object'],
  ['{"a":1} 2', 'The request body is not valid JSON'],
  ['{"a":"\xff"}', 'The request body is not UTF-8'],
])('%s is rejected', (body, sentence) => {
  expect(() => decode(Buffer.from(body, 'latin1'))).toThrow(sentence)
})

test('any bytes give fields or an ApiError', () => {
  const bytes = fc.oneof(
    fc.uint8Array(),
    fc.json().map((text) => Buffer.from(text)),
  )
  fc.assert(
    fc.property(bytes, (body) => {
      try {
        decode(Buffer.from(body))
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})
