import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { bundleModules } from '../../test/support/bundle-modules.ts'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import { isJsonObject, parseArray, parseJson, parseObject } from './json.ts'

test('the error of invalid JSON names its parameter, at any depth', () => {
  for (const text of ['', '{', "{'a':1}", '{"a":1}x', 'undefined', '['.repeat(1_000_000)]) {
    expect(() => parseJson(text, 'new_thing[3]')).toThrow(
      new ApiError('parameterInvalid', { parameter: 'new_thing[3]', reason: 'is not valid JSON' }),
    )
  }
  expect(parseJson(' {"a": [1]} ', 'p')).toEqual({ a: [1] })
})

test('only an object is a JSON object', () => {
  expect([{}, [], null, '{}', 1, true].map(isJsonObject)).toEqual([true, false, false, false, false, false])
})

const parse = (text: string) => runToEnd(parseArray(Buffer.from(text)))

/** Parses with JSON.parse; undefined when the result is no array. */
const parseWhole = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** Long enough for a piece of its own. */
const long = JSON.stringify('],["}{\\'.repeat(200))

test('every array is parsed as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.constant(JSON.parse(long)))), fc.nat(3), (items, indent) => {
      const text = ` ${JSON.stringify(items, undefined, indent)} \n`
      expect(parse(text)).toEqual(parseWhole(text))
    }),
  )
})

test('an array that JSON.parse rejects is rejected, wherever it is cut', () => {
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
  ' [1 ] 1',
])('a text that is not exactly an array is rejected: %.12s', (text) => {
  expect(parse(text)).toBeUndefined()
})

const parseMembers = (text: string) => runToEnd(parseObject(Buffer.from(text)))

/** Parses an object with JSON.parse; undefined for any other text. */
const parseWholeObject = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

test('every object is parsed as JSON.parse does, names in the same order', () => {
  const name = fc.oneof(fc.constantFrom('__proto__', 'constructor', '1', '0', 'a', 'a"]}'), fc.string())
  fc.assert(
    fc.property(fc.array(fc.tuple(name, fc.jsonValue())), fc.constantFrom('', ' ', '\n\t'), (members, space) => {
      const parts = members.map(([key, value]) =>
        [JSON.stringify(key), JSON.stringify(value)].join(`${space}:${space}`),
      )
      const text = `${space}{${space}${parts.join(`${space},${space}`)}${space}}${space}`
      const parsed = parseMembers(text)
      expect(parsed).toEqual(parseWholeObject(text))
      expect(Object.keys(parsed ?? {})).toEqual(Object.keys(parseWholeObject(text) ?? {}))
    }),
  )
})

test('an object that JSON.parse rejects is rejected', () => {
  const part = fc.constantFrom('[', ']', '{', '}', ',', ':', '"a":', '"', '\\', ' ', '1', '[1]', '{"a":1}', '"b"', '👧')
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      for (const text of [`{"a":${parts.join('')}`, `{${parts.join('')}}`, parts.join('')])
        expect(parseMembers(text)).toEqual(parseWholeObject(text))
    }),
    { numRuns: 3000 },
  )
})

const escapes = ['\\u0061', '\\u4e00', '\\ud83d\\ude00', '\\ud83d', '\\n', '\\\\', '\\"', '\\/', '一', '👧', 'a']

test('a long text of escapes is parsed as JSON.parse does, wherever it is cut', () => {
  for (const sign of escapes) {
    for (const shift of [0, 1, 2, 3, 5]) {
      const text = `"${'b'.repeat(shift)}${sign.repeat(150_000 / sign.length)}"`
      for (const json of [`{"a":${text}}`, `{${text}:[${text},{"c":{"d":${text}}}],"e": [1, 2 ,${text} ] }`]) {
        expect(runToEnd(parseObject(Buffer.from(json)))).toEqual(JSON.parse(json))
      }
    }
  }
})

test('a long text that is not valid JSON is rejected, wherever its error is', () => {
  const begun = '\\u0061'.repeat(20_000)
  for (const wrong of ['\\u00"', '\\u00g0', '\\x', '\n', '\\', '']) {
    for (const json of [`{"a":"${begun}${wrong}`, `{"a":"${wrong}${begun}"`, `{"a":"${begun}${wrong}${begun}`]) {
      expect(runToEnd(parseObject(Buffer.from(json)))).toBeUndefined()
    }
    if (wrong !== '' && wrong !== '\\')
      expect(runToEnd(parseObject(Buffer.from(`{"a":["${begun}${wrong}${begun}"]}`)))).toBeUndefined()
  }
  for (const json of [`{"a":["${begun}"`, `{"a":["${begun}",]}`, `{"a":"${begun}"}x`, `{"a":{"b":"${begun}"}`]) {
    expect(runToEnd(parseObject(Buffer.from(json)))).toBeUndefined()
  }
})

test('the parser yields at least every 64 KiB of a long text', () => {
  const text = `"${'\\u0061'.repeat(200_000)}"`
  for (const json of [`{"a":${text}}`, `{${text}:1}`, `{"a":{"b":${text}}}`, `{"a":[1,{"b":${text}}]}`]) {
    const work = parseObject(Buffer.from(json))
    let turns = 0
    while (work.next().done !== true) turns++
    expect(turns).toBeGreaterThanOrEqual(Math.floor(text.length / (64 * 1024)))
  }
})

const modules = await bundleModules(['wire/json.ts', 'scheduling.ts'])
afterAll(modules.remove)

/** Runs in a process of its own that parses nothing else, because that decides what the engine compiles, and when. */
const script = `
import { parseObject } from '${modules.urlOf('wire/json.ts')}'
import { runToEnd } from '${modules.urlOf('scheduling.ts')}'
const note = 'x'.repeat(2_000)
let rejected = 0
for (let n = 0; n < 4_000; n += 1) {
  const value = { from: n, new_thing: [{ local_id: 'a' + n, title: 'a' + n, html: note }] }
  if (runToEnd(parseObject(Buffer.from(JSON.stringify(value)))) === undefined) rejected += 1
}
console.log(rejected)
`

test('valid texts stay valid when the engine has compiled the parser', () => {
  const runs = Array.from({ length: 3 }, () =>
    spawnSync(process.execPath, ['--input-type=module', '--eval', script], { encoding: 'utf8' }),
  )

  expect(runs.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['0\n', '0\n', '0\n'])
})
