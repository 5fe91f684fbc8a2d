import { type FieldsShown, type OptionalField, pickOptionalFields } from '../../thing-table.ts'
import type { StoredThing, Thing } from '../model.ts'

/**
 * # The step of a thing
 *
 * A version of a thing is the same JSON in a line of the journal and in the file of its account:
 *
 *     {"thing":{"_id":"a1","title":"Milk","tags":"shop","date":1700000000},"at":[12,7,0],"by":"session"}
 *
 * - `thing`: its returned form (interface 2.1) as it was when it was written, keys in the order of that table, as
 *   JSON.stringify writes them; the bytes are those that are listed. `url` and `html` are there when they are not empty,
 *   `archived` when it is true, `todoStatus` when one of its tags made it a todo. Where the settings of its tags have
 *   changed since, a reader shows or hides `todoStatus` accordingly.
 * - `at`: three positions: of this version; of the creation; of the last change by anyone but the writer, 0 when there is
 *   none.
 * - `by`: who wrote it, the id of a session.
 * - `todoStatus`: only `true`, and only where the returned form does not show that the todo is completed.
 */
export interface WrittenThing {
  readonly thing: Pick<Thing, FieldsShown<'always'> | OptionalField> &
    Partial<Pick<Thing, FieldsShown<'true' | 'todo'>>> & { readonly _id: string }
  readonly at: readonly [position: number, createdPosition: number, othersPosition: number]
  readonly by: string
  readonly todoStatus?: true
}

const opening = '{"thing":'

/** Where in its step the returned form of a thing begins. */
export const thingStart = opening.length

/** Where a version of a thing stands; its writer as JSON. */
export interface ThingPlace extends Pick<StoredThing, 'position' | 'createdPosition' | 'othersPosition'> {
  readonly writerJson: string
}

/** What a thing is beside its returned form, as its step has it behind that, without the closing brace. */
export const encodePlace = (
  { position, createdPosition, othersPosition, writerJson }: ThingPlace,
  isHiddenDone: boolean,
): string =>
  `,"at":[${position},${createdPosition},${othersPosition}],"by":${writerJson}${isHiddenDone ? ',"todoStatus":true' : ''}`

/** The step of a thing whose returned form is `json`. */
export const encodeThingStep = (json: string, thing: Pick<Thing, 'todoStatus'>, isTodo: boolean, place: ThingPlace) =>
  `${opening}${json}${encodePlace(place, thing.todoStatus && !isTodo)}}`

type Returned<Presence extends string> = Pick<Thing, FieldsShown<Presence>> & { readonly _id: string }

const toWritten = (thing: StoredThing): WrittenThing => {
  const { id, title, tags, date, archived, todoStatus } = thing
  return {
    thing: {
      ...({ _id: id, title, tags, date } satisfies Returned<'always'>),
      ...pickOptionalFields(thing),
      ...(archived ? ({ archived } satisfies Record<FieldsShown<'true'>, boolean>) : {}),
    },
    at: [thing.position, thing.createdPosition, thing.othersPosition],
    by: thing.writer,
    ...(todoStatus ? { todoStatus } : {}),
  }
}

/** The step of a thing of which nobody knows how its tags have it shown: as if it were no todo. */
export const encodeStoredThing = (thing: StoredThing): string => JSON.stringify(toWritten(thing))

/** The thing of a step that was parsed. */
export const readWrittenThing = ({ thing, at, by, todoStatus: isHiddenDone }: WrittenThing): StoredThing => {
  const { _id: id, title, tags, date, archived = false, todoStatus = isHiddenDone ?? false } = thing
  const [position, createdPosition, othersPosition] = at
  return {
    ...{ id, title, tags, date },
    ...pickOptionalFields(thing),
    ...{ archived, todoStatus, position, createdPosition, writer: by, othersPosition },
  }
}
