import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { OpenAPIBackend } from 'openapi-backend'
import { document } from '../../generated/document.ts'
import { declaredProperties, formats, type JsonSchema } from '../wire/json-schema.ts'
import type { OperationId, PublicOperationId } from './handlers.ts'

/**
 * Finds the path of an operation (`/thing/add`) in the path of a request: the part after the base path, or after `/v1/`
 * when a proxy removes the prefix. Undefined when the path is below neither.
 */
export const findApiPath = (path: string, basePath: string): string | undefined => {
  for (const base of [basePath, '/v1/']) {
    if (path.startsWith(base)) return `/${path.slice(base.length)}`
  }
  return undefined
}

/** An operation of the document, with its validators. */
export interface Route {
  readonly operationId: OperationId
  readonly path: string
  readonly needsToken: boolean
  /** The schema of its query. */
  readonly querySchema: JsonSchema
  /** The schema of its decoded body; undefined for an operation without a body. */
  readonly bodySchema: JsonSchema | undefined
  readonly bodyTypes: readonly string[]
  /**
   * The uploads: parameters that the POST of its path has and the GET has not. A GET, or a repetition, would lose them.
   */
  readonly uploads: ReadonlySet<string>
  /** True when its path also has a GET, which does the same except for uploads. */
  readonly hasGet: boolean
  /** Returns the errors of Ajv, or an empty list; their paths begin at the parameter. */
  readonly validate: (request: { query?: object; body?: object }) => readonly ErrorObject[]
}

/** Operations by path (`/thing/add`) and method in capitals. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>

const publicOperations: readonly PublicOperationId[] = ['grantToken', 'revokeToken']

// openapi-backend lets Ajv coerce types in parameters. `coerce` does that here, so Ajv must only validate. JSON's 1e400
// is parsed as infinity, which no response and no file can hold: strictNumbers rejects it. The schemas were validated
// with the document; Ajv would validate them again for each operation.
const customizeAjv = () =>
  new Ajv({ strict: false, strictNumbers: true, coerceTypes: false, formats, validateSchema: false }).addKeyword({
    keyword: 'x-property-names',
    macro: (names: object) => ({ propertyNames: names }),
  })

interface Operation {
  readonly operationId?: string
  readonly path: string
  readonly method: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/**
 * Creates the routes of `openapi.yaml` with openapi-backend. Its own `handleRequest` is slow, so this map calls its
 * compiled validators instead (`contributing/decisions/003-use-openapi-backend-only-at-start.md`).
 * @throws Error when the document disagrees with `PublicOperationId`
 */
export const createRoutes = (): Promise<Routes> => {
  cachedRoutes ??= buildRoutes()
  return cachedRoutes
}

// Cached, because the document does not change while a program runs and compiling its schemas is slow.
let cachedRoutes: Promise<Routes> | undefined

const buildRoutes = async (): Promise<Routes> => {
  // `quick` skips the validation of the document: `npm run generate` and the tests have validated it.
  const api = new OpenAPIBackend({ definition: document, quick: true, customizeAjv })
  await api.init()
  const routes = new Map<string, Map<string, Route>>()
  const operations = api.router.getOperations() as unknown as readonly Operation[]
  for (const operation of operations) {
    const methods = routes.get(operation.path) ?? new Map<string, Route>()
    const validators = api.validator.getRequestValidatorsForOperation(operation.operationId ?? '') ?? []
    const siblings = operations.filter(({ path }) => path === operation.path)
    methods.set(operation.method.toUpperCase(), createRoute(operation, validators, siblings))
    routes.set(operation.path, methods)
  }
  return routes
}

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
  const { access_token: _, ...properties } = body.schema.properties
  return { ...body.schema, properties }
}

const findUploads = (siblings: readonly Operation[]): ReadonlySet<string> => {
  const get = siblings.find(({ method }) => method === 'get')
  const postSchema = siblings.map(bodySchemaOf).find((schema) => schema !== undefined)
  if (get === undefined || postSchema === undefined) return new Set()
  const declared = declaredProperties(querySchemaOf(get))
  const taken = [...declaredProperties(postSchema).keys()]
  return new Set(taken.filter((parameter) => !declared.has(parameter)))
}

const createRoute = (
  operation: Operation,
  validators: readonly ValidateFunction[],
  siblings: readonly Operation[],
): Route => {
  const operationId = operation.operationId as OperationId
  const needsToken = (operation.security ?? []).length > 0
  if (needsToken === publicOperations.some((id) => id === operationId)) {
    throw new Error(`openapi.yaml and PublicOperationId disagree about the security of ${operationId}`)
  }
  const querySchema = querySchemaOf(operation)
  const bodySchema = bodySchemaOf(operation)
  return {
    operationId,
    path: operation.path,
    needsToken,
    querySchema,
    bodySchema,
    bodyTypes: Object.keys(operation.requestBody?.content ?? {}),
    uploads: findUploads(siblings),
    hasGet: siblings.some(({ method }) => method === 'get'),
    validate: ({ query = {}, body = {} }) => {
      const sent = { query, requestBody: body, path: {}, header: {}, cookie: {} }
      if (validators.every((validator) => validator(sent))) return none
      return validators.flatMap((validator) => {
        validator(sent)
        return (validator.errors ?? []).map(nameParameter)
      })
    },
  }
}

const none: readonly ErrorObject[] = []

const nameParameter = (error: ErrorObject): ErrorObject => ({
  ...error,
  instancePath: error.instancePath.replace(/^\/(query|requestBody)/, ''),
})
