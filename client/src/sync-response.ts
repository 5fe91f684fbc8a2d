import type { TagSettings, Thing } from '../../generated/types.ts'
import {
  type Batch,
  divideOwn,
  findDifferences,
  type PendingEdits,
  type VersionRecorder,
  writeWithLostEdits,
} from './edits.ts'
import type { RunInOrder } from './environment.ts'
import { type LocalStore, readMany } from './local-store.ts'
import {
  applyFields,
  editKey,
  type KnownThing,
  keys,
  mergeOptionalFields,
  type ReplicaState,
  type ThingContent,
} from './replica-records.ts'
import type { SyncEvent } from './sync.ts'

/** What an answer said. Of its listing only the end is here; the rest is in the store. */
export interface AppliedResponse {
  /** The name of the answer: things that it told of have it as `seenIn`. */
  readonly name: string
  readonly position: number
  /** False when it was broken off because of its position. */
  readonly isWanted: boolean
  /** Changed things and deleted ids. */
  readonly listed: number
  /** Changed things that the replica did not know. */
  readonly unknown: number
  /** What the server said of how many there are, on whatever page. */
  readonly thingCount: number
  readonly tags: ReadonlyMap<string, TagSettings>
  readonly assigned: ReadonlyMap<string, string>
  /** Deleted ids of things that the replica did not know. */
  readonly unknownDeleted: ReadonlySet<string>
  /** What is still to be written, together with the new position. */
  readonly batch: Batch
}

/** Where a fold writes to. */
export interface ApplyTarget {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly inTurn: RunInOrder
  /** Where the replica stands before the answer. */
  readonly state: ReplicaState
  /** Listed things to hold in memory at most. */
  readonly entriesPerWrite: number
  readonly versions: VersionRecorder
}

/** How an answer is taken over. */
interface ApplyOptions {
  /** The name of the answer. */
  readonly name: string
  /** Whether the store has none of the things that it lists. */
  readonly isBlank: boolean
  /** Whether it may have this position; one that may not is broken off. */
  readonly isWanted?: (position: number) => boolean
  /** Where the replica stands once so many of what the answer lists are in the store. */
  readonly toState: (listed: number, position: number | undefined) => ReplicaState
}

/** Where a replica stands that has taken over a part of an answer. */
export const isAheadOf = ({ listing: _, ...state }: ReplicaState): ReplicaState => ({ ...state, isAhead: true })

/** In a replica that has never synchronised nothing is to be found, and a store may take its time to say so. */
export const isBlankState = ({ position, isAhead }: ReplicaState): boolean => position === 0 && !isAhead

type ListedEvent = Extract<SyncEvent, { kind: 'changed' | 'deleted' }>

// Few things may be long.
const charactersPerWrite = 2_000_000

const countCharacters = (event: ListedEvent): number =>
  event.kind === 'deleted' ? event.id.length : event.thing.title.length + (event.thing.html?.length ?? 0)

const idOf = (event: ListedEvent): string => (event.kind === 'changed' ? event.thing._id : event.id)

/**
 * Takes over the listing of an answer while it arrives (interface 4.3, rules 2 and 4), in memory that does not grow with
 * it. The position is not moved: an answer that breaks off is listed again, or goes on as `toState` has noted.
 */
export const applyResponse = async (
  parts: AsyncIterable<readonly SyncEvent[]>,
  { store, pending, inTurn, state, entriesPerWrite, versions }: ApplyTarget,
  { name, isBlank, isWanted = () => true, toState }: ApplyOptions,
): Promise<AppliedResponse> => {
  let position: number | undefined
  let thingCount = 0
  let listed = 0
  let unknown = 0
  const tags = new Map<string, TagSettings>()
  const assigned = new Map<string, string>()
  const unknownDeleted = new Set<string>()
  let waiting: ListedEvent[] = []
  let waitingCharacters = 0
  let batch: Batch = new Map()
  let flushing: Promise<unknown> = Promise.resolve()

  /** Begins to write; the answer is read on meanwhile. */
  const flush = (): void => {
    const full = batch.set(keys.state, toState(listed, position))
    batch = new Map()
    flushing = inTurn(() => writeWithLostEdits({ store, pending, versions }, full))
    // Whoever waits for it is told.
    flushing.catch(() => undefined)
  }
  const takeOver = async (): Promise<void> => {
    // What it writes is looked up here.
    await flushing
    const taken = waiting
    waiting = []
    waitingCharacters = 0
    const found = isBlank
      ? []
      : await readMany(
          store,
          taken.map((event) => keys.thing(idOf(event))),
        )
    for (const [place, event] of taken.entries()) {
      const id = idOf(event)
      const key = keys.thing(id)
      const known = (batch.has(key) ? batch.get(key) : found[place]) as KnownThing | undefined
      if (event.kind === 'changed') {
        const thing = toKnown(event.thing, name, state.position, known)
        if (known === undefined) unknown++
        else await saveReplaced({ versions, pending, batch }, id, known, thing)
        batch.set(key, thing)
      } else {
        if (known === undefined) unknownDeleted.add(id)
        // Deletion wins (contract, sync 8).
        batch.set(key, undefined).set(editKey('queued', 'thing', id), undefined)
      }
    }
    listed += taken.length
  }
  const isUnwanted = () => position !== undefined && !isWanted(position)
  const note = (event: SyncEvent): void => {
    if (event.kind === 'position') position = event.position
    else if (event.kind === 'count') thingCount = event.thingCount
    else if (event.kind === 'tag') tags.set(event.name, event.settings)
    else if (event.kind === 'new') assigned.set(event.localId, event.id)
    else {
      waiting.push(event)
      waitingCharacters += countCharacters(event)
    }
  }
  try {
    for await (const part of parts) {
      for (const event of part) {
        note(event)
        if (isUnwanted()) break
        if (waiting.length >= entriesPerWrite || waitingCharacters >= charactersPerWrite) {
          await takeOver()
          flush()
        }
      }
      if (isUnwanted()) break
    }
    await takeOver()
  } finally {
    // Nothing is written any more when this ends, whatever ended it.
    await flushing.catch(() => undefined)
  }
  return {
    name,
    isWanted: isWanted(position ?? 0),
    position: position ?? 0,
    listed,
    unknown,
    thingCount,
    tags,
    assigned,
    unknownDeleted,
    batch,
  }
}

/** Keeps the text from here that a listing replaces, and the listed text that an edit which waits here will replace. */
const saveReplaced = async (
  { versions, pending, batch }: Pick<ApplyTarget, 'versions' | 'pending'> & { readonly batch: Batch },
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
  thing: Thing,
  seenIn: string,
  knownAfter: number,
  known: KnownThing | undefined,
): KnownThing => {
  const { title, tags, date, archived, todoStatus } = thing
  const content: ThingContent = {
    ...{ title, tags, date },
    ...mergeOptionalFields(thing),
    archived: archived === true,
    todoStatus: todoStatus ?? known?.todoStatus ?? false,
  }
  const { kept: own } = divideOwn(known, content)
  return { ...content, seenIn, knownAfter: known?.knownAfter ?? knownAfter, ...(own.length > 0 ? { own } : {}) }
}

/**
 * A server of this project that was put back to an earlier state gives positions from a million beyond that state on, and
 * ten more for each second since (docs/architecture.md, "After a restore"). What was given in these seconds is not known
 * here, and all of it makes the step that a client sees smaller. So half of it counts; a listing too many harms nobody.
 */
const minJump = 500_000

/**
 * Whether the server may have gone back to an earlier state of itself, in which what this replica has as saved is not: its
 * position is behind that of the replica, or so far ahead that things which are new here do not explain it. A server
 * that keeps the interface and nothing else may count positions in whatever it likes, so there the latter says nothing.
 */
export const isRolledBack = (
  { position: known }: ReplicaState,
  { position, unknown }: Pick<AppliedResponse, 'position' | 'unknown'>,
  raisesPositions: boolean,
): boolean =>
  position < known ||
  // From 0 everything is listed, however far that is.
  (raisesPositions && known > 0 && position - known - unknown >= minJump)
