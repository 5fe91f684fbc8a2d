import { asObject, isObject, type JsonObject } from '../json.ts'
import { findReferences, simplifySchema } from './simple-schema.ts'

const apiName = 'thingsync'
const tokenScheme = 'headerToken'
const json = 'application/json'

function pickContent(body: unknown, place: string, components: JsonObject): JsonObject {
  const content = asObject(asObject(body, place).content, `${place}.content`)
  const [first] = Object.keys(content)
  const type = json in content ? json : first
  if (type === undefined) throw new Error(`${place} has no content type`)
  const media = asObject(content[type], `${place}.${type}`)
  return { [type]: { schema: simplifySchema(media.schema, place, components) } }
}

function deriveBody(body: unknown, place: string, components: JsonObject): JsonObject {
  return {
    'x-codegen-request-body-name': 'body',
    requestBody: { required: true, content: pickContent(body, place, components) },
  }
}

function resolve(document: JsonObject, value: unknown): JsonObject {
  const object = asObject(value, 'a parameter or response')
  if (typeof object.$ref !== 'string') return object
  const steps = object.$ref.slice('#/'.length).split('/')
  return steps.reduce((at, step) => asObject(at[step], step), document)
}

function deriveOperation(document: JsonObject, operation: JsonObject, components: JsonObject): JsonObject {
  const place = String(operation.operationId)
  const given = Array.isArray(operation.parameters) ? operation.parameters : []
  const parameters = given
    .map((parameter) => resolve(document, parameter))
    .filter((parameter) => parameter.name !== 'access_token')
    .map(({ name, in: where, description, schema }) => {
      return { name, in: where, description, schema: simplifySchema(schema, `${place}.${String(name)}`, components) }
    })
  const answer = resolve(document, asObject(operation.responses, place)['200'])
  const error = { $ref: '#/components/schemas/ErrorBody' }
  const body = operation.requestBody
  return {
    operationId: operation.operationId,
    tags: [apiName],
    summary: operation.summary,
    description: operation.description,
    security: Array.isArray(operation.security) && operation.security.length === 0 ? [] : [{ [tokenScheme]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === undefined ? {} : deriveBody(body, place, components)),
    responses: {
      200: { description: answer.description, content: pickContent(answer, place, components) },
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
 * The document for SDK generators: one API, the token in the header only, one content type for each body (JSON where the
 * document has it), one shape for all errors, and only schemas that every generator understands (`simplifySchema`).
 * Derived from the document and its `x-sdk` marks alone.
 */
export function deriveProfile(document: JsonObject): JsonObject {
  const components = asObject(document.components, 'components')
  const schemas = asObject(components.schemas, 'components.schemas')
  const schemes = asObject(components.securitySchemes, 'components.securitySchemes')
  const { title, version, license } = asObject(document.info, 'info')
  const paths = derivePaths(document, schemas)
  const simple = Object.entries(schemas).map(([name, schema]): [string, JsonObject] => {
    return [name, simplifySchema(schema, name, schemas)]
  })
  const used = findReferences(paths, Object.fromEntries(simple))
  const base = asObject(asObject((document.servers as unknown[])[0], 'servers').variables, 'servers').base_url
  return {
    openapi: document.openapi,
    info: { title, description: 'Client of the thing synchronisation interface.', version, license },
    servers: [{ url: asObject(base, 'base_url').default }],
    tags: [{ name: apiName }],
    paths,
    components: {
      securitySchemes: { [tokenScheme]: schemes[tokenScheme] },
      schemas: Object.fromEntries(simple.filter(([name]) => used.has(name))),
    },
  }
}
