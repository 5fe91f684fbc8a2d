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
  blankThing,
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
  type RefusedEdit,
  takeBatch,
  toUpload,
} from './upload.ts'

/**
 * Finds which of the new things that are `sending` the server has, although no answer said so: a listed thing that was
 * not known before and says exactly what was sent. Whatever is found is given its `_id` and is not sent again. For
 * uploads that the server cannot recognise as repeated by their local ids, because the session is another (contract,
 * sync 7) or the server is one that keeps the interface and nothing else.
 */
const findMissingThings = async (parts: AsyncIterable<readonly SyncEvent[]>, target: ApplyTarget): Promise<void> => {
  const { store, pending, inTurn, state } = target
  const wanted = new Map<string, string[]>()
  for (const [localId, edit] of pending.sending.things) {
    if (edit.kind !== 'new') continue
    const content = toComparable(applyFields(blankThing, edit.fields))
    wanted.set(content, [...(wanted.get(content) ?? []), localId])
  }
  const found = new Map<string, KnownThing>()
  const ids = new Map<string, string>()
  const take = async (event: SyncEvent): Promise<void> => {
    if (event.kind !== 'changed') return
    const known = (await store.get(keys.thing(event.thing._id))) as KnownThing | undefined
    // What a broken answer to the lost upload has told of already is new all the same.
    if (known !== undefined && known.knownAfter < state.position) return
    const thing = toKnown(event.thing, '', state.position, known)
    const localId = wanted.get(toComparable(thing))?.shift()
    if (localId === undefined) return
    found.set(localId, thing)
    ids.set(localId, event.thing._id)
  }
  for await (const part of parts) for (const event of part) await take(event)
  if (found.size === 0) return
  await inTurn(async () => {
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

/** Everything that every listing shows of a thing; some servers keep dates in whole seconds. */
const toComparable = ({ todoStatus: _, ...thing }: ThingContent): string =>
  JSON.stringify(
    fieldNames.map((name) =>
      name === 'date' ? Math.floor(thing.date) : name === 'todoStatus' ? null : (thing[name] ?? null),
    ),
  )

/** What a full listing did. */
interface FullSync {
  /** What this call was told; less than there is when it went on with a listing. */
  readonly listed: number
  /** Whether one request gave it all, so that it is as new as can be. */
  readonly isOneAnswer: boolean
}

interface ListingContext {
  readonly client: Pick<Client, 'streamSyncParts'>
  readonly target: Omit<ApplyTarget, 'state'>
  readonly readState: () => Promise<ReplicaState>
  readonly pageSize: number
  /** Whether positions that are far ahead say that the server was restored. */
  readonly raisesPositions: boolean
}

/** How often pages that do not fit together are begun again, before everything is asked for in one answer. */
const maxBegun = 3

/**
 * Takes over all things of the account (interface 4.3, rule 1), in pages, and notes with what it writes how far it has
 * come: a listing that was cut off goes on there. All pages have the position of the first one (contract, sync 6); where
 * the server cannot go on, everything is listed from the beginning. What waits to be sent is never touched.
 */
const runFullSync = async (
  { client, target, readState, pageSize, raisesPositions }: ListingContext,
  options: StreamOptions,
): Promise<FullSync> => {
  let told = 0
  let bytes = 0
  let bytesOfPage = 0

  /** Tells the progress of a page as that of the whole listing. */
  const addUp = (before: number): StreamOptions => ({
    ...options,
    onProgress: (page) => {
      bytesOfPage = page.bytes
      options.onProgress?.({ ...page, listed: before + page.listed, bytes: bytes + page.bytes })
    },
  })
  const confirm = (answer: AppliedResponse, state: ReplicaState, how: { isBlank: boolean; saysTags: boolean }) =>
    target.inTurn(async () => {
      const batch = await confirmFullSync({ ...target, state }, answer, how)
      const areLastCopies = state.hasLastCopies === true || isRolledBack(state, answer, raisesPositions)
      await writeWithLostEdits(target, batch, areLastCopies)
    })
  const write = (batch: Batch, state: ReplicaState) =>
    target.inTurn(() => writeWithLostEdits(target, batch.set(keys.state, state)))
  /** False when the pages do not fit together. */
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
      told += page.listed
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
  for (let tries = 0; tries < maxBegun; tries++) {
    const isNew = (await readState()).listing === undefined
    if (await listPages()) return { listed: told, isOneAnswer: isNew && told <= pageSize }
    // It begins anew, on top of what it has already.
    await write(new Map(), isAheadOf(await readState()))
  }
  const state = await readState()
  const how = { name: createRandomId(), isBlank: false, toState: () => isAheadOf(state) }
  const answer = await applyResponse(client.streamSyncParts({}, options), { ...target, state }, how)
  await confirm(answer, state, { isBlank: false, saysTags: true })
  return { listed: told + answer.listed, isOneAnswer: true }
}

/** Settings of tags are shown as soon as the first things are. */
const withTags = (batch: Batch, tags: ReadonlyMap<string, TagSettings>): Batch => {
  for (const [name, settings] of tags) batch.set(keys.tag(name), settings)
  return batch
}

/** How far a sync has come: the download is that of the current answer. */
export interface ReplicaSyncProgress extends SyncProgress {
  /** Things and tags whose edits the server has confirmed in this sync. */
  readonly sent: number
  /** Those, and what waits to be sent now. */
  readonly toSend: number
}

/** What may be told to a sync. */
export interface ReplicaSyncOptions {
  readonly signal?: AbortSignal | undefined
  /** Called when it begins, after each chunk of an answer, and after each upload. */
  readonly onProgress?: ((progress: ReplicaSyncProgress) => void) | undefined
}

/** What a sync did. */
export interface ReplicaSyncResult {
  readonly position: number
  /** Things and tags whose edits the server confirmed. */
  readonly sent: number
  /** Changed things and deleted ids that it listed. */
  readonly listed: number
  /** Edits that the server does not take, one by one; they stay as they are until they are changed or removed. */
  readonly refused: readonly RefusedEdit[]
  /** Edits of things that are gone, of this sync and of earlier ones, until `forgetLostEdit` is called for each. */
  readonly lost: readonly LostEdit[]
  /**
   * What was sent from here and another device has replaced or deleted since, as this sync and failed ones before it saw
   * it; `listVersions` and `restoreVersion` have it, too.
   */
  readonly overwritten: readonly ThingVersion[]
}

interface SyncContext {
  readonly client: Pick<Client, 'streamSyncParts' | 'findSession'>
  readonly store: LocalStore
  readonly pending: PendingEdits
  readonly view: ReplicaView
  readonly inTurn: RunInOrder
  readonly recognisesRetries: boolean
  readonly batchSize: number
  readonly entriesPerWrite: number
  readonly pageSize: number
  readonly versions: VersionRecorder
  readonly now: () => number
}

// Percent-encoded in a form this is 2 MB at most, which servers take.
const charactersPerBatch = 256_000

/** The sync of a replica; never run twice at the same time. */
export const createReplicaSync = (context: SyncContext) => {
  const { client, store, pending, view, inTurn, recognisesRetries, batchSize, entriesPerWrite, versions } = context
  const readState = async () => ((await store.get(keys.state)) as ReplicaState | undefined) ?? initialState
  const countSending = () => pending.sending.things.size + pending.sending.tags.size
  const findKnown = async (id: string) => (await store.get(keys.thing(id))) as KnownThing | undefined

  const target = { store, pending, inTurn, entriesPerWrite, versions }
  const listAll = (options: StreamOptions) =>
    runFullSync({ client, target, readState, pageSize: context.pageSize, raisesPositions: recognisesRetries }, options)
  /** Sends what is `sending`, if anything, and lists what changed. */
  const exchange = async (options: StreamOptions): Promise<{ listed: number; sent: number }> => {
    const state = await readState()
    const events = client.streamSyncParts({ from: state.position, ...toUpload(pending) }, options)
    const how = { name: createRandomId(), isBlank: isBlankState(state), toState: () => isAheadOf(state) }
    const answer = await applyResponse(events, { ...target, state }, how)
    const sent = await inTurn(async () => {
      const count = countSending()
      const batch = await confirmResponse({ ...target, state }, answer, recognisesRetries)
      return count - (await writeWithLostEdits(target, batch))
    })
    return { listed: answer.listed, sent }
  }
  /** Prepares what was perhaps sent before to be sent again. */
  const prepareRetry = async (options: StreamOptions): Promise<void> => {
    const state = await readState()
    const session = await client.findSession()
    if (recognisesRetries && session === state.sentIn) return
    const hasNew = [...pending.sending.things.values()].some(({ kind }) => kind === 'new')
    if (hasNew) await findMissingThings(client.streamSyncParts({ from: state.position }, options), { ...target, state })
    if (session === undefined) return
    await pending.write(new Map([[keys.state, { ...(await readState()), sentIn: session } satisfies ReplicaState]]))
  }
  let isTidied = false
  const forgetOld = async (): Promise<void> => {
    if (isTidied) return
    const batch = await deleteOldVersions(store, context.now())
    if (batch.size > 0) await inTurn(() => pending.write(batch))
    isTidied = true
  }
  return async ({ signal, onProgress }: ReplicaSyncOptions = {}): Promise<ReplicaSyncResult> => {
    const refused = new Map<string, RefusedEdit>()
    let edits = batchSize
    let sent = 0
    let listed = 0
    let isListed = false
    let download: SyncProgress = { listed: 0, thingCount: undefined, bytes: 0 }

    const tellProgress = () => onProgress?.({ ...download, sent, toSend: sent + countPending(pending) })
    const options: StreamOptions = {
      signal,
      onProgress: (progress) => {
        download = progress
        tellProgress()
      },
    }
    const take = () =>
      inTurn(async () => {
        const limits = { edits, characters: charactersPerBatch, heldBack: new Set(refused.keys()) }
        const session = await client.findSession()
        const batch = await takeBatch(pending, await readState(), session, limits, { view, findKnown })
        await writeWithLostEdits({ store, pending, versions }, batch)
      })
    const send = async (): Promise<void> => {
      const count = countSending()
      try {
        const exchanged = await exchange(options)
        listed += exchanged.listed
        sent += exchanged.sent
        tellProgress()
        isListed = true
        edits = Math.min(batchSize, edits * 2)
      } catch (error) {
        if (!isEditError(error) || count === 0) throw error
        // A refused request was not carried out, and the first attempt of a repeated one was refused in the same way.
        if (count === 1)
          for (const one of describeSending(pending, error)) refused.set(editKey('queued', one.kind, one.name), one)
        edits = Math.max(1, Math.floor(count / 2))
        await inTurn(() => pending.write(putBack(pending)))
      }
    }
    tellProgress()
    await forgetOld()
    if (countSending() > 0) {
      await prepareRetry(options)
      await send()
    }
    while (true) {
      if ((await readState()).mustListAll) {
        const everything = await listAll(options)
        listed += everything.listed
        // Pages are all of the position of the first one, which may be a while ago.
        isListed = everything.isOneAnswer
      }
      // A change has to say title and archived: let it say those that others have set meanwhile.
      if (!isListed && hasChanges(pending.queued)) await send()
      await take()
      if (countSending() === 0 && isListed) break
      await send()
    }
    const { position } = await readState()
    const lost = await listLostEdits(store)
    return { position, sent, listed, refused: [...refused.values()], lost, overwritten: versions.takeUntold() }
  }
}

const hasChanges = ({ things }: Edits): boolean => [...things.values()].some(({ kind }) => kind === 'change')
