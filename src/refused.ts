import type { ErrorBody, ScopeErrorBody } from '../generated/types.ts'

type Details = Readonly<Record<string, string | number>>

/** Every `error` code of the document. */
export type ErrorCode = ErrorBody['error'] | ScopeErrorBody['error']

interface Refusal {
  readonly status: number
  readonly error: ErrorCode
  readonly sentence: (details: Details) => string
}

const refusal = (status: number, error: ErrorCode, sentence: string | Refusal['sentence']): Refusal => ({
  status,
  error,
  sentence: typeof sentence === 'string' ? () => sentence : sentence,
})

/**
 * Every way a request can be refused: its HTTP status, its `error` code and its `error_description` (interface 7;
 * contract, errors). The one table of them; a sentence names the parameter and never holds a secret.
 */
export const refusals = {
  parameterInvalid: refusal(400, 'parameter_invalid', (d) => `${d.parameter} ${d.reason}`),
  localIdTwice: refusal(400, 'parameter_invalid', (d) => `${d.parameter} repeats the local_id of another new thing`),
  uploadTwice: refusal(400, 'parameter_invalid', (d) => `${d.parameter} is given in the query and in the body`),
  uploadInGet: refusal(400, 'parameter_invalid', (d) => `${d.parameter} is an upload and may only be sent by POST`),
  thingUnknown: refusal(404, 'not_found', '_id names no thing of this user'),
  sessionUnknown: refusal(404, 'not_found', 'id names no session of this user'),
  operationUnknown: refusal(404, 'not_found', 'There is no such operation'),
  methodWrong: refusal(405, 'method_not_allowed', (d) => `This operation takes ${d.allow}`),
  targetInvalid: refusal(
    400,
    'parameter_invalid',
    'The request target must be a path, or an address with a path, and without a fragment',
  ),
  hostInvalid: refusal(
    400,
    'parameter_invalid',
    (d) => `${d.parameter} must name a host: a host name or an IP address, and a port up to 65535 where there is one`,
  ),
  headersTooMany: refusal(431, 'parameter_invalid', (d) => `A request may have at most ${d.most} headers`),
  bodyTooLarge: refusal(413, 'too_large', (d) => `The request body is larger than ${d.maxBytes} bytes`),
  bodyTooLargeUnknown: refusal(
    413,
    'too_large',
    (d) =>
      `A body with the access token in it may have ${d.maxBytes} bytes; send the token in the Authorization header`,
  ),
  tooManyItems: refusal(413, 'too_large', (d) => `${d.parameter} ${d.reason}`),
  thingQuota: refusal(
    413,
    'too_large',
    (d) => `This account may have ${d.most} things (quota_things); delete some, or ask whoever runs the server`,
  ),
  byteQuota: refusal(
    413,
    'too_large',
    (d) =>
      `This account may have ${d.most} bytes of things and tags (quota_bytes); delete or shorten some, or ask whoever runs the server`,
  ),
  tagQuota: refusal(
    413,
    'too_large',
    (d) =>
      `This account may have ${d.most} tags with settings (quota_tags); clear the settings of some, or ask the administrator`,
  ),
  clearedTagQuota: refusal(
    413,
    'too_large',
    (d) =>
      `This account keeps the names of ${d.most} tags whose settings were cleared, and may keep no more (quota_tags); use one of these tags, or ask the administrator`,
  ),
  bodyCutOff: refusal(400, 'parameter_invalid', 'The request body ended too early'),
  unsupportedMediaType: refusal(
    415,
    'unsupported_media_type',
    (d) => `This operation does not take ${d.contentType}; send ${d.taken}`,
  ),
  tokenMissing: refusal(401, 'invalid_request', 'An access token is required'),
  tokenTwice: refusal(400, 'invalid_request', 'The request gives more than one access token'),
  queryTokenOff: refusal(
    400,
    'invalid_request',
    'This server takes no access token in the address; send it in the Authorization header',
  ),
  tokenInvalid: refusal(401, 'invalid_grant', 'The access token provided is invalid'),
  tokenReadOnly: refusal(403, 'insufficient_scope', 'This access token may only read'),
  grantParameterInvalid: refusal(400, 'invalid_request', (d) => `${d.parameter} ${d.reason}`),
  clientTwice: refusal(400, 'invalid_request', 'The client credentials must be given in exactly one way'),
  clientInvalid: refusal(401, 'invalid_client', 'client_id or client_secret is wrong'),
  passwordInvalid: refusal(400, 'invalid_grant', 'username or password is wrong'),
  requestTokenInvalid: refusal(400, 'invalid_grant', 'The refresh_token provided is invalid'),
  codeInvalid: refusal(400, 'invalid_grant', 'The code provided is invalid, expired or used before'),
  codeRedirectWrong: refusal(400, 'invalid_grant', 'redirect_uri is not the one that the code was sent to'),
  codeVerifierMissing: refusal(
    400,
    'invalid_grant',
    'code_verifier is required, because the authorization began with a code_challenge',
  ),
  codeVerifierWrong: refusal(400, 'invalid_grant', 'code_verifier is not the one of the code_challenge'),
  codeVerifierUnexpected: refusal(
    400,
    'invalid_grant',
    'code_verifier is given, but the authorization began without a code_challenge',
  ),
  linkInvalid: refusal(404, 'not_found', 'This link was used, has expired, or never was one'),
  appIsPublic: refusal(400, 'unauthorized_client', 'An app without a secret must use the web flow, with PKCE'),
  grantTypeUnsupported: refusal(
    400,
    'unsupported_grant_type',
    'grant_type must be authorization_code, refresh_token or password',
  ),
  passwordGrantOff: refusal(
    400,
    'unsupported_grant_type',
    'This server does not take passwords from apps; use the web flow (grant_type authorization_code)',
  ),
  tooManyAttempts: refusal(429, 'slow_down', (d) => `Too many failed attempts; try again in ${d.retryAfterSeconds} s`),
  signInsBusy: refusal(
    429,
    'slow_down',
    (d) => `Too many sign-ins at the moment; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyVisits: refusal(
    429,
    'slow_down',
    (d) => `Too many requests from this address; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyUnknownBytes: refusal(
    429,
    'slow_down',
    (d) =>
      `Too many requests without an access token in their header are under way; send it there, or try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyUserBytes: refusal(
    429,
    'slow_down',
    (d) => `Too many large requests of this user are under way; try again in ${d.retryAfterSeconds} s`,
  ),
  tooManyWaiting: refusal(
    429,
    'slow_down',
    (d) =>
      `This session has ${d.most} requests already that wait for changes; end one of them or try again in ${d.retryAfterSeconds} s`,
  ),
  storeUnavailable: refusal(503, 'temporarily_unavailable', 'The server cannot store or read data at the moment'),
} as const

/** The name of one way to refuse a request. */
export type RefusalKind = keyof typeof refusals

/**
 * Thrown where a request is refused; turned into an answer in one place.
 * `details` fill the sentence (`parameter`, `reason`, `maxBytes`, `retryAfterSeconds`, …).
 */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly kind: RefusalKind
  readonly details: Details
  readonly status: number
  readonly error: ErrorCode

  constructor(kind: RefusalKind, details: Details = {}) {
    const { status, error, sentence } = refusals[kind]
    // A refusal is an answer: nobody reads its stack, and taking it cost more than the rest of refusing a stranger.
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
