import type { ErrorBody } from '../../generated/types.ts'
import { Refused } from '../refused.ts'
import { StoreFailed } from '../store/store.ts'

/** An error as it is answered (interface 7). */
export interface ErrorAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: ErrorBody
}

const retryAfterSeconds = 30

const headersOf = ({ status, error, details }: Refused): Record<string, string> => {
  if (error === 'invalid_client') return { 'www-authenticate': 'Basic realm="thingsync"' }
  if (status === 401) {
    const reason = error === 'invalid_grant' ? ', error="invalid_token"' : ''
    return { 'www-authenticate': `Bearer realm="thingsync"${reason}` }
  }
  if (status === 405) return { allow: String(details.allow) }
  if (status === 429) return { 'retry-after': String(details.retryAfterSeconds) }
  if (status === 503) return { 'retry-after': String(retryAfterSeconds) }
  return {}
}

/**
 * The one place where errors become answers: a refusal says what it refuses, a failed store is 503, anything else is a
 * bug and says nothing about itself.
 */
export const answerError = (error: unknown): ErrorAnswer => {
  if (error instanceof StoreFailed) return answerError(new Refused('storeUnavailable'))
  if (error instanceof Refused) {
    const body = { error: error.error, error_description: error.message }
    return { status: error.status, headers: headersOf(error), body }
  }
  const body = { error: 'server_error', error_description: 'The server failed to answer this request' } as const
  return { status: 500, headers: {}, body }
}
