import type { TagSettings, Thing } from '../../generated/types.ts'
import type { LocalStore } from './local-store.ts'
import { writeKeepingLost } from './lost-edits.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { applyFields, editKey, type KnownThing, keys, type ReplicaState, type ThingContent } from './replica-records.ts'
import type { SyncEvent } from './sync-events.ts'
import type { InTurn } from './turns.ts'
import { divideOwn, findDifferences, type VersionKeeper } from './versions.ts'

/** What an answer said. Of its listing only the end is here; the rest is in the store. */
export interface FoldedAnswer {
  /** The name of the answer: things that it told of have it as `seenIn`. */
  readonly name: string
  readonly position: number
  /** Changed things and deleted ids. */
  readonly listed: number
  readonly tags: ReadonlyMap<string, TagSettings>
  readonly assigned: ReadonlyMap<string, string>
  /** Deleted ids of things that the replica did not know. */
  readonly unknownDeleted: ReadonlySet<string>
  /** What is still to be written, together with the new position. */
  readonly batch: Batch
}

/** Where a fold writes to. */
export interface FoldTarget {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly inTurn: InTurn
  /** Where the replica stands before the answer. */
  readonly state: ReplicaState
  /** Listed things to hold in memory at most. */
  readonly entriesPerWrite: number
  readonly versions: VersionKeeper
}

/**
 * Takes over the listing of an answer while it arrives (interface 4.3, rules 2 and 4), in memory that does not grow with
 * it. The position is not moved: an answer that breaks off is listed again.
 */
export const foldAnswer = async (
  events: AsyncIterable<SyncEvent>,
  { store, pending, inTurn, state, entriesPerWrite, versions }: FoldTarget,
  name: string,
): Promise<FoldedAnswer> => {
  let position = 0
  let listed = 0
  const tags = new Map<string, TagSettings>()
  const assigned = new Map<string, string>()
  const unknownDeleted = new Set<string>()
  let batch: Batch = new Map()

  const flush = async (): Promise<void> => {
    const full = batch.set(keys.state, { ...state, isAhead: true } satisfies ReplicaState)
    batch = new Map()
    await inTurn(() => writeKeepingLost({ store, pending, versions }, full))
  }
  // In a replica that has never synchronised nothing is to be found, and a store may take its time to say so.
  const isBlank = state.position === 0 && !state.isAhead
  const find = async (id: string): Promise<KnownThing | undefined> => {
    const key = keys.thing(id)
    if (isBlank) return undefined
    return (batch.has(key) ? batch.get(key) : await store.get(key)) as KnownThing | undefined
  }
  for await (const event of events) {
    if (event.kind === 'position') position = event.position
    else if (event.kind === 'tag') tags.set(event.name, event.settings)
    else if (event.kind === 'new') assigned.set(event.localId, event.id)
    else if (event.kind === 'changed') {
      listed++
      const id = event.thing._id
      const known = await find(id)
      const thing = toKnown(event.thing, name, state.position, known)
      if (known !== undefined) await keepReplaced({ versions, pending, batch }, id, known, thing)
      batch.set(keys.thing(id), thing)
    } else if (event.kind === 'deleted') {
      listed++
      if ((await find(event.id)) === undefined) unknownDeleted.add(event.id)
      // Deletion wins (contract, sync 8).
      batch.set(keys.thing(event.id), undefined).set(editKey('queued', 'thing', event.id), undefined)
    }
    if (batch.size >= entriesPerWrite) await flush()
  }
  return { name, position, listed, tags, assigned, unknownDeleted, batch }
}

/** Keeps the text from here that a listing replaces, and the listed text that an edit which waits here will replace. */
const keepReplaced = async (
  { versions, pending, batch }: Pick<FoldTarget, 'versions' | 'pending'> & { readonly batch: Batch },
  id: string,
  known: KnownThing,
  listed: KnownThing,
): Promise<void> => {
  const { overwritten } = divideOwn(known, listed)
  if (overwritten.length > 0) await versions.keep(batch, id, { why: 'overwritten', fields: overwritten }, known)
  const queued = pending.queued.things.get(id)
  if (queued?.kind !== 'change') return
  const isNew = findDifferences(known, listed)
  const fields = findDifferences(listed, applyFields(listed, queued.fields)).filter((field) => isNew.includes(field))
  if (fields.length > 0) await versions.keep(batch, id, { why: 'replaced', fields }, listed)
}

/** A listed thing as the replica keeps it; a todoStatus that is not shown is what was known of it. */
export const toKnown = (
  { title, tags, date, url, html, archived, todoStatus }: Thing,
  seenIn: string,
  knownAfter: number,
  known: KnownThing | undefined,
): KnownThing => {
  const content: ThingContent = {
    title,
    tags,
    date,
    ...(url === undefined ? {} : { url }),
    ...(html === undefined ? {} : { html }),
    archived: archived === true,
    todoStatus: todoStatus ?? known?.todoStatus ?? false,
  }
  const { kept: own } = divideOwn(known, content)
  return { ...content, seenIn, knownAfter: known?.knownAfter ?? knownAfter, ...(own.length > 0 ? { own } : {}) }
}
