import fc from 'fast-check'
import { expect, test } from 'vitest'
import { runWhole } from '../slices.ts'
import { parseLongArray } from './parse-long-array.ts'

const parse = (text: string) => runWhole(parseLongArray(Buffer.from(text)))

/** What JSON.parse makes of it; undefined when it is no array that begins at once. */
const parseWhole = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return text.startsWith('[') && Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Long enough to stand in a piece of its own. */
const long = JSON.stringify('],["}{\\'.repeat(200))

test('every array is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.constant(JSON.parse(long)))), fc.nat(3), (items, indent) => {
      const text = `${JSON.stringify(items, undefined, indent)} \n`
      expect(parse(text)).toEqual(parseWhole(text))
    }),
  )
})

test('whatever JSON.parse refuses is refused, wherever the array is cut', () => {
  const part = fc.constantFrom('[', ']', '{', '}', ',', ':', '"', '\\', ' ', '1', 'null', '"a"', '{"a":1}', long, '👧')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = `[${parts.join('')}`
      expect(parse(text)).toEqual(parseWhole(text))
      expect(parse(`${text}]`)).toEqual(parseWhole(`${text}]`))
    }),
    { numRuns: 2000 },
  )
})

test.each([
  `[${long},]`,
  `[${long},,1]`,
  `[,${long}]`,
  `[${long}}`,
  `[${long}] 1`,
  `[${long},${long}`,
  `[${long},{]},1]`,
  `[${long} ${long}]`,
  '',
  '{}',
  ' []',
])('what is not exactly an array is none: %.12s', (text) => {
  expect(parse(text)).toBeUndefined()
})
