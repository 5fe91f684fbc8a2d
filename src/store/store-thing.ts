import type { StoredThing, Thing } from './store.ts'

/** Where a version of a thing stands. */
type ThingPlace = Pick<StoredThing, 'position' | 'createdPosition' | 'writer' | 'othersPosition'>

/**
 * A copy of what is kept of a thing, its keys in the order in which files have them, so that it is read back without
 * parsing (`account/kept-thing.ts`). Not spread from parts: an upload has thousands.
 */
export const storeThing = (thing: Thing, place: ThingPlace): StoredThing => {
  const { id, title, tags, date, url, html, archived, todoStatus } = thing
  const stored: { -readonly [Key in keyof StoredThing]?: StoredThing[Key] } = { id, title, tags, date }
  if (url !== undefined) stored.url = url
  if (html !== undefined) stored.html = html
  stored.archived = archived
  stored.todoStatus = todoStatus
  stored.position = place.position
  stored.createdPosition = place.createdPosition
  stored.writer = place.writer
  stored.othersPosition = place.othersPosition
  return stored as StoredThing
}
