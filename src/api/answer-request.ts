import { findSession } from '../accounts/find-session.ts'
import { Refused } from '../refused.ts'
import { runInSlices, type Work } from '../slices.ts'
import type { Session } from '../store/directory.ts'
import type { Store } from '../store/store.ts'
import { findAccessToken } from '../wire/access-token.ts'
import { describeViolation } from '../wire/describe-violation.ts'
import { gatherParameters } from '../wire/gather-parameters.ts'
import type { JsonSchema } from '../wire/json-schema.ts'
import { readValues } from '../wire/read-values.ts'
import type { World } from '../world.ts'
import type { Answer, Handlers } from './handlers.ts'
import { decodeLongFields, findLongViolations } from './read-long-parameters.ts'
import { type ApiRequest, everyBodyType, type Fields, type RawRequest, readRequest } from './read-request.ts'
import type { Route, Routes } from './routes.ts'

/** What the API works with. */
export interface Api {
  readonly routes: Routes
  readonly handlers: Handlers
  readonly store: Store
  readonly world: World
  readonly maxBodyBytes: number
}

/** Called as soon as it is known whose request it is, for the log. */
export type OnSession = (session: Session) => void

/**
 * Answers one request below the base address: finds the operation, judges the access token, validates what was sent
 * and runs the operation (contract, the access token: the token is judged before method and parameters).
 * @throws Refused, StoreFailed; anything else is a bug
 */
export const answerRequest = async (api: Api, request: ApiRequest, onSession: OnSession): Promise<Answer> => {
  const methods = api.routes.get(request.path)
  const anyRoute = methods?.values().next().value
  if (methods === undefined || anyRoute === undefined) throw new Refused('operationUnknown')

  const route = methods.get(request.method === 'HEAD' ? 'GET' : request.method)
  const raw = await readRequest(request, route === undefined ? everyBodyType : route.bodyTypes, api.maxBodyBytes)
  const session = anyRoute.needsToken ? await authenticate(api, request, raw) : undefined
  if (session !== undefined) onSession(session)

  if (route === undefined) throw new Refused('methodWrong', { allow: [...methods.keys()].join(', ') })
  if (raw.refusal !== undefined) throw route.needsToken ? raw.refusal : asGrantRefusal(raw.refusal)
  if (route.uploads.size > 0) refuseUploads(raw.query, route.uploads)
  const isLong = raw.body.isLong && route.needsToken
  const readShort = route.needsToken ? readParameters : readGrantParameters
  const parameters = isLong ? await runInSlices(readLongParameters(route, raw)) : readShort(route, raw)

  // The route's validators have just proven what the types of its handler say.
  const handle = api.handlers[route.operationId] as (call: object) => Promise<Answer>
  const { authorization, address } = request
  return await handle({ parameters, session, authorization, address })
}

const authenticate = (api: Api, { authorization }: ApiRequest, { query, body }: RawRequest): Promise<Session> => {
  const token = findAccessToken({ authorization, query: tokensIn(query), body: tokensIn(body) })
  if (token === undefined) throw new Refused('tokenMissing')
  return findSession(api.store, token, api.world)
}

const tokensIn = ({ fields }: Fields): string[] => {
  const tokens: string[] = []
  for (const [name, value] of fields) {
    if (name === 'access_token' && value !== null) tokens.push(typeof value === 'string' ? value : ' ')
  }
  return tokens
}

/** An upload in a GET would be lost without a word. */
const refuseUploads = (query: Fields, uploads: ReadonlySet<string>): void => {
  for (const [name] of query.fields) {
    const bracket = name.indexOf('[')
    const parameter = bracket < 0 ? name : name.slice(0, bracket)
    if (uploads.has(parameter)) throw new Refused('uploadInGet', { parameter })
  }
}

const readParameters = (route: Route, { query, body }: RawRequest): object => {
  const schema = route.bodySchema ?? route.querySchema
  const fromQuery = decodeFields(query, schema)
  const fromBody = decodeFields(body, schema)
  const parameters = { ...fromQuery, ...fromBody }
  refuseViolations(route.validate(route.bodySchema === undefined ? { query: parameters } : { body: parameters }))
  return parameters
}

function* readLongParameters(route: Route, { query, body }: RawRequest): Work<object> {
  const schema = route.bodySchema ?? route.querySchema
  const parameters = { ...decodeFields(query, schema), ...(yield* decodeLongFields(body, schema)) }
  refuseViolations(yield* findLongViolations(route, parameters))
  return parameters
}

const refuseViolations = (violations: ReturnType<Route['validate']>): void => {
  if (violations.length === 0) return
  const { tooMany, ...details } = describeViolation(violations)
  throw new Refused(tooMany ? 'tooManyItems' : 'parameterInvalid', details)
}

const decodeFields = ({ fields, spelling }: Fields, schema: JsonSchema): object => {
  if (fields.length === 0) return {}
  return readValues(gatherParameters(fields, schema, spelling), schema, spelling) as object
}

/** The token endpoint has the error codes of RFC 6749, 5.2. Its secrets are not read from an address. */
const readGrantParameters = (route: Route, { body }: RawRequest): object => {
  try {
    return readParameters(route, { query: { spelling: 'text', fields: [] }, body, refusal: undefined })
  } catch (error) {
    throw error instanceof Refused ? asGrantRefusal(error) : error
  }
}

const asGrantRefusal = (refusal: Refused): Refused =>
  refusal.kind === 'parameterInvalid' ? new Refused('grantParameterInvalid', refusal.details) : refusal
