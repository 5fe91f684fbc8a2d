import type { TagSettings, Thing } from '../../generated/types.ts'
import type { LocalStore } from './local-store.ts'
import { writeKeepingLost } from './lost-edits.ts'
import type { Batch, PendingEdits } from './pending-edits.ts'
import { editKey, type KnownThing, keys, type ReplicaState } from './replica-records.ts'
import type { SyncEvent } from './sync-events.ts'
import type { InTurn } from './turns.ts'

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
}

/**
 * Takes over the listing of an answer while it arrives (interface 4.3, rules 2 and 4), in memory that does not grow with
 * it. The position is not moved: an answer that breaks off is listed again.
 */
export const foldAnswer = async (
  events: AsyncIterable<SyncEvent>,
  { store, pending, inTurn, state, entriesPerWrite }: FoldTarget,
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
    await inTurn(() => writeKeepingLost({ store, pending }, full))
  }
  const find = async (id: string): Promise<KnownThing | undefined> => {
    const key = keys.thing(id)
    return (batch.has(key) ? batch.get(key) : await store.get(key)) as KnownThing | undefined
  }
  for await (const event of events) {
    if (event.kind === 'position') position = event.position
    else if (event.kind === 'tag') tags.set(event.name, event.settings)
    else if (event.kind === 'new') assigned.set(event.localId, event.id)
    else if (event.kind === 'changed') {
      listed++
      const known = await find(event.thing._id)
      batch.set(keys.thing(event.thing._id), toKnown(event.thing, name, state.position, known))
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

/** A listed thing as the replica keeps it; a todoStatus that is not shown is what was known of it. */
export const toKnown = (
  { _id: _, archived, ...thing }: Thing,
  seenIn: string,
  knownAfter: number,
  known: KnownThing | undefined,
): KnownThing => ({
  ...thing,
  archived: archived === true,
  todoStatus: thing.todoStatus ?? known?.todoStatus ?? false,
  seenIn,
  knownAfter: known?.knownAfter ?? knownAfter,
})
