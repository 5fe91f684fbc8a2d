import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv'
import { OpenAPIBackend } from 'openapi-backend'
import { document } from '../../generated/document.ts'
import type { JsonSchema } from '../wire/json-schema.ts'
import { isText } from '../wire/text-format.ts'
import type { OpenOperationId, OperationId } from './handlers.ts'

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
  /** Errors of ajv, or none; paths in them begin at the parameter. */
  readonly validate: (request: { query?: object; body?: object }) => readonly ErrorObject[]
}

/** Operations by path (`/thing/add`) and method in capitals. */
export type Routes = ReadonlyMap<string, ReadonlyMap<string, Route>>

const openOperations: readonly OpenOperationId[] = ['grantToken', 'revokeToken']

// openapi-backend lets ajv guess types in parameters; spelling is decided by `coerce`, so ajv only judges.
const customizeAjv = () =>
  new Ajv({ strict: false, coerceTypes: false })
    .addFormat('text', isText)
    .addKeyword({ keyword: 'x-property-names', macro: (names: object) => ({ propertyNames: names }) })

interface Operation {
  readonly operationId?: string
  readonly path: string
  readonly method: string
  readonly security?: readonly object[]
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: JsonSchema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> }
}

/**
 * Makes the routes from `openapi.yaml` with openapi-backend. Its own `handleRequest` costs five times Koa
 * (`docs/architecture.md`), so its compiled validators are called from this map instead.
 * @throws when the document disagrees with `OpenOperationId`
 */
export const createRoutes = async (): Promise<Routes> => {
  // The document was made and validated by `npm run generate` and the tests; doing it at every start costs a second.
  const api = new OpenAPIBackend({ definition: document, quick: true, customizeAjv })
  await api.init()
  const routes = new Map<string, Map<string, Route>>()
  for (const operation of api.router.getOperations() as unknown as readonly Operation[]) {
    const methods = routes.get(operation.path) ?? new Map<string, Route>()
    const validators = api.validator.getRequestValidatorsForOperation(operation.operationId ?? '') ?? []
    methods.set(operation.method.toUpperCase(), createRoute(operation, validators))
    routes.set(operation.path, methods)
  }
  return routes
}

const createRoute = (operation: Operation, validators: readonly ValidateFunction[]): Route => {
  const operationId = operation.operationId as OperationId
  const needsToken = (operation.security ?? []).length > 0
  if (needsToken === openOperations.some((id) => id === operationId)) {
    throw new Error(`openapi.yaml and OpenOperationId disagree about the security of ${operationId}`)
  }
  const content = operation.requestBody?.content ?? {}
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query')
  return {
    operationId,
    path: operation.path,
    needsToken,
    querySchema: {
      type: 'object',
      properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    },
    bodySchema: (content['application/json'] ?? content['application/x-www-form-urlencoded'])?.schema,
    bodyTypes: Object.keys(content),
    validate: ({ query = {}, body = {} }) =>
      validators.flatMap((validator) => {
        validator({ query, requestBody: body, path: {}, header: {}, cookie: {} })
        return (validator.errors ?? []).map((error) => ({
          ...error,
          instancePath: error.instancePath.replace(/^\/(query|requestBody)/, ''),
        }))
      }),
  }
}
