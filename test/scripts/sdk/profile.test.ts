import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { deriveProfile, profilePath, simplifySchema, writeProfile } from '../../../scripts/sdk/profile.ts'

const document = readFileSync('openapi.yaml', 'utf8')
const profile = deriveProfile(parse(document))

const findKeys = (value: unknown): string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, member]) => [key, ...findKeys(member)])
    : []

test('the committed profile is what the document gives', () => {
  const isFresh = readFileSync(profilePath, 'utf8') === writeProfile(document)
  expect(isFresh, `${profilePath} is stale; run: npm run generate`).toBe(true)
})

test('the profile holds nothing that a generator trips over', () => {
  const keys = new Set(findKeys(profile))

  for (const word of ['oneOf', 'anyOf', 'allOf', 'enum', 'examples', 'x-sdk', 'x-repeated-as']) {
    expect(keys.has(word), word).toBe(false)
  }
})

test('every number says its format', () => {
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('type' in value && (value.type === 'number' || value.type === 'integer')) expect(value).toHaveProperty('format')
    for (const member of Object.values(value)) walk(member)
  }
  walk(profile)
})

test('an operation or a parameter is left out by its mark, and the token goes into the header only', () => {
  const paths = profile.paths as Record<string, Record<string, { security: unknown[] }>>

  expect(Object.keys(paths)).not.toContain('/device/register')
  expect(Object.keys(paths['/test'] ?? {})).toEqual(['get'])
  expect(Object.keys(paths)).not.toContain('/sync/events')
  expect(JSON.stringify(paths['/sync']?.get)).toContain('skip_id')
  expect(JSON.stringify(paths['/sync']?.get)).not.toContain('wait')
  expect(paths['/sync']?.post?.security).toEqual([{ bearerToken: [] }])
  expect(paths['/token']?.post?.security).toEqual([])
  expect(JSON.stringify(paths['/sync'])).not.toContain('access_token')
  expect(profile).not.toHaveProperty('components.schemas.SyncRequest.properties.access_token')
})

test('limits stay in what clients send, and nowhere else', () => {
  const { schemas } = profile.components as { schemas: Record<string, { properties: Record<string, object> }> }

  expect(schemas.Title).toMatchObject({ maxLength: 65_536, format: 'text' })
  expect(schemas.Thing?.properties._id).toEqual({ type: 'string', description: 'Identifier.' })
})

test('a union without a mark stops the derivation and names the path', () => {
  const union = { oneOf: [{ type: 'string' }, { type: 'number' }] }

  expect(() => simplifySchema(union, 'Thing.color', {}, 'response')).toThrow('Thing.color has oneOf and no x-sdk')
  expect(simplifySchema({ ...union, 'x-sdk': { type: 'string' } }, 'Thing.color', {}, 'response')).toEqual({
    type: 'string',
  })
})

test('a null stays in responses, and where the field is always there', () => {
  const field = { type: 'string', nullable: true, maxLength: 3 }
  const schema = { type: 'object', required: ['scope'], properties: { scope: field, tags: field } }

  expect(simplifySchema(schema, 'Pair', {}, 'response').properties).toEqual({
    scope: { type: 'string', nullable: true },
    tags: { type: 'string', nullable: true },
  })
  expect(simplifySchema(schema, 'Pair', {}, 'request').properties).toEqual({
    scope: { type: 'string', nullable: true, maxLength: 3 },
    tags: { type: 'string', maxLength: 3 },
  })
})

test('the parts of allOf become one object', () => {
  const thing = { type: 'object', required: ['_id'], properties: { _id: { type: 'string' } } }
  const added = {
    allOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'object', properties: { date: { type: 'number' } } }],
  }

  expect(simplifySchema(added, 'Added', { Thing: thing }, 'response')).toEqual({
    type: 'object',
    required: ['_id'],
    properties: { _id: { type: 'string' }, date: { type: 'number', format: 'double' } },
  })
})
