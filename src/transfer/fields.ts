import { type FieldName, fieldNames, fieldTable } from '../thing-table.ts'
import { maxDateCharacters } from './limits.ts'
import type { TransferThing } from './transfer.ts'

/** A field of a file is invalid. The message names it, for the user. */
export class FieldError extends Error {
  override readonly name = 'FieldError'
}

/** An object of a JSON file with typed access to its fields. Null is the same as absent. */
export interface Fields {
  readonly text: (name: string) => string | undefined
  readonly number: (name: string) => number | undefined
  readonly integer: (name: string) => number | undefined
  readonly flag: (name: string) => boolean | undefined
  /** Reads a list of texts. */
  readonly texts: (name: string) => readonly string[]
  /** Reads a list of objects. */
  readonly objects: (name: string) => readonly Fields[]
  readonly object: (name: string) => Fields | undefined
  /** Reads any value; undefined for null. */
  readonly value: (name: string) => unknown
  /** @throws FieldError that says what is wrong with a field of this object */
  readonly fail: (name: string, wrong: string) => never
}

/** Reads the fields of a value. `path` is its path in the file, for messages. @throws FieldError if it is no object */
export const readFields = (value: unknown, path: string): Fields => {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new FieldError(`${path} must be an object, not ${showValue(value)}`)
  const fields = new Map<string, unknown>(Object.entries(value))
  const fail = (name: string, wrong: string): never => {
    throw new FieldError(`${path}.${name} ${wrong}`)
  }
  const typed =
    <T>(isRight: (found: unknown) => found is T, wanted: string) =>
    (name: string): T | undefined => {
      const found = fields.get(name) ?? undefined
      return found === undefined || isRight(found) ? found : fail(name, `must be ${wanted}, not ${showValue(found)}`)
    }
  const list = typed((found): found is unknown[] => Array.isArray(found), 'a list')
  const objects = (name: string) =>
    (list(name) ?? []).map((item, index) => readFields(item, `${path}.${name}[${index}]`))
  return {
    text: typed((found): found is string => typeof found === 'string', 'text'),
    number: typed((found): found is number => typeof found === 'number', 'a number'),
    integer: typed((found): found is number => Number.isInteger(found), 'a whole number'),
    flag: typed((found): found is boolean => typeof found === 'boolean', 'true or false'),
    texts: (name) =>
      (list(name) ?? []).map((item, index) =>
        typeof item === 'string' ? item : fail(`${name}[${index}]`, `must be text, not ${showValue(item)}`),
      ),
    objects,
    object: (name) =>
      (fields.get(name) ?? undefined) === undefined ? undefined : readFields(fields.get(name), `${path}.${name}`),
    value: (name) => fields.get(name) ?? undefined,
    fail,
  }
}

const shownCharacters = 40

/** Shows a value in a sentence, as JSON, shortened. */
export const showValue = (value: unknown): string => {
  const text = JSON.stringify(shortenValue(value, 0)) ?? 'nothing'
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

/** Shortens a value: it may be as long as a file, and nested more deeply than the call stack allows. */
const shortenValue = (value: unknown, depth: number): unknown => {
  if (typeof value === 'string') return value.slice(0, shownCharacters + 1)
  if (typeof value !== 'object' || value === null) return value
  if (depth === shownCharacters) return []
  if (Array.isArray(value)) return value.slice(0, shownCharacters).map((each) => shortenValue(each, depth + 1))
  const short: Record<string, unknown> = Object.create(null)
  let count = 0
  for (const name in value) {
    if (!Object.hasOwn(value, name) || count++ === shownCharacters) continue
    short[name.slice(0, shownCharacters + 1)] = shortenValue(value[name as keyof typeof value], depth + 1)
  }
  return short
}

const firstMilliseconds = 1e11
const firstMicroseconds = 1e14

/**
 * Reads a Unix time in seconds, milliseconds or microseconds, and returns seconds. Undefined if it is no number. Times
 * in seconds up to the year 5138 are distinguished from milliseconds.
 */
export const readUnixTime = (text: string | number | undefined): number | undefined => {
  if (text === undefined || text === '') return undefined
  const value = Number(text)
  if (!Number.isFinite(value)) return undefined
  const size = Math.abs(value)
  if (size >= firstMicroseconds) return Math.floor(value / 1e6)
  return size >= firstMilliseconds ? Math.floor(value / 1e3) : value
}

/** Parses a date (ISO 8601, or another format of `Date.parse`). Returns Unix time in milliseconds; NaN if invalid. */
export const readDateText = (text: string): number => (text.length > maxDateCharacters ? Number.NaN : Date.parse(text))

/**
 * The formats have their own names for seven fields of a thing. They write and read all further fields of the table by
 * their names, so that a new field needs no change here. Our own JSON takes all fields from the table.
 */

const ownNamedFields: readonly FieldName[] = ['title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus']

/** The names of the further fields, in the order of the table. */
export const furtherFields: readonly FieldName[] = fieldNames.filter((name) => !ownNamedFields.includes(name))

/** Lists the further fields of a thing, each with its value as text. */
export const showFurtherFields = (thing: TransferThing): readonly (readonly [FieldName, string])[] =>
  furtherFields.flatMap((name) => (thing[name] === undefined ? [] : [[name, String(thing[name])] as const]))

/**
 * Reads the further fields. `find` returns the value for a name: text, or a value of the field's kind.
 * @throws FieldError if a value is invalid
 */
export const readFurtherFields = (find: (name: FieldName) => unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(furtherFields.map((name) => [name, readOne(name, find(name))]))

const readOne = (name: FieldName, value: unknown): unknown => {
  if (value === undefined || value === null || value === '') return undefined
  const { kind } = fieldTable[name]
  if (kind === 'text') return String(value)
  if (kind === 'flag') {
    if (String(value) === 'true' || String(value) === 'false') return String(value) === 'true'
    throw new FieldError(`${name} must be true or false, not ${showValue(value)}`)
  }
  const number = Number(value)
  const isRight = kind === 'integer' ? Number.isSafeInteger(number) : Number.isFinite(number)
  const wanted = kind === 'integer' ? 'a whole number' : 'a number'
  const wrong = isRight ? findBoundFault(name, number) : `must be ${wanted}, not ${showValue(value)}`
  if (wrong !== undefined) throw new FieldError(`${name} ${wrong}`)
  return number
}

/** Checks a number against the bounds of its field. Returns the fault as the end of a sentence, or undefined. */
export const findBoundFault = (name: FieldName, number: number): string | undefined => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = fieldTable[name]
  if (number >= minimum && number <= maximum) return undefined
  if (maximum === Number.POSITIVE_INFINITY) return `must be ${minimum} or more, not ${number}`
  if (minimum === Number.NEGATIVE_INFINITY) return `must be ${maximum} or less, not ${number}`
  return `must be from ${minimum} to ${maximum}, not ${number}`
}
