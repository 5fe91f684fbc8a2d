import type { Precedence } from './precedence.ts'
import { colorOf, type Fields, fieldsOf } from './thing-fields.ts'
import { isSync, type SyncEvent, type Trace, uploadOf } from './trace.ts'
import { tagNameOf } from './upload-form.ts'

/** What a replica or the account holds under one key: a thing's fields, `gone`, or a tag's color. */
export type Held = Fields | 'gone'

/** One accepted write to one thing. */
export interface Write {
  readonly event: SyncEvent
  readonly held: Held
}

/** All writes of a history, by the thing's word. A refused request wrote nothing. */
export const writesOf = ({ events, mark }: Trace): Map<string, Write[]> => {
  const writes = new Map<string, Write[]>()
  const add = (thing: string, write: Write): unknown => writes.set(thing, [...(writes.get(thing) ?? []), write])
  for (const event of events) {
    const upload = uploadOf(event)
    if (upload === undefined || !isSync(event) || event.refusal !== undefined) continue
    for (const version of [...upload.creates, ...upload.changes]) {
      add(version.thing, { event, held: fieldsOf(version, mark) })
    }
    for (const thing of upload.deletes) add(thing, { event, held: 'gone' })
  }
  return writes
}

/** The colors that each tag was given, in the order of the uploads. */
export const colorsOf = ({ events, mark }: Trace): Map<string, { event: SyncEvent; color: string }[]> => {
  const colors = new Map<string, { event: SyncEvent; color: string }[]>()
  for (const event of events) {
    if (!isSync(event) || event.refusal !== undefined) continue
    for (const version of uploadOf(event)?.tags ?? []) {
      const name = tagNameOf(version.tag, mark)
      colors.set(name, [...(colors.get(name) ?? []), { event, color: colorOf(version) }])
    }
  }
  return colors
}

/** Writes that a listing may show: not begun after it, and not surely followed by another one that was over before it. */
export const showable = <W extends { readonly event: SyncEvent }>(
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
 * What a listing may show of a thing. A change that was not over before the deletion may undo it, or not (the interface
 * is silent).
 */
export interface Possible {
  readonly values: readonly Fields[]
  /** Deleted before the listing, or created after it. */
  readonly mustBeGone: boolean
  readonly mayBeGone: boolean
}

/** What the listing may show of the thing with these writes, the first of which is its creation. */
export const possibleIn = (writes: readonly Write[], listing: SyncEvent, precedes: Precedence): Possible => {
  const deletions = writes.filter(({ held }) => held === 'gone').map(({ event }) => event)
  const values = writes.filter(({ held }) => held !== 'gone')
  const creation = values[0]?.event
  const late = values.filter(
    ({ event }) => event !== creation && deletions.some((deletion) => !precedes(event, deletion)),
  )
  const mayBeRevived = late.some(({ event }) => !precedes(listing, event))
  const deleted = deletions.some((event) => precedes(event, listing)) && !mayBeRevived
  const unborn = creation === undefined || precedes(listing, creation)
  return {
    values: showable(values, listing, precedes).flatMap(({ held }) => (held === 'gone' ? [] : [held])),
    mustBeGone: deleted || unborn,
    mayBeGone: unborn || deletions.some((event) => !precedes(listing, event)) || !precedes(creation, listing),
  }
}

/** Whether the thing, held so, is possible. Versions are told apart by their titles. */
export const isPossible = (held: Held, { values, mustBeGone, mayBeGone }: Possible): boolean => {
  if (held === 'gone') return mayBeGone
  return !mustBeGone && values.some(({ title }) => title === held.title)
}
