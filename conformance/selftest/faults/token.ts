import { right } from '../server/behaviour.ts'
import { findPair } from '../server/right-tokens.ts'
import { openSession } from '../server/token-endpoint.ts'
import { breakIn, type Fault, grants, replies, without } from './fault.ts'

const { newToken, findAccessToken, findRequestToken } = right

/** Faults of the token endpoint (interface 5.1, 5.2). */
export const tokenFaults: readonly Fault[] = [
  {
    id: 'token-outlives-expires-in',
    title: 'says that access tokens are valid for a second, and takes them later',
    behaviour: grants((answer) => ({ ...answer, expires_in: 1 })),
  },
  {
    id: 'token-access-token-missing',
    title: 'names the access token `token`',
    behaviour: grants((answer) => ({ ...without(answer, 'access_token'), token: answer.access_token })),
  },
  {
    id: 'token-request-token-missing',
    title: 'gives the second token as refresh_token only',
    behaviour: grants((answer) => without(answer, 'request_token')),
  },
  {
    id: 'token-expires-in-text',
    title: 'gives expires_in as text',
    behaviour: grants((answer) => ({ ...answer, expires_in: '3600' })),
  },
  {
    id: 'token-expires-in-time',
    title: 'gives the Unix time of the end for expires_in',
    behaviour: grants((answer) => ({ ...answer, expires_in: Math.floor(Date.now() / 1000) + 3600 })),
  },
  {
    id: 'token-expires-in-zero',
    title: 'gives 0 for expires_in',
    behaviour: grants((answer) => ({ ...answer, expires_in: 0 })),
  },
  {
    id: 'token-type-not-bearer',
    title: 'names another token type',
    behaviour: grants((answer) => ({ ...answer, token_type: 'mac' })),
  },
  {
    id: 'token-scope-empty-text',
    title: 'gives "" for scope',
    behaviour: grants((answer) => ({ ...answer, scope: '' })),
  },
  { id: 'token-scope-missing', title: 'leaves scope out', behaviour: grants((answer) => without(answer, 'scope')) },
  {
    id: 'token-same-access-token-twice',
    title: 'gives the same access token to each password grant',
    behaviour: { newToken: (kind, name, old) => (kind === 'access' ? `same${name}` : newToken(kind, name, old)) },
  },
  {
    id: 'token-same-request-token-twice',
    title: 'gives the same request token to each grant',
    behaviour: { newToken: (kind, name, old) => (kind === 'request' ? `same${name}` : newToken(kind, name, old)) },
  },
  {
    id: 'token-refresh-keeps-access-token',
    title: 'gives the old access token again at a refresh',
    behaviour: {
      newToken: (kind, name, old) => (kind === 'access' ? old : undefined) ?? newToken(kind, name, old),
    },
  },
  {
    id: 'token-refresh-keeps-request-token',
    title: 'gives the old request token again at a refresh',
    behaviour: {
      newToken: (kind, name, old) => (kind === 'request' ? old : undefined) ?? newToken(kind, name, old),
    },
  },
  {
    id: 'token-refresh-refused',
    title: 'does not know the refresh grant',
    behaviour: { grantType: (grant) => (grant === 'refresh_token' ? 'unknown' : grant) },
  },
  {
    id: 'token-refresh-for-whoever-asks',
    title: 'knows no request tokens and refreshes whoever asks',
    behaviour: {
      ...grants((answer) => without(answer, 'request_token')),
      refreshParameter: 'grant_type',
      findRequestToken: breakIn,
    },
  },
  {
    id: 'token-refresh-reads-request-token-name',
    title: 'reads the token of a refresh from request_token',
    behaviour: { refreshParameter: 'request_token' },
  },
  {
    id: 'token-refresh-other-account',
    title: 'gives a refresh the tokens of another account',
    behaviour: {
      refreshedSession: (_found, world) => openSession(world, 'bob'),
    },
  },
  {
    id: 'token-refreshed-not-usable',
    title: 'refreshes into an access token that does not work',
    behaviour: grants((answer, { pairs }) =>
      pairs.length > 1 ? { ...answer, access_token: `x${answer.access_token}` } : answer,
    ),
  },
  {
    id: 'token-refresh-secret-unchecked',
    title: 'refreshes for any client',
    behaviour: {
      clientAccepted: (world, id, secret, grant) =>
        grant === 'refresh_token' || right.clientAccepted(world, id, secret, grant),
    },
  },
  {
    id: 'token-refresh-unchecked',
    title: 'refreshes with any request token',
    behaviour: { findRequestToken: (world, token) => findRequestToken(world, token) ?? breakIn(world) },
  },
  {
    id: 'token-password-unchecked',
    title: 'takes any password',
    behaviour: { passwordAccepted: (account) => account !== undefined },
  },
  {
    id: 'token-password-case-ignored',
    title: 'ignores the case of passwords',
    behaviour: {
      passwordAccepted: (account, password) => account?.password.toLowerCase() === password.toLowerCase(),
    },
  },
  {
    id: 'token-unknown-user-accepted',
    title: 'takes an unknown user for the first one',
    behaviour: { findAccount: (world, name) => world.accounts.get(name) ?? world.accounts.get('alice') },
  },
  {
    id: 'token-client-secret-unchecked',
    title: 'takes any client secret',
    behaviour: { clientAccepted: (world, id) => id === world.clientId },
  },
  {
    id: 'token-client-id-unchecked',
    title: 'takes any client id',
    behaviour: { clientAccepted: (world, _id, secret) => secret === world.clientSecret },
  },
  {
    id: 'token-grant-type-ignored',
    title: 'takes an unknown grant type for a password grant',
    behaviour: { grantType: (grant) => (['refresh_token', 'authorization_code'].includes(grant) ? grant : 'password') },
  },
  {
    id: 'token-request-token-opens-sync',
    title: 'takes a request token for an access token',
    behaviour: {
      findAccessToken: (world, token, way, exchange) =>
        findAccessToken(world, token, way, exchange) ?? findPair(world, 'request', token),
    },
  },
  {
    id: 'token-access-token-refreshes',
    title: 'takes an access token for a request token',
    behaviour: {
      findRequestToken: (world, token) => findRequestToken(world, token) ?? findPair(world, 'access', token),
    },
  },
  {
    id: 'token-form-refused',
    title: 'refuses forms at the token endpoint',
    behaviour: { tokenReadsForm: false },
  },
  {
    id: 'token-answer-as-form',
    title: 'answers grants with a form',
    behaviour: replies('token', 'success', (body) => `${new URLSearchParams(body as Record<string, string>)}`),
  },
  {
    id: 'token-error-plain-text',
    title: 'refuses grants with plain text',
    behaviour: replies('token', 'error', (body) => `${body.error}`),
  },
  {
    id: 'token-error-without-description',
    title: 'refuses grants without a description',
    behaviour: replies('token', 'error', (body) => without(body, 'error_description')),
  },
  {
    id: 'token-error-without-code',
    title: 'refuses grants without an error code',
    behaviour: replies('token', 'error', (body) => without(body, 'error')),
  },
  {
    id: 'token-error-code-number',
    title: 'refuses grants with a number for a code',
    behaviour: replies('token', 'error', (body, { status }) => ({ ...body, error: status })),
  },
  {
    id: 'token-dies-after-third-use',
    title: 'lets an access token work three times',
    behaviour: {
      findAccessToken: (world, token, way, exchange) => {
        const uses = Number(world.memory.get(token) ?? 0)
        world.memory.set(token, uses + 1)
        return uses < 3 ? findAccessToken(world, token, way, exchange) : undefined
      },
    },
  },
  {
    id: 'token-field-wrapped',
    title: 'wraps the token answer in an object',
    behaviour: grants((answer) => ({ data: answer })),
  },
]
