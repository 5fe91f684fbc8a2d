import { parse, stringify } from 'yaml'
import { asObject, isObject, type JsonObject } from '../json.ts'

/** The schemas of a document by name: the targets of `$ref`. */
type Components = JsonObject

/** Whether a schema describes requests or responses. */
type Side = 'request' | 'response'

const prefix = '#/components/schemas/'
const shape = ['$ref', 'description', 'type', 'properties', 'items', 'additionalProperties', 'required']
const limits = ['format', 'minLength', 'maxLength', 'pattern', 'minimum', 'maxItems', 'maxProperties']
const kept: Readonly<Record<Side, readonly string[]>> = { request: [...shape, ...limits], response: shape }
const numberFormats: JsonObject = { number: 'double', integer: 'int64' }

function merged(parts: readonly unknown[], components: Components): JsonObject {
  const whole: JsonObject & { properties: JsonObject; required: unknown[] } = { properties: {}, required: [] }
  for (const part of parts) {
    const given = asObject(part, 'a part of allOf')
    const { $ref } = given
    const schema = typeof $ref === 'string' ? asObject(components[$ref.slice(prefix.length)], $ref) : given
    Object.assign(whole.properties, schema.properties)
    whole.required.push(...(Array.isArray(schema.required) ? schema.required : []))
  }
  return { type: 'object', ...whole }
}

function simplifyProperties(schema: JsonObject, path: string, components: Components, side: Side): JsonObject {
  const required = Array.isArray(schema.required) ? schema.required : []
  const properties = Object.entries(asObject(schema.properties, path))
    .filter(([name]) => name !== 'access_token' || required.includes(name))
    .map(([name, property]): [string, unknown] => {
      const simple = simplifySchema(property, `${path}.${name}`, components, side)
      const isNullable = isObject(property) && property.nullable === true
      const nullable = isNullable && (side === 'response' || required.includes(name))
      return [name, nullable ? { ...simple, nullable } : simple]
    })
  return Object.fromEntries(properties)
}

/**
 * Simplifies a schema for all generators: no unions, parts of `allOf` merged, no lists of values, explicit number
 * formats, null only in responses and in required fields, and no `access_token` beside the other parameters. Limits
 * stay in requests only: a newer server may return more. The mark `x-sdk` of a schema takes precedence.
 * @throws Error for a union without this mark
 */
export function simplifySchema(given: unknown, path: string, components: Components, side: Side): JsonObject {
  const { 'x-sdk': mark, ...plain } = asObject(given, path)
  const schema = Array.isArray(plain.allOf) ? { ...plain, ...merged(plain.allOf, components) } : plain
  const union = ['oneOf', 'anyOf'].find((name) => name in schema)
  if (union !== undefined && mark === undefined) throw new Error(`${path} has ${union} and no x-sdk`)
  const source: JsonObject = { ...schema, ...(mark === undefined ? {} : asObject(mark, `${path}.x-sdk`)) }
  // A mark that is null removes a keyword: other servers assign longer ids than ours, for example.
  const names = kept[side].filter((name) => name in source && source[name] !== null)
  const simple = Object.fromEntries(names.map((name) => [name, source[name]]))
  if (typeof simple.type === 'string' && simple.type in numberFormats) simple.format = numberFormats[simple.type]
  if ('properties' in simple) simple.properties = simplifyProperties(source, path, components, side)
  if ('items' in simple) simple.items = simplifySchema(simple.items, `${path}[]`, components, side)
  if (isObject(simple.additionalProperties)) {
    simple.additionalProperties = simplifySchema(simple.additionalProperties, `${path}{}`, components, side)
  }
  return simple
}

/** Finds the names of all schemas that a value refers to, directly or through components. */
function findReferences(value: unknown, components: Components, found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value) findReferences(item, components, found)
  if (!isObject(value)) return found
  for (const [key, member] of Object.entries(value)) {
    if (key !== '$ref' || typeof member !== 'string') findReferences(member, components, found)
    else if (!found.has(member.slice(prefix.length))) {
      found.add(member.slice(prefix.length))
      findReferences(components[member.slice(prefix.length)], components, found)
    }
  }
  return found
}

const apiName = 'thingsync'
const tokenScheme = 'bearerToken'
const json = 'application/json'
/** The parts of the document's description that also apply to the profile. */
const sharedParts = /^## (Values|Limits|Errors)$/m

function pickContent(body: unknown, path: string, components: JsonObject, side: Side): JsonObject {
  const content = asObject(asObject(body, path).content, `${path}.content`)
  const [first] = Object.keys(content)
  const type = json in content ? json : first
  if (type === undefined) throw new Error(`${path} has no content type`)
  const media = asObject(content[type], `${path}.${type}`)
  return { [type]: { schema: simplifySchema(media.schema, path, components, side) } }
}

function deriveBody(body: unknown, path: string, components: JsonObject): JsonObject {
  return {
    'x-codegen-request-body-name': 'body',
    requestBody: { required: true, content: pickContent(body, path, components, 'request') },
  }
}

function resolve(document: JsonObject, value: unknown): JsonObject {
  const object = asObject(value, 'a parameter or response')
  if (typeof object.$ref !== 'string') return object
  const steps = object.$ref.slice('#/'.length).split('/')
  return steps.reduce((at, step) => asObject(at[step], step), document)
}

function deriveOperation(document: JsonObject, operation: JsonObject, components: JsonObject): JsonObject {
  const path = String(operation.operationId)
  const given = Array.isArray(operation.parameters) ? operation.parameters : []
  const parameters = given
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter['x-sdk'] !== 'omit')
    .map(({ name, in: where, description, required, schema }) => {
      const simple = simplifySchema(schema, `${path}.${String(name)}`, components, 'request')
      return { name, in: where, description, ...(required === true ? { required } : {}), schema: simple }
    })
  const response = resolve(document, asObject(operation.responses, path)['200'])
  const error = { $ref: '#/components/schemas/ErrorBody' }
  const body = operation.requestBody
  return {
    operationId: operation.operationId,
    tags: [apiName],
    summary: operation.summary,
    description: operation.description,
    security: Array.isArray(operation.security) && operation.security.length === 0 ? [] : [{ [tokenScheme]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : deriveBody(body, path, components)),
    responses: {
      200: { description: response.description, content: pickContent(response, path, components, 'response') },
      default: { description: 'Every error.', content: { [json]: { schema: error } } },
    },
  }
}

function derivePaths(document: JsonObject, components: JsonObject): JsonObject {
  const paths: JsonObject = {}
  for (const [path, methods] of Object.entries(asObject(document.paths, 'paths'))) {
    const operations = Object.entries(asObject(methods, path))
      .filter(([, operation]) => isObject(operation) && operation['x-sdk'] !== 'omit')
      .map(([method, operation]) => [method, deriveOperation(document, asObject(operation, path), components)])
    if (operations.length > 0) paths[path] = Object.fromEntries(operations)
  }
  return paths
}

/**
 * Derives the schemas that the paths refer to. Schemas of requests keep their limits.
 * @throws Error for a schema in both requests and responses
 */
function deriveSchemas(paths: JsonObject, components: JsonObject): JsonObject {
  const operations = Object.values(paths).flatMap((methods) => Object.values(asObject(methods, 'paths')))
  const sent = findReferences(
    operations.map((operation) => isObject(operation) && [operation.parameters, operation.requestBody]),
    components,
  )
  const returned = findReferences(
    operations.map((operation) => isObject(operation) && operation.responses),
    components,
  )
  const both = [...sent].filter((name) => returned.has(name))
  if (both.length > 0) throw new Error(`${both.join(', ')}: in both requests and responses`)
  const simple = Object.entries(components).map(([name, schema]): [string, JsonObject] => {
    return [name, simplifySchema(schema, name, components, sent.has(name) ? 'request' : 'response')]
  })
  const used = findReferences(paths, Object.fromEntries(simple))
  return Object.fromEntries(simple.filter(([name]) => used.has(name)))
}

/** Describes the use of the profile, for its one tag: generators copy the document's description into each file. */
function describeUsage(description: unknown, usage: unknown): string {
  const parts = String(description).split(/^(?=## )/m)
  const shared = parts.filter((part) => sharedParts.test(part))
  return `${[String(usage), ...shared].map((part) => part.trimEnd()).join('\n\n')}\n`
}

/**
 * Derives the SDK profile from the document and its `x-sdk` marks: one API, the token in the header only, one content
 * type for each body (JSON where the document has it), one shape for all errors, and simplified schemas
 * (`simplifySchema`).
 */
export function deriveProfile(document: JsonObject): JsonObject {
  const components = asObject(document.components, 'components')
  const schemas = asObject(components.schemas, 'components.schemas')
  const schemes = asObject(components.securitySchemes, 'components.securitySchemes')
  const info = asObject(document.info, 'info')
  const { title, version, license, contact } = info
  const { description, usage } = asObject(info['x-sdk'], 'info.x-sdk')
  const paths = derivePaths(document, schemas)
  const base = asObject(asObject((document.servers as unknown[])[0], 'servers').variables, 'servers').base_url
  return {
    openapi: document.openapi,
    info: { title, description, version, license, contact },
    servers: [{ url: asObject(base, 'base_url').default }],
    tags: [{ name: apiName, description: describeUsage(info.description, usage) }],
    paths,
    components: {
      securitySchemes: { [tokenScheme]: schemes[tokenScheme] },
      schemas: deriveSchemas(paths, schemas),
    },
  }
}

/** Path of the SDK profile. */
export const profilePath = 'openapi.sdk.yaml'

const firstLine = '# Made from openapi.yaml by npm run generate; edit openapi.yaml instead.\n'

/** Writes the text of the SDK profile from the text of the document. */
export const writeProfile = (document: string): string =>
  firstLine + stringify(deriveProfile(parse(document)), { aliasDuplicateObjects: false, lineWidth: 0 })
