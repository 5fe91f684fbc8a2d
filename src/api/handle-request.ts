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

/** What the API works with. */
export interface Api {
  readonly routes: Routes
  readonly handlers: Handlers
  readonly store: Store
  readonly environment: Environment
  readonly limits: Limits
  /** Where the bytes of bodies under way are counted. */
  readonly bodyBudgets: BodyBudgets
  /** False: an access token in the query is refused. */
  readonly allowsQueryToken: boolean
}

/** Called as soon as it is known whose request it is, for the log. */
type OnSession = (session: Session) => void

/**
 * Answers one request below the base address: finds the operation, judges the access token, validates what was sent
 * and runs the operation. A stranger costs nothing (contract, order of judging): first comes the path, then a token in
 * header or query, then the method, then the body, then a token in the body, then the parameters.
 * @throws ApiError, StoreFailed; anything else is a bug
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

/** The token of a request; refused when different ones are given. */
const findToken = (
  { allowsQueryToken }: Api,
  { authorization }: ApiRequest,
  query: Fields,
  inBody: readonly string[],
): string | undefined => {
  const inQuery = findTokens(query)
  // Beside another one too: it is in the logs of proxies by now, and somebody should notice.
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
    // One of them was judged: the others must be the same.
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
  // The route's validators have just proven what the types of its handler say.
  const handle = handlers[route.operationId] as (call: object) => Promise<ApiResponse>
  const run = (parameters: object) => {
    rejectReadOnlyToken(route, session, parameters)
    const userAgent = message.headers['user-agent']
    return handle({ parameters, session, accessToken, presence, authorization, address, userAgent, requestId })
  }
  // Secrets of the token endpoint are not read from an address.
  const reading = readParameters(route, route.needsToken ? query.fields : noFields, body, limits)
  const parameters = runBySize(reading, body.isLong === true)
  return parameters instanceof Promise ? parameters.then(run) : run(parameters)
}

/** An upload in a GET would be lost without a word. */
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

/** What is in query and body is taken from the body, but no upload is lost without a word. */
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

/** The token endpoint has the error codes of RFC 6749, 5.2. */
const toGrantError = (errorKind: ApiError): ApiError =>
  errorKind.kind === 'parameterInvalid' ? new ApiError('grantParameterInvalid', errorKind.details) : errorKind

/**
 * Refuses what a personal access token that may only read was sent with, if it changes anything: every POST does, but that
 * of a path which GET reads too, unless it holds an upload.
 * @throws ApiError `tokenReadOnly`
 */
const rejectReadOnlyToken = (route: Route, session: Session | undefined, parameters: object): void => {
  if (session?.personal?.isReadOnly !== true || route.bodySchema === undefined) return
  const reads = route.hasGet && ![...route.uploads].some((upload) => Object.hasOwn(parameters, upload))
  if (!reads) throw new ApiError('tokenReadOnly')
}

/** An error as it is answered (interface 7). */
interface ErrorResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: ErrorCode; readonly error_description: string }
}

const retryAfterSeconds = 30

const isBasic = /^\s*basic(\s|$)/i

const headersOf = ({ status, error, details }: ApiError, authorization: string): Record<string, string> => {
  if (status === 401) {
    const reason = error === 'invalid_grant' ? ', error="invalid_token"' : ''
    // RFC 6749, 5.2: the scheme that the client used. A browser that is offered Basic opens a window of its own.
    const basic = error === 'invalid_client' && isBasic.test(authorization) ? ', Basic realm="thingsync"' : ''
    return { 'www-authenticate': `Bearer realm="thingsync"${reason}${basic}` }
  }
  if (status === 403) return { 'www-authenticate': 'Bearer realm="thingsync", error="insufficient_scope"' }
  if (status === 405) return { allow: String(details.allow) }
  if (status === 429) return { 'retry-after': String(details.retryAfterSeconds) }
  if (status === 503) return { 'retry-after': String(retryAfterSeconds) }
  return {}
}

/**
 * The one place where errors become answers: a refusal says what it refuses, a failed store is 503, anything else is a
 * bug and says nothing about itself. `authorization` is that header of the request.
 */
export const createErrorResponse = (error: unknown, authorization = ''): ErrorResponse => {
  if (error instanceof StoreError) return createErrorResponse(new ApiError('storeUnavailable'))
  if (error instanceof ApiError) {
    const body = { error: error.error, error_description: error.message }
    return { status: error.status, headers: headersOf(error, authorization), body }
  }
  const body = { error: 'server_error', error_description: 'The server failed to answer this request' } as const
  return { status: 500, headers: {}, body }
}
