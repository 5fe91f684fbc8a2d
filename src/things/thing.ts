import type { TagSettings, Thing } from '../store/model.ts'
import type { ThingForm } from '../store/store.ts'
import {
  type FieldName,
  type FieldsShown,
  type FieldValue,
  type OptionalField,
  optionalFields,
  pickOptionalFields,
} from '../thing-table.ts'

/** Splits a text of tags (interface 2.1) at spaces, U+0020 only. Each tag appears once, in the text's order. */
export const splitTags = (tags: string): string[] => {
  const parts = tags.split(' ')
  // For few tags a search is cheaper than a Set.
  const unique =
    parts.length > maxFewTags ? [...new Set(parts)] : parts.filter((tag, index) => parts.indexOf(tag) === index)
  return unique.filter((tag) => tag !== '')
}

const maxFewTags = 8

/** True when things that carry a tag with these settings are todos (contract, sync 12). */
export const isTodoTag = (settings: TagSettings): boolean => settings.todo !== false

/** True for the tags that a full sync lists: favorites and special ones (interface 4.3, rule 1; contract, sync 2). */
export const hasSettings = ({ favorite, color, todo }: TagSettings): boolean =>
  favorite || color !== false || todo !== false

/**
 * Creates the returned form of a thing (interface 2.1); the table of the interface defines the presence of each key.
 */
const toReturned = (thing: Thing, isTodo: boolean): object => ({
  ...({ _id: thing.id, title: thing.title, tags: thing.tags, date: thing.date } satisfies Returned<'always'>),
  ...pickOptionalFields(thing),
  ...(thing.archived ? ({ archived: true } satisfies Record<FieldsShown<'true'>, true>) : {}),
  ...(isTodo ? ({ todoStatus: thing.todoStatus } satisfies Record<FieldsShown<'todo'>, boolean>) : {}),
})

type Returned<Presence extends string> = Pick<Thing, FieldsShown<Presence>> & { readonly _id: string }

/** Renders the returned form as JSON text. */
export const showThing = (thing: Thing, isTodo: boolean): string => JSON.stringify(toReturned(thing, isTodo))

type ReturnedThing = Returned<'always'> &
  Pick<Thing, OptionalField> &
  Partial<Pick<Thing, FieldsShown<'true' | 'todo'>>>

/** Parses a thing from the returned form of `showThing`. Without `todoStatus` in the form, the thing is not done. */
export const readThing = (json: string): Thing => {
  const returned: ReturnedThing = JSON.parse(json)
  const { _id: id, title, tags, date, archived = false, todoStatus = false } = returned
  return { id, title, tags, date, ...pickOptionalFields(returned), archived, todoStatus }
}

/** The form of things for the stores, which do not know the interface (interface 2). */
export const thingForm: ThingForm = {
  tagsOf: (thing) => splitTags(thing.tags),
  isTodoTag,
  hasSettings,
  showThing,
  readThing,
}

/**
 * The decoded fields of a thing in a request (interface 2.1). An absent or null field changes nothing; `''` removes
 * url, html and tags (contract, sync 8).
 */
export type ThingFields = { readonly [Name in FieldName]?: FieldValue<Name> | null }

/** Creates an empty thing. `now` is in milliseconds, its date in whole seconds. */
export const createBlankThing = (id: string, now: number): Thing => ({
  id,
  title: '',
  tags: '',
  date: Math.floor(now / 1000),
  archived: false,
  todoStatus: false,
})

/** Merges fields into a thing. Absent fields keep their values (contract, sync 8). */
export const mergeFields = (thing: Thing, fields: ThingFields): Thing =>
  mergeArchived(thing, fields, fields.archived ?? thing.archived)

/** Merges the fields of a sync upload, where a missing `archived` means false (interface 2.1; contract, sync 8). */
export const mergeUploadedFields = (thing: Thing, fields: ThingFields): Thing =>
  mergeArchived(thing, fields, fields.archived ?? false)

const mergeArchived = (thing: Thing, fields: ThingFields, archived: boolean): Thing => {
  // Not spread from parts: spreading is slow, and an upload has thousands of things.
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
