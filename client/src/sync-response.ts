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

/** The content of a response. It holds only the end of the listing; the rest is in the store. */
export interface AppliedResponse {
  /** The name of the response; the things that it lists have it as `seenIn`. */
  readonly name: string
  readonly position: number
  /** False when it was broken off because of its position. */
  readonly isWanted: boolean
  /** Number of changed things and deleted ids. */
  readonly listed: number
  /** Number of changed things that are new to the replica. */
  readonly unknown: number
  /** Number of changed things and deleted ids on all pages, as the server reports it. */
  readonly thingCount: number
  readonly tags: ReadonlyMap<string, TagSettings>
  readonly assigned: ReadonlyMap<string, string>
  /** Deleted ids of things that the replica does not have. */
  readonly unknownDeleted: ReadonlySet<string>
  /** Changes that are not written yet; write them together with the new position. */
  readonly batch: Batch
}

/** The replica to which a response is applied. */
export interface ApplyTarget {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly runInOrder: RunInOrder
  /** The state of the replica before the response. */
  readonly state: ReplicaState
  /** Maximum listed things in memory. */
  readonly entriesPerWrite: number
  readonly versions: VersionRecorder
}

/** The options of `applyResponse`. */
interface ApplyOptions {
  /** The name of the response. */
  readonly name: string
  /** Whether the store has none of the listed things. */
  readonly isBlank: boolean
  /** Returns whether the response may have this position; otherwise it is broken off. */
  readonly isWanted?: (position: number) => boolean
  /** Returns the state of the replica after a number of listed things and deleted ids are in the store. */
  readonly toState: (listed: number, position: number | undefined) => ReplicaState
}

/** Returns the state of a replica that has applied a part of a response. */
export const isAheadOf = ({ listing: _, ...state }: ReplicaState): ReplicaState => ({ ...state, isAhead: true })

/** Returns true for a replica before its first sync. It has no things, so slow reads of the store are not necessary. */
export const isBlankState = ({ position, isAhead }: ReplicaState): boolean => position === 0 && !isAhead

type ListedEvent = Extract<SyncEvent, { kind: 'changed' | 'deleted' }>

// A limit beside `entriesPerWrite`, for long things.
const charactersPerWrite = 2_000_000

/** The number of things in the first write; each write doubles what is listed, so that the first ones appear soon. */
const firstEntriesPerWrite = 250

const countCharacters = (event: ListedEvent): number =>
  event.kind === 'deleted' ? event.id.length : event.thing.title.length + (event.thing.html?.length ?? 0)

const idOf = (event: ListedEvent): string => (event.kind === 'changed' ? event.thing._id : event.id)

/**
 * Applies the listing of a response to the store while it arrives (interface 4.3, rules 2 and 4). Its memory does not
 * grow with the listing. It does not move the position: after a response that broke off, the sync lists everything
 * again, or goes on as `toState` has noted.
 */
export const applyResponse = async (
  parts: AsyncIterable<readonly SyncEvent[]>,
  { store, pending, runInOrder, state, entriesPerWrite, versions }: ApplyTarget,
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

  /** Begins to write; the response is read on meanwhile. */
  const flush = (): void => {
    const full = batch.set(keys.state, toState(listed, position))
    batch = new Map()
    flushing = runInOrder(() => writeWithLostEdits({ store, pending, versions }, full))
    // `takeOver` awaits it and throws its error.
    flushing.catch(() => undefined)
  }
  const takeOver = async (): Promise<void> => {
    // The next lines read what it writes.
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
    for (const [index, event] of taken.entries()) {
      const id = idOf(event)
      const key = keys.thing(id)
      const known = (batch.has(key) ? batch.get(key) : found[index]) as KnownThing | undefined
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
        const enough = Math.min(entriesPerWrite, Math.max(firstEntriesPerWrite, listed))
        if (waiting.length >= enough || waitingCharacters >= charactersPerWrite) {
          await takeOver()
          flush()
        }
      }
      if (isUnwanted()) break
    }
    await takeOver()
  } finally {
    // No write is under way when this function ends, also after an error.
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

/**
 * Keeps texts of this device that a listing replaces, and listed texts that a waiting edit will replace, as versions.
 */
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

/** Converts a listed thing to the record of the replica. Without a listed `todoStatus` the known one stays. */
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
 * A server of this project that was restored to an earlier state raises its positions by a million, and by ten more for
 * each second since then (`contributing/decisions/033-raise-positions-after-a-restore.md`). Changes in these seconds,
 * which the client does not know, make the visible jump smaller. So half a million is the limit: an unnecessary full
 * sync does no harm.
 */
const minJump = 500_000

/**
 * Returns whether the server may have been restored to an earlier state without changes that this replica has. Then its
 * position is behind the position of the replica, or so far ahead that the new things do not explain it. The latter
 * counts only with `raisesPositions`: other servers may count positions in any steps.
 */
export const isRolledBack = (
  { position: known }: ReplicaState,
  { position, unknown }: Pick<AppliedResponse, 'position' | 'unknown'>,
  raisesPositions: boolean,
): boolean =>
  position < known ||
  // A sync from 0 lists everything, at any position.
  (raisesPositions && known > 0 && position - known - unknown >= minJump)
