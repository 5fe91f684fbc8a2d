/**
 * Types over the table of a thing's fields (interface 2.1), which is made from `openapi.yaml`: what the replica keeps, shows
 * and takes is derived from it, so that a new field of the document is in all of them.
 */
import { thingFields } from '../../generated/thing-fields.ts'

type Table = typeof thingFields
type Kinds = { readonly text: string; readonly number: number; readonly integer: number; readonly flag: boolean }

/** The name of a field of a thing beside its id. */
export type FieldName = keyof Table

/** The type of a field's value. */
export type FieldValue<Name extends FieldName> = Kinds[Table[Name]['kind']]

/** Fields that a thing need not have. */
export type OptionalField = {
  [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' | 'set' ? Name : never
}[FieldName]

/** Fields that null or `''` clears. */
export type ClearableField =
  | 'tags'
  | { [Name in FieldName]: Table[Name]['presence'] extends 'notEmpty' ? Name : never }[FieldName]

const rows = Object.entries(thingFields) as readonly (readonly [FieldName, { kind: string; presence: string }])[]

/** The names of all fields, in the order of the returned form. */
export const fieldNames = rows.map(([name]) => name)

/** The kinds of value of each field, as words for people; `null` where it clears the field. */
export const fieldKinds: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  rows.map(([name, { kind, presence }]) => {
    const word = kind === 'flag' ? 'boolean' : kind === 'integer' ? 'number' : kind
    return [name, presence === 'notEmpty' || name === 'tags' ? [word, 'null'] : [word]]
  }),
)

const optionalFields = rows.flatMap(([name, { presence }]) =>
  presence === 'notEmpty' || presence === 'set' ? [name as OptionalField] : [],
)

type OptionalValues = { readonly [Name in OptionalField]?: FieldValue<Name> }

/**
 * The optional fields after a change: what `fields` does not say is as in `thing`, and what null or `''` clears is left out.
 */
export const mergeOptionalFields = (
  thing: OptionalValues,
  fields: { readonly [Name in OptionalField]?: FieldValue<Name> | null } = {},
): OptionalValues => {
  const merged: Record<string, unknown> = {}
  for (const name of optionalFields) {
    const value = fields[name] === undefined ? thing[name] : fields[name]
    if (value !== undefined && value !== null && value !== '') merged[name] = value
  }
  return merged
}
