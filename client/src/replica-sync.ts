import { confirmAnswer } from './confirm-upload.ts'
import type { Client } from './create-client.ts'
import { findLostThings } from './find-lost-things.ts'
import { foldAnswer, isAheadOf, isBlankState } from './fold-answer.ts'
import { listEverything } from './list-everything.ts'
import type { LocalStore } from './local-store.ts'
import { type LostEdit, listLostEdits, writeKeepingLost } from './lost-edits.ts'
import { countPending, type Edits, type PendingEdits } from './pending-edits.ts'
import { createRandomId } from './random-id.ts'
import { describeSending, isRefusalOfEdits, putBack, type RefusedEdit } from './refused-edits.ts'
import { editKey, initialState, type KnownThing, keys, type ReplicaState } from './replica-records.ts'
import type { ReplicaView } from './replica-view.ts'
import type { StreamOptions, SyncProgress } from './sync-events.ts'
import type { InTurn } from './turns.ts'
import { takeBatch, toUpload } from './upload-batch.ts'
import { forgetOldVersions, type ThingVersion, type VersionKeeper } from './versions.ts'

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
  readonly inTurn: InTurn
  readonly recognisesRetries: boolean
  readonly batchSize: number
  readonly entriesPerWrite: number
  readonly pageSize: number
  readonly versions: VersionKeeper
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
    listEverything(
      { client, target, readState, pageSize: context.pageSize, raisesPositions: recognisesRetries },
      options,
    )
  /** Sends what is `sending`, if anything, and lists what changed. */
  const exchange = async (options: StreamOptions): Promise<{ listed: number; sent: number }> => {
    const state = await readState()
    const events = client.streamSyncParts({ from: state.position, ...toUpload(pending) }, options)
    const how = { name: createRandomId(), isBlank: isBlankState(state), toState: () => isAheadOf(state) }
    const answer = await foldAnswer(events, { ...target, state }, how)
    const sent = await inTurn(async () => {
      const count = countSending()
      const batch = await confirmAnswer({ ...target, state }, answer, recognisesRetries)
      return count - (await writeKeepingLost(target, batch))
    })
    return { listed: answer.listed, sent }
  }
  /** Prepares what was perhaps sent before to be sent again. */
  const prepareRetry = async (options: StreamOptions): Promise<void> => {
    const state = await readState()
    const session = await client.findSession()
    if (recognisesRetries && session === state.sentIn) return
    const hasNew = [...pending.sending.things.values()].some(({ kind }) => kind === 'new')
    if (hasNew) await findLostThings(client.streamSyncParts({ from: state.position }, options), { ...target, state })
    if (session === undefined) return
    await pending.write(new Map([[keys.state, { ...(await readState()), sentIn: session } satisfies ReplicaState]]))
  }
  let isTidied = false
  const forgetOld = async (): Promise<void> => {
    if (isTidied) return
    const batch = await forgetOldVersions(store, context.now())
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
        await writeKeepingLost({ store, pending, versions }, batch)
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
        if (!isRefusalOfEdits(error) || count === 0) throw error
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
