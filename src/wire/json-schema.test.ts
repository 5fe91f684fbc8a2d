import { expect, test } from 'vitest'
import { allowsType, declaredProperties, itemSchema, type JsonSchema, mapValueSchema } from './json-schema.ts'

const text: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }
const combined: JsonSchema = {
  properties: { a: text },
  allOf: [{ properties: { b: number } }, { oneOf: [{ properties: { __proto: text } }, { items: number }] }],
  anyOf: [{ type: 'object', additionalProperties: text }],
}

test('properties are found in all parts of a schema', () => {
  expect([...declaredProperties(combined)]).toEqual([
    ['a', text],
    ['b', number],
    ['__proto', text],
  ])
  expect(declaredProperties({}).size).toBe(0)
})

test('the schemas of items and map values are found, and undefined where there are none', () => {
  expect([itemSchema(combined), mapValueSchema(combined)]).toEqual([number, text])
  expect([itemSchema(text), mapValueSchema(text), mapValueSchema({ additionalProperties: true })]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test('a schema allows the types of its parts', () => {
  expect([
    allowsType(combined, 'object'),
    allowsType(combined, 'string', 'integer'),
    allowsType(number, 'number'),
  ]).toEqual([true, false, true])
})
