/** Shortest wait, for a Retry-After that is 0 or already over. */
const leastMs = 50

/**
 * How long to wait before a throttled request is sent again, or undefined when the answer stands: 429, or 503 that says
 * when. Without Retry-After (seconds or an HTTP date) the waits double from one second.
 */
export const findRetryDelayMs = (
  status: number,
  retryAfter: string | undefined,
  attempt: number,
): number | undefined => {
  if (status !== 429 && !(status === 503 && retryAfter !== undefined)) return undefined
  const seconds = Number(retryAfter ?? 2 ** attempt)
  if (Number.isFinite(seconds)) return Math.max(seconds * 1000, leastMs)
  const date = Date.parse(retryAfter ?? '')
  return Number.isNaN(date) ? 1000 * 2 ** attempt : Math.max(date - Date.now(), leastMs)
}
