import fc from 'fast-check'
import { document } from '../../generated/document.ts'
import { declaredProperties, type JsonSchema } from '../../src/wire/json-schema.ts'

/** One operation of the document, with the names of all parameters that it declares. */
export interface FuzzTarget {
  readonly method: string
  readonly path: string
  readonly names: readonly string[]
}

/** A request as it goes over the wire. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

interface Operation {
  readonly parameters?: readonly { readonly name: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/** Every operation of the document. */
export const fuzzTargets: readonly FuzzTarget[] = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
  Object.entries((item ?? {}) as Record<string, Operation>).map(([method, { parameters = [], requestBody }]) => ({
    method: method.toUpperCase(),
    path,
    names: [
      ...parameters.map(({ name }) => name),
      ...Object.values(requestBody?.content ?? {}).flatMap(({ schema }) => [...declaredProperties(schema).keys()]),
    ],
  })),
)

const oddTexts = [
  ...['', ' ', '0', '-1', '1.5', '1e400', 'NaN', '0x10', 'true', 'FALSE', 'null', 'undefined', '[]', '{}', '"', '"a"'],
  ...['[[]]', '[null]', '[{}]', '{"":{}}', '{"a":', '[1,2', '{"__proto__":{"title":"x"}}', '\\', '%', '\u0000', '🌶'],
  ...['{"local_id":1,"title":"A"}', '{"local_id":1}', '{"_id":"x","title":"A"}', '{"title":"\\ud800"}', '{"color":1}'],
  ...['[{"local_id":1,"title":"A"},{"local_id":1,"title":"B"}]', '{"work":"{"}', '{"work":[]}', '#f80', 'strike'],
  ...[
    'password',
    'refresh_token',
    'any',
    'webpush',
    'https://hook.example/',
    'include',
    'x'.repeat(3000),
    '['.repeat(999),
  ],
]

const text = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...oddTexts) }, fc.string({ unit: 'binary' }), fc.json())

const suffixes = [
  '',
  '',
  '',
  '[]',
  '[0]',
  '[7]',
  '[a]',
  '[',
  ']',
  '[]]',
  '[__proto__]',
  '[a][favorite]',
  '[a][b][c]',
  '[0][title]',
]

const nameOf = ({ names }: FuzzTarget) =>
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.tuple(fc.constantFrom('x', ...names), fc.constantFrom(...suffixes)).map((parts) => parts.join('')),
    },
    fc.constantFrom('__proto__', 'constructor', '', 'access_token'),
    fc.string({ unit: 'binary', maxLength: 10 }),
  )

const fieldsOf = (target: FuzzTarget) => fc.array(fc.tuple(nameOf(target), text), { maxLength: 5 })

const toForm = (fields: readonly [string, string][]) => new URLSearchParams(fields as [string, string][]).toString()

// Characters that Node does not send at all.
const toTarget = (raw: string) => raw.replace(/[^\x21-\x7e]/g, '%')

const brokenForm = fc.string({
  unit: fc.constantFrom('%', '&', '=', '[', ']', '+', 'a', '2', 'f', '%ff', '%00'),
  maxLength: 20,
})

const jsonBody = (target: FuzzTarget) =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.dictionary(nameOf(target), fc.oneof(fc.jsonValue(), text)).map((value) => JSON.stringify(value)),
    },
    text,
  )

const bodyOf = (target: FuzzTarget): fc.Arbitrary<readonly [type: string, body: string | Uint8Array]> =>
  fc.oneof(
    {
      weight: 4,
      arbitrary: fieldsOf(target).map((fields) => ['application/x-www-form-urlencoded', toForm(fields)] as const),
    },
    { weight: 3, arbitrary: jsonBody(target).map((body) => ['application/json; charset=utf-8', body] as const) },
    brokenForm.map((body) => ['application/x-www-form-urlencoded', body] as const),
    fc.tuple(fc.constantFrom('', 'text/plain', 'multipart/form-data', 'application/json', 'a/b;c'), fc.uint8Array()),
  )

const oddHeaders = fc.dictionary(
  fc.constantFrom(
    'accept',
    'accept-encoding',
    'content-encoding',
    'origin',
    'expect',
    'range',
    'if-none-match',
    'te',
    'x-y',
  ),
  fc.string({ maxLength: 20 }).map((value) => value.trim()),
  { maxKeys: 2 },
)

const oddAuthorization = fc.oneof(
  fc.constantFrom('', 'Bearer', 'Bearer ', 'Basic Og==', 'Basic !', 'access_token=', '"', 'Bearer a b', 'OAuth "'),
  fc.string({ maxLength: 30 }).map((value) => value.trim()),
)

/** Requests to one operation, with the access token or not, and anything else wrong about them, or nothing. */
export const anyRequest = (target: FuzzTarget, token: string): fc.Arbitrary<WireRequest> =>
  fc
    .record({
      query: fc.oneof(fieldsOf(target).map(toForm), brokenForm, fc.constant('')),
      body: bodyOf(target),
      authorization: fc.oneof({ weight: 8, arbitrary: fc.constant(`Bearer ${token}`) }, oddAuthorization),
      address: fc.ipV4(),
      headers: oddHeaders,
    })
    .map(({ query, body: [type, body], authorization, address, headers }) => ({
      method: target.method,
      path: target.path,
      query: toTarget(query),
      headers: { ...headers, authorization, 'content-type': type, 'x-forwarded-for': address },
      body,
    }))
