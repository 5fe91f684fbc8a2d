import type { Logger } from 'pino'
import type { Environment } from '../environment.ts'
import type { Outbound, Outcome } from '../outbound/client.ts'
import type { Store } from '../store/store.ts'
import type { Failure } from './subscriptions.ts'
import type { ShowThing, WebhookAccess } from './webhook-message.ts'

/** What is known of a try that failed. */
export interface FailedDelivery {
  readonly reason: string
  /** Of an answer that was no success; absent where there was none. */
  readonly status?: number | undefined
  /** What the receiver asked for (`Retry-After`). */
  readonly retryAfterSeconds?: number | undefined
}

const minute = 60
const hour = 60 * minute

/** How long is waited before each retry of a webhook, in seconds; after the last it rests (contract, delivery). */
export const webhookRetrySeconds: readonly number[] = [
  5,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

/** The same of a push device: a newer change begins anew, and what is a day old is of no use to it. */
export const pushRetrySeconds: readonly number[] = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour]

/** A receiver cannot ask for a longer silence than this. */
const maxRetryAfterSeconds = 24 * hour

/** What they mean is "not now": too many requests, and a gateway whose server is not there. */
const slowDownStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504])

const minSlowDownSeconds = minute

/** The longest that chance adds to a wait, as a part of it: receivers that failed together are not called together. */
const jitter = 0.1

/**
 * How long to wait, in milliseconds, after so many tries that failed; undefined when it was the last. It is the wait of
 * the table, or what `Retry-After` asks for where that is longer, up to a day. 429, 502, 503 and 504 are waited for at
 * least a minute when they name no time that lies ahead. Every failure counts as a try. `random` gives 0 to 1.
 */
export const findRetryWait = (
  table: readonly number[],
  tries: number,
  { status, retryAfterSeconds }: Omit<FailedDelivery, 'reason'>,
  random: () => number,
): number | undefined => {
  const seconds = table[tries - 1]
  if (seconds === undefined) return undefined
  const asked = retryAfterSeconds || (slowDownStatuses.has(status) ? minSlowDownSeconds : 0)
  const waited = Math.max(seconds, Math.min(asked, maxRetryAfterSeconds))
  const jittered = waited * (1 + jitter * random())
  // What a receiver asks for is a day at most, with all that chance adds; the table's own day may be longer.
  return Math.round(1000 * (waited > seconds ? Math.min(jittered, maxRetryAfterSeconds) : jittered))
}

/** What became of a try: taken, for good not wanted, failed, or not tried because too much is on its way there. */
export type AttemptResult =
  | { readonly kind: 'taken' | 'busy' }
  | { readonly kind: 'gone'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: FailedDelivery }

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Judges an answer: 2xx is success, `goneStatuses` mean never again, and everything else is a failure, redirects too. */
export const toAttemptResult = (outcome: Outcome, goneStatuses: readonly number[]): AttemptResult => {
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
export const toFailureRecord = ({ reason, status }: FailedDelivery, now: number): Failure => ({
  at: Math.floor(now / 1000),
  reason,
  ...(status === undefined ? {} : { status }),
})

/** What those who tell work with. */
export interface DeliveryContext {
  readonly store: Store
  readonly environment: Environment
  readonly send: Outbound['send']
  readonly showThing: ShowThing
  /** What the app of a webhook may do for the user now. */
  readonly findAppAccess: (userId: string, clientId: string) => Promise<WebhookAccess>
  /** 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly log: Pick<Logger, 'info' | 'debug'>
}

/** The same, with a chance that is drawn now: the work of a write may run more than once, and does the same each time. */
export const fixRandom = <Place extends Pick<DeliveryContext, 'random'>>(context: Place): Place => {
  const drawn = context.random()
  return { ...context, random: () => drawn }
}

/** Who writes what delivery keeps; no session has this id. */
export const deliveryWriter = 'delivery'

/** The least time between two messages to one receiver, in milliseconds. */
export const messageSpacingMs = 1000

/** How soon something is tried again that was not sent because too much was on its way to its host. */
export const busyWaitMs = 1000
