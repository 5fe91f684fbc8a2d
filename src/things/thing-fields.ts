import type { Thing } from '../store/model.ts'
import { type FieldName, type FieldValue, optionalFields } from '../thing-table.ts'

/**
 * Fields of a thing as a client submits them (interface 2.1), decoded. A field that is absent or null says nothing; `''`
 * says "none" for url, html and tags (contract, sync 8).
 */
export type ThingFields = { readonly [Name in FieldName]?: FieldValue<Name> | null }

/** A thing that nothing has been said about yet. `now` is in milliseconds, its date in whole seconds. */
export const blankThing = (id: string, now: number): Thing => ({
  id,
  title: '',
  tags: '',
  date: Math.floor(now / 1000),
  archived: false,
  todoStatus: false,
})

/** The thing after what the fields say; what they do not say stays as it is (contract, sync 8). */
export const mergeFields = (thing: Thing, fields: ThingFields): Thing =>
  mergeArchived(thing, fields, fields.archived ?? thing.archived)

/**
 * The same for a thing in a sync upload, where a missing `archived` means false (interface 2.1; contract, sync 8).
 */
export const mergeUploadedFields = (thing: Thing, fields: ThingFields): Thing =>
  mergeArchived(thing, fields, fields.archived ?? false)

const mergeArchived = (thing: Thing, fields: ThingFields, archived: boolean): Thing => {
  // Not spread from parts: that costs more than all else here, and an upload has thousands.
  const merged: Writable<Thing> = {
    id: thing.id,
    title: fields.title ?? thing.title,
    tags: fields.tags ?? thing.tags,
    date: fields.date ?? thing.date,
    archived,
    todoStatus: fields.todoStatus ?? thing.todoStatus,
  }
  const writable: Record<string, unknown> = merged
  for (const name of optionalFields) {
    const value = fields[name] ?? thing[name]
    if (value !== undefined && value !== '') writable[name] = value
  }
  return merged
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }
