import { type ErrorCode, Refused } from '../refused.ts'
import { StoreFailed } from '../store/store.ts'

/** An error as it is answered (interface 7). */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: { readonly error: ErrorCode; readonly error_description: string }
}

const retryAfterSeconds = 30

const isBasic = /^\s*basic(\s|$)/i

const headersOf = ({ status, error, details }: Refused, authorization: string): Record<string, string> => {
  if (status === 401) {
    const reason = error === 'invalid_grant' ? ', error="invalid_token"' : ''
    // RFC 6749, 5.2: the scheme that the client used. A browser that is offered Basic opens a window of its own.
    const basic = error === 'invalid_client' && isBasic.test(authorization) ? ', Basic realm="thingsync"' : ''
    return { 'www-authenticate': `Bearer realm="thingsync"${reason}${basic}` }
  }
  if (status === 403) return { 'www-authenticate': 'Bearer realm="thingsync", error="insufficient_scope"' }
  if (status === 405) return { allow: String(details.allow) }
  if (status === 429) return { 'retry-after': String(details.retryAfterSeconds) }
  if (status === 503) return { 'retry-after': String(retryAfterSeconds) }
  return {}
}

/**
 * The one place where errors become answers: a refusal says what it refuses, a failed store is 503, anything else is a
 * bug and says nothing about itself. `authorization` is that header of the request.
 */
export const answerError = (error: unknown, authorization = ''): ErrorAnswer => {
  if (error instanceof StoreFailed) return answerError(new Refused('storeUnavailable'))
  if (error instanceof Refused) {
    const body = { error: error.error, error_description: error.message }
    return { status: error.status, headers: headersOf(error, authorization), body }
  }
  const body = { error: 'server_error', error_description: 'The server failed to answer this request' } as const
  return { status: 500, headers: {}, body }
}
