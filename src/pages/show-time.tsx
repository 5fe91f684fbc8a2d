const units = [
  [60, 'second'],
  [60, 'minute'],
  [24, 'hour'],
] as const

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const dayForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })
const exactForm = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** How long ago or in how long, within a day (`3 hours ago`), else the day (`22 Nov 2026`). Times in Unix seconds. */
export const describeTime = (seconds: number, nowSeconds: number): string => {
  let distance = seconds - nowSeconds
  for (const [length, unit] of units) {
    if (Math.abs(distance) < length) return relative.format(Math.trunc(distance), unit)
    distance /= length
  }
  return dayForm.format(seconds * 1000)
}

/** A time that people read at a glance; the exact one is its title. `now` in milliseconds. */
export const When = ({ seconds, now }: { readonly seconds: number; readonly now: number }) => (
  <time dateTime={new Date(seconds * 1000).toISOString()} title={`${exactForm.format(seconds * 1000)} UTC`}>
    {describeTime(seconds, Math.floor(now / 1000))}
  </time>
)
