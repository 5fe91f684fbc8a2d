/**
 * The formats have their own names for seven fields of a thing. They write and read all further fields of the table by
 * their names, so that a new field needs no change here. Our own JSON takes all fields from the table.
 */
import { type FieldName, fieldNames, fieldTable } from '../thing-table.ts'
import { FieldError, showValue } from './fields.ts'
import type { TransferThing } from './transfer.ts'

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
