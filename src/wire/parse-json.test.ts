import { expect, test } from 'vitest'
import { Refused } from '../refused.ts'
import { isJsonObject, parseJson } from './parse-json.ts'

test('broken JSON is refused by the name of its parameter, however deep it is', () => {
  for (const text of ['', '{', "{'a':1}", '{"a":1}x', 'undefined', '['.repeat(1_000_000)]) {
    expect(() => parseJson(text, 'new_thing[3]')).toThrow(
      new Refused('parameterInvalid', { parameter: 'new_thing[3]', reason: 'is not valid JSON' }),
    )
  }
  expect(parseJson(' {"a": [1]} ', 'p')).toEqual({ a: [1] })
})

test('only an object is a JSON object', () => {
  expect([{}, [], null, '{}', 1, true].map(isJsonObject)).toEqual([true, false, false, false, false, false])
})
