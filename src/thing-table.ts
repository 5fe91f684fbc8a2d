/**
 * Types over the table of a thing's fields, which is generated from `openapi.yaml`. All code that handles the fields of
 * a thing is derived from the table, or lists the fields under one of its types, so that a forgotten field does not
 * compile.
 */
import { thingFields } from '../generated/thing-fields.ts'

type FieldTable = typeof thingFields

/** The name of a thing's field; its id is not in the table. */
export type FieldName = keyof FieldTable

/** A row of the table. */
export interface FieldKind {
  readonly kind: keyof Kinds
  readonly presence: 'always' | 'notEmpty' | 'set' | 'true' | 'todo'
  /** The bounds of a number, where the document has them. */
  readonly minimum?: number
  readonly maximum?: number
}

type Kinds = { readonly text: string; readonly number: number; readonly integer: number; readonly flag: boolean }

/** The type of a field's value. */
export type FieldValue<Name extends FieldName> = Kinds[FieldTable[Name]['kind']]

/** The names of the fields that the returned form has under one of these conditions. */
export type FieldsShown<Presence extends string> = {
  [Name in FieldName]: FieldTable[Name]['presence'] extends Presence ? Name : never
}[FieldName]

/** The name of an optional field of a thing. */
export type OptionalField = FieldsShown<'notEmpty' | 'set'>

/** The table of a thing's fields. */
export const fieldTable: Readonly<Record<FieldName, FieldKind>> = thingFields

/** The names of all fields, in the order of the returned form. */
export const fieldNames = Object.keys(thingFields) as readonly FieldName[]

/** True for an optional field of a thing. */
export const isOptionalField = (name: FieldName): name is OptionalField =>
  ['notEmpty', 'set'].includes(thingFields[name].presence)

/** The names of the optional fields, in the order of the returned form, which leaves out empty texts. */
export const optionalFields = fieldNames.filter(isOptionalField)

/** Picks the optional fields that a thing has, without empty texts, null and undefined. */
export const pickOptionalFields = (
  thing: {
    readonly [Name in OptionalField]?: FieldValue<Name> | null | undefined
  },
): { readonly [Name in OptionalField]?: FieldValue<Name> } => {
  const picked: Record<string, string | number | boolean> = {}
  for (const name of optionalFields) {
    const value = thing[name]
    if (value !== undefined && value !== null && value !== '') picked[name] = value
  }
  return picked
}
