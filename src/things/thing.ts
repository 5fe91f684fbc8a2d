import { ApiError } from '../api-error.ts'
import type { Environment } from '../environment.ts'
import { parseUrl } from '../parse-url.ts'
import type { TagSettings, Thing } from '../store/model.ts'
import type { Draft, TagCounts, ThingForm, View } from '../store/store.ts'
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

/** The parameters of thing/add (contract, the other operations). */
export interface ThingToAdd extends ThingFields {
  readonly title: string
  /** True returns an existing thing with the same url instead of a second one. */
  readonly preventDuplicate?: boolean
}

/** A thing in the result of an operation, and whether it shows its `todoStatus`. */
export interface ThingResult {
  readonly thing: Thing
  readonly isTodo: boolean
}

const isWebUrl = (title: string): boolean => /^https?:\/\/\S+$/i.test(title) && parseUrl(title) !== undefined

/** Adds a thing. A title that is an absolute http(s) URL becomes the url of a thing without one. */
export const addThing = async (
  draft: Draft,
  { preventDuplicate = false, ...fields }: ThingToAdd,
  environment: Environment,
): Promise<ThingResult & { readonly isDuplicate: boolean }> => {
  const url = fields.url || (isWebUrl(fields.title) ? fields.title : undefined)
  const existing = preventDuplicate && url ? await draft.findThingByUrl(url) : undefined
  if (existing) return { thing: existing, isTodo: await draft.isTodo(existing), isDuplicate: true }

  const blank = createBlankThing(environment.newId(), environment.now())
  const thing = mergeFields(blank, url ? { ...fields, url } : fields)
  await draft.putThing(thing)
  return { thing, isTodo: await draft.isTodo(thing), isDuplicate: false }
}

/**
 * Changes the fields that are given; unlike in a sync upload an absent `archived` stays as it is (contract, the other
 * operations).
 * @throws ApiError `thingUnknown`
 */
export const changeThing = async (draft: Draft, id: string, fields: ThingFields): Promise<ThingResult> => {
  const thing = await draft.findThing(id)
  if (thing === undefined) throw new ApiError('thingUnknown')
  const changed = mergeFields(thing, fields)
  await draft.putThing(changed)
  return { thing: changed, isTodo: await draft.isTodo(changed) }
}

/**
 * Deletes a thing permanently (contract, the other operations).
 * @throws ApiError `thingUnknown`, also the second time
 */
export const deleteThing = async (draft: Draft, id: string): Promise<void> => {
  if (!(await draft.deleteThing(id))) throw new ApiError('thingUnknown')
}

const noTagCounts: TagCounts = {
  async *favorite() {},
  async *other() {},
}

/**
 * Counts the things of each tag, archived ones included (tags/get: contract, the other operations). It returns no
 * counts when `from` is the account's position, because then nothing has changed.
 */
export const countTags = async (view: View, from?: number): Promise<TagCounts> =>
  from === view.position ? noTagCounts : view.countTags()
