import { findSession } from '../accounts/find-session.ts'
import { Refused } from '../refused.ts'
import { runBySize, type Work } from '../slices.ts'
import type { Session } from '../store/registry/registry.ts'
import type { Store } from '../store/store.ts'
import { findAccessToken } from '../wire/access-token.ts'
import type { JsonLimits } from '../wire/check-json.ts'
import { describeViolation } from '../wire/describe-violation.ts'
import { dropBody } from '../wire/drop-body.ts'
import type { World } from '../world.ts'
import type { ReceivedBody } from './decode-in-turn.ts'
import type { Answer, Handlers } from './handlers.ts'
import { receiveUnknown } from './identify-sender.ts'
import type { Limits } from './limits.ts'
import { decodeFields, findViolations } from './read-parameters.ts'
import { type ApiRequest, type Fields, noFields, type Query, readQuery, tokensIn } from './read-request.ts'
import { receiveKnown } from './receive-body.ts'
import { refuseReadOnly } from './refuse-read-only.ts'
import type { Rooms } from './rooms.ts'
import type { Route, Routes } from './routes.ts'

/** What the API works with. */
export interface Api {
  readonly routes: Routes
  readonly handlers: Handlers
  readonly store: Store
  readonly world: World
  readonly limits: Limits
  /** Where the bytes of bodies under way are counted. */
  readonly rooms: Rooms
  /** False: an access token in the query is refused. */
  readonly takesQueryToken: boolean
}

/** Called as soon as it is known whose request it is, for the log. */
export type OnSession = (session: Session) => void

/**
 * Answers one request below the base address: finds the operation, judges the access token, validates what was sent
 * and runs the operation. A stranger costs nothing (contract, order of judging): first comes the path, then a token in
 * header or query, then the method, then the body, then a token in the body, then the parameters.
 * @throws Refused, StoreFailed; anything else is a bug
 */
export const answerRequest = async (api: Api, request: ApiRequest, onSession: OnSession): Promise<Answer> => {
  const methods = api.routes.get(request.path)
  const anyRoute = methods?.values().next().value
  try {
    if (methods === undefined || anyRoute === undefined) throw new Refused('operationUnknown')
    const query = readQuery(request.query, api.limits)
    const token = anyRoute.needsToken ? findToken(api, request, query.fields, none) : undefined
    const sender = token === undefined ? undefined : await findSession(api.store, token, api.world)
    if (sender !== undefined) onSession(sender)
    const route = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
    if (route === undefined) throw new Refused('methodWrong', { allow: [...methods.keys()].join(', ') })
    if (route.bodyTypes.length > 0) return await answerBody(api, request, route, query, sender, onSession)
    if (route.needsToken && sender === undefined) throw new Refused('tokenMissing')
    return await runOperation(api, request, route, query, noFields, sender, token)
  } catch (error) {
    dropBody(request.message, api.limits.droppedBytes, api.rooms.pace)
    throw anyRoute?.needsToken === false && error instanceof Refused ? asGrantRefusal(error) : error
  }
}

const none: readonly string[] = []

/** The token of a request; refused when different ones are given. */
const findToken = (
  { takesQueryToken }: Api,
  { authorization }: ApiRequest,
  query: Fields,
  inBody: readonly string[],
): string | undefined => {
  const inQuery = tokensIn(query)
  // Beside another one too: it is in the logs of proxies by now, and somebody should notice.
  if (!takesQueryToken && inQuery.some((token) => token !== '')) throw new Refused('queryTokenOff')
  return findAccessToken({ authorization, query: inQuery, body: inBody })
}

const answerBody = async (
  api: Api,
  request: ApiRequest,
  route: Route,
  query: Query,
  sender: Session | undefined,
  onSession: OnSession,
): Promise<Answer> => {
  const isKnown = sender !== undefined || !route.needsToken
  const body: ReceivedBody = isKnown
    ? await receiveKnown(api, request, route, sender)
    : await receiveUnknown(api, request, route)
  try {
    const { fields, session } = body
    if (sender === undefined && session !== undefined) onSession(session)
    // One of them was judged: the others must be the same.
    const inBody = route.needsToken ? tokensIn(fields) : none
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
): Promise<Answer> => {
  if (query.refusal !== undefined) throw query.refusal
  if (route.bodySchema === undefined && route.uploads.size > 0) refuseUploads(query.fields, route.uploads)
  // The route's validators have just proven what the types of its handler say.
  const handle = handlers[route.operationId] as (call: object) => Promise<Answer>
  const run = (parameters: object) => {
    refuseReadOnly(route, session, parameters)
    const userAgent = message.headers['user-agent']
    return handle({ parameters, session, accessToken, presence, authorization, address, userAgent, requestId })
  }
  // Secrets of the token endpoint are not read from an address.
  const reading = readParameters(route, route.needsToken ? query.fields : noFields, body, limits)
  const parameters = runBySize(reading, body.isLong === true)
  return parameters instanceof Promise ? parameters.then(run) : run(parameters)
}

/** An upload in a GET would be lost without a word. */
const refuseUploads = (query: Fields, uploads: ReadonlySet<string>): void => {
  for (const [name] of query.fields) {
    const bracket = name.indexOf('[')
    const parameter = bracket < 0 ? name : name.slice(0, bracket)
    if (uploads.has(parameter)) throw new Refused('uploadInGet', { parameter })
  }
}

function* readParameters(route: Route, query: Fields, body: Fields, limits: JsonLimits): Work<object> {
  const schema = route.bodySchema ?? route.querySchema
  const fromQuery = yield* decodeFields(query, schema, limits)
  const parameters = join(route, fromQuery, yield* decodeFields(body, schema, limits))
  refuseViolations(yield* findViolations(route, parameters))
  return parameters
}

/** What is in query and body is taken from the body, but no upload is lost without a word. */
const join = ({ uploads }: Route, fromQuery: object, fromBody: object): Record<string, unknown> => {
  for (const parameter of Object.keys(fromQuery)) {
    if (uploads.has(parameter) && Object.hasOwn(fromBody, parameter)) throw new Refused('uploadTwice', { parameter })
  }
  return { ...fromQuery, ...fromBody }
}

const refuseViolations = (violations: ReturnType<Route['validate']>): void => {
  if (violations.length === 0) return
  const { tooMany, ...details } = describeViolation(violations)
  throw new Refused(tooMany ? 'tooManyItems' : 'parameterInvalid', details)
}

/** The token endpoint has the error codes of RFC 6749, 5.2. */
const asGrantRefusal = (refusal: Refused): Refused =>
  refusal.kind === 'parameterInvalid' ? new Refused('grantParameterInvalid', refusal.details) : refusal
