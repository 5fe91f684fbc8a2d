/** Nobody is waited for longer: the longest pause between two tries. */
const longestMs = 24 * 60 * 60 * 1000

/**
 * How long a receiver asks to be left alone, in milliseconds, at most a day: `Retry-After` as seconds or as a date
 * (RFC 9110, 10.2.3). Undefined for everything else.
 */
export const readRetryAfter = (header: string | readonly string[] | undefined, now: number): number | undefined => {
  const text = typeof header === 'string' ? header.trim() : ''
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestMs)
  const date = / GMT$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - now), longestMs)
}
