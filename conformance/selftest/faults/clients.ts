import {
  type Behavior,
  type Exchange,
  findPair,
  type NewThing,
  type RunningState,
  rightServer,
} from '../../src/model/behavior.ts'
import type { Remembered, ServerState, Session } from '../../src/model/state.ts'
import { openSession } from '../../src/model/token-endpoint.ts'
import { createFaults, type Fault, fault } from './fault.ts'

/** Accepts more combinations of client ID and secret. */
const accepting = (
  isAlso: (state: ServerState, id: string, secret: string, grant: string) => boolean,
): Partial<Behavior> => ({
  clientAccepted: (state, id, secret, grant) =>
    rightServer.clientAccepted(state, id, secret, grant) || isAlso(state, id, secret, grant),
})

const isKnownId = ({ clientId, otherClient }: ServerState, id: string): boolean =>
  id === clientId || id === otherClient.clientId

const isKnownSecret = ({ clientSecret, otherClient }: ServerState, secret: string): boolean =>
  secret === clientSecret || secret === otherClient.clientSecret

const isOther = (state: ServerState, id: string): boolean => id === state.otherClient.clientId

/** Ends sessions when a session of another client of the user is granted or refreshed. */
const endingOthers = (
  isEnding: (session: Session, of: Session) => boolean,
  isForRefresh: boolean,
): Partial<Behavior> => ({
  tokenResponse: (response, session) => {
    if (session.pairs.length > 1 === isForRefresh) session.memory.set('ends', true)
    return response
  },
  findAccessToken: (state, token, way, exchange) => {
    const found = rightServer.findAccessToken(state, token, way, exchange)
    if (found === undefined) return undefined
    const isEnded = state.sessions.some(
      (other) =>
        other !== found.session &&
        other.username === found.session.username &&
        other.memory.has('ends') &&
        isEnding(found.session, other) &&
        state.sessions.indexOf(other) > state.sessions.indexOf(found.session),
    )
    return isEnded ? undefined : found
  },
})

/** The uploads of all clients of a user, by position. */
const sharedUploads = (session: Session, from: number | undefined, state: ServerState): Remembered | undefined => {
  if (from === undefined) return undefined
  for (const other of state.sessions)
    if (other.username === session.username && other.uploads.has(from)) return other.uploads.get(from)
  return undefined
}

/** Ends the refresh tokens of one client when another client of the user is granted tokens later. */
const endingRefreshTokensOf = (clientId: string): Partial<Behavior> => ({
  findRequestToken: (state, token) => {
    const found = rightServer.findRequestToken(state, token)
    if (found?.session.clientId !== clientId) return found
    const { session } = found
    const later = state.sessions.slice(state.sessions.indexOf(session) + 1)
    const isEnded = later.some((other) => other.username === session.username && other.clientId !== clientId)
    return isEnded ? undefined : found
  },
})

/** The fields of new things by client-assigned ID, with the session that gave them. */
type Given = Map<unknown, { readonly session: Session; readonly fields: NewThing['fields'] }>

/** Servers that mix up several clients of one user. */
export const severalClientFaults: readonly Fault[] = [
  fault('other-client-rejected', 'knows one client', {
    clientAccepted: (state, id, secret) => id === state.clientId && secret === state.clientSecret,
  }),
  fault('other-client-own-account', 'gives the second client an account of its own', {
    accountOf: (state, session, exchange) =>
      isOther(state, session.clientId) ? state.accounts.get('bob') : rightServer.accountOf(state, session, exchange),
  }),
  fault('other-client-refresh-rejected', 'lets only the first client refresh', {
    clientAccepted: (state, id, secret, grant) =>
      rightServer.clientAccepted(state, id, secret, grant) && (grant !== 'refresh_token' || !isOther(state, id)),
  }),
  ...createFaults(
    accepting,
    [
      'secret-of-any-client',
      'takes the secret of any client',
      (state, id, secret) => isKnownId(state, id) && isKnownSecret(state, secret),
    ],
    [
      'grant-with-secret-of-any-client',
      'takes the secret of any client for a password grant',
      (state, id, secret, grant) => grant === 'password' && isKnownId(state, id) && isKnownSecret(state, secret),
    ],
    [
      'refresh-with-secret-of-any-client',
      'takes the secret of any client for a refresh',
      (state, id, secret, grant) => grant === 'refresh_token' && isKnownId(state, id) && isKnownSecret(state, secret),
    ],
    [
      'secret-of-first-client-for-all',
      'takes the secret of the first client for each client',
      (state, id, secret) => isKnownId(state, id) && secret === state.clientSecret,
    ],
  ),
  fault('refresh-token-of-any-client', 'refreshes the tokens of any client', {
    ownsSession: (session, clientId, what) => what === 'refresh' || rightServer.ownsSession(session, clientId, what),
  }),
  fault('refresh-token-of-first-client-for-all', 'lets any client refresh the tokens of the first one', {
    ownsSession: (session, clientId, what) =>
      (what === 'refresh' && session.clientId === 'the-suite') || rightServer.ownsSession(session, clientId, what),
  }),
  fault(
    'grant-ends-other-clients',
    'ends the sessions of other clients of the user with each grant',
    endingOthers((session, of) => session.clientId !== of.clientId, false),
  ),
  fault(
    'refresh-ends-other-clients',
    'ends the sessions of other clients of the user with each refresh',
    endingOthers((session, of) => session.clientId !== of.clientId, true),
  ),
  fault(
    'one-session-for-each-user',
    'ends earlier sessions of the second client with each of its grants, and those of the first one',
    endingOthers((_session, of) => of.clientId === 'another-suite', false),
  ),
  ...createFaults(
    endingRefreshTokensOf,
    [
      'grant-ends-refresh-tokens-of-first-client',
      'ends the refresh tokens of the first client when the second one is granted tokens',
      'the-suite',
    ],
    [
      'grant-ends-refresh-tokens-of-second-client',
      'ends the refresh tokens of the second client when the first one is granted tokens',
      'another-suite',
    ],
  ),
  fault('local-ids-give-fields-of-others', 'gives a new thing the fields of another client for its local_id', {
    applied: (upload, session, account) => {
      const earlier = (account.memory.get('given') ?? new Map()) as Given
      account.memory.set('given', earlier)
      const created = upload.created.map((thing) => {
        const other = earlier.get(thing.localId)
        earlier.set(thing.localId, { session, fields: thing.fields })
        const isForeign = other !== undefined && other.session.clientId !== session.clientId
        return isForeign ? { ...thing, fields: other.fields } : thing
      })
      return { ...upload, created }
    },
  }),
  fault('local-ids-of-all-clients', 'knows the client-assigned IDs of all clients of a user', {
    rememberedUploads: sharedUploads,
    isRetry: () => true,
  }),
  fault('incremental-of-one-client', 'lists in incremental syncs only what the same client created', {
    listsThing: (thing, of) =>
      rightServer.listsThing(thing, of) && (of.full || thing.author.clientId === of.session.clientId),
  }),
]

/** Ends only the refresh tokens of a session. */
const endingRefreshOnly = (
  isEnding: (session: Session, clientId: string) => boolean,
  isOnly: boolean,
): Partial<Behavior> => ({
  ownsSession: (session, clientId, what) => {
    const isRevoked = what === 'revoke' && isEnding(session, clientId)
    if (isRevoked) session.memory.set('refresh ended', true)
    return !(isRevoked && isOnly) && rightServer.ownsSession(session, clientId, what)
  },
  findRequestToken: (state, token) => {
    const found = rightServer.findRequestToken(state, token)
    return found?.session.memory.has('refresh ended') === true ? undefined : found
  },
})

/** Servers that revoke wrongly; they violate only the contract. */
export const revocationFaults: readonly Fault[] = [
  fault('revoke-by-any-client', 'lets any client revoke any token', {
    ownsSession: (session, clientId, what) => what === 'revoke' || rightServer.ownsSession(session, clientId, what),
  }),
  fault('revoke-with-any-secret', 'does not check the secret at revoke', {
    clientAccepted: (state, id, secret, grant) =>
      grant === 'revoke' || rightServer.clientAccepted(state, id, secret, grant),
  }),
  ...createFaults(
    (isEnded: (session: Session, revoked: Session) => boolean): Partial<Behavior> => ({
      findAccessToken: (state, token, way, exchange) => {
        const found = rightServer.findAccessToken(state, token, way, exchange)
        const revoked = state.sessions.filter((session) => session.revoked)
        return found !== undefined && revoked.some((each) => isEnded(found.session, each)) ? undefined : found
      },
    }),
    [
      'revoke-ends-all-of-user',
      'ends all sessions of a user by one revocation',
      (session, revoked) =>
        session.username === revoked.username && session.clientId !== revoked.clientId && isOlder(session, revoked),
    ],
    [
      'revoke-ends-all-of-client',
      'ends all sessions of a client by one revocation',
      (session, revoked) => session.clientId === revoked.clientId && isOlder(session, revoked),
    ],
  ),
  ...createFaults(
    endingRefreshOnly,
    [
      'revoke-by-any-client-ends-refresh',
      'ends the refresh tokens of a session for a revocation by another client',
      (session, clientId) => session.clientId !== clientId,
      false,
    ],
    [
      'revoke-refresh-only',
      'ends the refresh tokens of a revoked session alone',
      (session, clientId) => session.clientId === clientId,
      true,
    ],
  ),
  fault('revoke-access-only', 'ends a revoked access token alone', {
    ownsSession: (session, clientId, what) => {
      if (what === 'revoke' && session.clientId === clientId) session.memory.set('access ended', true)
      return what !== 'revoke' && rightServer.ownsSession(session, clientId, what)
    },
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      return found?.session.memory.has('access ended') === true ? undefined : found
    },
  }),
]

/** Whether a session began within a few sessions of the revoked one, so that the rest of a run goes on. */
function isOlder(session: Session, revoked: Session): boolean {
  return session.username === revoked.username && !session.memory.has('kept') && !revoked.memory.has('kept')
}

const lifeMs = 2000

interface Life {
  readonly at: number
  readonly isRefreshed: boolean
}

/**
 * Lets tokens end after two seconds, and says so. `endsAt` returns when a token ends, in milliseconds; `used` runs for
 * each request with a valid token.
 */
const living = (
  endsAt: (life: Life, token: string, memory: Map<string, number>, exchange: Exchange) => number,
  used: (token: string, memory: Map<string, number>, exchange: Exchange, session: Session) => void = () => {},
): Partial<Behavior> => {
  const lives = (state: ServerState): Map<string, Life> => {
    const found = (state.memory.get('lives') ?? new Map()) as Map<string, Life>
    state.memory.set('lives', found)
    return found
  }
  const usesOf = (state: ServerState): Map<string, number> => {
    const found = (state.memory.get('uses') ?? new Map()) as Map<string, number>
    state.memory.set('uses', found)
    return found
  }
  return {
    tokenResponse: (response) => ({ ...response, expires_in: lifeMs / 1000 }),
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      if (found === undefined) return undefined
      const life = lives(state).get(token)
      if (life === undefined) return found
      if (Date.now() > endsAt(life, token, usesOf(state), exchange)) return undefined
      used(token, usesOf(state), exchange, found.session)
      return found
    },
    reply: (reply, exchange) => {
      const { access_token: token } = (reply.body ?? {}) as { access_token?: unknown }
      if (exchange.path === 'token' && typeof token === 'string') {
        const isRefreshed = exchange.body.some(([, value]) => value === 'refresh_token')
        lives(exchange.state).set(token, { at: Date.now(), isRefreshed })
      }
      return reply
    },
  }
}

const rightEnd = ({ at }: Life): number => at + lifeMs

/** Servers whose access tokens are valid for two seconds, and end at another time. */
export const lifetimeFaults: readonly Fault[] = [
  fault(
    'token-ends-at-once',
    'says that tokens are valid for two seconds, and takes them never',
    living(({ at }) => at - 1),
  ),
  fault(
    'token-lives-half-as-long',
    'ends tokens after half of their time',
    living(({ at }) => at + lifeMs / 2),
  ),
  fault(
    'token-lives-half-as-long-in-query',
    'ends tokens in the query after half of their time',
    living((life, _token, _memory, { way }) => (way === 'query' ? life.at + lifeMs / 2 : rightEnd(life))),
  ),
  fault(
    'token-renewed-by-use',
    'makes the life of a token longer with each use',
    living(
      (life, token, memory) => Math.max(rightEnd(life), (memory.get(token) ?? 0) + lifeMs),
      (token, memory) => memory.set(token, Date.now()),
    ),
  ),
  fault(
    'token-renewed-by-query-use',
    'makes the life of a token longer with each use in the query',
    living(
      (life, token, memory) => Math.max(rightEnd(life), (memory.get(token) ?? 0) + lifeMs),
      (token, memory, { way }) => {
        if (way === 'query') memory.set(token, Date.now())
      },
    ),
  ),
  fault('token-renewed-by-refresh', 'makes the life of all tokens of a session longer by a refresh', {
    ...living(rightEnd),
    findAccessToken: (state, token) => {
      const found = findPair(state, 'access', token)
      const lives = state.memory.get('lives') as ReadonlyMap<string, Life> | undefined
      const ends = (found?.session.pairs ?? []).map(({ access }) =>
        rightEnd(lives?.get(access) ?? { at: 0, isRefreshed: false }),
      )
      const isRenewed = (found?.session.pairs.length ?? 0) > 1
      const own = rightEnd(lives?.get(token) ?? { at: Date.now(), isRefreshed: false })
      return found !== undefined && Date.now() <= (isRenewed ? Math.max(...ends) + 5000 : own) ? found : undefined
    },
  }),
  fault(
    'token-in-query-of-post-unlimited',
    'does not check the end of a token in the query of a POST',
    living((life, _token, _memory, { way, method }) =>
      way === 'query' && method === 'POST' ? Number.POSITIVE_INFINITY : rightEnd(life),
    ),
  ),
  fault('expired-upload-applied', 'rejects an upload with an expired token after it applied it', {
    ...living((life, _token, _memory, { method, query }) =>
      method === 'POST' && query.some(([name]) => name === 'access_token') ? Number.POSITIVE_INFINITY : rightEnd(life),
    ),
    syncResponse: (response, { method, query, state }) => {
      const lives = state.memory.get('lives') as ReadonlyMap<string, Life> | undefined
      const token = query.find(([name]) => name === 'access_token')?.[1]
      const life = lives?.get(String(token))
      const isOver = method === 'POST' && life !== undefined && Date.now() > rightEnd(life)
      return isOver ? { error: 'invalid_grant', error_description: 'The access token provided is invalid' } : response
    },
  }),
  fault('refresh-token-expires-with-access', 'ends refresh tokens with their access tokens', {
    ...living(rightEnd),
    findRequestToken: (state, token) => {
      const found = findPair(state, 'request', token)
      const lives = state.memory.get('lives') as ReadonlyMap<string, Life> | undefined
      const life = lives?.get(found?.pair.access ?? '')
      return life !== undefined && Date.now() > rightEnd(life) ? undefined : found
    },
  }),
  fault('refreshed-token-expires-with-first', 'ends the tokens of a refresh with the first token', {
    ...living(rightEnd),
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      const lives = state.memory.get('lives') as ReadonlyMap<string, Life> | undefined
      const life = lives?.get(found?.session.pairs[0]?.access ?? '')
      return life !== undefined && Date.now() > rightEnd(life) ? undefined : found
    },
  }),
  fault('token-in-query-of-post-unchecked', 'takes any token in the query of a POST', {
    findAccessToken: (state, token, way, exchange) => {
      const found = rightServer.findAccessToken(state, token, way, exchange)
      if (found !== undefined || way !== 'query' || exchange.method !== 'POST') return found
      return {
        session: openSession(state as RunningState, 'alice'),
        pair: { access: '', request: '', parent: undefined, used: true },
      }
    },
  }),
]
