import type { ErrorBody, PageErrorBody, ScopeErrorBody } from '../generated/types.ts'

type Details = Readonly<Record<string, string | number>>

/** An `error` code of the document. */
export type ErrorCode = ErrorBody['error'] | PageErrorBody['error'] | ScopeErrorBody['error']

interface ErrorDefinition {
  readonly status: number
  readonly error: ErrorCode
  readonly sentence: (details: Details) => string
}

const defineError = (
  status: number,
  error: ErrorCode,
  sentence: string | ErrorDefinition['sentence'],
): ErrorDefinition => ({
  status,
  error,
  sentence: typeof sentence === 'string' ? () => sentence : sentence,
})

/**
 * All errors of the API: HTTP status, `error` code and `error_description` (interface 7; contract, errors). This is the
 * only table of them. A sentence names the parameter and never contains a secret.
 */
export const apiErrors = {
  parameterInvalid: defineError(400, 'parameter_invalid', (d) => `${d.parameter} ${d.reason}`),
  localIdTwice: defineError(
    400,
    'parameter_invalid',
    (d) => `${d.parameter} repeats the local_id of another new thing`,
  ),
  uploadTwice: defineError(400, 'parameter_invalid', (d) => `${d.parameter} is given in the query and in the body`),
  uploadInGet: defineError(400, 'parameter_invalid', (d) => `${d.parameter} is an upload; send it with POST`),
  thingUnknown: defineError(404, 'not_found', '_id is not the _id of a thing of this user'),
  sessionUnknown: defineError(404, 'not_found', 'id is not the id of a session of this user'),
  operationUnknown: defineError(404, 'not_found', 'No operation has this path'),
  methodWrong: defineError(405, 'method_not_allowed', (d) => `This operation accepts only ${d.allow}`),
  targetInvalid: defineError(
    400,
    'parameter_invalid',
    'The request target must be a path, or a URL with a path, and without a fragment',
  ),
  hostInvalid: defineError(
    400,
    'parameter_invalid',
    (d) => `${d.parameter} must be a host name or an IP address, with or without a port up to 65535`,
  ),
  headersTooMany: defineError(431, 'parameter_invalid', (d) => `A request may have at most ${d.max} headers`),
  bodyTooLarge: defineError(413, 'too_large', (d) => `The request body is larger than ${d.maxBytes} bytes`),
  bodyTooLargeUnknown: defineError(
    413,
    'too_large',
    (d) =>
      `A request body that contains the access token may have at most ${d.maxBytes} bytes; send the token in the Authorization header`,
  ),
  tooManyItems: defineError(413, 'too_large', (d) => `${d.parameter} ${d.reason}`),
  thingQuota: defineError(
    413,
    'too_large',
    (d) => `This account may have at most ${d.max} things (quota_things); delete some, or ask the administrator`,
  ),
  byteQuota: defineError(
    413,
    'too_large',
    (d) =>
      `This account may have at most ${d.max} bytes of things and tags (quota_bytes); delete or shorten some, or ask the administrator`,
  ),
  tagQuota: defineError(
    413,
    'too_large',
    (d) =>
      `This account may have at most ${d.max} tags with settings (quota_tags); clear the settings of some, or ask the administrator`,
  ),
  clearedTagQuota: defineError(
    413,
    'too_large',
    (d) =>
      `This account may have at most ${d.max} tags with cleared settings (quota_tags); use one of these tags, or ask the administrator`,
  ),
  bodyCutOff: defineError(400, 'parameter_invalid', 'The request body ended too early'),
  unsupportedMediaType: defineError(
    415,
    'unsupported_media_type',
    (d) => `This operation does not accept ${d.contentType}; send ${d.taken}`,
  ),
  tokenMissing: defineError(401, 'invalid_request', 'An access token is required; send it in the Authorization header'),
  tokenTwice: defineError(400, 'invalid_request', 'The request contains more than one access token; send exactly one'),
  queryTokenOff: defineError(
    400,
    'invalid_request',
    'This server does not accept an access token in the URL; send it in the Authorization header',
  ),
  tokenInvalid: defineError(401, 'invalid_grant', 'The access token provided is invalid'),
  tokenReadOnly: defineError(403, 'insufficient_scope', 'This access token is read-only; use a token that may write'),
  grantParameterInvalid: defineError(400, 'invalid_request', (d) => `${d.parameter} ${d.reason}`),
  clientTwice: defineError(
    400,
    'invalid_request',
    'The request contains client credentials more than once; send them in the Authorization header or in the body',
  ),
  clientMissing: defineError(401, 'invalid_client', 'client_id or client_secret is missing'),
  clientInvalid: defineError(401, 'invalid_client', 'client_id or client_secret is wrong'),
  passwordInvalid: defineError(400, 'invalid_grant', 'username or password is wrong'),
  refreshTokenInvalid: defineError(400, 'invalid_grant', 'The refresh_token provided is invalid'),
  codeInvalid: defineError(400, 'invalid_grant', 'The code provided is invalid, expired or already used'),
  codeRedirectWrong: defineError(
    400,
    'invalid_grant',
    'redirect_uri differs from the redirect_uri of the authorization request',
  ),
  codeVerifierMissing: defineError(
    400,
    'invalid_grant',
    'code_verifier is required, because the authorization request had a code_challenge',
  ),
  codeVerifierWrong: defineError(400, 'invalid_grant', 'code_verifier does not match the code_challenge'),
  codeVerifierUnexpected: defineError(
    400,
    'invalid_grant',
    'code_verifier is not allowed, because the authorization request had no code_challenge',
  ),
  linkInvalid: defineError(404, 'not_found', 'This link is invalid, expired or already used'),
  appIsPublic: defineError(
    400,
    'unauthorized_client',
    'An app without a secret must use the authorization code flow with PKCE',
  ),
  grantTypeUnsupported: defineError(
    400,
    'unsupported_grant_type',
    'grant_type must be authorization_code, refresh_token or password',
  ),
  passwordGrantOff: defineError(
    400,
    'unsupported_grant_type',
    'This server does not accept passwords from apps; use the authorization code flow (grant_type authorization_code)',
  ),
  tooManyAttempts: defineError(
    429,
    'slow_down',
    (d) => `Too many failed attempts; try again in ${d.retryAfterSeconds} s`,
  ),
  signInsBusy: defineError(
    429,
    'slow_down',
    (d) => `Too many sign-ins at the moment; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyVisits: defineError(
    429,
    'slow_down',
    (d) => `Too many requests from this address; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyUnknownBytes: defineError(
    429,
    'slow_down',
    (d) =>
      `Too many requests without an access token in the Authorization header are in progress; send the token there, or try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyUserBytes: defineError(
    429,
    'slow_down',
    (d) => `Too many large requests of this user are in progress; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyWaiting: defineError(
    429,
    'slow_down',
    (d) =>
      `This session already has ${d.max} requests that wait for changes; end one of them, or try again in ${d.retryAfterSeconds} s`,
  ),
  previewOff: defineError(404, 'not_found', 'This server reads no pages for link previews (setting link_preview)'),
  pageUnavailable: defineError(422, 'unavailable', (d) => `The page cannot be read: ${d.reason}`),
  previewsBusy: defineError(
    429,
    'slow_down',
    (d) => `Too many link previews are in progress; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyPreviews: defineError(
    429,
    'slow_down',
    (d) => `A user may have ${d.max} link previews an hour; try again in ${d.retryAfterSeconds} s`,
  ),
  storeUnavailable: defineError(
    503,
    'temporarily_unavailable',
    'The server cannot read or store data now; try again later',
  ),
} as const

/** The name of an error in the table. */
export type ApiErrorKind = keyof typeof apiErrors

/**
 * Thrown where a request is rejected; `createErrorResponse` converts it to a response.
 * `details` fill the sentence (`parameter`, `reason`, `maxBytes`, `retryAfterSeconds`, …).
 */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly kind: ApiErrorKind
  readonly details: Details
  readonly status: number
  readonly error: ErrorCode

  constructor(kind: ApiErrorKind, details: Details = {}) {
    const { status, error, sentence } = apiErrors[kind]
    // A client error is not logged with its stack, and capturing the stack is the most expensive part of such a
    // request.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(sentence(details))
    Error.stackTraceLimit = stackTraceLimit
    this.kind = kind
    this.details = details
    this.status = status
    this.error = error
  }
}

const maxShownCharacters = 60

/**
 * Makes a name safe for an error description: at most 60 characters, without control characters, lone surrogates and
 * other invisible code points. For names that a client chose, such as tag names and unknown parameters.
 */
export const sanitizeName = (name: string): string => {
  // A character has at most two code units, and a name may be megabytes long.
  const characters = [...name.slice(0, 2 * maxShownCharacters + 2)]
  const cut = characters.length > maxShownCharacters
  const shown = cut ? [...characters.slice(0, maxShownCharacters - 1), '…'] : characters
  return shown.join('').replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '\ufffd')
}
