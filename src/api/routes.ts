import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { OpenAPIBackend } from 'openapi-backend'
import { document } from '../../generated/document.ts'
import { declaredProperties, formats, type JsonSchema } from '../wire/json-schema.ts'
import type { OperationId, PublicOperationId } from './handlers.ts'

/**
 * The path of an operation (`/thing/add`) in the path of a request: what follows the whole base path, or `/v1/` for a
 * proxy that takes the prefix away. Undefined when it is below neither.
 */
export const findApiPath = (path: string, basePath: string): string | undefined => {
  for (const base of [basePath, '/v1/']) {
    if (path.startsWith(base)) return `/${path.slice(base.length)}`
  }
  return undefined
}

/** One operation of the document, ready to be called. */
export interface Route {
  readonly operationId: OperationId
  readonly path: string
  readonly needsToken: boolean
  /** What its query may hold. */
  readonly querySchema: JsonSchema
  /** What its body holds when it is decoded; undefined for an operation without a body. */
  readonly bodySchema: JsonSchema | undefined
  readonly bodyTypes: readonly string[]
  /** What the POST of its path takes beyond the GET: an upload, which would be lost in a GET, or beside another one. */
  readonly uploads: ReadonlySet<string>
  /** A GET of its path does the same but for uploads. */
  readonly hasGet: boolean
  /** Errors of ajv, or none; paths in them begin at the parameter. */
  readonly validate: (request: { query?: object; body?: object }) => readonly ErrorObject[]
}

/** Operations by path (`/thing/add`) and method in capitals. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>

const publicOperations: readonly PublicOperationId[] = ['grantToken', 'revokeToken']

// openapi-backend lets ajv guess types in parameters; spelling is decided by `coerce`, so ajv only judges. What is written
// 1e400 in JSON is read as infinite, which no answer and no file can hold: strictNumbers takes it for no number. The
// schemas themselves were judged with the document; ajv would do that for each operation anew, half a second in all.
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
 * The routes of `openapi.yaml`, made with openapi-backend. Its own `handleRequest` costs five times Koa
 * (`docs/architecture.md`), so its compiled validators are called from this map instead.
 * @throws when the document disagrees with `PublicOperationId`
 */
export const createRoutes = (): Promise<Routes> => {
  cachedRoutes ??= buildRoutes()
  return cachedRoutes
}

// The document does not change while a program runs, and compiling its schemas takes a sixth of a second.
let cachedRoutes: Promise<Routes> | undefined

const buildRoutes = async (): Promise<Routes> => {
  // The document was made and validated by `npm run generate` and the tests; doing it at every start costs a second.
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

/** Without the access token: that was judged before and may be given any number of times, as in a query. */
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
    throw new Error(`openapi.yaml and OpenOperationId disagree about the security of ${operationId}`)
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
