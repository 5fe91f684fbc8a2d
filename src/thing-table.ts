/**
 * Types over the table of a thing's fields, which is made from `openapi.yaml`. Whatever handles the fields of a thing is
 * derived from them, or lists them under a type of these, so that a field that is forgotten somewhere does not compile.
 */
import { thingFields } from '../generated/thing-fields.ts'

type FieldTable = typeof thingFields

/** The name of a field of a thing beside its id. */
export type FieldName = keyof FieldTable

/** A row of the table. */
export interface FieldKind {
  readonly kind: keyof Kinds
  readonly presence: 'always' | 'notEmpty' | 'set' | 'true' | 'todo'
  /** The least and the greatest that a number may be, where the document says so. */
  readonly minimum?: number
  readonly maximum?: number
}

type Kinds = { readonly text: string; readonly number: number; readonly integer: number; readonly flag: boolean }

/** The type of a field's value. */
export type FieldValue<Name extends FieldName> = Kinds[FieldTable[Name]['kind']]

/** The fields that the returned form has under one of these conditions. */
export type FieldsShown<Presence extends string> = {
  [Name in FieldName]: FieldTable[Name]['presence'] extends Presence ? Name : never
}[FieldName]

/** Fields that a thing need not have. */
export type OptionalField = FieldsShown<'notEmpty' | 'set'>

/** The table. */
export const fieldTable: Readonly<Record<FieldName, FieldKind>> = thingFields

/** The names of all fields, in the order of the returned form. */
export const fieldNames = Object.keys(thingFields) as readonly FieldName[]

/** True for a field that a thing need not have. */
export const isOptionalField = (name: FieldName): name is OptionalField =>
  ['notEmpty', 'set'].includes(thingFields[name].presence)

/** The fields that a thing need not have, in the order of the returned form. An empty text is left out. */
export const optionalFields = fieldNames.filter(isOptionalField)

/** The optional fields that a thing has; texts that are empty, null and undefined are left out. */
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
