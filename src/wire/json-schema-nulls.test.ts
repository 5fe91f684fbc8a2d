import { expect, test } from 'vitest'
import { dropNulls, type JsonSchema } from './json-schema.ts'

const text: JsonSchema = { type: 'string', nullable: true }
const thing: JsonSchema = { allOf: [{ properties: { title: text } }, { properties: { url: text } }] }
const schema: JsonSchema = {
  properties: {
    from: { type: 'integer' },
    new_thing: { type: 'array', items: thing },
    ids: { type: 'array', items: text },
    tag: { type: 'object', additionalProperties: { properties: { color: text } } },
  },
}

test('declared fields that are null are dropped, at any depth', () => {
  const value = {
    from: null,
    new_thing: [{ title: null, url: 'a' }, { title: 'b' }],
    tag: { a: { color: null }, b: {} },
  }

  expect(dropNulls(value, schema)).toEqual({ new_thing: [{ url: 'a' }, { title: 'b' }], tag: { a: {}, b: {} } })
  expect(value.tag.a).toEqual({ color: null })
})

test('items, entries of maps, and undeclared fields stay', () => {
  const value = { new_thing: [null], ids: [null], tag: { a: null }, other: null }

  expect(dropNulls(value, schema)).toBe(value)
})

test('names chosen by a client are kept as they are', () => {
  const value = JSON.parse('{"tag":{"__proto__":{"color":null},"constructor":{"color":"#fff"}}}')

  expect(JSON.stringify(dropNulls(value, schema))).toBe('{"tag":{"__proto__":{},"constructor":{"color":"#fff"}}}')
})
