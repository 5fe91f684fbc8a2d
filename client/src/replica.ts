import type { Client } from './create-client.ts'
import { type Live, type LiveOptions, startLive } from './live.ts'
import type { LocalStore } from './local-store.ts'
import { type LostEdit, listLostEdits } from './lost-edits.ts'
import { type Batch, countPending, readPendingEdits } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import { rememberWrites } from './remember-writes.ts'
import { createChangeTeller, type ReplicaChange } from './replica-changes.ts'
import { createReplicaEdits, type ReplicaEdits } from './replica-edits.ts'
import { listNewest, openNewest } from './replica-newest.ts'
import { keys, type ReplicaThing } from './replica-records.ts'
import { createReplicaSync, type ReplicaSyncOptions, type ReplicaSyncResult } from './replica-sync.ts'
import { createReplicaView, type ReplicaView } from './replica-view.ts'
import { createTurns } from './turns.ts'
import { createVersionKeeper, listOverwritten, type ThingVersion } from './versions.ts'

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
  const inTurn = createTurns()
  const teller = createChangeTeller()
  const versions = createVersionKeeper(store, now, createRandomId)
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
  const syncInTurn = createTurns()
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
