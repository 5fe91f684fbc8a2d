import { randomBytes } from 'node:crypto'
import {
  type Behavior,
  type Exchange,
  leadTo,
  rightServer,
  showConsentAnyway,
  type TokenWay,
} from '../../src/model/behavior.ts'
import { ApiError, type JsonObject, type Session } from '../../src/model/state.ts'
import { openSession } from '../../src/model/token-endpoint.ts'
import { breakIn, errors, type Fault, fault, grants, responded, status, without } from './fault.ts'
import { givenValue, isRefresh } from './token-requests.ts'

/** Ends sessions when the token endpoint responds; `ends` selects them. */
function ending(
  ends: (session: Session, exchange: Exchange, isRejected: boolean, newest: Session | undefined) => boolean,
): Partial<Behavior> {
  return {
    reply: (reply, exchange) => {
      if (exchange.path !== 'token') return reply
      const { sessions } = exchange.state
      const given = (reply.body as { access_token?: string }).access_token
      const newest = sessions.find(({ pairs }) => pairs.some(({ access }) => access === given))
      for (const session of sessions) if (ends(session, exchange, reply.status >= 400, newest)) session.revoked = true
      return reply
    },
  }
}

/** Faults in which one session ends another, or does not last (interface 5.2, 8). */
export const sessionFaults: readonly Fault[] = [
  fault('grant-ends-earlier-access-token', 'forgets the access tokens of a user at the next grant', {
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      const last = state.sessions.findLast(({ username }) => username === found?.session.username)
      return found?.session === last ? found : undefined
    },
  }),
  fault('grant-ends-earlier-request-token', 'forgets the refresh tokens of a user at the next grant', {
    findRequestToken: (state, token) => {
      const found = rightServer.findRequestToken(state, token)
      const last = state.sessions.findLast(({ username }) => username === found?.session.username)
      return found?.session === last ? found : undefined
    },
  }),
  fault(
    'grant-ends-tokens-of-others',
    'ends the other sessions of a user at a grant',
    ending(
      (session, exchange, isRejected, newest) =>
        !isRejected && !isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  ),
  fault(
    'refresh-ends-tokens-of-others',
    'ends the other sessions of a user at a refresh',
    ending(
      (session, exchange, isRejected, newest) =>
        !isRejected && isRefresh(exchange) && session !== newest && session.username === newest?.username,
    ),
  ),
  fault(
    'rejected-grant-ends-tokens',
    'ends the sessions of a user whose password was wrong',
    ending((session, exchange, isRejected) => isRejected && givenValue(exchange.body, 'username') === session.username),
  ),
  fault(
    'rejected-refresh-ends-tokens',
    'ends all sessions when a refresh is rejected',
    ending((_session, exchange, isRejected) => isRejected && isRefresh(exchange)),
  ),
  fault(
    'three-sessions-at-most',
    'keeps three sessions of a user',
    ending(
      (session, { state }) =>
        state.sessions.filter((other) => other.username === session.username && !other.revoked).indexOf(session) <
        state.sessions.filter((other) => other.username === session.username && !other.revoked).length - 3,
    ),
  ),
  fault('refresh-twice-at-most', 'refreshes a session twice', {
    findRequestToken: (state, token) => {
      const found = rightServer.findRequestToken(state, token)
      return found !== undefined && found.session.pairs.length > 2 ? undefined : found
    },
  }),
  fault(
    'refresh-of-refresh-has-no-request-token',
    'gives no refresh token with a second refresh',
    grants((response, { pairs }) => (pairs.length > 2 ? without(response, 'request_token') : response)),
  ),
  fault('refreshed-token-dies-soon', 'forgets access tokens of later refreshes', {
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      return found !== undefined && found.session.pairs.indexOf(found.pair) > 3 ? undefined : found
    },
  }),
  fault(
    'refresh-repeats-first-pair',
    'gives the first access token of a session again at the third refresh',
    grants((response, { pairs }) => (pairs.length > 3 ? { ...response, access_token: pairs[1]?.access } : response)),
  ),
  fault('refresh-of-second-user-gives-first', 'refreshes every session into one of the first user', {
    refreshedSession: (found, state) => (found.session.username === 'alice' ? found.session : breakIn(state).session),
  }),
  fault('refresh-gives-last-user', 'refreshes into the session that was granted last', {
    refreshedSession: (_found, state) => state.sessions.at(-1) as Session,
  }),
  fault('token-of-last-grant-for-all', 'takes every token for one of the user who logged in last', {
    accountOf: (state) => state.accounts.get(state.sessions.at(-1)?.username ?? ''),
  }),
  fault('grant-gives-first-user', 'gives every user a token of the first one', {
    accountOf: (state) => state.accounts.get('alice'),
  }),
]

/** Faults against the contract on the token endpoint. */
export const fullTokenFaults: readonly Fault[] = [
  fault(
    'refresh-token-name-missing',
    'gives no refresh_token beside request_token',
    grants((response) => without(response, 'refresh_token')),
  ),
  fault(
    'grant-type-missing-other-code',
    'calls a missing parameter of a grant invalid_grant',
    errors('grant-request', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('token-reuse-granted', 'ends the session of a reused refresh token, and gives a new one', {
    endsReusedSession: false,
    refreshedSession: ({ session, pair }, state) => {
      if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
      session.revoked = true
      return openSession(state, session.username)
    },
  }),
  fault('token-reuse-keeps-session', 'rejects a reused refresh token, and does not end the session', {
    endsReusedSession: false,
    refreshedSession: ({ session, pair }) => {
      if (!session.pairs.some(({ parent, used }) => parent === pair && used)) return session
      throw new ApiError('grant-rejected', 'the refresh token was used before')
    },
  }),
  fault('revoked-access-works', 'ends only the refresh token of a session', {
    findAccessToken: ({ sessions }, token) => {
      const session = sessions.find(({ pairs }) => pairs.some(({ access }) => access === token))
      const pair = session?.pairs.find(({ access }) => access === token)
      return session === undefined || pair === undefined ? undefined : { session, pair }
    },
  }),
  fault('revoke-not-200', 'responds to a revocation with 202', responded('revoke', 202)),
  fault('token-cacheable', 'lets token responses be cached', { tokenHeaders: {} }),
  fault('token-basic-rejected', 'reads no client in HTTP Basic', { readsBasic: false }),
  fault('token-error-status-200', 'rejects grants with 200', {
    errorStatus: (apiError) => (apiError.reason.startsWith('grant-') ? 200 : rightServer.errorStatus(apiError)),
  }),
  fault('token-invalid-client-400', 'rejects a client with 400', status('grant-client', 400)),
  fault(
    'token-unsupported-grant-other-code',
    'calls an unknown grant type invalid_request',
    errors('grant-unknown', (body) => ({ ...body, error: 'invalid_request' })),
  ),
  fault('token-lost-response-rejected', 'does not let a refresh be repeated', { toleratesLostRefresh: false }),
  fault('token-reuse-ignored', 'lets an old refresh token be used again and again', { endsReusedSession: false }),
  fault('revoke-ignored', 'revokes nothing', { revokes: false }),
]

const ways: readonly TokenWay[] = ['header', 'query', 'form']
const validSeconds = 1

/** Returns the age of a token, which contains its time of creation. */
function ageOf(token: string): number {
  const [, issued] = token.split('.')
  return Date.now() - Number(issued)
}

/** Lets access tokens expire after a second, except tokens for which `outlives` returns true. */
function expiring(outlives: (token: string, way: TokenWay) => boolean): Partial<Behavior> {
  return {
    ...grants((response) => ({ ...response, expires_in: validSeconds })),
    newToken: (_kind, _username, previous) =>
      `${randomBytes(18).toString('base64url')}.${Date.now()}${previous === undefined ? '' : '.refreshed'}`,
    findAccessToken: (state, token, way, exchange) => {
      const isExpired = ageOf(token) > validSeconds * 1000 && !outlives(token, way)
      return isExpired ? undefined : rightServer.findAccessToken(state, token, way, exchange)
    },
  }
}

function presented({ authorization, query, body }: Exchange): string {
  const parameter = [...query, ...body].find(([name]) => name === 'access_token')?.[1]
  return String(parameter ?? authorization ?? '')
}

/** Faults of expired access tokens (interface 5.3, 7, 8). */
export const expiryFaults: readonly Fault[] = [
  ...ways.flatMap((way): Fault[] => [
    fault(
      `token-outlives-in-${way}`,
      `takes expired tokens (${way})`,
      expiring((_token, given) => given === way),
    ),
    fault(`token-expired-differs-in-${way}`, `has an error of its own for expired tokens (${way})`, {
      ...expiring(() => false),
      reply: (reply, exchange) => {
        const isExpired = reply.status === 401 && exchange.way === way && presented(exchange).includes('.')
        const body = { ...(reply.body as JsonObject), error: 'expired_token' }
        return isExpired ? { ...reply, body } : reply
      },
    }),
  ]),
  fault('token-expired-from-the-start', 'gives tokens that have expired, and says that they are valid for a second', {
    ...expiring(() => false),
    findAccessToken: () => undefined,
  }),
  fault(
    'token-refreshed-outlives',
    'notes no end for the tokens of a refresh',
    expiring((token) => token.endsWith('.refreshed')),
  ),
]

const metadata = (edit: (metadata: JsonObject) => JsonObject): Fault['behavior'] => ({
  metadata: (server) => edit(rightServer.metadata(server) as JsonObject),
})

/** Faults against the contract on the authorization code flow, as far as a client sees it without a browser. */
export const codeFlowFaults: readonly Fault[] = [
  fault('metadata-missing', 'has no metadata', {
    reply: (reply, { path }) =>
      path.includes('.well-known') ? { status: 404, headers: {}, body: { error: 'not_found' } } : reply,
  }),
  fault(
    'metadata-without-issuer',
    'leaves the issuer out of its metadata',
    metadata((all) => without(all, 'issuer')),
  ),
  fault(
    'metadata-other-authorize',
    'puts /authorize below the version segment in its metadata',
    metadata((all) => ({ ...all, authorization_endpoint: `${all.issuer}/v1/authorize` })),
  ),
  fault(
    'metadata-other-token',
    'leaves the version segment out of the token endpoint in its metadata',
    metadata((all) => ({ ...all, token_endpoint: `${all.issuer}/token` })),
  ),
  fault(
    'metadata-without-code',
    'names no response type in its metadata',
    metadata((all) => ({ ...all, response_types_supported: [] })),
  ),
  fault(
    'metadata-without-code-grant',
    'names only the password grant in its metadata',
    metadata((all) => ({ ...all, grant_types_supported: ['password'] })),
  ),
  fault(
    'metadata-plain-challenge',
    'offers the challenge method plain',
    metadata((all) => ({ ...all, code_challenge_methods_supported: ['S256', 'plain'] })),
  ),
  fault('code-grant-unsupported', 'knows no authorization_code grant', {
    grantType: (grant) => (grant === 'authorization_code' ? 'unknown' : grant),
  }),
  fault('code-unknown-granted', 'gives tokens for any code with a verifier', {
    codeGranted: (exchange) => {
      if (!exchange.body.some(([name]) => name === 'code_verifier')) return rightServer.codeGranted(exchange)
      const { state } = exchange
      const [username = ''] = state.accounts.keys()
      const session = openSession(state, username)
      const [access, request] = ['access', 'request'].map((kind) =>
        rightServer.newToken(kind as 'access' | 'request', username, undefined),
      ) as [string, string]
      session.pairs.push({ access, request, parent: undefined, used: false })
      const body = {
        access_token: access,
        expires_in: 3600,
        request_token: request,
        token_type: 'bearer',
        scope: null,
      }
      return { status: 200, headers: {}, body }
    },
  }),
  fault(
    'code-missing-other-code',
    'calls a missing code invalid_grant',
    errors('code-missing', (body) => ({ ...body, error: 'invalid_grant' })),
  ),
  fault('code-client-unchecked', 'does not check the client secret of a code', {
    clientAccepted: (state, id, secret, grant) =>
      grant === 'authorization_code' && secret !== ''
        ? id === state.clientId
        : rightServer.clientAccepted(state, id, secret, grant),
  }),
  fault('code-client-secret-optional', 'takes a code without the secret of a client that has one', {
    clientAccepted: (state, id, secret, grant) =>
      grant === 'authorization_code' && secret === ''
        ? id === state.clientId
        : rightServer.clientAccepted(state, id, secret, grant),
  }),
  fault('authorize-unknown-app-leads-away', 'redirects the browser for an unknown app to the requested URI', {
    authorizeUnknown: (what, redirect) =>
      what === 'app' ? { ...leadTo(redirect), status: 400 } : rightServer.authorizeUnknown(what, redirect),
  }),
  fault('authorize-unknown-app-200', 'asks the user for an unknown app', {
    authorizeUnknown: (what, redirect) =>
      what === 'app' ? showConsentAnyway() : rightServer.authorizeUnknown(what, redirect),
  }),
  fault('authorize-any-redirect-leads-away', 'redirects to a URI that the app has not registered', {
    authorizeUnknown: (what, redirect) =>
      what === 'redirect' ? { ...leadTo(redirect), status: 400 } : rightServer.authorizeUnknown(what, redirect),
  }),
  fault('authorize-any-redirect-200', 'asks the user, whatever the redirect URI', {
    authorizeUnknown: (what, redirect) =>
      what === 'redirect' ? showConsentAnyway() : rightServer.authorizeUnknown(what, redirect),
  }),
]
