import { Ajv } from 'ajv'
import fc from 'fast-check'
import { type Context, OpenAPIBackend } from 'openapi-backend'
import { expect, test } from 'vitest'
import { document } from '../../generated/document.ts'
import { contractVersion, routes } from '../../generated/routes.ts'
import { coerce, declaredProperties, dropNulls, formats, type JsonSchema } from '../wire/json-schema.ts'
import { describeViolation } from '../wire/schema-errors.ts'
import type { Route } from './routes.ts'

const createAjv = () =>
  new Ajv({ strict: false, strictNumbers: true, coerceTypes: false, formats, validateSchema: false }).addKeyword({
    keyword: 'x-property-names',
    macro: (names: object) => ({ propertyNames: names }),
  })

const oracle = new OpenAPIBackend({ definition: document, quick: true, customizeAjv: createAjv })
await oracle.init()

interface Media {
  readonly schema: JsonSchema
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>
}

interface Operation {
  readonly operationId: string
  readonly path: string
  readonly method: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
}

type Parameters = Readonly<Record<string, unknown>>

/** An operation of the document beside its generated route. */
interface Pair {
  readonly operation: Operation
  readonly route: Route
  /** The schema of the parameters in the document. */
  readonly schema: JsonSchema
  /** Parameters that the document shows as an example. */
  readonly examples: readonly Parameters[]
}

const pairs: readonly Pair[] = (oracle.router.getOperations() as unknown as Operation[]).map((operation) => {
  const { path, method, parameters = [], requestBody } = operation
  const route = routes.get(path)?.get(method.toUpperCase())
  if (route === undefined) throw new Error(`${method} ${path} is no route`)
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const query = { type: 'object', properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])) }
  const media = requestBody?.content['application/json'] ?? requestBody?.content['application/x-www-form-urlencoded']
  const examples = Object.values(media?.examples ?? {}).map(({ value }) => value as Parameters)
  return { operation, route, schema: media?.schema ?? query, examples }
})

/** Validates parameters with the validators that openapi-backend compiles at run time. */
const validateAtRunTime = ({ operationId, requestBody }: Operation, parameters: object) => {
  const place = requestBody === undefined ? 'query' : 'requestBody'
  const sent = { query: {}, requestBody: {}, path: {}, header: {}, cookie: {}, [place]: parameters }
  return (oracle.validator.getRequestValidatorsForOperation(operationId) ?? []).flatMap((validate) =>
    validate(sent)
      ? []
      : (validate.errors ?? []).map((error) => ({
          ...error,
          instancePath: error.instancePath.replace(/^\/(query|requestBody)/, ''),
        })),
  )
}

type Errors = ReturnType<Route['validate']>

/** Shows errors without the schema paths, which begin at another schema, and without the sentences of Ajv. */
const showErrors = (errors: Errors) => ({
  words: errors.length === 0 ? 'valid' : describeViolation(errors),
  errors: errors.map(({ instancePath, keyword, params, propertyName }) => ({
    ...{ instancePath, keyword, params, propertyName },
  })),
})

/** Validates parameters in both ways, expects the same, and returns the words. */
const validateInBoth = ({ operation, route }: Pair, parameters: Parameters): string => {
  const generated = showErrors(route.validate(parameters))
  expect(generated).toEqual(showErrors(validateAtRunTime(operation, parameters)))
  return typeof generated.words === 'string'
    ? generated.words
    : `${generated.words.parameter} ${generated.words.reason}`
}

const openStrictBackend = async () => {
  const verdict = (isValid: boolean) => () => isValid
  const api = new OpenAPIBackend({
    definition: document,
    strict: true,
    customizeAjv: () => new Ajv({ strict: false, formats }),
    securityHandlers: {
      bearerToken: verdict(true),
      headerToken: verdict(true),
      queryToken: verdict(true),
    },
    handlers: { validationFail: verdict(false), notFound: verdict(false), unauthorizedHandler: verdict(false) },
  })
  await api.init()
  for (const { operationId } of api.router.getOperations()) api.register(String(operationId), verdict(true))
  return (context: { path: string; method: string; query?: object; body?: object }): Promise<boolean> =>
    api.handleRequest({ headers: { 'content-type': 'application/json' }, ...context } as unknown as Context['request'])
}

test('every operation of the document is a route, and only token and revoke need no token', () => {
  const all = [...routes.values()].flatMap((methods) => [...methods.values()])
  const documented = Object.values(document.paths ?? {}).flatMap((path) => Object.keys(path ?? {}))

  expect(all).toHaveLength(documented.length)
  expect(all.filter(({ needsToken }) => !needsToken).map(({ path }) => path)).toEqual(['/token', '/revoke'])
  expect(contractVersion).toBe(document.info.version)
})

test('a generated route has the parameters, content types and uploads of the document', () => {
  for (const { operation, route } of pairs) {
    const { operationId, path, parameters = [], requestBody } = operation
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name)
    expect(route).toMatchObject({ operationId, path, bodyTypes: Object.keys(requestBody?.content ?? {}) })
    expect([...declaredProperties(route.querySchema).keys()]).toEqual(names)
    expect(route.bodySchema === undefined).toBe(requestBody === undefined)
    expect(declaredProperties(route.bodySchema ?? {}).has('access_token')).toBe(false)
  }
  const uploads = pairs.flatMap(({ route }) => (route.uploads.size > 0 ? [[route.operationId, ...route.uploads]] : []))
  expect(uploads).toEqual([
    ['getSync', 'new_thing', 'changed_thing', 'deleted_thing', 'tag'],
    ['postSync', 'new_thing', 'changed_thing', 'deleted_thing', 'tag'],
  ])
})

test('the generated validators accept every example of the document, as those of openapi-backend do', () => {
  const shown = pairs.flatMap((pair) => pair.examples.map((example) => ({ pair, example })))

  expect(shown.length).toBeGreaterThan(10)
  for (const { pair, example } of shown) {
    const parameters = coerce(dropNulls(example, pair.schema), pair.schema) as Parameters
    expect([pair.route.path, validateInBoth(pair, parameters)]).toEqual([pair.route.path, 'valid'])
  }
})

const thing = { local_id: 1, title: 'A', tags: 'a b', url: 'https://example.org/', archived: true, todoStatus: false }

const hostileValues: readonly unknown[] = [
  ...[null, true, false, 0, -1, 1, 1.5, 2 ** 53, -(2 ** 53), 1e308, Number.POSITIVE_INFINITY, Number.NaN],
  ...['', ' ', 'a', '0', 'true', 'include', '"a"', '\0', 'a\0b', '\ud800', '\udc00', '🌶', 'é', '\u2028', '../..'],
  ...['#f80', '#ff8800', '#F80', '#ff880', 'https://example.org/', 'HTTP://a', 'javascript:alert(1)', 'https:// '],
  ...[100, 101, 256, 257, 400, 401, 1024, 1025, 4096, 4097, 16_384, 16_385].map((length) => 'x'.repeat(length)),
  ...[100, 256, 1024].map((length) => '🌶'.repeat(length)),
  ...['password', 'refresh_token', 'authorization_code', 'any', 'webpush', 'strike', 'dont-strike'],
  ...[[], [null], [[]], [{}], [1, 'a', true], [thing], [thing, { ...thing, title: 5 }], [{ ...thing, pos: 1 }]],
  ...[{}, { a: null }, { a: 1 }, { a: {} }, { '': {} }, { 'a/~b': { color: 1 } }, { constructor: { todo: 'a' } }],
  ...[JSON.parse('{"__proto__":{"color":"#f80"}}'), { a: { color: '#f80', favorite: true, todo: 'strike' } }],
  ...[{ ['x'.repeat(101)]: {} }, { 'a\0': {} }, { 'a b': {} }, { a: { color: false, todo: true, sort: 1.5 } }],
]

test('the generated validators say the same as openapi-backend about hostile values in each parameter', () => {
  const words = new Set<string>()
  for (const pair of pairs) {
    const [example = {}] = pair.examples
    const base = coerce(dropNulls(example, pair.schema), pair.schema) as Parameters
    for (const name of [...declaredProperties(pair.schema).keys(), 'unknown', '__proto__', 'constructor', '']) {
      const { maxItems = 0 } = declaredProperties(pair.schema).get(name) ?? {}
      const tooMany = [Array(maxItems + 1).fill('a'), Array(maxItems).fill('a')]
      for (const value of [...hostileValues, ...tooMany])
        words.add(validateInBoth(pair, Object.fromEntries([...Object.entries(base), [name, value]])))
      const { [name]: _, ...others } = base
      words.add(validateInBoth(pair, others))
    }
  }
  expect(words.size).toBeGreaterThan(100)
})

/** Finds every value within a value, with the function that returns the whole with another value in its place. */
const listPlaces = (whole: unknown): [value: unknown, replace: (value: unknown) => unknown][] => {
  const own: [unknown, (value: unknown) => unknown][] = [[whole, (value) => value]]
  if (Array.isArray(whole))
    return own.concat(
      whole.flatMap((item, at) =>
        listPlaces(item).map(([value, replace]) => [value, (next: unknown) => whole.with(at, replace(next))] as const),
      ) as typeof own,
    )
  if (typeof whole !== 'object' || whole === null) return own
  const entries = Object.entries(whole)
  return own.concat(
    entries.flatMap(([name, member], at) =>
      listPlaces(member).map(
        ([value, replace]) =>
          [value, (next: unknown) => Object.fromEntries(entries.with(at, [name, replace(next)]))] as const,
      ),
    ) as typeof own,
  )
}

const pick = <Item>(items: readonly Item[], choice: number): Item => items[choice % items.length] as Item

const names = [
  ...new Set([...pairs.flatMap(({ schema }) => [...declaredProperties(schema).keys()]), ...Object.keys(thing)]),
]

/** Changes one value within the parameters: replaces it, adds a member, removes a member, or repeats items. */
const mutate = (parameters: unknown, [where, what, which]: readonly [number, number, number]): unknown => {
  const [value, replace] = pick(listPlaces(parameters), where)
  const other = pick(hostileValues, which)
  if (typeof value !== 'object' || value === null) return replace(other)
  if (Array.isArray(value)) {
    if (what % 3 === 0) return replace([...value, other])
    return replace(what % 3 === 1 ? [...value, ...value, ...value] : value.slice(1))
  }
  const members = Object.entries(value)
  if (what % 3 === 0) members.splice(which % (members.length + 1), 1)
  else
    members.push([
      what % 3 === 1 ? pick(names, what) : pick(['', 'a', '__proto__', 'a/b', 'x'.repeat(101)], what),
      other,
    ])
  return replace(Object.fromEntries(members))
}

const uploads: Parameters = {
  from: 1,
  new_thing: [thing, { ...thing, local_id: 'b' }],
  changed_thing: [{ _id: 'a1b2c3', title: 'B', tags: '' }],
  deleted_thing: ['a1b2c3'],
  tag: { work: { favorite: true, color: '#f80', todo: 'strike' } },
}

/** Expects that the generated schema, which has no access token, reads the other parameters as the document does. */
const expectSameReading = ({ route }: Pair, raw: object, { access_token: _, ...others }: Parameters): void => {
  const schema = route.bodySchema ?? route.querySchema
  const { access_token: _raw, ...read } = coerce(dropNulls(raw, schema), schema) as Parameters
  expect(read).toEqual(others)
}

test('10,000 mutated requests get the same verdict and the same words as from openapi-backend', () => {
  const change = fc.tuple(fc.nat(), fc.nat(), fc.nat())
  const requests = fc.sample(
    fc.record({ operation: fc.nat(), example: fc.nat(), changes: fc.array(change, { minLength: 1, maxLength: 4 }) }),
    { seed: 30, numRuns: 10_000 },
  )

  const words = requests.map(({ operation, example, changes }) => {
    const pair = pick(pairs, operation)
    const begin = pick<unknown>([...pair.examples, pair.route.path === '/sync' ? uploads : {}], example)
    const raw = changes.reduce(mutate, begin)
    if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return 'no parameters'
    const parameters = coerce(dropNulls(raw, pair.schema), pair.schema) as Parameters
    expectSameReading(pair, raw, parameters)
    return validateInBoth(pair, parameters)
  })

  const validCount = words.filter((each) => each === 'valid').length
  expect(validCount).toBeGreaterThan(1_000)
  expect(words.length - validCount).toBeGreaterThan(4_000)
  expect(new Set(words).size).toBeGreaterThan(150)
})

test('the routes validate requests as openapi-backend itself does', async () => {
  const send = await openStrictBackend()
  const value = fc.oneof(fc.constant(undefined), fc.constant(1), fc.constant('a'), fc.constant(true), fc.constant(null))
  const anyThing = fc.record(
    { local_id: value, _id: value, title: value, date: value, archived: value },
    { requiredKeys: [] },
  )
  const body = fc.record(
    {
      title: value,
      _id: value,
      new_thing: fc.oneof(fc.array(anyThing), value),
      changed_thing: fc.oneof(fc.array(anyThing), value),
      from: value,
      tag: fc.oneof(fc.dictionary(fc.string(), fc.record({ color: value, todo: value }, { requiredKeys: [] })), value),
    },
    { requiredKeys: [] },
  )
  const operation = fc.constantFrom('/sync', '/thing/add', '/thing/change', '/thing/delete')

  await fc.assert(
    fc.asyncProperty(operation, body, async (path, candidate) => {
      const decoded = JSON.parse(JSON.stringify(candidate))
      const violations = routes.get(path)?.get('POST')?.validate(decoded)
      expect(violations?.length === 0).toBe(await send({ path, method: 'post', body: decoded }))
    }),
    { numRuns: 300 },
  )
})
