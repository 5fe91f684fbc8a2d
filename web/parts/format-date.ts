const isDate = (seconds: number): boolean => Math.abs(seconds) <= 8_640_000_000_000

const localeOf = (language: string): string =>
  // Of two that speak the language, the person's own says how its dates are written.
  navigator.languages.find((tag) => tag.toLowerCase().split('-')[0] === language) ?? language

/**
 * Writes days as the person's locale does, without the year when it is in this one; the number itself when it is no date. To
 * be kept: making it takes longer than drawing a whole row.
 */
export const createDayFormat = (language: string): ((seconds: number) => string) => {
  const [day, dayOfYear] = [dayFormatterFor(language), formatterFor(language, 'medium')]
  return (seconds) => {
    if (!isDate(seconds)) return String(seconds)
    const isThisYear = new Date(seconds * 1000).getFullYear() === new Date().getFullYear()
    return (isThisYear ? day : dayOfYear).format(seconds * 1000)
  }
}

/** A day and the time of the day. */
export const formatMoment = (seconds: number, language: string): string =>
  isDate(seconds) ? formatterFor(language, 'medium', 'short').format(seconds * 1000) : String(seconds)

/** The time of the day, with the day when that is not today. */
export const formatSince = (milliseconds: number, language: string, now = Date.now()): string =>
  new Date(milliseconds).toDateString() === new Date(now).toDateString()
    ? formatClock(milliseconds, language)
    : formatMoment(milliseconds / 1000, language)

/** The time of the day. */
export const formatClock = (milliseconds: number, language: string): string =>
  formatterFor(language, undefined, 'medium').format(milliseconds)

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

/** The value of a `datetime-local` field. */
export const toFieldDate = (seconds: number): string => {
  const date = new Date(seconds * 1000)
  const pad = (part: number, length = 2) => String(part).padStart(length, '0')
  if (Number.isNaN(date.getTime()) || date.getFullYear() < 1 || date.getFullYear() > 9999) return ''
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`
}

/** The time that a `datetime-local` field says, in Unix seconds; undefined for none. */
export const readFieldDate = (value: string): number | undefined => {
  const time = new Date(value).getTime()
  return value === '' || Number.isNaN(time) ? undefined : Math.floor(time / 1000)
}
