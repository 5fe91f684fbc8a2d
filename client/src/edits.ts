import type { LocalStore } from './local-store.ts'
import {
  applyFields,
  blankThing,
  editKey,
  fieldNames,
  type KnownThing,
  keys,
  type ReplicaFields,
  type ReplicaTagFields,
  type Stage,
  type ThingContent,
  type ThingEdit,
  type TypedField,
  typedFields,
  typedIn,
} from './replica-records.ts'

/** The edits of one stage, in the order in which they were made. */
export interface Edits {
  readonly things: ReadonlyMap<string, ThingEdit>
  readonly tags: ReadonlyMap<string, ReplicaTagFields>
}

/** Changes of the store that belong together; keys are those of replica-records.ts. */
export type Batch = Map<string, unknown>

/** The edits that the server has not confirmed: a copy in memory of what the store keeps of them. */
export interface PendingEdits {
  readonly queued: Edits
  readonly sending: Edits
  /** Writes the batch, which may hold edits, to the store, and only then to memory. */
  readonly write: (batch: Batch) => Promise<void>
  /** Rises when edits in memory change: what was read of the store meanwhile may not fit them. */
  readonly changeCount: () => number
}

/** Things and tags with edits that the server has not confirmed. */
export const countPending = ({ sending, queued }: PendingEdits): number =>
  new Set([...sending.things.keys(), ...queued.things.keys()]).size +
  new Set([...sending.tags.keys(), ...queued.tags.keys()]).size

/** Reads the edits that the store keeps. */
export const readPendingEdits = async (store: LocalStore): Promise<PendingEdits> => {
  const copies = { queued: await readEdits(store, 'queued'), sending: await readEdits(store, 'sending') }
  let changes = 0
  return {
    ...copies,
    write: async (batch) => {
      await store.write(batch)
      for (const [key, value] of batch) {
        for (const stage of ['queued', 'sending'] as const) {
          if (mirror(copies[stage].things, editKey(stage, 'thing', ''), key, value as ThingEdit | undefined)) changes++
          if (mirror(copies[stage].tags, editKey(stage, 'tag', ''), key, value as ReplicaTagFields | undefined))
            changes++
        }
      }
    },
    changeCount: () => changes,
  }
}

/** True when it changed anything. */
const mirror = <T>(edits: Map<string, T>, prefix: string, key: string, value: T | undefined): boolean => {
  if (!key.startsWith(prefix)) return false
  const name = key.slice(prefix.length)
  if (value === undefined) return edits.delete(name)
  edits.set(name, value)
  return true
}

const readEdits = async (store: LocalStore, stage: Stage) => {
  const things = new Map<string, ThingEdit>()
  const tags = new Map<string, ReplicaTagFields>()
  for await (const [key, value] of store.list(editKey(stage, 'thing', ''))) {
    mirror(things, editKey(stage, 'thing', ''), key, value as ThingEdit)
  }
  for await (const [key, value] of store.list(editKey(stage, 'tag', ''))) {
    mirror(tags, editKey(stage, 'tag', ''), key, value as ReplicaTagFields)
  }
  return { things, tags }
}

/** What a replica shows differently now. */
export interface ReplicaChange {
  /**
   * Things that were made, changed, deleted or confirmed, by their ids; a thing that was just given its `_id` is named by
   * this and by its local id.
   */
  readonly ids: ReadonlySet<string>
  /** Tags whose settings changed. One that becomes a todo, or is none any more, changes what its things show. */
  readonly tags: ReadonlySet<string>
  /** Whether an edit on this device did it, or a sync. */
  readonly by: 'edit' | 'sync'
}

const stages: readonly Stage[] = ['queued', 'sending']
const thingPrefixes = [keys.thing(''), keys.givenId(''), ...stages.map((stage) => editKey(stage, 'thing', ''))]
const tagPrefixes = [keys.tag(''), ...stages.map((stage) => editKey(stage, 'tag', ''))]

const nameIn = (key: string, prefixes: readonly string[]): string | undefined => {
  const prefix = prefixes.find((one) => key.startsWith(one))
  return prefix === undefined ? undefined : key.slice(prefix.length)
}

const describe = (batch: Batch, by: ReplicaChange['by']): ReplicaChange => {
  const ids = new Set<string>()
  const tags = new Set<string>()
  for (const key of batch.keys()) {
    const id = nameIn(key, thingPrefixes)
    const tag = id === undefined ? nameIn(key, tagPrefixes) : undefined
    if (id !== undefined) ids.add(id)
    if (tag !== undefined) tags.add(tag)
  }
  return { ids, tags, by }
}

/** Tells listeners what the batches that were written changed. */
interface ChangeNotifier {
  readonly tell: (batch: Batch, by: ReplicaChange['by']) => void
  /** Calls the listener after each change, until the function that it gives is called. */
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
}

/** A teller without listeners. */
export const createChangeNotifier = (): ChangeNotifier => {
  const listeners = new Map<object, (change: ReplicaChange) => void>()
  return {
    tell: (batch, by) => {
      if (listeners.size === 0) return
      const change = describe(batch, by)
      if (change.ids.size === 0 && change.tags.size === 0) return
      // Not from within the write: an error of a listener is the program's, and no failed write.
      for (const [key] of listeners) queueMicrotask(() => listeners.get(key)?.(change))
    },
    watch: (listener) => {
      const key = {}
      listeners.set(key, listener)
      return () => listeners.delete(key)
    },
  }
}

/** What was typed here, or would be replaced from here, and is not on the server any more. */
export interface ThingVersion {
  /** The `_id` that the thing has or had. */
  readonly id: string
  /** Names the version. */
  readonly name: string
  /** When it was replaced, in milliseconds since 1970. */
  readonly replacedAt: number
  /**
   * - `overwritten`: another device, or the server itself, has given the `fields` other values than were sent from here.
   * - `deleted`: the thing is gone, and not by this device: another one deleted it, or the server lost it with a backup.
   * - `replaced`: another device's text, which an edit that waits here is about to replace.
   * - `restored`: what was there when an earlier version was taken back.
   */
  readonly why: 'overwritten' | 'deleted' | 'replaced' | 'restored'
  /** The fields whose text is no longer there. */
  readonly fields: readonly TypedField[]
  /** The whole thing as it was; `create` makes it again from this. */
  readonly content: ReplicaFields & { readonly title: string }
}

/** How many versions of one thing are kept; the oldest give way. */
export const versionsPerThing = 10

/** How long a version is kept, in days. */
export const versionDays = 90

/** Writes versions together with what replaces them. */
export interface VersionRecorder {
  /** Adds a version of this thing to a batch. */
  readonly keep: (
    batch: Batch,
    id: string,
    version: Pick<ThingVersion, 'why' | 'fields'>,
    thing: ThingContent,
  ) => Promise<void>
  /** To be called when a batch was written. */
  readonly confirm: (batch: Batch) => void
  /** What another device has overwritten or deleted, and no result has told yet. */
  readonly takeUntold: () => readonly ThingVersion[]
}

/** A keeper of the versions in this store; `createName` gives a new name. */
export const createVersionRecorder = (
  store: LocalStore,
  now: () => number,
  createName: () => string,
): VersionRecorder => {
  const unwritten = new Map<string, ThingVersion>()
  let untold: ThingVersion[] = []
  return {
    keep: async (batch, id, { why, fields }, thing) => {
      const key = keys.versions(id)
      const older = batch.has(key) ? (batch.get(key) as ThingVersion[]) : await listVersions(store, id)
      const version = { id, name: createName(), replacedAt: now(), why, fields, content: contentOf(thing) }
      batch.set(key, [...older, version].slice(-versionsPerThing))
      if (why === 'overwritten' || why === 'deleted') unwritten.set(version.name, version)
    },
    confirm: (batch) => {
      for (const [key, value] of batch) {
        if (!key.startsWith(keys.versions('')) || value === undefined) continue
        for (const { name } of value as ThingVersion[]) {
          const version = unwritten.get(name)
          if (version !== undefined && unwritten.delete(name)) untold.push(version)
        }
      }
    },
    takeUntold: () => {
      const told = untold
      untold = []
      // What was not written belongs to answers that broke off, and comes again.
      unwritten.clear()
      return told
    },
  }
}

/** The versions that are kept of the thing with this `_id`, the latest last. */
export const listVersions = async (store: LocalStore, id: string): Promise<readonly ThingVersion[]> =>
  ((await store.get(keys.versions(id))) as ThingVersion[] | undefined) ?? []

/** All versions that another device has overwritten or deleted, the latest last. */
export const listOverwritten = async (store: LocalStore): Promise<readonly ThingVersion[]> => {
  const found: ThingVersion[] = []
  for await (const [, versions] of store.list(keys.versions(''))) {
    found.push(...(versions as ThingVersion[]).filter(({ why }) => why === 'overwritten' || why === 'deleted'))
  }
  return found.sort((one, other) => one.replacedAt - other.replacedAt)
}

/** What to write so that versions whose time is over are gone. */
export const deleteOldVersions = async (store: LocalStore, now: number): Promise<Batch> => {
  const batch: Batch = new Map()
  for await (const [key, value] of store.list(keys.versions(''))) {
    const versions = value as ThingVersion[]
    const kept = versions.filter(({ replacedAt }) => replacedAt > now - versionDays * 86_400_000)
    if (kept.length < versions.length) batch.set(key, kept.length > 0 ? kept : undefined)
  }
  return batch
}

/** The typed fields in which two things differ. */
export const findDifferences = (one: ThingContent, other: ThingContent): readonly TypedField[] =>
  typedFields.filter((name) => (one[name] ?? '') !== (other[name] ?? ''))

/** A thing without what the replica notes about it; a status that is not set says nothing. */
const contentOf = (thing: ThingContent): ThingVersion['content'] => {
  const { todoStatus, ...content } = applyFields(thing, {})
  return todoStatus ? { ...content, todoStatus } : content
}

/** What a version brings back into a thing that is still there. */
export const toFields = ({ fields, content }: ThingVersion): ReplicaFields =>
  Object.fromEntries(fields.map((name) => [name, content[name] ?? '']))

/** The typed fields whose text is from here still, and those whose text was, once the server has told another state. */
export const divideOwn = (known: KnownThing | undefined, next: ThingContent) => {
  const different = known === undefined ? [] : findDifferences(known, next)
  const own = known?.own ?? []
  return {
    kept: own.filter((name) => !different.includes(name)),
    overwritten: own.filter((name) => different.includes(name)),
  }
}

/** An edit of a thing that the server does not have any more: deleted elsewhere, or lost with a backup. */
export interface LostEdit {
  /** The id that the thing had. */
  readonly id: string
  /** The thing as the replica showed it last, with the edit; `create` makes it again from this. */
  readonly content: ReplicaFields & { readonly title: string }
  /** The fields in which this differs from what the server is known to have had. */
  readonly edited: readonly (keyof ReplicaFields)[]
}

interface Target {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly versions: VersionRecorder
}

const describeLost = (id: string, thing: ThingContent, known: ThingContent | undefined): LostEdit => {
  const edited = fieldNames.filter((name) => known === undefined || thing[name] !== known[name])
  const { todoStatus, ...content } = thing
  // A status that nothing shows says nothing.
  return { id, content: todoStatus || edited.includes('todoStatus') ? thing : content, edited }
}

/** The ids of the things that a batch drops, each with the id under which its edits wait. */
const listDropped = function* (batch: Batch): Generator<readonly [id: string, editedAs: string]> {
  const localIds = new Map<unknown, string>()
  for (const [key, value] of batch) {
    if (key.startsWith(keys.givenId(''))) localIds.set(value, key.slice(keys.givenId('').length))
  }
  for (const [key, value] of [...batch]) {
    if (value !== undefined || !key.startsWith(keys.thing(''))) continue
    const id = key.slice(keys.thing('').length)
    yield [id, localIds.get(id) ?? id]
  }
}

/**
 * Writes a batch that may drop things. What was edited of them and never confirmed is kept as lost in the same write,
 * until the application forgets it, and what was sent from here before as a version; a thing that the application
 * deleted itself is no loss. Where these may be the last copies, every version is kept, whoever typed it. To be called
 * in turn, so that no edit slips in between. Gives how many edits were lost that had been sent.
 */
export const writeWithLostEdits = async (
  { store, pending, versions }: Target,
  batch: Batch,
  areLastCopies = false,
): Promise<number> => {
  let lostOfSending = 0
  for (const [id, editedAs] of listDropped(batch)) {
    const sending = pending.sending.things.get(editedAs)
    const queued = pending.queued.things.get(editedAs) ?? pending.queued.things.get(id)
    const isLost = queued?.kind === 'change' || (queued === undefined && sending?.kind === 'change')
    if (sending?.kind === 'change') {
      batch.set(editKey('sending', 'thing', id), undefined)
      lostOfSending++
    }
    const known = (await store.get(keys.thing(id))) as KnownThing | undefined
    if (!isLost) {
      const isOwn = sending?.kind === 'delete' || queued?.kind === 'delete'
      const text = known ?? (sending?.kind === 'new' ? applyFields(blankThing, sending.fields) : undefined)
      const typed = known && areLastCopies ? typedFields.filter((name) => known[name]) : known?.own
      const fields = typed ?? (sending?.kind === 'new' ? typedIn(sending) : [])
      if (!isOwn && text && fields.length > 0) await versions.keep(batch, id, { why: 'deleted', fields }, text)
      continue
    }
    const sent = sending !== undefined && sending.kind !== 'delete' ? sending.fields : {}
    const thing = applyFields(applyFields(known ?? blankThing, sent), queued?.fields ?? {})
    // What the server took of a new thing was not lost with it.
    const taken = sending?.kind === 'new' ? applyFields(blankThing, sent) : known
    const lost = describeLost(id, thing, taken && applyFields(taken, {}))
    if (lost.edited.length > 0) batch.set(keys.lost(id), lost)
  }
  await pending.write(batch)
  return lostOfSending
}

/** All lost edits that the application has not forgotten. */
export const listLostEdits = async (store: LocalStore): Promise<readonly LostEdit[]> => {
  const lost: LostEdit[] = []
  for await (const [, value] of store.list(keys.lost(''))) lost.push(value as LostEdit)
  return lost
}
