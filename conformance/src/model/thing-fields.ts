/**
 * The fields of a thing (interface 2.1): their types, their form in uploads and their returned form. When one of these
 * tables lacks a field of `ThingFields`, it does not compile.
 */

/** The fields of a thing that a client can set, decoded. */
export interface ThingFields {
  title: string
  tags: string
  date: number
  url: string | undefined
  html: string | undefined
  archived: boolean
  todoStatus: boolean | undefined
}

/** The fields of a thing without submitted values. */
export const emptyFields: Readonly<ThingFields> = {
  title: '',
  tags: '',
  date: 0,
  url: undefined,
  html: undefined,
  archived: false,
  todoStatus: undefined,
}

/** The type of a submitted value: a text, a text that `''` clears, a number with optional bounds, or a flag. */
export type FieldForm =
  | { readonly kind: 'text' | 'clearable' | 'number' | 'flag' }
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }

/** How the server reads each field. */
export const fieldForms: Readonly<Record<keyof ThingFields, FieldForm>> = {
  title: { kind: 'text' },
  tags: { kind: 'text' },
  date: { kind: 'number' },
  url: { kind: 'clearable' },
  html: { kind: 'clearable' },
  archived: { kind: 'flag' },
  todoStatus: { kind: 'flag' },
}

/** Returns the fields in their returned form, in the order of the interface's table. */
export function showFields(fields: ThingFields, isTodo: boolean): Record<string, unknown> {
  const { title, tags, date, url, html, archived, todoStatus } = fields
  const shown = {
    title,
    tags,
    date,
    url,
    html,
    archived: archived || undefined,
    todoStatus: isTodo ? (todoStatus ?? false) : undefined,
  } satisfies Record<keyof ThingFields, unknown>
  return Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))
}
