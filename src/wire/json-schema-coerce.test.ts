import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coerce, type JsonSchema } from './json-schema.ts'

const color: JsonSchema = {
  oneOf: [{ type: 'boolean', enum: [false] }, { type: 'string' }],
}
const todo: JsonSchema = { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['strike', 'dont-strike'] }] }
const thing: JsonSchema = {
  type: 'object',
  properties: {
    local_id: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    title: { type: 'string' },
    date: { type: 'number', nullable: true },
    archived: { type: 'boolean' },
  },
}
const request: JsonSchema = {
  type: 'object',
  properties: {
    from: { type: 'integer' },
    new_thing: { type: 'array', items: thing },
    changed_thing: { type: 'array', items: { allOf: [thing, { properties: { todoStatus: { type: 'boolean' } } }] } },
    tag: {
      type: 'object',
      additionalProperties: { type: 'object', properties: { favorite: { type: 'boolean' }, color, todo } },
    },
  },
}

test.each([
  [true, [true, 1, '1', 'true', 'TRUE', 'tRue', '"true"', '"1"', '"True"']],
  [false, [false, 0, '0', 'false', 'False', '"false"', '"0"']],
])('every accepted spelling of %s becomes that boolean', (boolean, spellings) => {
  expect(spellings.map((value) => coerce(value, { type: 'boolean' }))).toEqual(spellings.map(() => boolean))
})

test('a value that spells no boolean is left for the validator', () => {
  const values = [
    '',
    'yes',
    'on',
    ' true',
    'true ',
    '01',
    '2',
    2,
    -1,
    null,
    [],
    'truetrue',
    '"true',
    '"',
    '""',
    '""1""',
  ]

  expect(values.map((value) => coerce(value, { type: 'boolean' }))).toEqual(values)
})

test('a word in quotes becomes the word where the schema allows no other text', () => {
  const word: JsonSchema = { type: 'string', pattern: '^(true|include)$' }

  expect(['"include"', '"true"', 'include', '"other"', '"include'].map((text) => coerce(text, word))).toEqual([
    ...['include', 'true', 'include'],
    ...['"other"', '"include'],
  ])
  expect(['"strike"', '"true"', '"x"'].map((text) => coerce(text, todo))).toEqual(['strike', true, '"x"'])
  expect(['"true"', '"include"'].map((text) => coerce(text, { oneOf: [word, { type: 'string' }] }))).toEqual([
    ...['"true"', '"include"'],
  ])
})

test('numeric text becomes a number', () => {
  const texts = ['0', '12', '-1', '+7', '1.5', '.5', '5.', '1e3', '2E-1', '007']

  expect(texts.map((text) => coerce(text, { type: 'number', nullable: true }))).toEqual([
    0, 12, -1, 7, 1.5, 0.5, 5, 1000, 0.2, 7,
  ])
})

test('text that is no finite decimal number is left for the validator', () => {
  const values = ['', ' ', ' 1', '0x10', 'Infinity', '1e999', 'NaN', '1_000', '.', 'e3', '1n', true]

  expect(values.map((value) => coerce(value, { type: 'number' }))).toEqual(values)
})

test('a union coerces the boolean that it declares and keeps the text that it declares', () => {
  expect(['false', '0', 0, 'FALSE', '#fff', 'true', 1].map((value) => coerce(value, color))).toEqual([
    ...[false, false, false, false],
    ...['#fff', 'true', 1],
  ])
  expect(['true', '0', 'strike', 'dont-strike'].map((value) => coerce(value, todo))).toEqual([
    true,
    false,
    'strike',
    'dont-strike',
  ])
})

test('text and numbers where both are allowed, and text that looks like something else, stay as they are', () => {
  const sent = {
    new_thing: [
      { local_id: '1', title: 'true' },
      { local_id: 1, title: '0' },
    ],
  }

  expect(coerce(sent, request)).toBe(sent)
})

test('things, maps and combined schemas are coerced at every depth, undeclared fields at none', () => {
  const sent = {
    from: '5',
    extra: '1',
    new_thing: [{ title: '1', archived: '1', extra: '1' }, 'x'],
    changed_thing: [{ date: '1', todoStatus: 'False' }],
    tag: JSON.parse('{"__proto__": {"favorite": 1, "color": "false"}, "constructor": {"todo": "1"}, "": 3}'),
  }

  expect(JSON.stringify(coerce(sent, request))).toBe(
    '{"from":5,"extra":"1","new_thing":[{"title":"1","archived":true,"extra":"1"},"x"],' +
      '"changed_thing":[{"date":1,"todoStatus":false}],' +
      '"tag":{"__proto__":{"favorite":true,"color":false},"constructor":{"todo":true},"":3}}',
  )
})

test('nothing is changed in place, and parts without a change are not copied', () => {
  const sent = { new_thing: [{ title: 'a' }, { archived: '1' }], tag: { a: { favorite: true } } }
  const before = structuredClone(sent)

  const coerced = coerce(sent, request) as typeof sent

  expect(sent).toEqual(before)
  expect(coerced.new_thing[0]).toBe(sent.new_thing[0])
  expect(coerced.tag).toBe(sent.tag)
})

test('a property of the prototype is no field of the value', () => {
  expect(coerce({}, { properties: { constructor: { type: 'boolean' } } })).toEqual({})
})

test('any value is coerced without an error, and a second coercion changes nothing', () => {
  fc.assert(
    fc.property(fc.record({ from: fc.jsonValue(), new_thing: fc.jsonValue(), tag: fc.jsonValue() }), (sent) => {
      const once = coerce(sent, request)
      expect(coerce(once, request)).toBe(once)
    }),
  )
})
