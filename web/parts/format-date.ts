const isDate = (seconds: number): boolean => Math.abs(seconds) <= 8_640_000_000_000

const localeOf = (language: string): string =>
  // The user's own locale of this language determines the format of dates.
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language

/**
 * Creates a function that formats Unix time in seconds as a day in the user's locale, without the current year. It
 * returns an invalid date as the number. Reuse the function: creating it takes longer than rendering a row.
 */
export const createDayFormat = (language: string): ((seconds: number) => string) => {
  const [day, dayOfYear] = [dayFormatterFor(language), formatterFor(language, 'medium')]
  return (seconds) => {
    if (!isDate(seconds)) return String(seconds)
    const isThisYear = new Date(seconds * 1000).getFullYear() === new Date().getFullYear()
    return (isThisYear ? day : dayOfYear).format(seconds * 1000)
  }
}

/** Creates a function that formats Unix time in seconds as a month with its year. */
export const createMonthFormat = (language: string): ((seconds: number) => string) => {
  const month = new Intl.DateTimeFormat(localeOf(language), { month: 'long', year: 'numeric' })
  return (seconds) => (isDate(seconds) ? month.format(seconds * 1000) : String(seconds))
}

/** Formats Unix time in seconds as a day with its time. */
export const formatMoment = (seconds: number, language: string): string =>
  isDate(seconds) ? formatterFor(language, 'medium', 'short').format(seconds * 1000) : String(seconds)

/** Formats milliseconds since 1970 as a day with a time, for example "Today 20:31". */
export const formatSince = (milliseconds: number, language: string, now = Date.now()): string => {
  const days = (new Date(now).setHours(12, 0, 0, 0) - new Date(milliseconds).setHours(12, 0, 0, 0)) / 86_400_000
  if (Math.round(days) !== 0 && Math.round(days) !== 1) return formatMoment(milliseconds / 1000, language)
  const day = new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(-Math.round(days), 'day')
  const clock = formatterFor(language, undefined, 'short').format(milliseconds)
  return `${day.slice(0, 1).toLocaleUpperCase(language)}${day.slice(1)} ${clock}`
}

/** Formats milliseconds since 1970 as a time of day. */
export const formatClock = (milliseconds: number, language: string): string =>
  formatterFor(language, undefined, 'medium').format(milliseconds)

const agoUnits = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** Formats Unix time in seconds as the time since then, at least a minute, for example "3 weeks ago". */
export const formatAgo = (seconds: number, language: string, now = Date.now() / 1000): string => {
  const since = Math.max(60, now - seconds)
  const [unit, size] = agoUnits.find(([, length]) => since >= length) ?? (['minute', 60] as const)
  return new Intl.RelativeTimeFormat(localeOf(language), { numeric: 'auto' }).format(-Math.floor(since / size), unit)
}

const dayFormatterFor = (language: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(localeOf(language), { day: 'numeric', month: 'short' })

const formatterFor = (
  language: string,
  dateStyle: 'medium' | undefined,
  timeStyle?: 'short' | 'medium',
): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(localeOf(language), {
    ...(dateStyle === undefined ? {} : { dateStyle }),
    ...(timeStyle === undefined ? {} : { timeStyle }),
  })

/** Converts Unix time in seconds to the value of a `datetime-local` field; '' if the field cannot show it. */
export const toFieldDate = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const pad = (part: number, length = 2) => String(part).padStart(length, '0')
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 1 || date.getFullYear() > 9999) return ''
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** Converts the value of a `datetime-local` field to Unix time in seconds; undefined for an empty or invalid value. */
export const readFieldDate = (value: string): number | undefined => {
  const time = new Date(value).getTime()
  return value === '' || Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}
