import { right } from '../server/behaviour.ts'
import { findPair } from '../server/right-tokens.ts'
import { openSession } from '../server/token-endpoint.ts'
import { breakIn, type Fault, fault, grants, makeFaults, replies, without } from './fault.ts'

const { newToken, findAccessToken, findRequestToken } = right

/** Faults of the token endpoint (interface 5.1, 5.2). */
export const tokenFaults: readonly Fault[] = [
  ...makeFaults(
    grants,
    [
      'token-outlives-expires-in',
      'says that access tokens are valid for a second, and takes them later',
      (answer) => ({ ...answer, expires_in: 1 }),
    ],
    [
      'token-access-token-missing',
      'names the access token `token`',
      (answer) => ({ ...without(answer, 'access_token'), token: answer.access_token }),
    ],
    [
      'token-request-token-missing',
      'gives the second token as refresh_token only',
      (answer) => without(answer, 'request_token'),
    ],
    ['token-expires-in-text', 'gives expires_in as text', (answer) => ({ ...answer, expires_in: '3600' })],
    [
      'token-expires-in-time',
      'gives the Unix time of the end for expires_in',
      (answer) => ({ ...answer, expires_in: Math.floor(Date.now() / 1000) + 3600 }),
    ],
    ['token-expires-in-zero', 'gives 0 for expires_in', (answer) => ({ ...answer, expires_in: 0 })],
    ['token-type-not-bearer', 'names another token type', (answer) => ({ ...answer, token_type: 'mac' })],
    ['token-scope-empty-text', 'gives "" for scope', (answer) => ({ ...answer, scope: '' })],
    ['token-scope-missing', 'leaves scope out', (answer) => without(answer, 'scope')],
  ),
  fault('token-same-access-token-twice', 'gives the same access token to each password grant', {
    newToken: (kind, name, old) => (kind === 'access' ? `same${name}` : newToken(kind, name, old)),
  }),
  fault('token-same-request-token-twice', 'gives the same request token to each grant', {
    newToken: (kind, name, old) => (kind === 'request' ? `same${name}` : newToken(kind, name, old)),
  }),
  fault('token-refresh-keeps-access-token', 'gives the old access token again at a refresh', {
    newToken: (kind, name, old) => (kind === 'access' ? old : undefined) ?? newToken(kind, name, old),
  }),
  fault('token-refresh-keeps-request-token', 'gives the old request token again at a refresh', {
    newToken: (kind, name, old) => (kind === 'request' ? old : undefined) ?? newToken(kind, name, old),
  }),
  fault('token-refresh-refused', 'does not know the refresh grant', {
    grantType: (grant) => (grant === 'refresh_token' ? 'unknown' : grant),
  }),
  fault('token-refresh-for-whoever-asks', 'knows no request tokens and refreshes whoever asks', {
    ...grants((answer) => without(answer, 'request_token')),
    refreshParameter: 'grant_type',
    findRequestToken: breakIn,
  }),
  fault('token-refresh-reads-request-token-name', 'reads the token of a refresh from request_token', {
    refreshParameter: 'request_token',
  }),
  fault('token-refresh-other-account', 'gives a refresh the tokens of another account', {
    refreshedSession: (_found, world) => openSession(world, 'bob'),
  }),
  fault(
    'token-refreshed-not-usable',
    'refreshes into an access token that does not work',
    grants((answer, { pairs }) => (pairs.length > 1 ? { ...answer, access_token: `x${answer.access_token}` } : answer)),
  ),
  fault('token-refresh-secret-unchecked', 'refreshes for any client', {
    clientAccepted: (world, id, secret, grant) =>
      grant === 'refresh_token' || right.clientAccepted(world, id, secret, grant),
  }),
  fault('token-refresh-unchecked', 'refreshes with any request token', {
    findRequestToken: (world, token) => findRequestToken(world, token) ?? breakIn(world),
  }),
  fault('token-password-unchecked', 'takes any password', { passwordAccepted: (account) => account !== undefined }),
  fault('token-password-case-ignored', 'ignores the case of passwords', {
    passwordAccepted: (account, password) => account?.password.toLowerCase() === password.toLowerCase(),
  }),
  fault('token-unknown-user-accepted', 'takes an unknown user for the first one', {
    findAccount: (world, name) => world.accounts.get(name) ?? world.accounts.get('alice'),
  }),
  fault('token-client-secret-unchecked', 'takes any client secret', {
    clientAccepted: (world, id) => id === world.clientId,
  }),
  fault('token-client-id-unchecked', 'takes any client id', {
    clientAccepted: (world, _id, secret) => secret === world.clientSecret,
  }),
  fault('token-grant-type-ignored', 'takes an unknown grant type for a password grant', {
    grantType: (grant) => (['refresh_token', 'authorization_code'].includes(grant) ? grant : 'password'),
  }),
  fault('token-request-token-opens-sync', 'takes a request token for an access token', {
    findAccessToken: (world, token, way, exchange) =>
      findAccessToken(world, token, way, exchange) ?? findPair(world, 'request', token),
  }),
  fault('token-access-token-refreshes', 'takes an access token for a request token', {
    findRequestToken: (world, token) => findRequestToken(world, token) ?? findPair(world, 'access', token),
  }),
  fault('token-form-refused', 'refuses forms at the token endpoint', { tokenReadsForm: false }),
  ...makeFaults(
    replies,
    [
      'token-answer-as-form',
      'answers grants with a form',
      'token',
      'success',
      (body) => `${new URLSearchParams(body as Record<string, string>)}`,
    ],
    ['token-error-plain-text', 'refuses grants with plain text', 'token', 'error', (body) => `${body.error}`],
    [
      'token-error-without-description',
      'refuses grants without a description',
      'token',
      'error',
      (body) => without(body, 'error_description'),
    ],
    [
      'token-error-without-code',
      'refuses grants without an error code',
      'token',
      'error',
      (body) => without(body, 'error'),
    ],
    [
      'token-error-code-number',
      'refuses grants with a number for a code',
      'token',
      'error',
      (body, { status }) => ({ ...body, error: status }),
    ],
  ),
  fault('token-dies-after-third-use', 'lets an access token work three times', {
    findAccessToken: (world, token, way, exchange) => {
      const uses = Number(world.memory.get(token) ?? 0)
      world.memory.set(token, uses + 1)
      return uses < 3 ? findAccessToken(world, token, way, exchange) : undefined
    },
  }),
  fault(
    'token-field-wrapped',
    'wraps the token answer in an object',
    grants((answer) => ({ data: answer })),
  ),
]
