import type { TagSettings, Thing } from '../store/model.ts'
import type { ThingForm } from '../store/store.ts'
import { type FieldsShown, type OptionalField, pickOptionalFields } from '../thing-table.ts'

/** The tags of a text of tags (interface 2.1): what stands between spaces (U+0020 alone), each once, in their order. */
export const splitTags = (tags: string): string[] => {
  const parts = tags.split(' ')
  // A Set costs more than looking through a few.
  const each = parts.length > fewTags ? [...new Set(parts)] : parts.filter((tag, index) => parts.indexOf(tag) === index)
  return each.filter((tag) => tag !== '')
}

const fewTags = 8

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
