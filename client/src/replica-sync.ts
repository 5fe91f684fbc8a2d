import type { TagSettings } from '../../generated/types.ts'
import type { Client } from './create-client.ts'
import {
  type Batch,
  countPending,
  deleteOldVersions,
  type Edits,
  type LostEdit,
  listLostEdits,
  type PendingEdits,
  type ThingVersion,
  type VersionRecorder,
  writeWithLostEdits,
} from './edits.ts'
import { createRandomId, type RunInOrder } from './environment.ts'
import type { LocalStore } from './local-store.ts'
import {
  applyFields,
  createBlankThing,
  editKey,
  fieldNames,
  initialState,
  type KnownThing,
  keys,
  type OpenListing,
  type ReplicaState,
  type ThingContent,
  typedIn,
} from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'
import type { StreamOptions, SyncEvent, SyncProgress } from './sync.ts'
import {
  type AppliedResponse,
  type ApplyTarget,
  applyResponse,
  isAheadOf,
  isBlankState,
  isRolledBack,
  toKnown,
} from './sync-response.ts'
import {
  confirmFullSync,
  confirmResponse,
  describeSending,
  giveId,
  isEditError,
  putBack,
  type RejectedEdit,
  takeBatch,
  toUpload,
} from './upload.ts'

/**
 * Finds the new things in `sending` that the server has, although their response was lost. It compares them with listed
 * things that are new to the replica: a thing with the same content is the same thing. It gets its `_id` and is not
 * sent again. This is for uploads that the server cannot recognize by their client-assigned IDs: the session has
 * changed (contract, sync 7), or the server has only the specified behavior.
 */
const findMissingThings = async (parts: AsyncIterable<readonly SyncEvent[]>, target: ApplyTarget): Promise<void> => {
  const { store, pending, runInOrder, state } = target
  const wanted = new Map<string, string[]>()
  for (const [localId, edit] of pending.sending.things) {
    if (edit.kind !== 'new') continue
    const content = toComparable(applyFields(createBlankThing, edit.fields))
    wanted.set(content, [...(wanted.get(content) ?? []), localId])
  }
  const found = new Map<string, KnownThing>()
  const ids = new Map<string, string>()
  const take = async (event: SyncEvent): Promise<void> => {
    if (event.kind !== 'changed') return
    const known = (await store.get(keys.thing(event.thing._id))) as KnownThing | undefined
    // A thing that a response to the lost upload has listed, before it broke off, is also new.
    if (known !== undefined && known.knownAfter < state.position) return
    const thing = toKnown(event.thing, '', state.position, known)
    const localId = wanted.get(toComparable(thing))?.shift()
    if (localId === undefined) return
    found.set(localId, thing)
    ids.set(localId, event.thing._id)
  }
  for await (const part of parts) for (const event of part) await take(event)
  if (found.size === 0) return
  await runInOrder(async () => {
    const batch: Batch = new Map([[keys.state, isAheadOf(state)]])
    for (const [localId, id] of ids) {
      giveId({ pending, batch }, localId, id)
      const edit = pending.sending.things.get(localId)
      const thing = found.get(localId)
      if (edit && thing) batch.set(keys.thing(id), { ...thing, own: typedIn(edit) } satisfies KnownThing)
    }
    await pending.write(batch)
  })
}

/** Returns the fields that every listing shows, as text to compare. Some servers store dates in whole seconds. */
const toComparable = ({ todoStatus: _, ...thing }: ThingContent): string =>
  JSON.stringify(
    fieldNames.map((name) =>
      name === 'date' ? Math.floor(thing.date) : name === 'todoStatus' ? null : (thing[name] ?? null),
    ),
  )

/** The result of a full sync. */
interface FullSync {
  /** Number of things that this call listed; less than all when it resumed a listing. */
  readonly listed: number
  /** Whether one response had everything, so that nothing is out of date. */
  readonly isOneResponse: boolean
}

interface ListingContext {
  readonly client: Pick<Client, 'streamSyncParts'>
  readonly target: Omit<ApplyTarget, 'state'>
  readonly readState: () => Promise<ReplicaState>
  readonly pageSize: number
  /** Whether a position that is far ahead means that the server was restored. */
  readonly raisesPositions: boolean
}

/** Maximum attempts with pages, when they do not fit together; then one response must have everything. */
const maxPagedAttempts = 3

/**
 * Runs a full sync of the account (interface 4.3, rule 1) in pages. Each write also stores the progress, so that a
 * listing that was cut off goes on there. All pages have the position of the first one (contract, sync 6). Where the
 * server cannot go on, the listing begins again. The sync never changes edits that wait to be sent.
 */
const runFullSync = async (
  { client, target, readState, pageSize, raisesPositions }: ListingContext,
  options: StreamOptions,
): Promise<FullSync> => {
  let totalListed = 0
  let bytes = 0
  let bytesOfPage = 0

  /** Converts the progress of a page to the progress of the whole listing. */
  const addUp = (before: number): StreamOptions => ({
    ...options,
    onProgress: (page) => {
      bytesOfPage = page.bytes
      options.onProgress?.({ ...page, listed: before + page.listed, bytes: bytes + page.bytes })
    },
  })
  const confirm = (response: AppliedResponse, state: ReplicaState, how: { isBlank: boolean; saysTags: boolean }) =>
    target.runInOrder(async () => {
      const batch = await confirmFullSync({ ...target, state }, response, how)
      const areLastCopies = state.hasLastCopies === true || isRolledBack(state, response, raisesPositions)
      await writeWithLostEdits(target, batch, areLastCopies)
    })
  const write = (batch: Batch, state: ReplicaState) =>
    target.runInOrder(() => writeWithLostEdits(target, batch.set(keys.state, state)))
  /** Lists all pages; returns false when they do not fit together. */
  const listPages = async (): Promise<boolean> => {
    const begun = (await readState()).listing
    const tags = new Map<string, TagSettings>()
    let listing: Omit<OpenListing, 'position'> & { readonly position: number | undefined } = begun ?? {
      name: createRandomId(),
      position: undefined,
      listed: 0,
      isBlank: isBlankState(await readState()),
    }
    while (true) {
      const state = await readState()
      const { name, isBlank, listed: skip } = listing
      const toState = (listed: number, position = listing.position): ReplicaState => {
        const ahead = isAheadOf(state)
        return position === undefined
          ? ahead
          : { ...ahead, listing: { name, isBlank, position, listed: skip + listed } }
      }
      const query = skip === 0 ? { limit: pageSize } : { skip, limit: pageSize }
      const events = client.streamSyncParts(query, addUp(skip))
      const isWanted = (position: number) => listing.position === undefined || position === listing.position
      const page = await applyResponse(events, { ...target, state }, { name, isBlank, isWanted, toState })
      if (!page.isWanted) return false
      totalListed += page.listed
      bytes += bytesOfPage
      for (const [tag, settings] of page.tags) tags.set(tag, settings)
      listing = { ...listing, position: page.position, listed: skip + page.listed }
      if (listing.listed >= page.thingCount) {
        const saysTags = begun === undefined || tags.size > 0
        await confirm({ ...page, tags }, state, { isBlank, saysTags })
        return true
      }
      if (page.listed === 0) return false
      await write(skip === 0 ? withTags(page.batch, page.tags) : page.batch, toState(page.listed, page.position))
    }
  }
  for (let attempt = 0; attempt < maxPagedAttempts; attempt++) {
    const isNew = (await readState()).listing === undefined
    if (await listPages()) return { listed: totalListed, isOneResponse: isNew && totalListed <= pageSize }
    // The listing begins again; things of the earlier pages stay in the store.
    await write(new Map(), isAheadOf(await readState()))
  }
  const state = await readState()
  const how = { name: createRandomId(), isBlank: false, toState: () => isAheadOf(state) }
  const response = await applyResponse(client.streamSyncParts({}, options), { ...target, state }, how)
  await confirm(response, state, { isBlank: false, saysTags: true })
  return { listed: totalListed + response.listed, isOneResponse: true }
}

/** Adds tag settings to a batch, so that they are shown together with the first things. */
const withTags = (batch: Batch, tags: ReadonlyMap<string, TagSettings>): Batch => {
  for (const [name, settings] of tags) batch.set(keys.tag(name), settings)
  return batch
}

/** The progress of a sync; the fields of SyncProgress are about the current response. */
export interface ReplicaSyncProgress extends SyncProgress {
  /** Number of things and tags whose edits the server has confirmed in this sync. */
  readonly sent: number
  /** `sent`, and the number of things and tags that still wait. */
  readonly toSend: number
}

/** The options of a sync. */
export interface ReplicaSyncOptions {
  readonly signal?: AbortSignal | undefined
  /** Called at the begin, after each chunk of a response, and after each upload. */
  readonly onProgress?: ((progress: ReplicaSyncProgress) => void) | undefined
}

/** The result of a sync. */
export interface ReplicaSyncResult {
  readonly position: number
  /** Number of things and tags whose edits the server confirmed. */
  readonly sent: number
  /** Number of listed changed things and deleted ids. */
  readonly listed: number
  /** Edits that the server rejects, one by one. They stay as they are until the application changes or removes them. */
  readonly rejected: readonly RejectedEdit[]
  /** Edits of deleted things, of this sync and of earlier ones, until `forgetLostEdit` is called for each. */
  readonly lost: readonly LostEdit[]
  /**
   * Texts of this device that another device has replaced or deleted, as seen by this sync and by failed syncs before
   * it. `listVersions` also lists them, and `restoreVersion` restores them.
   */
  readonly overwritten: readonly ThingVersion[]
}

interface SyncContext {
  readonly client: Pick<Client, 'streamSyncParts' | 'findSession'>
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly runInOrder: RunInOrder
  readonly recognizesRetries: boolean
  readonly keepsLeftOutFields: boolean
  readonly batchSize: number
  readonly entriesPerWrite: number
  readonly pageSize: number
  readonly versions: VersionRecorder
  readonly now: () => number
}

// At most 2 MB when it is percent-encoded in a form, which servers accept.
const charactersPerBatch = 256_000

/** Creates the sync of a replica; do not run it twice at the same time. */
export const createReplicaSync = (context: SyncContext) => {
  const { client, store, pending, view, runInOrder, recognizesRetries, batchSize, entriesPerWrite, versions } = context
  const readState = async () => ((await store.get(keys.state)) as ReplicaState | undefined) ?? initialState
  const countSending = () => pending.sending.things.size + pending.sending.tags.size
  const findKnown = async (id: string) => (await store.get(keys.thing(id))) as KnownThing | undefined

  const sources = { view, findKnown, keepsLeftOutFields: context.keepsLeftOutFields }
  const target = { store, pending, runInOrder, entriesPerWrite, versions }
  const listAll = (options: StreamOptions) =>
    runFullSync({ client, target, readState, pageSize: context.pageSize, raisesPositions: recognizesRetries }, options)
  /** Sends the edits in `sending`, if there are any, and lists the changes. */
  const exchange = async (options: StreamOptions): Promise<{ listed: number; sent: number }> => {
    const state = await readState()
    const events = client.streamSyncParts({ from: state.position, ...toUpload(pending) }, options)
    const how = { name: createRandomId(), isBlank: isBlankState(state), toState: () => isAheadOf(state) }
    const response = await applyResponse(events, { ...target, state }, how)
    const sent = await runInOrder(async () => {
      const count = countSending()
      const batch = await confirmResponse({ ...target, state }, response, recognizesRetries)
      return count - (await writeWithLostEdits(target, batch))
    })
    return { listed: response.listed, sent }
  }
  /** Prepares a safe retry of edits that were perhaps sent before. */
  const prepareRetry = async (options: StreamOptions): Promise<void> => {
    const state = await readState()
    const session = await client.findSession()
    if (recognizesRetries && session === state.sentIn) return
    const hasNew = [...pending.sending.things.values()].some(({ kind }) => kind === 'new')
    if (hasNew) await findMissingThings(client.streamSyncParts({ from: state.position }, options), { ...target, state })
    if (session === undefined) return
    await pending.write(new Map([[keys.state, { ...(await readState()), sentIn: session } satisfies ReplicaState]]))
  }
  let isTidied = false
  const deleteExpired = async (): Promise<void> => {
    if (isTidied) return
    const batch = await deleteOldVersions(store, context.now())
    if (batch.size > 0) await runInOrder(() => pending.write(batch))
    isTidied = true
  }
  return async ({ signal, onProgress }: ReplicaSyncOptions = {}): Promise<ReplicaSyncResult> => {
    const rejected = new Map<string, RejectedEdit>()
    let edits = batchSize
    let sent = 0
    let listed = 0
    let isListed = false
    let download: SyncProgress = { listed: 0, thingCount: undefined, bytes: 0 }

    const reportProgress = () => onProgress?.({ ...download, sent, toSend: sent + countPending(pending) })
    const options: StreamOptions = {
      signal,
      onProgress: (progress) => {
        download = progress
        reportProgress()
      },
    }
    const take = () =>
      runInOrder(async () => {
        const limits = { edits, characters: charactersPerBatch, heldBack: new Set(rejected.keys()) }
        const session = await client.findSession()
        const batch = await takeBatch(pending, await readState(), session, limits, sources)
        await writeWithLostEdits({ store, pending, versions }, batch)
      })
    const send = async (): Promise<void> => {
      const count = countSending()
      try {
        const exchanged = await exchange(options)
        listed += exchanged.listed
        sent += exchanged.sent
        reportProgress()
        isListed = true
        edits = Math.min(batchSize, edits * 2)
      } catch (error) {
        if (!isEditError(error) || count === 0) throw error
        // The server does not carry out a rejected request, and it also rejected the first attempt of a repeated one.
        if (count === 1)
          for (const edit of describeSending(pending, error))
            rejected.set(editKey('queued', edit.kind, edit.name), edit)
        edits = Math.max(1, Math.floor(count / 2))
        const mayBeDone = count === 1 && [...pending.sending.things.values()].some(({ kind }) => kind === 'delete')
        const batch = putBack(pending)
        // A server may reject a deletion that it has done, when the response was lost. A full sync does not list the thing.
        if (mayBeDone) batch.set(keys.state, { ...(await readState()), mustListAll: true } satisfies ReplicaState)
        await runInOrder(() => pending.write(batch))
      }
    }
    reportProgress()
    if (countSending() > 0) {
      await prepareRetry(options)
      await send()
    }
    while (true) {
      if ((await readState()).mustListAll) {
        const everything = await listAll(options)
        listed += everything.listed
        // All pages have the position of the first one, which may be out of date.
        isListed = everything.isOneResponse
      }
      // A change must set title and archived: first get the values that other devices have set meanwhile.
      if (!isListed && hasChanges(pending.queued)) await send()
      await take()
      if (countSending() === 0 && isListed) break
      await send()
    }
    const { position } = await readState()
    await deleteExpired()
    for (const [key, { kind, name }] of rejected) {
      if (kind === 'thing' && !pending.queued.things.has(name)) rejected.delete(key)
    }
    const lost = await listLostEdits(store)
    return { position, sent, listed, rejected: [...rejected.values()], lost, overwritten: versions.takeUnreported() }
  }
}

const hasChanges = ({ things }: Edits): boolean => [...things.values()].some(({ kind }) => kind === 'change')
