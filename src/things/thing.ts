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

/** The tags of a text of tags (interface 2.1): what stands between spaces (U+0020 alone), each once, in their order. */
export const splitTags = (tags: string): string[] => {
  const parts = tags.split(' ')
  // A Set costs more than looking through a few.
  const each =
    parts.length > maxFewTags ? [...new Set(parts)] : parts.filter((tag, index) => parts.indexOf(tag) === index)
  return each.filter((tag) => tag !== '')
}

const maxFewTags = 8

/** True when things that carry a tag with these settings are todos (contract, sync 12). */
export const isTodoTag = (settings: TagSettings): boolean => settings.todo !== false

/** True for the tags that a full listing shows: favorites and special ones (interface 4.3, rule 1; contract, sync 2). */
export const hasSettings = ({ favorite, color, todo }: TagSettings): boolean =>
  favorite || color !== false || todo !== false

/** The returned form of a thing (interface 2.1); the presence of each key as the table there has it. */
const toReturned = (thing: Thing, isTodo: boolean): object => ({
  ...({ _id: thing.id, title: thing.title, tags: thing.tags, date: thing.date } satisfies Returned<'always'>),
  ...pickOptionalFields(thing),
  ...(thing.archived ? ({ archived: true } satisfies Record<FieldsShown<'true'>, true>) : {}),
  ...(isTodo ? ({ todoStatus: thing.todoStatus } satisfies Record<FieldsShown<'todo'>, boolean>) : {}),
})

type Returned<Presence extends string> = Pick<Thing, FieldsShown<Presence>> & { readonly _id: string }

/** The returned form as JSON text. */
export const showThing = (thing: Thing, isTodo: boolean): string => JSON.stringify(toReturned(thing, isTodo))

type ReturnedThing = Returned<'always'> &
  Pick<Thing, OptionalField> &
  Partial<Pick<Thing, FieldsShown<'true' | 'todo'>>>

/** The thing of which `showThing` has made the returned form; not done where the form does not say. */
export const readThing = (json: string): Thing => {
  const returned: ReturnedThing = JSON.parse(json)
  const { _id: id, title, tags, date, archived = false, todoStatus = false } = returned
  return { id, title, tags, date, ...pickOptionalFields(returned), archived, todoStatus }
}

/** What the stores need to know about things (interface 2). */
export const thingForm: ThingForm = {
  tagsOf: (thing) => splitTags(thing.tags),
  isTodoTag,
  hasSettings,
  showThing,
  readThing,
}

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
