import { ClientError } from './client-error.ts'
import type { Client } from './create-client.ts'
import {
  type Batch,
  countPending,
  createChangeNotifier,
  createVersionRecorder,
  type LostEdit,
  listLostEdits,
  listOverwritten,
  listVersions,
  type PendingEdits,
  type ReplicaChange,
  readPendingEdits,
  type ThingVersion,
  toFields,
  type VersionRecorder,
} from './edits.ts'
import { createRandomId, createRunInOrder, type RunInOrder } from './environment.ts'
import { type Live, type LiveOptions, startLive } from './live.ts'
import { type LocalStore, readMany } from './local-store.ts'
import {
  applyFields,
  createBlankThing,
  editKey,
  fieldKinds,
  joinEdits,
  keys,
  type ReplicaEdit,
  type ReplicaFields,
  type ReplicaTagFields,
  type ReplicaThing,
  type ThingEdit,
} from './replica-records.ts'
import { createReplicaSync, type ReplicaSyncOptions, type ReplicaSyncResult } from './replica-sync.ts'
import { createReplicaView, listNewest, openNewest, type ReplicaView } from './replica-view.ts'

const tagKinds: Record<keyof ReplicaTagFields, readonly string[]> = {
  favorite: ['boolean'],
  color: ['text', 'boolean'],
  todo: ['boolean', 'text'],
}

const kindOf = (value: unknown): string => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? 'text' : typeof value
}

const checkKinds = <T extends object>(fields: T, table: Readonly<Record<string, readonly string[]>>): void => {
  for (const [name, allowed] of Object.entries(table)) {
    const value = fields[name as keyof T]
    if (value !== undefined && !allowed.includes(kindOf(value))) {
      throw new TypeError(`${name} must be ${allowed.join(' or ')}, not ${kindOf(value)}`)
    }
  }
}

/**
 * Checks the types of fields. With a wrong type in the store, reading would fail for all things, also after a restart.
 * @throws TypeError that names the field
 */
const checkFields = (fields: ReplicaFields): void => checkKinds(fields, fieldKinds)

/** Checks the fields of a new thing. @throws TypeError that names the field */
const checkNewFields = (fields: ReplicaFields): void => {
  checkFields(fields)
  if (fields.title === undefined) throw new TypeError('a new thing needs a title')
}

/**
 * Checks the settings of a tag. Spaces separate the tags of a thing (interface 2.1), so no thing can have a tag with a
 * space in its name. Another program may have created settings of such a tag: these (`isKnown`) may be changed.
 * @throws TypeError that names the field
 */
const checkTag = (name: string, change: ReplicaTagFields, isKnown: boolean): void => {
  if (typeof name !== 'string') throw new TypeError(`name must be text, not ${kindOf(name)}`)
  if (!isKnown && (name === '' || name.includes(' '))) {
    throw new TypeError(`name must be one word, without spaces, not ${JSON.stringify(name)}`)
  }
  checkKinds(change, tagKinds)
}

interface EditContext {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly runInOrder: RunInOrder
  readonly versions: VersionRecorder
  readonly now: () => number
}

/** The editing functions of a replica. */
interface ReplicaEdits {
  /**
   * Creates a thing and returns its client-assigned ID; `date` is now by default.
   * @throws TypeError for a wrong type
   */
  readonly create: (fields: ReplicaFields & { readonly title: string }) => Promise<string>
  /** Changes the fields that are given. @throws ClientError `unknown_thing`, TypeError for a field of a wrong type */
  readonly change: (id: string, fields: ReplicaFields) => Promise<void>
  /** Deletes a thing; does nothing if it does not exist. */
  readonly remove: (id: string) => Promise<void>
  /** Changes the settings that are given. @throws TypeError for a name that no thing can have, or a wrong type */
  readonly setTag: (name: string, change: ReplicaTagFields) => Promise<void>
  /**
   * Makes several edits in one write of the store, all of them or none, and returns the client-assigned IDs of the new
   * things. A few hundred edits together are much faster than one by one.
   * @throws ClientError `unknown_thing`, TypeError for a field of a wrong type
   */
  readonly editAll: (edits: readonly ReplicaEdit[]) => Promise<readonly string[]>
  /**
   * Lists the versions of a thing, the latest last: texts of this device that another device has overwritten or
   * deleted, and texts of other devices that an edit on this device replaced. A version stays for 90 days, and at most
   * 10 for each thing.
   */
  readonly listVersions: (id: string) => Promise<readonly ThingVersion[]>
  /**
   * Restores the fields of a version, or creates the thing again if it is deleted, and returns its id. The replaced
   * values become a version.
   * @throws ClientError `unknown_thing` when there is no such version
   */
  readonly restoreVersion: (id: string, name: string) => Promise<string>
}

/** Creates the editing functions; edits wait in the store until a sync sends them. */
const createReplicaEdits = ({ store, pending, view, runInOrder, versions, now }: EditContext): ReplicaEdits => {
  const toBatch = (id: string, edit: ThingEdit): Batch =>
    new Map([[editKey('queued', 'thing', id), joinEdits(pending.queued.things.get(id), edit)]])
  const editAll: ReplicaEdits['editAll'] = (edits) =>
    runInOrder(async () => {
      const batch: Batch = new Map()
      const ids: string[] = []
      const things = await view.findThings(edits.flatMap((edit) => ('id' in edit ? [edit.id] : [])))
      const join = (id: string, next: ThingEdit) => {
        const key = editKey('queued', 'thing', id)
        const before = batch.has(key) ? (batch.get(key) as ThingEdit | undefined) : pending.queued.things.get(id)
        batch.set(key, joinEdits(before, next))
      }
      /** Returns the thing, unless the batch deletes it. */
      const find = (id: string) => {
        const thing = things.get(id)
        const key = editKey('queued', 'thing', thing?.id ?? id)
        const edit = batch.get(key) as ThingEdit | undefined
        return batch.has(key) && (edit === undefined || edit.kind === 'delete') ? undefined : thing
      }
      for (const edit of edits) {
        if (edit.kind === 'create') {
          checkNewFields(edit.fields)
          const id = edit.localId ?? createRandomId()
          const date = Math.floor(now() / 1000)
          join(id, { kind: 'new', fields: { date, ...withoutUndefined(edit.fields) } })
          ids.push(id)
        } else if (edit.kind === 'tag') {
          checkTag(edit.name, edit.change, (await store.get(keys.tag(edit.name))) !== undefined)
          const key = editKey('queued', 'tag', edit.name)
          const before = (batch.get(key) as ReplicaTagFields | undefined) ?? pending.queued.tags.get(edit.name)
          batch.set(key, { ...before, ...withLowerCase(withoutUndefined(edit.change)) })
        } else {
          const thing = find(edit.id)
          if (edit.kind === 'remove') {
            if (thing !== undefined) join(thing.id, { kind: 'delete' })
            continue
          }
          if (thing === undefined) throw new ClientError('unknown_thing', `there is no thing ${edit.id}`)
          checkFields(edit.fields)
          join(thing.id, { kind: 'change', fields: withoutUndefined(edit.fields) })
        }
      }
      if (batch.size > 0) await pending.write(batch)
      return ids
    })
  const create: ReplicaEdits['create'] = async (fields) => {
    const [id = ''] = await editAll([{ kind: 'create', fields }])
    return id
  }
  return {
    create,
    editAll,
    change: async (id, fields) => void (await editAll([{ kind: 'change', id, fields }])),
    remove: async (id) => void (await editAll([{ kind: 'remove', id }])),
    setTag: async (name, change) => void (await editAll([{ kind: 'tag', name, change }])),
    listVersions: async (id) => await listVersions(store, await view.resolveId(id)),
    restoreVersion: async (id, name) => {
      const known = await listVersions(store, await view.resolveId(id))
      const version = known.find((one) => one.name === name)
      if (version === undefined) throw new ClientError('unknown_thing', `there is no version ${name} of ${id}`)
      const restored = await runInOrder(async () => {
        const thing = await view.findThing(id)
        if (thing === undefined) return undefined
        const batch = toBatch(thing.id, { kind: 'change', fields: toFields(version) })
        const shown = applyFields(createBlankThing, thing)
        await versions.keep(batch, thing.id, { why: 'restored', fields: version.fields }, shown)
        await pending.write(batch)
        return thing.id
      })
      return restored ?? (await create(version.content))
    },
  }
}

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** Converts a color to lower case, as servers of this project return it (contract, sync 12). */
const withLowerCase = (change: ReplicaTagFields): ReplicaTagFields =>
  typeof change.color === 'string' ? { ...change, color: change.color.toLowerCase() } : change

const isThing = (key: string) => key.startsWith(keys.thing(''))
const isTag = (key: string) => key.startsWith(keys.tag(''))

/**
 * Wraps a store with a cache of the things of the last two writes, which listeners read directly after a change, and of
 * tag settings, which every listing reads. Do not change the values that it returns.
 */
export const rememberWrites = (store: LocalStore): LocalStore => {
  let last = new Map<string, unknown>()
  let older = new Map<string, unknown>()
  const tags = new Map<string, unknown>()
  let writes = 0
  const find = (key: string) => [last, older, tags].find((known) => known.has(key))

  const getMany = async (requested: readonly string[]): Promise<unknown[]> => {
    const known = requested.map((key) => find(key)?.get(key))
    const unknown = requested.filter((key) => find(key) === undefined)
    if (unknown.length === 0) return known
    const writesBefore = writes
    const read = new Map((await readMany(store, unknown)).map((value, index) => [unknown[index] ?? '', value]))
    // A read during a write may have the previous values.
    if (writes === writesBefore) for (const [key, value] of read) if (isTag(key)) tags.set(key, value)
    return requested.map((key, index) => (read.has(key) ? read.get(key) : known[index]))
  }
  const forget = (changes: Iterable<string>) => {
    writes++
    for (const key of changes) for (const known of [last, older, tags]) known.delete(key)
  }
  return {
    get: async (key) => (await getMany([key]))[0],
    getMany,
    list: store.list,
    ...(store.listParts === undefined ? {} : { listParts: store.listParts }),
    write: async (changes) => {
      // During the write, and after a failed write, only the store has the right values.
      forget(changes.keys())
      await store.write(changes)
      forget(changes.keys())
      const things = [...changes].filter(([key]) => isThing(key))
      if (things.length === 0) return
      older = last
      last = new Map(things)
    },
  }
}

/** The options of a replica. */
export interface ReplicaOptions {
  readonly client: Pick<Client, 'streamSyncParts' | 'findSession' | 'streamEvents' | 'waitForChange'>
  readonly store: LocalStore
  /**
   * Whether the server recognizes a repeated upload of the same session by its client-assigned IDs (contract, sync 7),
   * as thingsync does; true by default. With false the replica finds such things by their content before it repeats an
   * upload.
   */
  readonly recognizesRetries?: boolean
  /**
   * Whether the server keeps the fields that a change leaves out (contract, sync 8), as thingsync does; true by default.
   * With false a change sends all fields of its thing. The interface specifies neither.
   */
  readonly keepsLeftOutFields?: boolean
  /** Maximum edits in one request; 200 by default. */
  readonly batchSize?: number
  /** Maximum listed things in memory before they are written to the store; 400 by default, fewer for long things. */
  readonly entriesPerWrite?: number
  /** Things on one page of a full sync, which resumes after a failure; 5,000 by default. */
  readonly pageSize?: number
  /** The time in milliseconds since 1970, for the dates of new things; the clock of the device by default. */
  readonly now?: () => number
}

/**
 * All things of an account, for reading and editing without the server. An edit is in the local store when its promise
 * resolves, is shown at once, and is sent by `sync`. All functions accept `_id`s and client-assigned IDs, before and
 * after a sync.
 */
export interface Replica
  extends Pick<ReplicaView, 'findThing' | 'findThings' | 'listThings' | 'listThingParts' | 'listTags' | 'resolveId'>,
    ReplicaEdits {
  /**
   * Lists the newest things that are not archived, without reading everything. Returns at most `count` things, and
   * fewer when waiting edits have archived or deleted some.
   */
  readonly listNewest: (count: number) => Promise<readonly ReplicaThing[]>
  /**
   * Lists edits of things that other devices deleted meanwhile. Deletion wins, and the edits stay here until the
   * application forgets them.
   */
  readonly listLostEdits: () => Promise<readonly LostEdit[]>
  /** Forgets the lost edit of the thing with this `_id`. */
  readonly forgetLostEdit: (id: string) => Promise<void>
  /** Counts the things and tags with edits that the server has not confirmed. */
  readonly countPending: () => number
  /**
   * Uploads edits and downloads the changes of other devices. After a failure nothing is lost: the next call safely
   * retries edits that were perhaps sent, and no edit is done twice. Concurrent calls run one after the other.
   * @throws ClientError `network`, `signed_out`, `rejected`, `unexpected_response`
   */
  readonly sync: (options?: ReplicaSyncOptions) => Promise<ReplicaSyncResult>
  /**
   * Lists the versions of all things that another device, or the server, has overwritten or deleted, the latest last.
   */
  readonly listOverwritten: () => Promise<readonly ThingVersion[]>
  /** Calls the listener after each change of the view of the replica, until the returned function is called. */
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
  /**
   * Syncs this replica by itself until it is stopped. It sends edits soon after their creation, downloads changes of
   * other devices as soon as the server announces them; see `Live`. Call it once.
   */
  readonly live: (options?: LiveOptions) => Live
}

/**
 * Opens the replica in a local store; an empty store is a replica before its first sync.
 * @throws TypeError without a client or a store
 */
export const createReplica = async (options: ReplicaOptions): Promise<Replica> => {
  if (!options?.client || !options.store) throw new TypeError('createReplica needs an object with client and store')
  const { now = Date.now } = options
  const store = rememberWrites(options.store)
  const pending = await readPendingEdits(store)
  const view = createReplicaView(store, pending)
  const runInOrder = createRunInOrder()
  const notifier = createChangeNotifier()
  const versions = createVersionRecorder(store, now, createRandomId)
  const newest = await openNewest(store, runInOrder)
  const writeAs = (by: ReplicaChange['by']) => async (batch: Batch) => {
    const confirmNewest = newest.follow(batch)
    await pending.write(batch)
    confirmNewest()
    versions.confirm(batch)
    notifier.notify(batch, by)
  }
  const write = writeAs('edit')
  const sync = createReplicaSync({
    recognizesRetries: true,
    keepsLeftOutFields: true,
    batchSize: 200,
    entriesPerWrite: 400,
    pageSize: 5_000,
    ...options,
    store,
    now,
    pending: { ...pending, write: writeAs('sync') },
    view,
    runInOrder,
    versions,
  })
  const syncInTurn = createRunInOrder()
  const edits = createReplicaEdits({ store, pending: { ...pending, write }, view, runInOrder, versions, now })
  const syncNow = (syncOptions?: ReplicaSyncOptions) => syncInTurn(() => sync(syncOptions))

  return {
    findThing: view.findThing,
    findThings: view.findThings,
    listNewest: (count) => listNewest({ view, pending, newest }, count),
    listThings: view.listThings,
    listThingParts: view.listThingParts,
    listTags: view.listTags,
    resolveId: view.resolveId,
    ...edits,
    listOverwritten: () => listOverwritten(store),
    listLostEdits: () => listLostEdits(store),
    forgetLostEdit: (id) => runInOrder(() => store.write(new Map([[keys.lost(id), undefined]]))),
    countPending: () => countPending(pending),
    sync: syncNow,
    watch: notifier.watch,
    live: (liveOptions) =>
      startLive(
        {
          client: options.client,
          sync: syncNow,
          countPending: () => countPending(pending),
          watch: notifier.watch,
          settle: () => syncInTurn(async () => undefined),
        },
        liveOptions,
      ),
  }
}
