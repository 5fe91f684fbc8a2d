import type { StoredTag, Tombstone } from './change.ts'
import type { FeedEntry } from './feed.ts'
import type { StoredThing, ThingForm } from './store.ts'

/** One version of a thing. Its JSON is made when it is first asked for, and kept. */
export interface ThingEntry extends FeedEntry {
  readonly thing: StoredThing
  readonly tags: readonly string[]
  previous: ThingEntry | TombstoneEntry | undefined
  plainJson: string | undefined
  todoJson: string | undefined
}

/** The deletion of a thing. */
export interface TombstoneEntry extends FeedEntry {
  readonly tombstone: Tombstone
  previous: ThingEntry | TombstoneEntry | undefined
}

/** One version of a tag's settings. */
export interface TagEntry extends FeedEntry {
  readonly tag: StoredTag
  readonly isTodo: boolean
  previous: TagEntry | undefined
}

const newest = Number.POSITIVE_INFINITY

/** Makes the entry of a version that replaces `previous`. */
export const createThingEntry = (
  form: ThingForm,
  thing: StoredThing,
  previous: ThingEntry | TombstoneEntry | undefined,
): ThingEntry => ({
  position: thing.position,
  replacedAt: newest,
  thing,
  tags: form.tagsOf(thing),
  previous,
  plainJson: undefined,
  todoJson: undefined,
})

/** Makes the entry of a deletion that replaces `previous`. */
export const createTombstoneEntry = (
  tombstone: Tombstone,
  previous: ThingEntry | TombstoneEntry | undefined,
): TombstoneEntry => ({ position: tombstone.position, replacedAt: newest, tombstone, previous })

/** Makes the entry of settings that replace `previous`. */
export const createTagEntry = (form: ThingForm, tag: StoredTag, previous: TagEntry | undefined): TagEntry => ({
  position: tag.position,
  replacedAt: newest,
  tag,
  isTodo: form.isTodoTag(tag.settings),
  previous,
})

/** True for the version of a thing, false for its tombstone. */
export const isThingEntry = (entry: ThingEntry | TombstoneEntry): entry is ThingEntry => 'thing' in entry

/** The version that was the newest at a position, from the newest of all. */
export const findVersion = <Entry extends { readonly position: number; readonly previous: Entry | undefined }>(
  newestEntry: Entry | undefined,
  position: number,
): Entry | undefined => {
  let entry = newestEntry
  while (entry !== undefined && entry.position > position) entry = entry.previous
  return entry
}

/** The returned form of a thing, as JSON. Both forms are kept, so that a tag's `todo` setting can turn at no cost. */
export const showEntry = (form: ThingForm, entry: ThingEntry, isTodo: boolean): string => {
  if (isTodo) {
    entry.todoJson ??= form.showThing(entry.thing, true)
    return entry.todoJson
  }
  entry.plainJson ??= form.showThing(entry.thing, false)
  return entry.plainJson
}
