/** What is known of a try that failed. */
export interface FailedTry {
  readonly reason: string
  /** Of an answer that was no success; absent where there was none. */
  readonly status?: number | undefined
  /** What the receiver asked for (`Retry-After`). */
  readonly retryAfterSeconds?: number | undefined
}

const minute = 60
const hour = 60 * minute

/** How long is waited before each retry of a webhook, in seconds; after the last it rests (contract, delivery). */
export const webhookRetries: readonly number[] = [
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
export const pushRetries: readonly number[] = [5, 5 * minute, 30 * minute, 2 * hour, 5 * hour]

/** A receiver cannot ask for a longer silence than this. */
export const mostRetryAfterSeconds = 24 * hour

/** What they mean is "not now": too many requests, and a gateway whose server is not there. */
const slowDownStatuses: ReadonlySet<number | undefined> = new Set([429, 502, 503, 504])

const leastSlowDownSeconds = minute

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
  { status, retryAfterSeconds }: Omit<FailedTry, 'reason'>,
  random: () => number,
): number | undefined => {
  const seconds = table[tries - 1]
  if (seconds === undefined) return undefined
  const asked = retryAfterSeconds || (slowDownStatuses.has(status) ? leastSlowDownSeconds : 0)
  const waited = Math.max(seconds, Math.min(asked, mostRetryAfterSeconds))
  const jittered = waited * (1 + jitter * random())
  // What a receiver asks for is a day at most, with all that chance adds; the table's own day may be longer.
  return Math.round(1000 * (waited > seconds ? Math.min(jittered, mostRetryAfterSeconds) : jittered))
}
