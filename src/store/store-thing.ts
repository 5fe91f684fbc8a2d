import type { StoredThing, Thing } from './store.ts'

/** Where a version of a thing stands. */
type ThingPlace = Pick<StoredThing, 'position' | 'createdPosition' | 'writer' | 'othersPosition'>

/** A copy of what is kept of a thing. Not spread from parts: an upload has thousands. */
export const storeThing = (
  thing: Thing,
  { position, createdPosition, writer, othersPosition }: ThingPlace,
): StoredThing => {
  const stored: { -readonly [Key in keyof StoredThing]: StoredThing[Key] } = {
    id: thing.id,
    title: thing.title,
    tags: thing.tags,
    date: thing.date,
    archived: thing.archived,
    todoStatus: thing.todoStatus,
    position,
    createdPosition,
    writer,
    othersPosition,
  }
  if (thing.url !== undefined) stored.url = thing.url
  if (thing.html !== undefined) stored.html = thing.html
  return stored
}
