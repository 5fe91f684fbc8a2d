import type { Send } from './create-api.ts'
import { type Backoff, type Pace, spread, systemPace } from './pace.ts'
import { readRetryAfter } from './retry-after.ts'

/** Whether, how often and when a request is sent again that failed for the moment. */
export interface RetryOptions extends Partial<Backoff>, Partial<Pace> {
  /** Requests for one call at most; 4 by default. Waits are up to 500 ms after the first and double, up to 20 s. */
  readonly attempts?: number
  /** A server that wants more patience than this (`Retry-After`) is not asked again; 60 s by default. */
  readonly longestRetryAfterSeconds?: number
  /**
   * Whether the server recognises a repeated upload of new things (contract, sync 7), as thingsync does; true by
   * default. With false uploads of new things are sent once.
   */
  readonly recognisesRetries?: boolean
}

/**
 * Sends again what may safely be sent twice, when no answer came or the server could not answer for the moment (429, 502,
 * 503, 504): every GET, refreshing and revoking tokens, and uploads by `sync`. Of those with new things only the ones
 * with a `from` of their own: by it the server knows that they are repeated.
 */
export const sendAgain = (send: Send, options: RetryOptions = {}): Send => {
  const { attempts = 4, firstMilliseconds = 500, longestMilliseconds = 20_000 } = options
  const { longestRetryAfterSeconds = 60, recognisesRetries = true } = options
  const pace: Pace = { ...systemPace, ...withoutUndefined(options) }
  const backoff = { firstMilliseconds, longestMilliseconds }

  return async (request, init) => {
    if (!(await isRepeatable(request, recognisesRetries))) return send(request, init)
    for (let failures = 1; ; failures++) {
      const isLast = failures >= attempts
      const attempt = isLast ? request : request.clone()
      const answer = await send(attempt, init).catch((error: unknown) => {
        // What fetch throws for a broken connection; an abort is none.
        if (isLast || !(error instanceof TypeError)) throw error
      })
      if (answer !== undefined && (isLast || !isForTheMoment(answer.status))) return answer
      const seconds = answer === undefined ? 0 : (readRetryAfter(answer.headers, pace.now) ?? 0)
      if (answer !== undefined && seconds > longestRetryAfterSeconds) return answer
      await answer?.body?.cancel()
      await pace.sleep(seconds * 1000 + spread(failures, backoff, pace.random), init?.signal ?? request.signal)
    }
  }
}

const isForTheMoment = (status: number) => [429, 502, 503, 504].includes(status)

const isRepeatable = async (request: Request, recognisesRetries: boolean): Promise<boolean> => {
  if (request.method === 'GET') return true
  const operation = new URL(request.url).pathname.split('/').at(-1)
  if (operation === 'revoke') return true
  if (operation !== 'token' && operation !== 'sync') return false
  const form = new URLSearchParams(await request.clone().text())
  if (operation === 'token') return form.get('grant_type') === 'refresh_token'
  return !form.has('new_thing') || (recognisesRetries && form.has('from'))
}

const withoutUndefined = ({ now, random, sleep }: Partial<Pace>): Partial<Pace> => ({
  ...(now === undefined ? {} : { now }),
  ...(random === undefined ? {} : { random }),
  ...(sleep === undefined ? {} : { sleep }),
})
