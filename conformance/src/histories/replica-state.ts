import {
  colorOf,
  type Fields,
  fieldsOf,
  isSync,
  type ListingResponse,
  type Precedence,
  type SyncEvent,
  type Trace,
  tagNameOf,
  uploadOf,
} from './trace.ts'

/** The state of a replica after a response: things by `_id`, colors by tag name; only data of the history. */
export interface Holding {
  readonly things: ReadonlyMap<string, Fields>
  readonly colors: ReadonlyMap<string, string>
}

/** Whether a response of the event contains the ID. */
export const mentions = (event: SyncEvent, id: string): boolean =>
  event.responses.some((response) => response.changed.has(id) || response.deleted.has(id))

const applyResponse = (
  things: Map<string, Fields>,
  response: ListingResponse,
  isOfHistory: (id: string, title: string) => boolean,
): void => {
  for (const [id, fields] of response.changed) if (isOfHistory(id, fields.title)) things.set(id, fields)
  for (const id of response.deleted) things.delete(id)
}

/**
 * Applies a listing to the state of a replica, as a client does (interface 4.3, rules 2 to 4): first its own upload,
 * then the response, so that the server's last value counts. A change of a thing that the replica knows to be deleted
 * does not bring it back.
 */
export const applyEvent = (event: SyncEvent, before: Holding, { mark, idOf }: Trace): Holding => {
  const things = new Map(before.things)
  const colors = new Map(before.colors)
  const createdIds = new Set(idOf.values())
  const upload = uploadOf(event)
  const idFor = (thing: string): string => idOf.get(thing) ?? ''
  for (const version of upload?.creates ?? []) things.set(idFor(version.thing), fieldsOf(version, mark))
  for (const version of upload?.changes ?? []) {
    if (things.has(idFor(version.thing))) things.set(idFor(version.thing), fieldsOf(version, mark))
  }
  for (const thing of upload?.deletes ?? []) things.delete(idFor(thing))
  for (const version of upload?.tags ?? []) colors.set(tagNameOf(version.tag, mark), colorOf(version))
  for (const response of event.responses) {
    applyResponse(things, response, (id, title) => createdIds.has(id) || title.startsWith(`${mark} `))
    for (const [name, color] of response.colors) if (name.startsWith(`${mark}-`)) colors.set(name, color)
  }
  return { things, colors }
}

/** The state of one thing: its fields, or `gone`. */
export type Held = Fields | 'gone'

/** One accepted write to one thing. */
export interface Write {
  readonly event: SyncEvent
  readonly held: Held
}

/** Returns all accepted writes of a history, by the thing's word. A rejected request wrote nothing. */
export const writesOf = ({ events, mark }: Trace): Map<string, Write[]> => {
  const writes = new Map<string, Write[]>()
  const add = (thing: string, write: Write): unknown => writes.set(thing, [...(writes.get(thing) ?? []), write])
  for (const event of events) {
    const upload = uploadOf(event)
    if (upload === undefined || !isSync(event) || event.apiError !== undefined) continue
    for (const version of [...upload.creates, ...upload.changes]) {
      add(version.thing, { event, held: fieldsOf(version, mark) })
    }
    for (const thing of upload.deletes) add(thing, { event, held: 'gone' })
  }
  return writes
}

/** Returns the colors of each tag, in the order of the uploads. */
export const colorsOf = ({ events, mark }: Trace): Map<string, { event: SyncEvent; color: string }[]> => {
  const colors = new Map<string, { event: SyncEvent; color: string }[]>()
  for (const event of events) {
    if (!isSync(event) || event.apiError !== undefined) continue
    for (const version of uploadOf(event)?.tags ?? []) {
      const name = tagNameOf(version.tag, mark)
      colors.set(name, [...(colors.get(name) ?? []), { event, color: colorOf(version) }])
    }
  }
  return colors
}

/** Returns the writes that a listing may show: begun before its end, and not certainly overwritten before its start. */
export const findShowableWrites = <W extends { readonly event: SyncEvent }>(
  writes: readonly W[],
  listing: SyncEvent,
  precedes: Precedence,
): W[] =>
  writes.filter(
    ({ event }) =>
      !precedes(listing, event) &&
      !writes.some((later) => precedes(event, later.event) && precedes(later.event, listing)),
  )

/**
 * The states of a thing that a listing may show. A change that did not end before the deletion may undo it, or not (the
 * interface is silent).
 */
export interface Possible {
  readonly values: readonly Fields[]
  /** Deleted before the listing, or created after it. */
  readonly mustBeDeleted: boolean
  readonly mayBeDeleted: boolean
}

/** Returns the states that the listing may show; the first write is the thing's creation. */
export const findPossibleStates = (writes: readonly Write[], listing: SyncEvent, precedes: Precedence): Possible => {
  const deletions = writes.filter(({ held }) => held === 'gone').map(({ event }) => event)
  const values = writes.filter(({ held }) => held !== 'gone')
  const creation = values[0]?.event
  const late = values.filter(
    ({ event }) => event !== creation && deletions.some((deletion) => !precedes(event, deletion)),
  )
  const mayBeRevived = late.some(({ event }) => !precedes(listing, event))
  const deleted = deletions.some((event) => precedes(event, listing)) && !mayBeRevived
  const isNotYetCreated = creation === undefined || precedes(listing, creation)
  return {
    values: findShowableWrites(values, listing, precedes).flatMap(({ held }) => (held === 'gone' ? [] : [held])),
    mustBeDeleted: deleted || isNotYetCreated,
    mayBeDeleted:
      isNotYetCreated || deletions.some((event) => !precedes(listing, event)) || !precedes(creation, listing),
  }
}

/** Whether the state of the thing is possible. Titles identify versions. */
export const isPossible = (held: Held, { values, mustBeDeleted, mayBeDeleted }: Possible): boolean => {
  if (held === 'gone') return mayBeDeleted
  return !mustBeDeleted && values.some(({ title }) => title === held.title)
}
