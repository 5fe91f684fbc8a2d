import { maxDateCharacters } from './limits.ts'

/** A field of a file that is not what it must be; the message names it, for people. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

/** An object of a JSON file whose fields are read one by one. Null is the same as absent. */
export interface Fields {
  readonly text: (name: string) => string | undefined
  readonly number: (name: string) => number | undefined
  readonly integer: (name: string) => number | undefined
  readonly flag: (name: string) => boolean | undefined
  /** A list of texts. */
  readonly texts: (name: string) => readonly string[]
  /** A list of objects. */
  readonly objects: (name: string) => readonly Fields[]
  readonly object: (name: string) => Fields | undefined
  /** Whatever is there; undefined for null. */
  readonly value: (name: string) => unknown
  /** @throws FieldError that says what is wrong with a field of this object */
  readonly fail: (name: string, wrong: string) => never
}

/** The fields of a value; `place` is where it stands in the file. All of it throws FieldError. */
export const readFields = (value: unknown, place: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldError(`${place} must be an object, not ${showValue(value)}`)
  const fields = new Map<string, unknown>(Object.entries(value))
  const refuse = (name: string, wrong: string): never => {
    throw new FieldError(`${place}.${name} ${wrong}`)
  }
  const typed =
    <T>(isRight: (found: unknown) => found is T, wanted: string) =>
    (name: string): T | undefined => {
      const found = fields.get(name) ?? undefined
      return found === undefined || isRight(found) ? found : refuse(name, `must be ${wanted}, not ${showValue(found)}`)
    }
  const list = typed((found): found is unknown[] => Array.isArray(found), 'a list')
  const objects = (name: string) =>
    (list(name) ?? []).map((item, index) => readFields(item, `${place}.${name}[${index}]`))
  return {
    text: typed((found): found is string => typeof found === 'string', 'text'),
    number: typed((found): found is number => typeof found === 'number', 'a number'),
    integer: typed((found): found is number => Number.isInteger(found), 'a whole number'),
    flag: typed((found): found is boolean => typeof found === 'boolean', 'true or false'),
    texts: (name) =>
      (list(name) ?? []).map((item, index) =>
        typeof item === 'string' ? item : refuse(`${name}[${index}]`, `must be text, not ${showValue(item)}`),
      ),
    objects,
    object: (name) =>
      (fields.get(name) ?? undefined) === undefined ? undefined : readFields(fields.get(name), `${place}.${name}`),
    value: (name) => fields.get(name) ?? undefined,
    fail: refuse,
  }
}

const shownCharacters = 40

/** A value as a sentence shows it, cut short. */
export const showValue = (value: unknown): string => {
  const text = JSON.stringify(shortenValue(value, 0)) ?? 'nothing'
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** What is shown of a value: it may be as long as a file, and hold more values inside one another than a stack. */
const shortenValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return value.slice(0, shownCharacters + 1)
  if (typeof value !== 'object' || value === null) return value
  if (depth === shownCharacters) return []
  if (Array.isArray(value)) return value.slice(0, shownCharacters).map((each) => shortenValue(each, depth + 1))
  const cut: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const name in value) {
    if (!Object.hasOwn(value, name) || count++ === shownCharacters) continue
    cut[name.slice(0, shownCharacters + 1)] = shortenValue(value[name as keyof typeof value], depth + 1)
  }
  return cut
}

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
