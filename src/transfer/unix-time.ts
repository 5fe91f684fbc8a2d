import { maxDateCharacters } from './limits.ts'

const firstMilliseconds = 1e11
const firstMicroseconds = 1e14

/**
 * A time as programs write it, in seconds, milliseconds or microseconds since 1970, in seconds; undefined when it is no
 * number. Seconds reach the year 5138 before they are taken for milliseconds.
 */
export const readUnixTime = (text: string | number | undefined): number | undefined => {
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const size = Math.abs(value)
  if (size >= firstMicroseconds) return Math.floor(value / 1e6)
  return size >= firstMilliseconds ? Math.floor(value / 1e3) : value
}

/** A date as text, ISO 8601 or as browsers understand it, in milliseconds since 1970; NaN when it is none. */
export const readDateText = (text: string): number => (text.length > maxDateCharacters ? Number.NaN : Date.parse(text))
