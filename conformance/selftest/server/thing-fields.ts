/**
 * All that this server knows of the fields of a thing (interface 2.1): their types, how they are read out of an upload, and
 * how they are returned. A field of `ThingFields` that is forgotten in one of these tables does not compile.
 */

/** What a client can say about a thing, decoded. */
export interface ThingFields {
  title: string
  tags: string
  date: number
  url: string | undefined
  html: string | undefined
  archived: boolean
  todoStatus: boolean | undefined
}

/** The fields of a thing of which nothing was said. */
export const emptyFields: Readonly<ThingFields> = {
  title: '',
  tags: '',
  date: 0,
  url: undefined,
  html: undefined,
  archived: false,
  todoStatus: undefined,
}

/** What a submitted value must be: a text, one that `''` clears, a number, within bounds if there are some, or a flag. */
export type FieldForm =
  | { readonly kind: 'text' | 'clearable' | 'number' | 'flag' }
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number }

/** How each field is read. */
export const fieldForms: Readonly<Record<keyof ThingFields, FieldForm>> = {
  title: { kind: 'text' },
  tags: { kind: 'text' },
  date: { kind: 'number' },
  url: { kind: 'clearable' },
  html: { kind: 'clearable' },
  archived: { kind: 'flag' },
  todoStatus: { kind: 'flag' },
}

/** The fields in their returned form, in the order of the interface's table. */
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
