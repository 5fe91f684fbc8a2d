import type { Logger } from 'pino'
import type { Environment } from '../environment.ts'
import type { Outbound, Outcome } from '../outbound/client.ts'
import type { Store } from '../store/store.ts'
import type { Failure } from './subscriptions.ts'
import type { ShowThing, WebhookAccess } from './webhook-message.ts'

/** The details of a failed attempt. */
export interface FailedDelivery {
  readonly reason: string
  /** HTTP status of the response; absent without a response. */
  readonly status?: number | undefined
  /** The `Retry-After` of the response. */
  readonly retryAfterSeconds?: number | undefined
}

const minute = 60
const hour = 60 * minute

/**
 * The delay before each retry of a webhook, in seconds. After the last retry the webhook is suspended (contract,
 * delivery).
 */
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

/** The same for a push device. It has fewer retries, because a push message is useless after a day. */
export const pushRetrySeconds: readonly number[] = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour]

/** A longer `Retry-After` is reduced to this. */
const maxRetryAfterSeconds = 24 * hour

/** These statuses mean "not now": too many requests, or a gateway whose server is not available. */
const slowDownStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504])

const minSlowDownSeconds = minute

/** The maximum that jitter adds to a delay, as a fraction. It spreads the retries of receivers that failed together. */
const maxJitter = 0.1

/**
 * Returns the delay in milliseconds after so many failed attempts, or undefined if that was the last attempt. The delay
 * is the one of the table, or `Retry-After` if that is longer, up to a day. After 429, 502, 503 and 504 without a
 * `Retry-After` in the future the delay is at least a minute. Each failure counts as an attempt. `random` returns 0 to
 * 1.
 */
export const findRetryWait = (
  table: readonly number[],
  tries: number,
  { status, retryAfterSeconds }: Omit<FailedDelivery, 'reason'>,
  random: () => number,
): number | undefined => {
  const seconds = table[tries - 1]
  if (seconds === undefined) return undefined
  const requested = retryAfterSeconds || (slowDownStatuses.has(status) ? minSlowDownSeconds : 0)
  const delay = Math.max(seconds, Math.min(requested, maxRetryAfterSeconds))
  const jittered = delay * (1 + maxJitter * random())
  // A `Retry-After` is a day at most, including the jitter. The jitter may extend the day in the table.
  return Math.round(1000 * (delay > seconds ? Math.min(jittered, maxRetryAfterSeconds) : jittered))
}

/**
 * The result of an attempt: delivered, gone (permanently not wanted), failed, or busy (not sent: too much in progress).
 */
export type AttemptResult =
  | { readonly kind: 'delivered' | 'busy' }
  | { readonly kind: 'gone'; readonly status: number }
  | { readonly kind: 'failed'; readonly failure: FailedDelivery }

const isSuccess = (status: number): boolean => status >= 200 && status < 300
const isRedirect = (status: number): boolean => status >= 300 && status < 400

/** Classifies a response: 2xx is success, `goneStatuses` mean gone, all others are failures, including redirects. */
export const toAttemptResult = (outcome: Outcome, goneStatuses: readonly number[]): AttemptResult => {
  if (outcome.kind === 'busy') return { kind: 'busy' }
  if (outcome.kind === 'failed') return { kind: 'failed', failure: { reason: outcome.reason } }
  const { status, retryAfterMs } = outcome
  if (isSuccess(status)) return { kind: 'delivered' }
  if (goneStatuses.includes(status)) return { kind: 'gone', status }
  const redirectNote = isRedirect(status) ? '; redirects are not followed' : ''
  const reason = `The receiver responded with status ${status}${redirectNote}.`
  const retryAfterSeconds = retryAfterMs === undefined ? undefined : retryAfterMs / 1000
  return { kind: 'failed', failure: { reason, status, retryAfterSeconds } }
}

/** Converts a failure to its stored form. `now` is Unix time in milliseconds. */
export const toFailureRecord = ({ reason, status }: FailedDelivery, now: number): Failure => ({
  at: Math.floor(now / 1000),
  reason,
  ...(status === undefined ? {} : { status }),
})

/** The dependencies of the delivery functions. */
export interface DeliveryContext {
  readonly store: Store
  readonly environment: Environment
  readonly send: Outbound['send']
  readonly showThing: ShowThing
  /** Finds out if the app of a webhook may act for the user now. */
  readonly findAppAccess: (userId: string, clientId: string) => Promise<WebhookAccess>
  /** Returns 0 to 1, for the jitter of retries. */
  readonly random: () => number
  readonly log: Pick<Logger, 'info' | 'debug'>
}

/** Copies the context with a fixed random number: the work of a write may run twice and must do the same each time. */
export const fixRandom = <Context extends Pick<DeliveryContext, 'random'>>(context: Context): Context => {
  const fixed = context.random()
  return { ...context, random: () => fixed }
}

/** The writer of all changes by delivery; no session has this id. */
export const deliveryWriter = 'delivery'

/** The minimum time between two messages to one receiver, in milliseconds. */
export const messageSpacingMs = 1000

/** The delay in milliseconds before another attempt if too many deliveries to the host were in progress. */
export const busyWaitMs = 1000
