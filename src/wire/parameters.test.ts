import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ApiError } from '../api-error.ts'
import { runToEnd } from '../scheduling.ts'
import type { ObjectSchema } from './json-schema.ts'
import { gatherParameters, type Spelling } from './parameters.ts'

const thing = { type: 'object', properties: { title: { type: 'string' } } }
const settings = { type: 'object', properties: { favorite: { type: 'boolean' }, color: {} } }
const schema: ObjectSchema = {
  allOf: [{ properties: { from: { type: 'number' }, limit: { type: 'number' } } }],
  properties: {
    new_thing: { type: 'array', items: { allOf: [thing] } },
    deleted_thing: { type: 'array', items: { type: 'string' } },
    tag: { type: 'object', additionalProperties: settings },
  },
}
const gather = (fields: [string, unknown][], spelling: Spelling = 'text') =>
  runToEnd(gatherParameters(fields, schema, spelling))

test('single values are passed on unchanged, and undeclared names are ignored', () => {
  expect(
    gather([
      ['from', '12'],
      ['limit', ''],
      ['new_thingy', '{'],
      ['other[x', ''],
      ['__proto__', '1'],
      ['constructor', '1'],
    ]),
  ).toEqual({
    from: '12',
    limit: '',
  })
})

test.each<[string, [string, string][]]>([
  [
    'one object and one more',
    [
      ['new_thing', '{"title":"a"}'],
      ['new_thing', '{"title":"b"}'],
    ],
  ],
  ['one array', [['new_thing', ' [{"title":"a"},{"title":"b"}]']]],
  [
    '[] repeated',
    [
      ['new_thing[]', '{"title":"a"}'],
      ['new_thing[]', '{"title":"b"}'],
    ],
  ],
  [
    '[] with an array',
    [
      ['new_thing[]', '[{"title":"a"}]'],
      ['new_thing[]', '[{"title":"b"}]'],
    ],
  ],
  [
    'numbers, in order of appearance',
    [
      ['new_thing[7]', '{"title":"a"}'],
      ['new_thing[0]', '{"title":"b"}'],
    ],
  ],
  [
    'forms mixed',
    [
      ['new_thing[]', '{"title":"a"}'],
      ['new_thing[0]', '[]'],
      ['new_thing', '[{"title":"b"}]'],
    ],
  ],
])('several things come as %s', (_, fields) => {
  expect(gather(fields)).toEqual({ new_thing: [{ title: 'a' }, { title: 'b' }] })
})

test.each<[string, [string, string][]]>([
  [
    'plain',
    [
      ['deleted_thing', 'a1'],
      ['deleted_thing', 'b2"]'],
    ],
  ],
  [
    '[] repeated',
    [
      ['deleted_thing[]', 'a1'],
      ['deleted_thing[]', 'b2"]'],
    ],
  ],
  [
    'numbers',
    [
      ['deleted_thing[0]', 'a1'],
      ['deleted_thing[1]', 'b2"]'],
    ],
  ],
  ['a JSON array', [['deleted_thing', '["a1", "b2\\"]"]']]],
])('several ids come as %s, and text that does not begin as JSON is an id', (_, fields) => {
  expect(gather(fields)).toEqual({ deleted_thing: ['a1', 'b2"]'] })
})

test('a parameter that is null counts as absent', () => {
  const none = { limit: null, new_thing: null, 'deleted_thing[]': null, tag: null }

  expect(gather(Object.entries(none), 'json')).toEqual({})
  expect(
    gather([
      ['new_thing', 'null'],
      ['tag', 'null'],
    ]),
  ).toEqual({ new_thing: [], tag: {} })
  expect(gather([['new_thing[]', 'null']])).toEqual({ new_thing: [null] })
})

test('a tag whose settings are null counts as absent', () => {
  const nulls = { tag: { work: null, home: {} }, 'tag[other]': null }
  const texts: [string, string][] = [
    ['tag', '{"work":null,"other":"null","home":{}}'],
    ['tag[work]', 'null'],
    ['tag[other]', ' null '],
  ]

  expect(gather(Object.entries(nulls), 'json')).toEqual({ tag: { home: {} } })
  expect(gather(texts)).toEqual({ tag: { home: {} } })
  expect(() => gather([['tag', { work: 'null' }]], 'json')).toThrow('tag[work] must be a JSON object')
})

test('an id may be JSON text, and null is no id', () => {
  expect(gather([['deleted_thing', '"a1"']])).toEqual({ deleted_thing: ['a1'] })
  expect(gather([['deleted_thing[]', ' "a1" ']])).toEqual({ deleted_thing: ['a1'] })
  expect(gather([['deleted_thing', 'null']])).toEqual({ deleted_thing: [] })
  expect(gather([['deleted_thing', 'nullable']])).toEqual({ deleted_thing: ['nullable'] })
  // The validator rejects it.
  expect(gather([['deleted_thing', '{}']])).toEqual({ deleted_thing: [{}] })
})

test('20,000 repeated things are all kept, also in a single array', () => {
  const titles = Array.from({ length: 20_000 }, (_, i) => ({ title: `${i}` }))

  expect(gather(titles.map((title) => ['new_thing[]', JSON.stringify(title)]))).toEqual({ new_thing: titles })
  expect(gather([['new_thing', JSON.stringify(titles)]])).toEqual({ new_thing: titles })
})

test.each<[string, [string, string][]]>([
  [
    'one object a tag',
    [
      ['tag[work]', '{"favorite":true}'],
      ['tag[home]', '{"color":"#fff"}'],
    ],
  ],
  [
    'single fields',
    [
      ['tag[work][favorite]', 'true'],
      ['tag[home][color]', '#fff'],
    ],
  ],
  ['a map of objects', [['tag', '{"work":{"favorite":true},"home":{"color":"#fff"}}']]],
  ['a map of JSON texts', [['tag', '{"work":"{\\"favorite\\":true}","home":"{\\"color\\":\\"#fff\\"}"}']]],
])('tag settings come as %s', (form, fields) => {
  const favorite = form === 'single fields' ? 'true' : true

  expect(gather(fields)).toEqual({ tag: { work: { favorite }, home: { color: '#fff' } } })
})

test('the settings of a tag in several fields are merged', () => {
  expect(
    gather([
      ['tag[work]', '{"favorite":true}'],
      ['tag', '{"work":{"x":1}}'],
      ['tag[work][color]', '0'],
      ['tag[home]', '{}'],
    ]),
  ).toEqual({
    tag: { work: { favorite: true, x: 1, color: '0' }, home: {} },
  })
})

test('a tag may have any name', () => {
  const name = fc.oneof(
    fc.constantFrom('__proto__', 'constructor', '', 'a]b', '[', ']', '][', 'a[b', '👧'),
    fc.string({ unit: 'binary' }),
  )
  const isFree = (tag: string) => !/\]\[(favorite|color)$/.test(tag)
  fc.assert(
    fc.property(fc.uniqueArray(name.filter(isFree)), (names) => {
      const expected = Object.fromEntries([
        ['tag', Object.fromEntries(names.map((tag) => [tag, { favorite: 'true' }]))],
      ])

      const map = gather(names.length === 0 ? [] : [['tag', JSON.stringify(expected.tag)]])
      const inBrackets = names.filter((tag) => tag !== '')
      const empty: [string, string][] = names.includes('') ? [['tag', '{"":{"favorite":"true"}}']] : []
      const whole = gather([
        ...inBrackets.map((tag): [string, string] => [`tag[${tag}]`, '{"favorite":"true"}']),
        ...empty,
      ])
      const single = gather([...inBrackets.map((tag): [string, string] => [`tag[${tag}][favorite]`, 'true']), ...empty])

      const sorted = (value: Record<string, unknown>) => Object.entries(value.tag ?? {}).sort()
      expect([map, whole, single].map(sorted)).toEqual(Array(3).fill(sorted(expected)))
    }),
  )
})

test('a JSON body has the same names with native values, and its texts are not parsed as JSON', () => {
  const body = {
    from: 3,
    new_thing: { title: '[]' },
    'deleted_thing[]': ['a1', '["b2"]'],
    tag: JSON.parse('{"__proto__":{"favorite":true}}'),
    'tag[work]': { color: false },
  }

  expect(JSON.stringify(gather(Object.entries(body), 'json'))).toBe(
    '{"from":3,"new_thing":[{"title":"[]"}],"deleted_thing":["a1","[\\"b2\\"]"],' +
      '"tag":{"__proto__":{"favorite":true},"work":{"color":false}}}',
  )
  expect(gather([['new_thing', '[{}]']], 'json')).toEqual({ new_thing: ['[{}]'] })
})

test.each<[string, [string, unknown][], Spelling?]>([
  [
    'limit is given more than once',
    [
      ['limit', '1'],
      ['limit', '1'],
    ],
  ],
  ['limit[] must be written limit', [['limit[]', '1']]],
  ['new_thing[0][title] must be written new_thing, new_thing[] or new_thing[0]', [['new_thing[0][title]', 'a']]],
  ['new_thing[x] must be written new_thing, new_thing[] or new_thing[0]', [['new_thing[x]', '{}']]],
  [
    'new_thing[1] is not valid JSON',
    [
      ['new_thing[]', '{}'],
      ['new_thing[]', '{"title"'],
    ],
  ],
  ['new_thing[0] is not valid JSON', [['new_thing', '']]],
  ['deleted_thing[0] is not valid JSON', [['deleted_thing', '[']]],
  ['deleted_thing[0] is not valid JSON', [['deleted_thing', '"a1']]],
  [
    'deleted_thing[1] is not valid JSON',
    [
      ['deleted_thing', 'a1'],
      ['deleted_thing', '["b2"'],
    ],
  ],
  ['tag must be a JSON object', [['tag', '[]']]],
  ['tag must be a JSON object', [['tag', '"work"']]],
  ['tag must be a JSON object', [['tag', 'work']], 'json'],
  ['tag is not valid JSON', [['tag', 'work']]],
  ['tag[work] is not valid JSON', [['tag', '{"work":"{"}']]],
  ['tag[work] must be a JSON object', [['tag[work]', 'true']]],
  ['tag[work] must be a JSON object', [['tag', { work: '{}' }]], 'json'],
  [
    'tag[work][color] is given more than once',
    [
      ['tag[work]', '{"color":1}'],
      ['tag[work][color]', '1'],
    ],
  ],
  ['tag[work must be written tag or tag[<name>]', [['tag[work', '{}']]],
  ['tag[] must be written tag or tag[<name>]', [['tag[]', '{"favorite":true}']]],
  ['tag[] must be written tag or tag[<name>]', [['tag[]', { favorite: true }]], 'json'],
  ['tag[][favorite] must be written tag or tag[<name>]', [['tag[][favorite]', 'true']]],
  ['tag[work]x must be written tag or tag[<name>]', [['tag[work]x', '{}']]],
])('%s', (sentence, fields, spelling) => {
  expect(() => gather(fields, spelling)).toThrow(
    expect.objectContaining({ kind: 'parameterInvalid', message: sentence }),
  )
})

test('any fields give parameters or an ApiError', () => {
  const name = fc
    .array(fc.constantFrom('new_thing', 'tag', 'limit', 'deleted_thing', '[', ']', '0', 'favorite', '__proto__'))
    .map((parts) => parts.join(''))
  const value = fc.oneof(fc.json(), fc.string(), fc.jsonValue())
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), fc.constantFrom<Spelling>('text', 'json'), (fields, spelling) => {
      try {
        gather(fields, spelling)
      } catch (error) {
        expect(error).toBeInstanceOf(ApiError)
      }
    }),
  )
})
