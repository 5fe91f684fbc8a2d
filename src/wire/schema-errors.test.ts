import { readFileSync } from 'node:fs'
import { type Document, OpenAPIValidator } from 'openapi-backend'
import { expect, test } from 'vitest'
import { isText } from './json-schema.ts'
import { describeViolation } from './schema-errors.ts'

const schema = {
  type: 'object',
  required: ['grant_type'],
  properties: {
    grant_type: { type: 'string', enum: ['password', 'refresh_token'] },
    limit: { type: 'integer', minimum: 0, maximum: 9 },
    new_thing: {
      type: 'array',
      maxItems: 4,
      items: {
        type: 'object',
        required: ['local_id', 'title'],
        additionalProperties: false,
        properties: {
          local_id: { oneOf: [{ type: 'string', maxLength: 1024 }, { type: 'number' }] },
          title: { type: 'string', maxLength: 1024, format: 'text' },
          url: { type: 'string', minLength: 1, nullable: true },
        },
      },
    },
    tag: {
      type: 'object',
      maxProperties: 2,
      propertyNames: { maxLength: 100, format: 'text' },
      additionalProperties: {
        type: 'object',
        properties: {
          color: {
            oneOf: [
              { type: 'boolean', enum: [false] },
              { type: 'string', pattern: '^#[0-9a-f]{3}$' },
            ],
          },
          todo: { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['strike', 'dont-strike'] }] },
        },
      },
    },
    either: {
      anyOf: [
        { type: 'object', required: ['a'] },
        { type: 'object', required: ['b'] },
      ],
    },
    both: { oneOf: [{ type: 'number' }, { type: 'number', minimum: 0 }] },
    list: { type: 'array', minItems: 1, items: { oneOf: [{ type: 'array', items: { type: 'string' } }] } },
    when: { type: 'string', format: 'date' },
  },
}

const validator = new OpenAPIValidator({
  definition: {
    openapi: '3.0.3',
    info: { title: 'test', version: '1' },
    paths: {
      '/': { post: { operationId: 'op', requestBody: { content: { 'application/json': { schema } } }, responses: {} } },
    },
  } as Document,
  customizeAjv: (ajv) => ajv.addFormat('text', isText).addFormat('date', /^\d{4}-/),
})

const describe = (change: object) => {
  const body = { grant_type: 'password', ...change }
  const { errors } = validator.validateRequest({ method: 'post', path: '/', headers: {}, body }, 'op')
  const { parameter, reason, tooMany } = describeViolation(
    (errors ?? []).map((error) => ({ ...error, instancePath: error.instancePath.replace('/requestBody', '') })),
  )
  return `${parameter} ${reason}${tooMany ? ' (too many)' : ''}`
}

const newThing = (change: object) => ({
  new_thing: [
    { local_id: 1, title: '' },
    { local_id: 1, title: '', ...change },
  ],
})

test.each<[string, object]>([
  ['grant_type is required', { grant_type: undefined }],
  ['grant_type must be "password" or "refresh_token"', { grant_type: 'secret' }],
  ['limit must be a whole number', { limit: 'secret' }],
  ['limit must be at least 0', { limit: -1 }],
  ['limit must be at most 9', { limit: 10 }],
  ['new_thing must be an array', { new_thing: {} }],
  ['new_thing has more than 4 items (too many)', { new_thing: [1, 2, 3, 4, 5] }],
  ['new_thing[0] must be an object', { new_thing: ['secret'] }],
  ['new_thing[1].title is required', newThing({ title: undefined })],
  ['new_thing[1].title must be a string', newThing({ title: 5 })],
  ['new_thing[1].title is longer than 1024 characters', newThing({ title: 'x'.repeat(1025) })],
  ['new_thing[1].title contains a NUL or a lone surrogate, which is not valid text', newThing({ title: 'secret\0' })],
  ['new_thing[1].url must not be empty', newThing({ url: '' })],
  ['new_thing[1].pos is not allowed here', newThing({ pos: 'secret' })],
  ['new_thing[1].local_id must be a string or a number', newThing({ local_id: null })],
  ['new_thing[1].local_id is longer than 1024 characters', newThing({ local_id: 'x'.repeat(1025) })],
  ['tag has more than 2 items (too many)', { tag: { a: {}, b: {}, c: {} } }],
  ['tag[work] must be an object', { tag: { work: 'secret' } }],
  ['tag[work].color must be false or text that matches ^#[0-9a-f]{3}$', { tag: { work: { color: 'secret' } } }],
  ['tag[work].color must be a string or false', { tag: { work: { color: 5 } } }],
  ['tag[work].todo must be true, false, "strike" or "dont-strike"', { tag: { work: { todo: 'secret' } } }],
  ['tag[a/~1b].todo must be true, false, "strike" or "dont-strike"', { tag: { 'a/~1b': { todo: 5 } } }],
  [`The name tag[${'x'.repeat(59)}…] is longer than 100 characters`, { tag: { ['x'.repeat(101)]: {} } }],
  ['The name tag[a�] contains a NUL or a lone surrogate, which is not valid text', { tag: { 'a\0': {} } }],
  ['tag[a�].todo must be true, false, "strike" or "dont-strike"', { tag: { 'a\n': { todo: '' } } }],
  ['either[a] is required', { either: {} }],
  ['both is not valid', { both: 1 }],
  ['list has fewer than 1 items', { list: [] }],
  ['list[0][0] must be a string', { list: [[5]] }],
  ['when must be of the format date', { when: 'secret' }],
])('%s', (sentence, change) => {
  expect(describe(change)).toBe(sentence)
})

test('the error of a request that is no object names the request', () => {
  const error = { instancePath: '', schemaPath: '#/type', keyword: 'type', params: { type: 'object' } }

  expect(describeViolation([error])).toEqual({ parameter: 'The request', reason: 'must be an object', tooMany: false })
})

test('an error never shows a pattern of the document, but says what it means', () => {
  const lines = readFileSync('openapi.yaml', 'utf8').matchAll(/^ +pattern: (.+)$/gm)
  const reasons = Array.from(lines, ([, pattern]) => {
    const error = { instancePath: '/a', schemaPath: '#/pattern', keyword: 'pattern', params: { pattern } }
    return describeViolation([error]).reason
  })

  expect(new Set(reasons)).toEqual(
    new Set([
      'must be true, false, 1, 0 or include',
      'must be ASCII letters and digits only',
      'must be a color like #f80 or #ff8800',
      'must be an http or https URL',
    ]),
  )
})
