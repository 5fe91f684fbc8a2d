import { _, Ajv, type SchemaObject } from 'ajv'
import standalone from 'ajv/dist/standalone/index.js'
import { type Document, OpenAPIBackend } from 'openapi-backend'
import type { PublicOperationId } from '../src/api/handlers.ts'
import { declaredProperties, formats, type JsonSchema } from '../src/wire/json-schema.ts'

/** An operation of the document as openapi-backend returns it, without references. */
interface Operation {
  readonly operationId: string
  readonly path: string
  readonly method: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

const publicOperations: readonly string[] = ['grantToken', 'revokeToken'] satisfies readonly PublicOperationId[]

/**
 * Creates the Ajv of the validators. JSON's 1e400 is parsed as infinity, which no response and no file can hold:
 * `strictNumbers` rejects it. `coerce` of `src/wire/json-schema.ts` converts types, so Ajv must only validate.
 */
const createAjv = (): Ajv =>
  new Ajv({
    ...{ strict: false, strictNumbers: true, coerceTypes: false, validateSchema: false, messages: false, formats },
    code: { source: true, esm: true, lines: true, formats: _`formats` },
  }).addKeyword({ keyword: 'x-property-names', macro: (names: object) => ({ propertyNames: names }) })

/**
 * Writes the module `generated/routes.ts`: the operations of a document without references, each with its validator.
 * openapi-backend builds the schemas of the validators; Ajv writes each different schema as one function.
 * @throws Error when the document disagrees with `PublicOperationId`, or has something that the module cannot hold
 */
export const writeRoutes = async (document: Document): Promise<string> => {
  const schemas: SchemaObject[] = []
  const keepSchema = { compile: (schema: SchemaObject) => schemas.push(schema) } as unknown as Ajv
  const api = new OpenAPIBackend({ definition: document, quick: true, customizeAjv: () => keepSchema })
  await api.init()
  const operations = api.router.getOperations() as unknown as readonly Operation[]
  const ajv = createAjv()
  const validators = new Map<string, string>()
  const rows = new Map<string, string[]>()
  for (const operation of operations) {
    schemas.length = 0
    api.validator.buildRequestValidatorsForOperation(operation as never)
    const schema = copySchema(findValidated(operation, schemas), (keyword) => !annotations.test(keyword))
    const text = JSON.stringify(schema)
    const name = validators.get(text) ?? `is${toPascalCase(operation.operationId)}`
    if (!validators.has(text)) ajv.addSchema(schema as SchemaObject, name)
    validators.set(text, name)
    const siblings = operations.filter(({ path }) => path === operation.path)
    rows.set(operation.path, [...(rows.get(operation.path) ?? []), writeRoute(operation, name, siblings)])
  }
  return [
    writeValidators(ajv, [...validators.values()]),
    `/** The version of the interface: \`info.version\` of the document. */\nexport const contractVersion = ${JSON.stringify(document.info.version)}\n`,
    `const none: readonly SchemaError[] = []\n`,
    `/** The operations of the document by path and method. */\nexport const routes: Routes = new Map([\n${[...rows]
      .map(([path, methods]) => `  [${JSON.stringify(path)}, new Map<string, Route>([\n${methods.join('')}  ])],\n`)
      .join('')}])\n`,
  ].join('\n')
}

/** Finds the schema of the parameters among the schemas of openapi-backend: of the body of a POST, of the query of a GET. */
const findValidated = ({ operationId, requestBody }: Operation, schemas: readonly SchemaObject[]): JsonSchema => {
  const { path, query, header, cookie } = schemas.at(-1)?.properties ?? {}
  const unused = requestBody === undefined ? [path, header, cookie] : [path, query, header, cookie]
  if (unused.some((schema) => schema?.required.length !== 0))
    throw new Error(
      `${operationId} requires a parameter that is neither in the body of a POST nor in the query of a GET`,
    )
  return requestBody === undefined ? query : schemas[0]?.properties.requestBody
}

const toPascalCase = (name: string): string => `${name.charAt(0).toUpperCase()}${name.slice(1)}`

const ruleLists: readonly string[] = ['allOf', 'oneOf', 'anyOf']
const ruleSchemas: readonly string[] = ['items', 'additionalProperties', 'x-property-names']
const annotations = /^(title|description|examples?|default|deprecated|x-(?!property-names$).*)$/

/** Copies a schema with those keywords that `isKept` accepts, at any depth. */
const copySchema = (schema: JsonSchema, isKept: (keyword: string) => boolean): JsonSchema => {
  const copy = (inner: JsonSchema) => copySchema(inner, isKept)
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => isKept(keyword))
      .map(([keyword, value]) => {
        if (keyword === 'properties') return [keyword, mapValues(value, copy)]
        if (ruleLists.includes(keyword)) return [keyword, value.map(copy)]
        return [keyword, ruleSchemas.includes(keyword) && typeof value === 'object' ? copy(value) : value]
      }),
  )
}

const mapValues = (schemas: Readonly<Record<string, JsonSchema>>, change: (schema: JsonSchema) => JsonSchema) =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, change(schema)]))

const lengthFunction = 'require("ajv/dist/runtime/ucs2length").default'

/** Writes the validators as Ajv does, with our own functions instead of its runtime modules. */
const writeValidators = (ajv: Ajv, names: readonly string[]): string => {
  const code = standalone.default(ajv, Object.fromEntries(names.map((name) => [name, name])))
  const lines = code
    .replace('"use strict";', '')
    .replaceAll('export const', 'const')
    .replaceAll(lengthFunction, 'countCharacters')
    .split('\n')
  // Ajv declares each whole schema, also where no line uses it.
  const used = lines.filter((line) => {
    const declared = /^const (schema\d+) = /.exec(line)?.[1]
    return (
      declared === undefined || lines.some((other) => other !== line && new RegExp(`\\b${declared}\\b`).test(other))
    )
  })
  const foreign = used.find((line) => line.includes('require('))
  if (foreign !== undefined) throw new Error(`a validator needs a module of Ajv: ${foreign}`)
  return `${header}\n${used.join('\n').trim()}\n`
}

const header = `// @ts-nocheck: Ajv wrote the validators in JavaScript.
import type { Route, Routes } from '../src/api/routes.ts'
import { countCharacters, formats } from '../src/wire/json-schema.ts'
import type { SchemaError } from '../src/wire/schema-errors.ts'
`

const writeRoute = (operation: Operation, validator: string, siblings: readonly Operation[]): string => {
  const { operationId, path, method, requestBody } = operation
  const needsToken = (operation.security ?? []).length > 0
  if (needsToken === publicOperations.includes(operationId))
    throw new Error(`openapi.yaml and PublicOperationId disagree about the security of ${operationId}`)
  const bodySchema = bodySchemaOf(operation)
  const members = {
    operationId: JSON.stringify(operationId),
    path: JSON.stringify(path),
    needsToken,
    querySchema: showSchema(querySchemaOf(operation)),
    bodySchema: bodySchema === undefined ? undefined : showSchema(bodySchema),
    bodyTypes: JSON.stringify(Object.keys(requestBody?.content ?? {})),
    uploads: `new Set(${JSON.stringify(findUploads(siblings))})`,
    hasGet: siblings.some((sibling) => sibling.method === 'get'),
    validate: `(parameters) => (${validator}(parameters) ? none : ${validator}.errors)`,
  }
  const lines = Object.entries(members).map(([name, value]) => `      ${name}: ${value},\n`)
  return `    ["${method.toUpperCase()}", {\n${lines.join('')}    }],\n`
}

const keywords = {
  ...{
    type: true,
    nullable: true,
    enum: true,
    pattern: true,
    properties: true,
    additionalProperties: true,
    items: true,
  },
  ...{ maxItems: true, maxProperties: true, allOf: true, oneOf: true, anyOf: true },
} satisfies Record<keyof JsonSchema, true>

/** Shows the parts of a schema that decoding a request needs. */
const showSchema = (schema: JsonSchema): string =>
  JSON.stringify(copySchema(schema, (keyword) => Object.hasOwn(keywords, keyword)))

const querySchemaOf = ({ parameters = [] }: Operation): JsonSchema => {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  return { type: 'object', properties: Object.fromEntries(inQuery.map(({ name, schema }) => [name, schema])) }
}

/**
 * Finds the schema of the body without the access token, which is checked earlier and may be repeated, as in a query.
 */
const bodySchemaOf = ({ requestBody }: Operation): JsonSchema | undefined => {
  const body = requestBody?.content['application/json'] ?? requestBody?.content['application/x-www-form-urlencoded']
  if (body?.schema.properties?.access_token === undefined) return body?.schema
  const { access_token: _token, ...properties } = body.schema.properties
  return { ...body.schema, properties }
}

const findUploads = (siblings: readonly Operation[]): readonly string[] => {
  const get = siblings.find(({ method }) => method === 'get')
  const postSchema = siblings.map(bodySchemaOf).find((schema) => schema !== undefined)
  if (get === undefined || postSchema === undefined) return []
  const declared = declaredProperties(querySchemaOf(get))
  return [...declaredProperties(postSchema).keys()].filter((parameter) => !declared.has(parameter))
}
