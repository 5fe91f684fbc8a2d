/** The seconds that the header `Retry-After` asks for, as a number or a date (RFC 9110 10.2.3); undefined without one. */
export const readRetryAfter = (headers: Headers, now: () => number = Date.now): number | undefined => {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now()) / 1000))
}

/**
 * Why a call failed.
 * - `signed_out`: there are no tokens, or the server does not take the request token any more: sign in again.
 * - `network`: no whole answer arrived. The request may or may not have reached the server; try again later.
 * - `refused`: the server answered an error object (interface 7), see `error`, `description` and `status`.
 * - `unexpected_answer`: the answer is not what the interface says: no JSON, cut off, or of another shape.
 * - `unknown_thing`: the replica has no living thing with this id.
 * - `not_offered`: the server does not have this operation; another one has.
 * - `store_full`: the device has no room left for the local store; nothing of this write was kept.
 * - `store_forbidden`: the browser does not let this page keep anything, as in some private windows.
 * - `store_blocked`: another tab holds the local store and does not let go of it; close or reload that tab.
 * - `store_gone`: the local store was deleted or closed under the program, by another tab or by the browser; open it anew.
 * - `store_newer`: a newer version of the program has used the local store; reload the page.
 */
export type ClientErrorCode =
  | 'signed_out'
  | 'network'
  | 'refused'
  | 'unexpected_answer'
  | 'unknown_thing'
  | 'not_offered'
  | 'store_full'
  | 'store_forbidden'
  | 'store_blocked'
  | 'store_gone'
  | 'store_newer'

/** What is known besides the code. */
interface ClientErrorDetails {
  /** HTTP status of the answer. */
  readonly status?: number
  /** The server's `error` (interface 7), for `refused`. */
  readonly error?: string
  /** The server's `error_description`, for `refused`. */
  readonly description?: string
  /** The server's `Retry-After`, in seconds. */
  readonly retryAfterSeconds?: number
  /** What was thrown first. */
  readonly cause?: unknown
}

/**
 * What the client throws of its own, but for a TypeError where it is called wrongly; an abort by a signal is thrown on
 * as it is.
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

/** True for a ClientError, with this code if one is given. */
export const isClientError = (error: unknown, code?: ClientErrorCode): error is ClientError =>
  error instanceof ClientError && (code === undefined || error.code === code)

/**
 * What fetch and the streams of its answers throw for a broken connection, or for one that took too long, becomes
 * `network`; the rest is thrown on.
 */
export const throwAsNetwork = (error: unknown): never => {
  const isTimeout = error instanceof DOMException && error.name === 'TimeoutError'
  if (!(error instanceof TypeError) && !isTimeout) throw error
  throw new ClientError('network', 'no whole answer arrived; the request may or may not have reached the server', {
    cause: error,
  })
}

/** The error for an answer that is not a success, from its body as far as that could be read. */
export const findErrorBody = (response: Response, body: unknown): ClientError => {
  const { status } = response
  const seconds = readRetryAfter(response.headers)
  const retry = seconds === undefined ? {} : { retryAfterSeconds: seconds }
  if (typeof body !== 'object' || body === null || !('error' in body) || typeof body.error !== 'string') {
    return new ClientError('unexpected_answer', `status ${status} without an error object`, { status, ...retry })
  }
  const { error } = body
  const description = 'error_description' in body ? String(body.error_description) : ''
  return new ClientError('refused', `${status} ${error}: ${description}`, { status, error, description, ...retry })
}
