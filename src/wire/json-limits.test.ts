import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import { createJsonMeter, type JsonCuts } from './json.ts'

const limits = { maxJsonDepth: 3, maxJsonMembers: 4, maxJsonValues: 40, maxJsonValuesAtOnce: 10 }

/** Returns the sentence of the error, or undefined. */
const check = (text: string, cuts: JsonCuts = 'nowhere', meter = createJsonMeter(limits)): string | undefined => {
  try {
    runToEnd(meter.check(Buffer.from(text), 'it', cuts))
    return undefined
  } catch (error) {
    if (error instanceof ApiError) return error.message
    throw error
  }
}

const deep = 'it is nested deeper than 3 levels'
const members = 'it holds an object of more than 4 members'
const values = 'it holds more than 40 values'
const atOnce = 'it holds a thing or a map of more than 10 values'
const list = (count: number, item = '1') => `[${Array(count).fill(item).join(',')}]`

test.each<[string, JsonCuts, string | undefined]>([
  ['[[[1]]]', 'nowhere', undefined],
  ['[[[[1]]]]', 'nowhere', deep],
  ['{"a":[{"b":{}}]}', 'nowhere', deep],
  ['[[[', 'nowhere', undefined],
  ['[[[[', 'nowhere', deep],
  ['["[[[[{{{{",[[]]]', 'nowhere', undefined],
  ['["\\\\\\"[[[[",[[]]]', 'nowhere', undefined],
  ['["\\\\",[[[1]]]]', 'nowhere', deep],
  ['[][][][][]', 'nowhere', undefined],
  ['{"a":1,"b":1,"c":1,"d":1}', 'nowhere', undefined],
  ['{"a":1,"b":1,"c":1,"d":1,"e":1}', 'nowhere', members],
  ['{"__proto__":1,"__proto__":1,"__proto__":1,"__proto__":1,"__proto__":1}', 'nowhere', members],
  ['[{"a":1,"b":1},{"a":1,"b":1},1]', 'nowhere', undefined],
  [list(10), 'nowhere', undefined],
  [list(11), 'nowhere', atOnce],
  [list(11), 'between items', undefined],
  [list(40), 'between items', undefined],
  [list(41), 'between items', values],
  [`[${list(8)},${list(8)}]`, 'between items', undefined],
  [`[${list(12)}]`, 'between items', atOnce],
  [`{"a":${list(20)},"b":${list(10)}}`, 'between members and items', undefined],
  [`{"a":${list(12)}}`, 'between items', atOnce],
  [`{"a":{"b":${list(12)}}}`, 'between members and items', atOnce],
  [`{"a":[${list(12)}]}`, 'between members and items', atOnce],
])('%s, cut %s: %s', (text, cuts, sentence) => {
  expect(check(text, cuts)).toBe(sentence)
})

test('the values of all texts of a request are counted together', () => {
  const meter = createJsonMeter(limits)

  expect([1, 2, 3, 4].map(() => check(list(10), 'nowhere', meter))).toEqual(Array(4).fill(undefined))
  expect(check(list(2), 'nowhere', meter)).toBe(values)
})

test('a short text is checked at once, and a text that is too short to exceed a limit is not checked', () => {
  const meter = createJsonMeter(limits)

  expect(() => meter.check('[[[[', 'it', 'nowhere').next()).toThrow(deep)
  expect(() => meter.check(Buffer.from('[[[['), 'it', 'nowhere').next()).toThrow(deep)
  expect(meter.check('[[[', 'it', 'nowhere').next().done).toBe(true)
})

test('a long text is checked in pieces, even with escapes and strings across their ends', () => {
  for (const before of [65_533, 65_534, 65_535, 65_536]) {
    const text = `["${'x'.repeat(before - 2)}\\"[[[[","${'x'.repeat(70_000)}",[[[1]]]]`
    const work = createJsonMeter(limits).check(Buffer.from(text), 'it', 'nowhere')
    expect([work.next().done, work.next().done]).toEqual([false, false])
    expect(() => work.next()).toThrow(deep)
  }
})

test('JSON within the limits is accepted, and JSON above them is rejected', () => {
  const depthOf = (value: unknown): number =>
    typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
      const wide = { maxJsonDepth: 3, maxJsonMembers: 1e9, maxJsonValues: 1e9, maxJsonValuesAtOnce: 1e9 }
      const sentence = check(JSON.stringify(value), 'nowhere', createJsonMeter(wide))
      expect(sentence).toBe(depthOf(value) > 3 ? deep : undefined)
    }),
  )
})
