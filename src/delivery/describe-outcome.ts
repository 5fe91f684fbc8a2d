import type { Outcome } from '../outbound/outcome.ts'
import type { Failure } from './records.ts'
import type { FailedTry } from './retry-times.ts'

/** What became of a try: taken, for good not wanted, failed, or not tried because too much is on its way there. */
export type Tried =
  | { readonly kind: 'taken' | 'busy' }
  | { readonly kind: 'gone'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: FailedTry }

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Judges an answer: 2xx is success, `goneStatuses` mean never again, and everything else is a failure, redirects too. */
export const describeOutcome = (outcome: Outcome, goneStatuses: readonly number[]): Tried => {
  if (outcome.kind === 'busy') return { kind: 'busy' }
  if (outcome.kind === 'failed') return { kind: 'failed', failure: { reason: outcome.reason } }
  const { status, retryAfterMs } = outcome
  if (isSuccess(status)) return { kind: 'taken' }
  if (goneStatuses.includes(status)) return { kind: 'gone', status }
  const reason = `The receiver answered ${status}${isRedirect(status) ? ', and redirects are not followed' : ''}.`
  const retryAfterSeconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1000
  return { kind: 'failed', failure: { reason, status, retryAfterSeconds } }
}

/** A failure as it is kept. `now` in milliseconds. */
export const keepFailure = ({ reason, status }: FailedTry, now: number): Failure => ({
  at: Math.floor(now / 1000),
  reason,
  ...(status === undefined ? {} : { status }),
})
