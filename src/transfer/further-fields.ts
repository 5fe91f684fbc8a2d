/**
 * The formats have words of their own for seven fields of a thing. Every further field of the table is written and read by its
 * name in all of them, so that a new field is carried with no change here; our own JSON takes even those seven from the table.
 */
import { type FieldName, fieldNames, fieldTable } from '../thing-table.ts'
import { FieldError, showValue } from './fields.ts'
import type { TransferThing } from './transfer.ts'

const worded: readonly FieldName[] = ['title', 'tags', 'date', 'url', 'html', 'archived', 'todoStatus']

/** The names of the further fields, in the order of the table. */
export const furtherFields: readonly FieldName[] = fieldNames.filter((name) => !worded.includes(name))

/** The further fields that a thing has, each with its value as text. */
export const showFurtherFields = (thing: TransferThing): readonly (readonly [FieldName, string])[] =>
  furtherFields.flatMap((name) => (thing[name] === undefined ? [] : [[name, String(thing[name])] as const]))

/**
 * The further fields out of what `find` gives for their names: text, or a value of their kind.
 * @throws FieldError
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

/** What is wrong with a number that its row in the table does not allow, as the end of a sentence. */
export const findBoundFault = (name: FieldName, number: number): string | undefined => {
  const { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY } = fieldTable[name]
  if (number >= minimum && number <= maximum) return undefined
  if (maximum === Number.POSITIVE_INFINITY) return `must be ${minimum} or more, not ${number}`
  if (minimum === Number.NEGATIVE_INFINITY) return `must be ${maximum} or less, not ${number}`
  return `must be from ${minimum} to ${maximum}, not ${number}`
}
