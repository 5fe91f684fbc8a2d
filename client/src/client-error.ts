/** Reads the header `Retry-After`, a number or a date (RFC 9110, section 10.2.3), as seconds; undefined without one. */
export const readRetryAfter = (headers: Headers, now: () => number = Date.now): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now()) / 1000))
}

/**
 * Why a call failed.
 * - `signed_out`: there are no tokens, or the server does not accept the refresh token any more: sign in again.
 * - `network`: no whole response arrived. The request may or may not have reached the server; try again later.
 * - `rejected`: the server responded with an error object (interface 7), see `error`, `description` and `status`.
 * - `unexpected_response`: the response does not follow the interface: no JSON, cut off, or of another shape.
 * - `unknown_thing`: the replica has no thing with this id, or it is deleted.
 * - `not_offered`: the server does not have this operation.
 * - `store_full`: the device has no room left for the local store; nothing of this write was kept.
 * - `store_forbidden`: the browser does not let this page store data, as in some private windows.
 * - `store_blocked`: another tab has the local store open and does not release it; close or reload that tab.
 * - `store_gone`: another tab or the browser has deleted or closed the open local store; open it again.
 * - `store_newer`: a newer version of the program has used the local store; reload the page.
 */
export type ClientErrorCode =
  | 'signed_out'
  | 'network'
  | 'rejected'
  | 'unexpected_response'
  | 'unknown_thing'
  | 'not_offered'
  | 'store_full'
  | 'store_forbidden'
  | 'store_blocked'
  | 'store_gone'
  | 'store_newer'

/** The details of an error beside its code. */
interface ClientErrorDetails {
  /** HTTP status of the response. */
  readonly status?: number
  /** `error` of the error object (interface 7), for `rejected`. */
  readonly error?: string
  /** `error_description` of the error object, for `rejected`. */
  readonly description?: string
  /** `Retry-After` of the response, in seconds. */
  readonly retryAfterSeconds?: number
  /** The original error. */
  readonly cause?: unknown
}

/**
 * Every error of the client, except a TypeError for a wrong call. When a signal aborts a call, the call throws the
 * reason of the signal.
 */
export class ClientError extends Error {
  override readonly name = 'ClientError'
  readonly code: ClientErrorCode
  readonly status: number | undefined
  readonly error: string | undefined
  readonly description: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(code: ClientErrorCode, message: string, details: ClientErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.code = code
    this.status = details.status
    this.error = details.error
    this.description = details.description
    this.retryAfterSeconds = details.retryAfterSeconds
  }
}

/** Returns true for a ClientError; with `code` only if it has this code. */
export const isClientError = (error: unknown, code?: ClientErrorCode): error is ClientError =>
  error instanceof ClientError && (code === undefined || error.code === code)

/**
 * Converts the errors of fetch and of response streams for a broken connection or a time-out to ClientError `network`,
 * and rethrows every other error.
 */
export const throwAsNetwork = (error: unknown): never => {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  if (!(error instanceof TypeError) && !isTimeout) throw error
  throw new ClientError('network', 'no whole response arrived; the request may or may not have reached the server', {
    cause: error,
  })
}

/** The error object of the interface (interface 7). */
interface ErrorObject {
  readonly error: string
  readonly error_description?: unknown
}

/** Returns true for an error object (interface 7). A response with it is an error, whatever its status is. */
export const isErrorBody = (body: unknown): body is ErrorObject =>
  typeof body === 'object' && body !== null && 'error' in body && typeof body.error === 'string'

/** Creates the error for an error response, from its body if that can be read. */
export const findErrorBody = (response: Response, body: unknown): ClientError => {
  const { status } = response
  const seconds = readRetryAfter(response.headers)
  const retry = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    const message = 'the server redirects requests with secrets; use the URL behind the redirect as baseUrl'
    return new ClientError('unexpected_response', message, { status })
  }
  if (!isErrorBody(body)) {
    return new ClientError('unexpected_response', `status ${status} without an error object`, { status, ...retry })
  }
  const { error } = body
  const description = 'error_description' in body ? String(body.error_description) : ''
  return new ClientError('rejected', `${status} ${error}: ${description}`, { status, error, description, ...retry })
}
