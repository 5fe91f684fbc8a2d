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
  blankThing,
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
      throw new TypeError(`${name} must be ${allowed.join(' or ')}, and is ${kindOf(value)}`)
    }
  }
}

/**
 * Lets no value into the store that reading could not show: it would stand in the way of all things there, also after a
 * restart.
 * @throws TypeError that names the field
 */
const checkFields = (fields: ReplicaFields): void => checkKinds(fields, fieldKinds)

/** The same for a new thing. @throws TypeError that names the field */
const checkNewFields = (fields: ReplicaFields): void => {
  checkFields(fields)
  if (fields.title === undefined) throw new TypeError('a new thing needs a title')
}

/**
 * The same for settings of a tag. Tags of a thing are separated by spaces (interface 2.1): settings under a name with one
 * would be of no tag. Those that another program made all the same (`isKnown`) may be changed.
 * @throws TypeError that names the field
 */
const checkTag = (name: string, change: ReplicaTagFields, isKnown: boolean): void => {
  if (typeof name !== 'string') throw new TypeError(`name must be text, and is ${kindOf(name)}`)
  if (!isKnown && (name === '' || name.includes(' '))) {
    throw new TypeError(`name must be one word, as things carry it in tags, and is ${JSON.stringify(name)}`)
  }
  checkKinds(change, tagKinds)
}

interface EditContext {
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly inTurn: RunInOrder
  readonly versions: VersionRecorder
  readonly now: () => number
}

/** The edits of a replica. */
interface ReplicaEdits {
  /** Makes a thing and gives its local id; a `date` that is left out is now. @throws TypeError for a field of a wrong type */
  readonly create: (fields: ReplicaFields & { readonly title: string }) => Promise<string>
  /** Changes the fields that are given. @throws ClientError `unknown_thing`, TypeError for a field of a wrong type */
  readonly change: (id: string, fields: ReplicaFields) => Promise<void>
  /** Deletes a thing; one that is not there is fine. */
  readonly remove: (id: string) => Promise<void>
  /** Changes the settings that are given. @throws TypeError for a name that no thing can carry, or a wrong type */
  readonly setTag: (name: string, change: ReplicaTagFields) => Promise<void>
  /**
   * Makes several edits in one write of the store, all of them or none, and gives the local ids of the new things. A few
   * hundred at a time are many times as fast as one by one. @throws ClientError `unknown_thing`, TypeError for a field of a
   * wrong type
   */
  readonly editAll: (edits: readonly ReplicaEdit[]) => Promise<readonly string[]>
  /**
   * What was replaced of this thing, the latest last: texts from here that another device has overwritten or deleted, and
   * those of others that an edit from here replaced; at most 10 of each thing, for 90 days.
   */
  readonly listVersions: (id: string) => Promise<readonly ThingVersion[]>
  /**
   * Takes the fields of a version back, or makes the thing again if it is gone, and gives the id; what they replace becomes
   * a version itself. @throws ClientError `unknown_thing` when no such version is kept
   */
  readonly restoreVersion: (id: string, name: string) => Promise<string>
}

/** What a replica is told to do with things and tags; it waits in the store until a sync sends it. */
const createReplicaEdits = ({ store, pending, view, inTurn, versions, now }: EditContext): ReplicaEdits => {
  const toBatch = (id: string, edit: ThingEdit): Batch =>
    new Map([[editKey('queued', 'thing', id), joinEdits(pending.queued.things.get(id), edit)]])
  const editAll: ReplicaEdits['editAll'] = (edits) =>
    inTurn(async () => {
      const batch: Batch = new Map()
      const ids: string[] = []
      const things = await view.findThings(edits.flatMap((edit) => ('id' in edit ? [edit.id] : [])))
      const join = (id: string, next: ThingEdit) => {
        const key = editKey('queued', 'thing', id)
        const before = batch.has(key) ? (batch.get(key) as ThingEdit | undefined) : pending.queued.things.get(id)
        batch.set(key, joinEdits(before, next))
      }
      /** The thing, unless the batch takes it away. */
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
      const restored = await inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing === undefined) return undefined
        const batch = toBatch(thing.id, { kind: 'change', fields: toFields(version) })
        const shown = applyFields(blankThing, thing)
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

/** As servers of this project return a color (contract, sync 12); to any other server it says the same. */
const withLowerCase = (change: ReplicaTagFields): ReplicaTagFields =>
  typeof change.color === 'string' ? { ...change, color: change.color.toLowerCase() } : change

const isThing = (key: string) => key.startsWith(keys.thing(''))
const isTag = (key: string) => key.startsWith(keys.tag(''))

/**
 * A store that gives the things of the last two writes without reading them again, because who is told of a change asks for
 * them at once, and the settings of a tag, which each of its things asks for. Values that it gives may not be changed.
 */
export const rememberWrites = (store: LocalStore): LocalStore => {
  let last = new Map<string, unknown>()
  let older = new Map<string, unknown>()
  const tags = new Map<string, unknown>()
  let writes = 0
  const find = (key: string) => [last, older, tags].find((known) => known.has(key))

  const getMany = async (asked: readonly string[]): Promise<unknown[]> => {
    const known = asked.map((key) => find(key)?.get(key))
    const unknown = asked.filter((key) => find(key) === undefined)
    if (unknown.length === 0) return known
    const writesBefore = writes
    const read = new Map((await readMany(store, unknown)).map((value, place) => [unknown[place] ?? '', value]))
    // What was read beside a write may be what was there before.
    if (writes === writesBefore) for (const [key, value] of read) if (isTag(key)) tags.set(key, value)
    return asked.map((key, place) => (read.has(key) ? read.get(key) : known[place]))
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
      // Until it is written, and where that fails, the store has to say what is there.
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

/** What a replica needs. */
export interface ReplicaOptions {
  readonly client: Pick<Client, 'streamSyncParts' | 'findSession' | 'streamEvents' | 'waitForChange'>
  readonly store: LocalStore
  /**
   * Whether the server recognises an upload that is repeated in the same session by its local ids (contract, sync 7),
   * as thingsync does; true by default. With false things are found by what they say before an upload is repeated.
   */
  readonly recognisesRetries?: boolean
  /** Edits in one request at most; 200 by default. */
  readonly batchSize?: number
  /** Listed things that are held in memory before they are written to the store; 400 by default, fewer where they are long. */
  readonly entriesPerWrite?: number
  /** Things that are asked for at once in a listing of everything, which goes on after a failure; 5,000 by default. */
  readonly pageSize?: number
  /** The time in milliseconds since 1970, for the dates of new things; the device's clock by default. */
  readonly now?: () => number
}

/**
 * All things of an account, to be read and edited without the server. Edits are in the local store when their promise
 * resolves, are shown at once, and are sent by `sync`. Ids may be `_id`s or local ids, before and after a sync.
 */
export interface Replica
  extends Pick<ReplicaView, 'findThing' | 'findThings' | 'listThings' | 'listThingParts' | 'listTags' | 'resolveId'>,
    ReplicaEdits {
  /**
   * The newest things that are not archived: a first page, without reading everything. So many at most; fewer where edits
   * that wait have taken some of them away.
   */
  readonly listNewest: (count: number) => Promise<readonly ReplicaThing[]>
  /**
   * Edits of things that others deleted meanwhile: deletion wins, and what was edited is kept here for the application to
   * show, to make again, or to forget.
   */
  readonly listLostEdits: () => Promise<readonly LostEdit[]>
  /** Forgets the lost edit of the thing with this `_id`. */
  readonly forgetLostEdit: (id: string) => Promise<void>
  /** Things and tags with edits that the server has not confirmed. */
  readonly countPending: () => number
  /**
   * Uploads what was edited and takes over what others changed. When it fails nothing is lost, and what was perhaps
   * sent is sent again by the next call without being done twice; calls at the same time run one after the other.
   * @throws ClientError `network`, `signed_out`, `refused`, `unexpected_answer`
   */
  readonly sync: (options?: ReplicaSyncOptions) => Promise<ReplicaSyncResult>
  /** The versions of all things that another device, or the server, has overwritten or deleted, the latest last. */
  readonly listOverwritten: () => Promise<readonly ThingVersion[]>
  /** Calls the listener after each change of what the replica shows, until the function that it gives is called. */
  readonly watch: (listener: (change: ReplicaChange) => void) => () => void
  /**
   * Keeps this replica in step until it is told to stop: sends edits soon after they are made, and takes over what others
   * change as soon as the server says so; see `Live`. Call it once.
   */
  readonly live: (options?: LiveOptions) => Live
}

/**
 * Takes up the replica that the store keeps; an empty store is one that has never synchronised.
 * @throws TypeError without a client or a store
 */
export const createReplica = async (options: ReplicaOptions): Promise<Replica> => {
  if (!options?.client || !options.store) throw new TypeError('createReplica needs an object with client and store')
  const { now = Date.now } = options
  const store = rememberWrites(options.store)
  const pending = await readPendingEdits(store)
  const view = createReplicaView(store, pending)
  const inTurn = createRunInOrder()
  const teller = createChangeNotifier()
  const versions = createVersionRecorder(store, now, createRandomId)
  const newest = await openNewest(store, inTurn)
  const writeAs = (by: ReplicaChange['by']) => async (batch: Batch) => {
    const confirmNewest = newest.follow(batch)
    await pending.write(batch)
    confirmNewest()
    versions.confirm(batch)
    teller.tell(batch, by)
  }
  const write = writeAs('edit')
  const sync = createReplicaSync({
    recognisesRetries: true,
    batchSize: 200,
    entriesPerWrite: 400,
    pageSize: 5_000,
    ...options,
    store,
    now,
    pending: { ...pending, write: writeAs('sync') },
    view,
    inTurn,
    versions,
  })
  const syncInTurn = createRunInOrder()
  const edits = createReplicaEdits({ store, pending: { ...pending, write }, view, inTurn, versions, now })
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
    forgetLostEdit: (id) => inTurn(() => store.write(new Map([[keys.lost(id), undefined]]))),
    countPending: () => countPending(pending),
    sync: syncNow,
    watch: teller.watch,
    live: (liveOptions) =>
      startLive(
        {
          client: options.client,
          sync: syncNow,
          countPending: () => countPending(pending),
          watch: teller.watch,
          settle: () => syncInTurn(async () => undefined),
        },
        liveOptions,
      ),
  }
}
