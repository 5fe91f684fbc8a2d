import type { Answer } from './answer.ts'
import { colorOf, type Fields, fieldsOf } from './thing-fields.ts'
import { type SyncEvent, type Trace, uploadOf } from './trace.ts'
import { tagNameOf } from './upload-form.ts'

/** What a replica holds after an answer: things by `_id`, colors by tag name; only what the history made. */
export interface Holding {
  readonly things: ReadonlyMap<string, Fields>
  readonly colors: ReadonlyMap<string, string>
}

/** Whether an answer of the event says anything about the id. */
export const mentions = (event: SyncEvent, id: string): boolean =>
  event.answers.some((answer) => answer.changed.has(id) || answer.deleted.has(id))

const foldAnswer = (
  things: Map<string, Fields>,
  answer: Answer,
  isOurs: (id: string, title: string) => boolean,
): void => {
  for (const [id, fields] of answer.changed) if (isOurs(id, fields.title)) things.set(id, fields)
  for (const id of answer.deleted) things.delete(id)
}

/**
 * Folds a listing into what the replica held, as a client does (interface 4.3, rules 2 to 4): first what it uploaded itself,
 * then what the answer lists, so that what the server says last is what counts. A change of a thing that the replica knows
 * to be deleted does not bring it back.
 */
export const foldEvent = (event: SyncEvent, before: Holding, { mark, idOf }: Trace): Holding => {
  const things = new Map(before.things)
  const colors = new Map(before.colors)
  const ours = new Set(idOf.values())
  const upload = uploadOf(event)
  const idFor = (thing: string): string => idOf.get(thing) ?? ''
  for (const version of upload?.creates ?? []) things.set(idFor(version.thing), fieldsOf(version, mark))
  for (const version of upload?.changes ?? []) {
    if (things.has(idFor(version.thing))) things.set(idFor(version.thing), fieldsOf(version, mark))
  }
  for (const thing of upload?.deletes ?? []) things.delete(idFor(thing))
  for (const version of upload?.tags ?? []) colors.set(tagNameOf(version.tag, mark), colorOf(version))
  for (const answer of event.answers) {
    foldAnswer(things, answer, (id, title) => ours.has(id) || title.startsWith(`${mark} `))
    for (const [name, color] of answer.colors) if (name.startsWith(`${mark}-`)) colors.set(name, color)
  }
  return { things, colors }
}
