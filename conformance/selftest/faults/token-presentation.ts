import {
  type Behavior,
  type Exchange,
  type Found,
  findPair,
  rightServer,
  type TokenWay,
} from '../../src/model/behavior.ts'
import type { Pair, ServerState } from '../../src/model/state.ts'
import { addThing } from '../../src/model/sync.ts'
import { openSession } from '../../src/model/token-endpoint.ts'
import { breakIn, createFaults, errors, type Fault, fault, grants, replies, without } from './fault.ts'

/** Faults of the token endpoint (interface 5.1, 5.2). */
export const tokenFaults: readonly Fault[] = [
  ...createFaults(
    grants,
    [
      'token-outlives-expires-in',
      'says that access tokens are valid for a second, and takes them later',
      (response) => ({ ...response, expires_in: 1 }),
    ],
    [
      'token-access-token-missing',
      'names the access token `token`',
      (response) => ({ ...without(response, 'access_token'), token: response.access_token }),
    ],
    [
      'token-request-token-missing',
      'gives the second token as refresh_token only',
      (response) => without(response, 'request_token'),
    ],
    ['token-expires-in-text', 'gives expires_in as text', (response) => ({ ...response, expires_in: '3600' })],
    [
      'token-expires-in-time',
      'gives the Unix time of the end for expires_in',
      (response) => ({ ...response, expires_in: Math.floor(Date.now() / 1000) + 3600 }),
    ],
    ['token-expires-in-zero', 'gives 0 for expires_in', (response) => ({ ...response, expires_in: 0 })],
    ['token-type-not-bearer', 'names another token type', (response) => ({ ...response, token_type: 'mac' })],
    ['token-scope-empty-text', 'gives "" for scope', (response) => ({ ...response, scope: '' })],
    ['token-scope-missing', 'leaves scope out', (response) => without(response, 'scope')],
  ),
  fault('token-same-access-token-twice', 'gives the same access token to each password grant', {
    newToken: (kind, name, old) => (kind === 'access' ? `same${name}` : rightServer.newToken(kind, name, old)),
  }),
  fault('token-same-request-token-twice', 'gives the same refresh token to each grant', {
    newToken: (kind, name, old) => (kind === 'request' ? `same${name}` : rightServer.newToken(kind, name, old)),
  }),
  fault('token-refresh-keeps-access-token', 'gives the old access token again at a refresh', {
    newToken: (kind, name, old) => (kind === 'access' ? old : undefined) ?? rightServer.newToken(kind, name, old),
  }),
  fault('token-refresh-keeps-request-token', 'gives the old refresh token again at a refresh', {
    newToken: (kind, name, old) => (kind === 'request' ? old : undefined) ?? rightServer.newToken(kind, name, old),
  }),
  fault('token-refresh-rejected', 'does not know the refresh grant', {
    grantType: (grant) => (grant === 'refresh_token' ? 'unknown' : grant),
  }),
  fault('token-refresh-for-every-client', 'knows no refresh tokens and refreshes for every client that asks', {
    ...grants((response) => without(response, 'request_token')),
    refreshParameter: 'grant_type',
    findRequestToken: breakIn,
  }),
  fault('token-refresh-reads-request-token-name', 'reads the token of a refresh from request_token', {
    refreshParameter: 'request_token',
  }),
  fault('token-refresh-other-account', 'gives a refresh the tokens of another account', {
    refreshedSession: (_found, state) => openSession(state, 'bob'),
  }),
  fault(
    'token-refreshed-not-usable',
    'refreshes into an access token that does not work',
    grants((response, { pairs }) =>
      pairs.length > 1 ? { ...response, access_token: `x${response.access_token}` } : response,
    ),
  ),
  fault('token-refresh-secret-unchecked', 'refreshes for any client', {
    clientAccepted: (state, id, secret, grant) =>
      grant === 'refresh_token' || rightServer.clientAccepted(state, id, secret, grant),
  }),
  fault('token-refresh-unchecked', 'refreshes with any refresh token', {
    findRequestToken: (state, token) => rightServer.findRequestToken(state, token) ?? breakIn(state),
  }),
  fault('token-password-unchecked', 'takes any password', { passwordAccepted: (account) => account !== undefined }),
  fault('token-password-case-ignored', 'ignores the case of passwords', {
    passwordAccepted: (account, password) => account?.password.toLowerCase() === password.toLowerCase(),
  }),
  fault('token-unknown-user-accepted', 'takes an unknown user for the first one', {
    findAccount: (state, name) => state.accounts.get(name) ?? state.accounts.get('alice'),
  }),
  fault('token-client-secret-unchecked', 'takes any client secret', {
    clientAccepted: (state, id) => id === state.clientId,
  }),
  fault('token-client-id-unchecked', 'takes any client id', {
    clientAccepted: (state, _id, secret) => secret === state.clientSecret,
  }),
  fault('token-grant-type-ignored', 'takes an unknown grant type for a password grant', {
    grantType: (grant) => (['refresh_token', 'authorization_code'].includes(grant) ? grant : 'password'),
  }),
  fault('token-request-token-opens-sync', 'takes a refresh token for an access token', {
    findAccessToken: (state, token, way, exchange) =>
      rightServer.findAccessToken(state, token, way, exchange) ?? findPair(state, 'request', token),
  }),
  fault('token-access-token-refreshes', 'takes an access token for a refresh token', {
    findRequestToken: (state, token) => rightServer.findRequestToken(state, token) ?? findPair(state, 'access', token),
  }),
  fault('token-form-rejected', 'rejects forms at the token endpoint', { tokenReadsForm: false }),
  ...createFaults(
    replies,
    [
      'token-response-as-form',
      'responds to grants with a form',
      'token',
      'success',
      (body) => `${new URLSearchParams(body as Record<string, string>)}`,
    ],
    ['token-error-plain-text', 'rejects grants with plain text', 'token', 'error', (body) => `${body.error}`],
    [
      'token-error-without-description',
      'rejects grants without a description',
      'token',
      'error',
      (body) => without(body, 'error_description'),
    ],
    [
      'token-error-without-code',
      'rejects grants without an error code',
      'token',
      'error',
      (body) => without(body, 'error'),
    ],
    [
      'token-error-code-number',
      'rejects grants with a number for a code',
      'token',
      'error',
      (body, { status }) => ({ ...body, error: status }),
    ],
  ),
  fault('token-dies-after-third-use', 'lets an access token work three times', {
    findAccessToken: (state, token, way, exchange) => {
      const uses = Number(state.memory.get(token) ?? 0)
      state.memory.set(token, uses + 1)
      return uses < 3 ? rightServer.findAccessToken(state, token, way, exchange) : undefined
    },
  }),
  fault(
    'token-field-wrapped',
    'wraps the token response in an object',
    grants((response) => ({ data: response })),
  ),
]

function ignoring(way: TokenWay): Partial<Behavior> {
  return { ways: rightServer.ways.filter((other) => other !== way) }
}

function trusting(way: TokenWay): Partial<Behavior> {
  return {
    findAccessToken: (state, token, given, exchange) =>
      rightServer.findAccessToken(state, token, given, exchange) ?? (given === way ? breakIn(state) : undefined),
  }
}

function ofHeader(method: string, find: (state: ServerState) => Found | undefined): Partial<Behavior> {
  return {
    findAccessToken: (state, token, way, exchange) =>
      way === 'header' && exchange.method === method
        ? find(state)
        : rightServer.findAccessToken(state, token, way, exchange),
  }
}

function openTo(method: string): Partial<Behavior> {
  return { anonymous: (state, exchange) => (exchange.method === method ? breakIn(state).session : undefined) }
}

/** Creates the things of an upload without a valid token. */
function applyRejected({ state, parameters }: Exchange): void {
  const given = parameters.find(([name]) => name === 'new_thing')?.[1]
  const account = state.accounts.get('alice')
  if (typeof given !== 'string' || account === undefined) return
  const { title = '' } = [JSON.parse(given)].flat()[0] as { title?: string }
  addThing(
    account,
    breakIn(state).session,
    rightServer.newId(account, state),
    { title },
    rightServer.nextPosition(account),
  )
}

function matching(matches: (pair: Pair, token: string) => boolean): Partial<Behavior> {
  return {
    findAccessToken: (state: ServerState, token) => {
      for (const session of state.sessions) {
        const pair = session.pairs.find((candidate) => matches(candidate, token))
        if (pair !== undefined) return { session, pair }
      }
      return undefined
    },
  }
}

function differing(way: TokenWay): Partial<Behavior> {
  return {
    reply: (reply, exchange) =>
      exchange.way === way && exchange.session === undefined
        ? { ...reply, body: { error: 'access_denied', error_description: 'Access denied' } }
        : reply,
  }
}

/** Faults in reading and checking the access token (interface 5.3, 7). */
export const presentationFaults: readonly Fault[] = [
  fault('access-token-never-valid', 'rejects every access token', { findAccessToken: () => undefined }),
  fault('query-token-never-valid', 'rejects every access token in the query as invalid', {
    findAccessToken: (state, token, way, exchange) =>
      way === 'query' ? undefined : rightServer.findAccessToken(state, token, way, exchange),
  }),
  fault('header-token-ignored', 'reads no token from the header', ignoring('header')),
  fault('query-token-ignored', 'reads no token from the query', ignoring('query')),
  fault('form-token-ignored', 'reads no token from the form', ignoring('form')),
  fault('header-token-unchecked', 'takes any token in the header', trusting('header')),
  fault('query-token-unchecked', 'takes any token in the query', trusting('query')),
  fault('form-token-unchecked', 'takes any token in the form', trusting('form')),
  fault('no-token-accepted', 'needs no token', { anonymous: (state) => breakIn(state).session }),
  fault(
    'header-token-rejected-in-get',
    'rejects a header in a GET',
    ofHeader('GET', () => undefined),
  ),
  fault(
    'header-token-rejected-in-post',
    'rejects a header in a POST',
    ofHeader('POST', () => undefined),
  ),
  fault('header-token-unchecked-in-get', 'takes any header in a GET', ofHeader('GET', breakIn)),
  fault('header-token-unchecked-in-post', 'takes any header in a POST', ofHeader('POST', breakIn)),
  fault('no-token-accepted-in-get', 'needs no token in a GET', openTo('GET')),
  fault('no-token-accepted-in-post', 'needs no token in a POST', openTo('POST')),
  fault('invalid-token-upload-applied', 'creates the things of an upload that it rejects for its token', {
    tokenBeforeBody: false,
    reply: (reply, exchange) => {
      if (reply.status === 401 && exchange.path === 'sync') applyRejected(exchange)
      return reply
    },
  }),
  fault(
    'token-prefix-accepted',
    'compares only the first eight characters of a token',
    matching(({ access }, token) => access.slice(0, 8) === token.slice(0, 8)),
  ),
  fault(
    'token-case-ignored',
    'ignores the case of tokens',
    matching(({ access }, token) => access.toLowerCase() === token.toLowerCase()),
  ),
  fault(
    'invalid-token-other-code',
    'calls an invalid token invalid_token',
    errors('token-invalid', (body) => ({ ...body, error: 'invalid_token' })),
  ),
  fault(
    'invalid-token-other-description',
    'describes an invalid token in other words',
    errors('token-invalid', (body) => ({ ...body, error_description: 'Token expired' })),
  ),
  fault(
    'invalid-token-description-missing',
    'does not describe an invalid token',
    errors('token-invalid', (body) => without(body, 'error_description')),
  ),
  fault('invalid-token-query-differs', 'rejects an invalid token in the query in another way', differing('query')),
  fault('invalid-token-form-differs', 'rejects an invalid token in the form in another way', differing('form')),
  fault('invalid-token-header-differs', 'rejects an invalid token in the header in another way', differing('header')),
  fault(
    'invalid-token-plain-text',
    'rejects an invalid token with plain text',
    errors('token-invalid', (body) => `${body.error}: ${body.error_description}`),
  ),
  fault(
    'invalid-token-empty-listing',
    'responds to an invalid token with an empty listing',
    errors('token-invalid', () => ({ pos: 0 })),
  ),
  fault(
    'invalid-token-error-nested',
    'puts the error of an invalid token one level deeper',
    errors('token-invalid', (body) => ({ error: { code: body.error, message: body.error_description } })),
  ),
  fault(
    'invalid-token-empty-body',
    'rejects an invalid token with an empty body',
    errors('token-invalid', () => ''),
  ),
]

const ways: readonly TokenWay[] = ['header', 'query', 'form']

function matchingIn(way: TokenWay, matches: (known: string, given: string) => boolean): Partial<Behavior> {
  return {
    findAccessToken: (state, token, given, exchange) => {
      const found = rightServer.findAccessToken(state, token, given, exchange)
      if (found !== undefined || given !== way) return found
      for (const session of state.sessions) {
        const pair: Pair | undefined = session.pairs.find(({ access }) => matches(access, token))
        if (pair !== undefined) return { session, pair }
      }
      return undefined
    },
  }
}

function knowing(isKnown: (token: string, state: ServerState, way: TokenWay) => boolean): Partial<Behavior> {
  return {
    findAccessToken: (state, token, way, exchange) =>
      rightServer.findAccessToken(state, token, way, exchange) ??
      (isKnown(token, state, way) ? breakIn(state) : undefined),
  }
}

function like(word: string): RegExp {
  return new RegExp(`^${word.replace(/[^\w%*]/g, '.').replace(/[%*]/g, '.*')}$`)
}

function middleOf(token: string): string {
  const middle = Math.floor(token.length / 2)
  return token.slice(0, middle) + token.slice(middle + 1)
}

function lettersOf(token: string): string {
  return token.replace(/[^a-z\d]/gi, '')
}

/** Faults of invalid access tokens that the server accepts (interface 5.3, 7). */
export const lookalikeFaults: readonly Fault[] = [
  ...ways.flatMap((way): Fault[] => [
    fault(
      `token-longer-accepted-in-${way}`,
      `compares as much of a token as it has (${way})`,
      matchingIn(way, (known, token) => token.startsWith(known)),
    ),
    fault(
      `token-end-unchecked-in-${way}`,
      `does not look at the end of a token (${way})`,
      matchingIn(way, (known, token) => known.slice(0, -1) === token.slice(0, -1)),
    ),
    fault(
      `token-contained-in-${way}`,
      `looks for its tokens in what came (${way})`,
      matchingIn(way, (known, token) => token.endsWith(known)),
    ),
    fault(
      `token-middle-unchecked-in-${way}`,
      `does not look at all of a token (${way})`,
      matchingIn(way, (known, token) => middleOf(known) === middleOf(token)),
    ),
    fault(
      `token-signs-unchecked-in-${way}`,
      `looks only at letters and digits of a token (${way})`,
      matchingIn(way, (known, token) => lettersOf(known) === lettersOf(token)),
    ),
  ]),
  ...createFaults(
    knowing,
    [
      'token-words-accepted',
      'takes words for a token that is not checked',
      (token) => ['null', 'undefined', 'true'].includes(token),
    ],
    [
      'token-digit-accepted',
      'takes the token 0 for a session without a user, and that for the first one',
      (token) => token === '0',
    ],
    [
      'token-pattern-accepted',
      'takes a token for a pattern',
      (token, state) =>
        /[%*]/.test(token) && state.sessions.some(({ pairs }) => pairs.some(({ access }) => like(token).test(access))),
    ],
    ['token-user-name-accepted', 'takes the name of a user for a token', (token, state) => state.accounts.has(token)],
    ['token-client-id-accepted', 'takes the client_id for a token', (token, state) => token === state.clientId],
    ['token-inherited-accepted', 'looks tokens up in an object that inherits', (token) => token in {}],
    ['token-sql-accepted', 'puts a token into its query as it came', (token) => /' OR '/.test(token)],
    [
      'token-empty-accepted-in-query',
      'takes an empty token in the query for the first user',
      (token, _state, way) => token === '' && way === 'query',
    ],
    [
      'token-empty-accepted-in-form',
      'takes an empty token in the form for the first user',
      (token, _state, way) => token === '' && way === 'form',
    ],
  ),
]
