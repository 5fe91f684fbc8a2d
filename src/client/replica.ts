import { ClientError } from './client-error.ts'
import type { Client } from './create-client.ts'
import type { LocalStore } from './local-store.ts'
import { type LostEdit, listLostEdits } from './lost-edits.ts'
import { type Batch, readPendingEdits } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import {
  editKey,
  joinEdits,
  keys,
  type ReplicaFields,
  type ReplicaTagFields,
  type ThingEdit,
} from './replica-records.ts'
import { createReplicaSync, type ReplicaSyncOptions, type ReplicaSyncResult } from './replica-sync.ts'
import { createReplicaView, type ReplicaView } from './replica-view.ts'
import { createTurns } from './turns.ts'

/** What a replica needs. */
export interface ReplicaOptions {
  readonly client: Pick<Client, 'streamSync' | 'findSession'>
  readonly store: LocalStore
  /**
   * Whether the server recognises an upload that is repeated in the same session by its local ids (contract, sync 7),
   * as thingsync does; true by default. With false things are found by what they say before an upload is repeated.
   */
  readonly recognisesRetries?: boolean
  /** Edits in one request at most; 200 by default. */
  readonly batchSize?: number
  /** Listed things that are held in memory before they are written to the store; 400 by default. */
  readonly entriesPerWrite?: number
  /** The time in milliseconds since 1970, for the dates of new things; the device's clock by default. */
  readonly now?: () => number
}

/**
 * All things of an account, to be read and edited without the server. Edits are in the local store when their promise
 * resolves, are shown at once, and are sent by `sync`. Ids may be `_id`s or local ids, before and after a sync.
 */
export interface Replica extends Pick<ReplicaView, 'findThing' | 'listThings' | 'listTags' | 'resolveId'> {
  /** Makes a thing and gives its local id; a `date` that is left out is now. */
  readonly create: (fields: ReplicaFields & { readonly title: string }) => Promise<string>
  /** Changes the fields that are given. @throws ClientError `unknown_thing` */
  readonly change: (id: string, fields: ReplicaFields) => Promise<void>
  /** Deletes a thing; one that is not there is fine. */
  readonly remove: (id: string) => Promise<void>
  /** Changes the settings that are given. */
  readonly setTag: (name: string, change: ReplicaTagFields) => Promise<void>
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
}

/** Takes up the replica that the store keeps; an empty store is one that has never synchronised. */
export const createReplica = async (options: ReplicaOptions): Promise<Replica> => {
  const { store, now = Date.now } = options
  const pending = await readPendingEdits(store)
  const view = createReplicaView(store, pending)
  const inTurn = createTurns()
  const defaults = { recognisesRetries: true, batchSize: 200, entriesPerWrite: 400 }
  const sync = createReplicaSync({ ...defaults, ...options, pending, view, inTurn })
  const syncInTurn = createTurns()

  const queue = async (id: string, edit: ThingEdit): Promise<void> => {
    const joined = joinEdits(pending.queued.things.get(id), edit)
    await pending.write(new Map([[editKey('queued', 'thing', id), joined]]))
  }
  return {
    findThing: view.findThing,
    listThings: view.listThings,
    listTags: view.listTags,
    resolveId: view.resolveId,
    create: async (fields) => {
      const id = createRandomId()
      const date = Math.floor(now() / 1000)
      await inTurn(() => queue(id, { kind: 'new', fields: { date, ...withoutUndefined(fields) } }))
      return id
    },
    change: (id, fields) =>
      inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing === undefined) throw new ClientError('unknown_thing', `there is no thing ${id}`)
        await queue(thing.id, { kind: 'change', fields: withoutUndefined(fields) })
      }),
    remove: (id) =>
      inTurn(async () => {
        const thing = await view.findThing(id)
        if (thing !== undefined) await queue(thing.id, { kind: 'delete' })
      }),
    setTag: (name, change) =>
      inTurn(async () => {
        const joined = { ...pending.queued.tags.get(name), ...withLowerCase(withoutUndefined(change)) }
        const batch: Batch = new Map([[editKey('queued', 'tag', name), joined]])
        await pending.write(batch)
      }),
    listLostEdits: () => listLostEdits(store),
    forgetLostEdit: (id) => inTurn(() => store.write(new Map([[keys.lost(id), undefined]]))),
    countPending: () => {
      const { sending, queued } = pending
      const things = new Set([...sending.things.keys(), ...queued.things.keys()])
      return things.size + new Set([...sending.tags.keys(), ...queued.tags.keys()]).size
    },
    sync: (syncOptions) => syncInTurn(() => sync(syncOptions)),
  }
}

const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T

/** As servers of this project return a color (contract, sync 12); to any other server it says the same. */
const withLowerCase = (change: ReplicaTagFields): ReplicaTagFields =>
  typeof change.color === 'string' ? { ...change, color: change.color.toLowerCase() } : change
