import type { LocalStore } from './local-store.ts'
import {
  applyFields,
  createBlankThing,
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

/** The edits of one stage, in the order in which they were created. */
export interface Edits {
  readonly things: ReadonlyMap<string, ThingEdit>
  readonly tags: ReadonlyMap<string, ReplicaTagFields>
}

/** Changes of the store that belong together, with the keys of `replica-records.ts`. */
export type Batch = Map<string, unknown>

/** The edits that the server has not confirmed: a cache of the edits in the store. */
export interface PendingEdits {
  readonly queued: Edits
  readonly sending: Edits
  /** Writes the batch, which may hold edits, first to the store and then to the cache. */
  readonly write: (batch: Batch) => Promise<void>
  /** Rises when cached edits change: what was read from the store meanwhile may not fit them. */
  readonly changeCount: () => number
}

/** Counts the things and tags with edits that the server has not confirmed. */
export const countPending = ({ sending, queued }: PendingEdits): number =>
  new Set([...sending.things.keys(), ...queued.things.keys()]).size +
  new Set([...sending.tags.keys(), ...queued.tags.keys()]).size

/** Reads the edits in the store into a cache. */
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

/** Copies an entry to the cache if its key has the prefix. Returns true when that changes the cache. */
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

/** A change of what a replica shows. */
export interface ReplicaChange {
  /**
   * Ids of things that were created, changed, deleted or confirmed. A thing that just got its `_id` appears with this
   * id and with its client-assigned ID.
   */
  readonly ids: ReadonlySet<string>
  /** Tags whose settings changed. A tag that starts or stops to be a to-do tag changes what its things show. */
  readonly tags: ReadonlySet<string>
  /** The cause: an edit on this device, or a sync. */
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

/** Notifies listeners of the changes of written batches. */
interface ChangeNotifier {
  readonly notify: (batch: Batch, by: ReplicaChange['by']) => void
  /** Calls the listener after each change, until the returned function is called. */
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
}

/** Creates a notifier without listeners. */
export const createChangeNotifier = (): ChangeNotifier => {
  const listeners = new Map<object, (change: ReplicaChange) => void>()
  return {
    notify: (batch, by) => {
      if (listeners.size === 0) return
      const change = describe(batch, by)
      if (change.ids.size === 0 && change.tags.size === 0) return
      // Not inside the write: an error of a listener belongs to the application, and is no failed write.
      for (const [key] of listeners) queueMicrotask(() => listeners.get(key)?.(change))
    },
    watch: (listener) => {
      const key = {}
      listeners.set(key, listener)
      return () => listeners.delete(key)
    },
  }
}

/** An earlier text of a thing that is not on the server any more, or that an edit on this device replaces. */
export interface ThingVersion {
  /** The `_id` that the thing has or had. */
  readonly id: string
  /** Names the version. */
  readonly name: string
  /** When it was replaced, in milliseconds since 1970. */
  readonly replacedAt: number
  /**
   * - `overwritten`: another device, or the server itself, has replaced values of `fields` that this device had sent.
   * - `deleted`: another device deleted the thing, or the server lost it when it was restored from a backup.
   * - `replaced`: a text of another device, which a waiting edit on this device will replace.
   * - `restored`: the text that a restored earlier version replaced.
   */
  readonly why: 'overwritten' | 'deleted' | 'replaced' | 'restored'
  /** The fields whose text was replaced. */
  readonly fields: readonly TypedField[]
  /** The whole thing as it was; `create` accepts it. */
  readonly content: ReplicaFields & { readonly title: string }
}

/** Maximum versions of one thing; a new version replaces the oldest. */
export const versionsPerThing = 10

/** How long a version is kept, in days. */
export const versionDays = 90

/** Writes versions together with the values that replace them. */
export interface VersionRecorder {
  /** Adds a version of this thing to a batch. */
  readonly keep: (
    batch: Batch,
    id: string,
    version: Pick<ThingVersion, 'why' | 'fields'>,
    thing: ThingContent,
  ) => Promise<void>
  /** Notes that a batch is written; call it after each write. */
  readonly confirm: (batch: Batch) => void
  /** Returns the overwritten and deleted versions that no sync result has reported yet. */
  readonly takeUnreported: () => readonly ThingVersion[]
}

/** Creates a recorder of versions in a store; `createName` returns a new name. */
export const createVersionRecorder = (
  store: LocalStore,
  now: () => number,
  createName: () => string,
): VersionRecorder => {
  const unwritten = new Map<string, ThingVersion>()
  let unreported: ThingVersion[] = []
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
          if (version !== undefined && unwritten.delete(name)) unreported.push(version)
        }
      }
    },
    takeUnreported: () => {
      const reported = unreported
      unreported = []
      // Versions that were not written belong to responses that broke off, and come again.
      unwritten.clear()
      return reported
    },
  }
}

/** Lists the stored versions of the thing with this `_id`, the latest last. */
export const listVersions = async (store: LocalStore, id: string): Promise<readonly ThingVersion[]> =>
  ((await store.get(keys.versions(id))) as ThingVersion[] | undefined) ?? []

/** Lists all overwritten and deleted versions, the latest last. */
export const listOverwritten = async (store: LocalStore): Promise<readonly ThingVersion[]> => {
  const found: ThingVersion[] = []
  for await (const [, versions] of store.list(keys.versions(''))) {
    found.push(...(versions as ThingVersion[]).filter(({ why }) => why === 'overwritten' || why === 'deleted'))
  }
  return found.sort((one, other) => one.replacedAt - other.replacedAt)
}

/** Returns the batch that deletes expired versions. */
export const deleteOldVersions = async (store: LocalStore, now: number): Promise<Batch> => {
  const batch: Batch = new Map()
  for await (const [key, value] of store.list(keys.versions(''))) {
    const versions = value as ThingVersion[]
    const kept = versions.filter(({ replacedAt }) => replacedAt > now - versionDays * 86_400_000)
    if (kept.length < versions.length) batch.set(key, kept.length > 0 ? kept : undefined)
  }
  return batch
}

/** Lists the typed fields in which two things differ. */
export const findDifferences = (one: ThingContent, other: ThingContent): readonly TypedField[] =>
  typedFields.filter((name) => (one[name] ?? '') !== (other[name] ?? ''))

/** Returns the content of a thing without the records of the replica, and without a `todoStatus` of false. */
const contentOf = (thing: ThingContent): ThingVersion['content'] => {
  const { todoStatus, ...content } = applyFields(thing, {})
  return todoStatus ? { ...content, todoStatus } : content
}

/** Returns the fields that restore a version in an existing thing. */
export const toFields = ({ fields, content }: ThingVersion): ReplicaFields =>
  Object.fromEntries(fields.map((name) => [name, content[name] ?? '']))

/** Divides the fields that this device typed: the ones that the new state keeps, and the ones that it overwrites. */
export const divideOwn = (known: KnownThing | undefined, next: ThingContent) => {
  const different = known === undefined ? [] : findDifferences(known, next)
  const own = known?.own ?? []
  return {
    kept: own.filter((name) => !different.includes(name)),
    overwritten: own.filter((name) => different.includes(name)),
  }
}

/** An edit of a thing that another device deleted, or that the server lost when it was restored from a backup. */
export interface LostEdit {
  /** The id that the thing had. */
  readonly id: string
  /** The thing as the replica showed it last, with the edit; `create` accepts it. */
  readonly content: ReplicaFields & { readonly title: string }
  /** The fields in which `content` differs from the last known state of the server. */
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
  // A `todoStatus` of false has no effect, unless it was edited.
  return { id, content: todoStatus || edited.includes('todoStatus') ? thing : content, edited }
}

/** Lists the things that a batch drops, each with the id under which its edits wait. */
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
 * Writes a batch that may drop things. The same write stores their unconfirmed edits as lost edits, until the
 * application forgets them, and texts that this device sent before as versions. A thing that the application deleted
 * itself is no loss. With `areLastCopies` it stores every text as a version, whichever device typed it. Call it in
 * order with other writes, so that no edit comes between. Returns the number of lost edits that had been sent.
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
      const text = known ?? (sending?.kind === 'new' ? applyFields(createBlankThing, sending.fields) : undefined)
      const typed = known && areLastCopies ? typedFields.filter((name) => known[name]) : known?.own
      const fields = typed ?? (sending?.kind === 'new' ? typedIn(sending) : [])
      if (!isOwn && text && fields.length > 0) await versions.keep(batch, id, { why: 'deleted', fields }, text)
      continue
    }
    const sent = sending !== undefined && sending.kind !== 'delete' ? sending.fields : {}
    const thing = applyFields(applyFields(known ?? createBlankThing, sent), queued?.fields ?? {})
    // The server had accepted the fields of a new thing, so they are not part of the lost edit.
    const taken = sending?.kind === 'new' ? applyFields(createBlankThing, sent) : known
    const lost = describeLost(id, thing, taken && applyFields(taken, {}))
    if (lost.edited.length > 0) batch.set(keys.lost(id), lost)
  }
  await pending.write(batch)
  return lostOfSending
}

/** Lists all lost edits that the application has not forgotten. */
export const listLostEdits = async (store: LocalStore): Promise<readonly LostEdit[]> => {
  const lost: LostEdit[] = []
  for await (const [, value] of store.list(keys.lost(''))) lost.push(value as LostEdit)
  return lost
}
