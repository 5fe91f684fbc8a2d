import { findSession } from '../accounts/sessions.ts'
import { ApiError, type ErrorCode } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { runBySize, type Work } from '../scheduling.ts'
import type { Session } from '../store/registry/registry.ts'
import { type Store, StoreError } from '../store/store.ts'
import { findAccessToken } from '../wire/credentials.ts'
import type { JsonLimits } from '../wire/json.ts'
import { discardBody } from '../wire/request-body.ts'
import { describeViolation } from '../wire/schema-errors.ts'
import type { ApiResponse, Handlers } from './handlers.ts'
import type { BodyBudgets, Limits } from './limits.ts'
import { type ReceivedBody, receiveBody, receiveUnauthenticatedBody } from './receive-body.ts'
import {
  type ApiRequest,
  decodeParameters,
  decodeQuery,
  type Fields,
  findTokens,
  findViolations,
  noFields,
  type Query,
} from './request.ts'
import type { Route, Routes } from './routes.ts'

/**
 * The parts that the API works with. This folder turns an HTTP request into a call of one operation: route, token,
 * body, parameters, validation and errors. It must not know Koa, sockets or the sync rules. Start reading at
 * `handleRequest`.
 */
export interface Api {
  readonly routes: Routes
  readonly handlers: Handlers
  readonly store: Store
  readonly environment: Environment
  readonly limits: Limits
  /** Counts the bytes of bodies under way. */
  readonly bodyBudgets: BodyBudgets
  /** False rejects an access token in the query. */
  readonly allowsQueryToken: boolean
}

/** Called as soon as the session of the request is known, for the log. */
type OnSession = (session: Session) => void

/**
 * Handles a request below the base URL: finds the operation, checks the access token, validates the parameters and runs
 * the operation. An unauthenticated client must cost little, so the order is fixed (contract, order of checks): the
 * path, a token in header or query, the method, the body, a token in the body, the parameters.
 * @throws ApiError, StoreError; anything else is a bug
 */
export const handleRequest = async (api: Api, request: ApiRequest, onSession: OnSession): Promise<ApiResponse> => {
  const methods = api.routes.get(request.path)
  const anyRoute = methods?.values().next().value
  try {
    if (methods === undefined || anyRoute === undefined) throw new ApiError('operationUnknown')
    const query = decodeQuery(request.query, api.limits)
    const token = anyRoute.needsToken ? findToken(api, request, query.fields, none) : undefined
    const sender = token === undefined ? undefined : await findSession(api.store, token, api.environment)
    if (sender !== undefined) onSession(sender)
    const route = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (route === undefined) throw new ApiError('methodWrong', { allow: [...methods.keys()].join(', ') })
    if (route.bodyTypes.length > 0) return await handleBody(api, request, route, query, sender, onSession)
    if (route.needsToken && sender === undefined) throw new ApiError('tokenMissing')
    return await runOperation(api, request, route, query, noFields, sender, token)
  } catch (error) {
    discardBody(request.message, api.limits.maxDiscardedBytes, api.bodyBudgets.throttle)
    throw anyRoute?.needsToken === false && error instanceof ApiError ? toGrantError(error) : error
  }
}

const none: readonly string[] = []

/** Finds the token of a request. @throws ApiError `tokenTwice` for different tokens, `queryTokenOff` */
const findToken = (
  { allowsQueryToken }: Api,
  { authorization }: ApiRequest,
  query: Fields,
  inBody: readonly string[],
): string | undefined => {
  const inQuery = findTokens(query)
  // Rejected even beside a token in the header: it is in the logs of proxies by now, and the client should notice.
  if (!allowsQueryToken && inQuery.some((token) => token !== '')) throw new ApiError('queryTokenOff')
  return findAccessToken({ authorization, query: inQuery, body: inBody })
}

const handleBody = async (
  api: Api,
  request: ApiRequest,
  route: Route,
  query: Query,
  sender: Session | undefined,
  onSession: OnSession,
): Promise<ApiResponse> => {
  const isKnown = sender !== undefined || !route.needsToken
  const body: ReceivedBody = isKnown
    ? await receiveBody(api, request, route, sender)
    : await receiveUnauthenticatedBody(api, request, route)
  try {
    const { fields, session } = body
    if (sender === undefined && session !== undefined) onSession(session)
    // Only one token was checked, so the others must be equal.
    const inBody = route.needsToken ? findTokens(fields) : none
    if (inBody.length > 0) findToken(api, request, query.fields, inBody)
    return await runOperation(api, request, route, query, fields, session)
  } finally {
    body.release()
  }
}

const runOperation = (
  { limits, handlers }: Api,
  { authorization, address, message, presence, requestId }: ApiRequest,
  route: Route,
  query: Query,
  body: Fields,
  session: Session | undefined,
  accessToken?: string,
): Promise<ApiResponse> => {
  if (query.error !== undefined) throw query.error
  if (route.bodySchema === undefined && route.uploads.size > 0) rejectUploads(query.fields, route.uploads)
  // The cast is safe: `readParameters` validates the parameters against the schema of these types.
  const handle = handlers[route.operationId] as (call: object) => Promise<ApiResponse>
  const run = (parameters: object) => {
    rejectReadOnlyToken(route, session, parameters)
    const userAgent = message.headers['user-agent']
    return handle({ parameters, session, accessToken, presence, authorization, address, userAgent, requestId })
  }
  // The token endpoint reads no secrets from a URL.
  const reading = readParameters(route, route.needsToken ? query.fields : noFields, body, limits)
  const parameters = runBySize(reading, body.isLong === true)
  return parameters instanceof Promise ? parameters.then(run) : run(parameters)
}

/** Rejects uploads in a query, because a GET would silently lose them. @throws ApiError `uploadInGet` */
const rejectUploads = (query: Fields, uploads: ReadonlySet<string>): void => {
  for (const [name] of query.fields) {
    const bracket = name.indexOf('[')
    const parameter = bracket < 0 ? name : name.slice(0, bracket)
    if (uploads.has(parameter)) throw new ApiError('uploadInGet', { parameter })
  }
}

function* readParameters(route: Route, query: Fields, body: Fields, limits: JsonLimits): Work<object> {
  const schema = route.bodySchema ?? route.querySchema
  const fromQuery = yield* decodeParameters(query, schema, limits)
  const parameters = joinParameters(route, fromQuery, yield* decodeParameters(body, schema, limits))
  rejectViolations(yield* findViolations(route, parameters))
  return parameters
}

/**
 * Joins the parameters of query and body. The body wins, but no upload is silently lost.
 * @throws ApiError `uploadTwice`
 */
const joinParameters = ({ uploads }: Route, fromQuery: object, fromBody: object): Record<string, unknown> => {
  for (const parameter of Object.keys(fromQuery)) {
    if (uploads.has(parameter) && Object.hasOwn(fromBody, parameter)) throw new ApiError('uploadTwice', { parameter })
  }
  return { ...fromQuery, ...fromBody }
}

const rejectViolations = (violations: ReturnType<Route['validate']>): void => {
  if (violations.length === 0) return
  const { tooMany, ...details } = describeViolation(violations)
  throw new ApiError(tooMany ? 'tooManyItems' : 'parameterInvalid', details)
}

/** Converts an error to the error codes of the token endpoint (RFC 6749, 5.2). */
const toGrantError = (error: ApiError): ApiError =>
  error.kind === 'parameterInvalid' ? new ApiError('grantParameterInvalid', error.details) : error

/**
 * Rejects a request that changes something with a read-only personal access token. Every POST changes something, except
 * a POST without an upload on a path that also has a GET.
 * @throws ApiError `tokenReadOnly`
 */
const rejectReadOnlyToken = (route: Route, session: Session | undefined, parameters: object): void => {
  if (session?.personal?.isReadOnly !== true || route.bodySchema === undefined) return
  const reads = route.hasGet && ![...route.uploads].some((upload) => Object.hasOwn(parameters, upload))
  if (!reads) throw new ApiError('tokenReadOnly')
}

/** The response to a failed request (interface 7). */
interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: ErrorCode; readonly error_description: string }
}

const retryAfterSeconds = 30

const basicScheme = /^\s*basic(\s|$)/i

const headersOf = ({ status, error, details }: ApiError, authorization: string): Record<string, string> => {
  if (status === 401) {
    const reason = error === 'invalid_grant' ? ', error="invalid_token"' : ''
    // RFC 6749, 5.2: only the scheme that the client used. A browser that is offered Basic opens a dialog of its own.
    const basic = error === 'invalid_client' && basicScheme.test(authorization) ? ', Basic realm="thingsync"' : ''
    return { 'www-authenticate': `Bearer realm="thingsync"${reason}${basic}` }
  }
  if (status === 403) return { 'www-authenticate': 'Bearer realm="thingsync", error="insufficient_scope"' }
  if (status === 405) return { allow: String(details.allow) }
  if (status === 429) return { 'retry-after': String(details.retryAfterSeconds) }
  if (status === 503) return { 'retry-after': String(retryAfterSeconds) }
  return {}
}

/**
 * Creates the response to an error; no other function does. An `ApiError` has its own status and sentence, and a
 * `StoreError` is 503. Anything else is a bug: 500 with a fixed sentence. `authorization` is the Authorization header
 * of the request.
 */
export const createErrorResponse = (error: unknown, authorization = ''): ErrorResponse => {
  if (error instanceof StoreError) return createErrorResponse(new ApiError('storeUnavailable'))
  if (error instanceof ApiError) {
    const body = { error: error.error, error_description: error.message }
    return { status: error.status, headers: headersOf(error, authorization), body }
  }
  const body = { error: 'server_error', error_description: 'The server failed to handle this request' } as const
  return { status: 500, headers: {}, body }
}
