const units = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
  [30, 'day'],
  [12, 'month'],
  [Number.POSITIVE_INFINITY, 'year'],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const absolute = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** How long ago, or in how long: `3 hours ago`, `in 2 days`. Times in Unix seconds. */
export const describeDistance = (seconds: number, nowSeconds: number): string => {
  let distance = seconds - nowSeconds
  for (const [length, unit] of units) {
    if (Math.abs(distance) < length || unit === 'year') return relative.format(Math.trunc(distance), unit)
    distance /= length
  }
  return ''
}

/** A time that people read at a glance, with the time itself beside it. */
export const When = ({ seconds, now }: { readonly seconds: number; readonly now: number }) => (
  <time dateTime={new Date(seconds * 1000).toISOString()}>
    {describeDistance(seconds, Math.floor(now / 1000))} ({absolute.format(seconds * 1000)} UTC)
  </time>
)
