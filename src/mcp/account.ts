import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClientError, isClientError } from '../../client/src/client-error.ts'
import { type Client, createClient } from '../../client/src/create-client.ts'
import type { LocalStore } from '../../client/src/local-store.ts'
import { createReplica, type Replica } from '../../client/src/replica.ts'
import {
  keys,
  type ReplicaEdit,
  type ReplicaFields,
  type ReplicaState,
  type ReplicaThing,
} from '../../client/src/replica-records.ts'
import type { ReplicaSyncResult } from '../../client/src/replica-sync.ts'
import type { TokenStorage } from '../../client/src/tokens.ts'
import { createItemIndex, type ItemIndex } from './search-items.ts'

/** The result of a call that failed for a reason that the user or the assistant can change: a sentence for them. */
export class ToolProblem extends Error {
  override readonly name = 'ToolProblem'
}

/** How old the copy of the items is. */
export interface CopyState {
  /** The time of the last sync of this program, in milliseconds since 1970; undefined before the first one. */
  readonly syncedAt: number | undefined
  /** Why the copy may be out of date; undefined when it is not. */
  readonly problem: string | undefined
}

/** An edit that was made: on the server, or in the replica until the server can be reached. */
export interface SavedEdit {
  /** The id of the item, the one of the server if it has one. */
  readonly id: string
  /** Why the edit still waits; undefined when the server has it. */
  readonly waitsBecause: string | undefined
}

/** The items of one user, as the tools use them. */
export interface Account {
  readonly replica: Replica
  readonly index: ItemIndex
  /**
   * Syncs when the last sync is older than ten seconds. It waits a moment for the server, and shorter for a server
   * that could not be reached before. Before the first sync there is nothing to show, so it waits longer.
   * @throws ToolProblem when the server rejects the token, or when there is no copy of the items yet
   */
  readonly refresh: () => Promise<CopyState>
  /**
   * Makes an edit in the replica and sends it. Undoes it when the server rejects it.
   * @throws ToolProblem when the server rejects the edit or the token, or when the item is deleted
   */
  readonly save: (edit: ReplicaEdit) => Promise<SavedEdit>
  /** Starts the first sync, without waiting for it. */
  readonly begin: () => void
  /** Ends requests that are under way. */
  readonly close: () => Promise<void>
}

/** The waiting times of an account, in milliseconds. Tests shorten them. */
export interface AccountTimes {
  /** Age of the last sync from which on a search syncs again. */
  readonly freshFor: number
  /** Maximum wait of a search for the server. */
  readonly searchWait: number
  /** Maximum wait of a search for a server that could not be reached before. */
  readonly retryWait: number
  /** Maximum wait of a search for the first copy of the items. */
  readonly firstWait: number
  /** Maximum wait of an edit for the server. */
  readonly saveWait: number
  /** A sync that receives nothing for so long has failed. */
  readonly silence: number
}

const defaultTimes: AccountTimes = {
  freshFor: 10_000,
  searchWait: 2_000,
  retryWait: 200,
  firstWait: 25_000,
  saveWait: 10_000,
  silence: 30_000,
}

const maxRejectedIds = 10

/** Creates a storage with a personal access token, which never changes and cannot be refreshed. */
const createFixedTokens = (token: string): TokenStorage => {
  const session = hashToken(token).slice(0, 22)
  const tokens = { accessToken: token, requestToken: '', session, expiresAt: Number.POSITIVE_INFINITY }
  return { read: async () => tokens, write: async () => undefined, clear: async () => undefined }
}

/** Returns the SHA-256 hash of a token as base64url, which tells two tokens apart without holding them. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url')

/**
 * Creates the client of a personal access token. `baseUrl` is the URL of the API, which ends in `/v1/`. A token that
 * the server rejects throws ClientError `signed_out`.
 */
export const createTokenClient = (baseUrl: string, token: string): Client =>
  createClient({
    baseUrl,
    clientId: 'personal access token',
    tokens: createFixedTokens(token),
    fetch: async (request, init) =>
      // The client wants to refresh a token that the server rejected. There is nothing to refresh it with.
      new URL(request.url).pathname.endsWith('/token')
        ? Response.json({ error: 'invalid_grant', error_description: 'the token was rejected' }, { status: 400 })
        : fetch(request, init),
  })

/** Describes an error of the client in one sentence. */
export const describeClientError = ({ code, description, error, message }: ClientError): string => {
  if (code === 'network') return 'the server cannot be reached'
  if (code === 'signed_out')
    return 'the server rejects the token: it is wrong, expired or revoked; create another one on the page of the server'
  if (code === 'rejected') return `the server responded with ${error}: ${description}`
  return message
}

/**
 * Opens the items of the user in a local store. It requests nothing yet.
 * `onFault` receives errors of the program that no tool call waits for.
 */
export const openAccount = async (
  client: Client,
  store: LocalStore,
  onFault: (fault: unknown) => void,
  times: AccountTimes = defaultTimes,
): Promise<Account> => {
  const replica = await createReplica({ client, store })
  const index = createItemIndex(replica)
  const ending = new AbortController()
  const state = (await store.get(keys.state)) as ReplicaState | undefined
  let hasCopy = state !== undefined && (state.position > 0 || !state.mustListAll)
  let syncedAt: number | undefined
  let syncedTick: number | undefined
  let failure: ClientError | undefined
  let rejected: ReadonlyMap<string, ClientError> = new Map()
  let running: Promise<void> | undefined
  let startedTick = 0
  let lastResult: ReplicaSyncResult | undefined

  /** Syncs once. It keeps an error of the client in `failure`, and throws every other error. */
  const syncOnce = async (): Promise<void> => {
    const silent = new AbortController()
    const cut = () => silent.abort(new ClientError('network', 'the server sent nothing for too long'))
    const timer = setTimeout(cut, times.silence)
    try {
      const signal = AbortSignal.any([silent.signal, ending.signal])
      lastResult = await replica.sync({ signal, onProgress: () => void timer.refresh() })
      rejected = new Map(lastResult.rejected.map(({ name, error }) => [name, error]))
      failure = undefined
      hasCopy = true
      syncedAt = Date.now()
      syncedTick = performance.now()
    } catch (error) {
      if (!isClientError(error)) throw error
      failure = error
    } finally {
      clearTimeout(timer)
    }
  }
  const startSync = (): Promise<void> => {
    const mine = syncOnce().finally(() => {
      if (running === mine) running = undefined
    })
    running = mine
    startedTick = performance.now()
    // A call may stop waiting for it.
    mine.catch((fault: unknown) => {
      if (!ending.signal.aborted) onFault(fault)
    })
    return mine
  }
  /** Waits for a sync at most so long. Returns false when it goes on. */
  const waitFor = async (work: Promise<void>, milliseconds: number): Promise<boolean> => {
    const over = new AbortController()
    try {
      const pause = sleep(milliseconds, false, { signal: over.signal }).catch(() => false)
      return await Promise.race([work.then(() => true), pause])
    } finally {
      over.abort()
    }
  }
  const throwIfSignedOut = (): void => {
    if (failure?.code === 'signed_out') throw new ToolProblem(describeClientError(failure))
  }
  /** Edits that were made without the server, and that it rejects, stay in the replica until a tool changes the item. */
  const describeRejected = (): string | undefined => {
    const [first] = rejected.values()
    const ids = [...rejected.keys()].slice(0, maxRejectedIds).join(', ')
    return first && `the server rejects edits of these items: ${ids}; ${describeClientError(first)}`
  }
  const describeCopy = (isRunning: boolean): CopyState => {
    const isFresh = syncedTick !== undefined && performance.now() - syncedTick < times.freshFor
    const slow = isRunning && !isFresh ? 'the server did not respond yet' : undefined
    const problem = failure === undefined ? (slow ?? describeRejected()) : describeClientError(failure)
    return { syncedAt, problem }
  }
  const refresh = async (): Promise<CopyState> => {
    throwIfSignedOut()
    if (syncedTick !== undefined && performance.now() - syncedTick < times.freshFor && failure === undefined)
      return describeCopy(false)
    const left = failure === undefined ? times.searchWait : times.retryWait
    const sync = running ?? startSync()
    const wait = hasCopy ? Math.max(0, left - (performance.now() - startedTick)) : times.firstWait
    const isDone = await waitFor(sync, wait)
    if (isDone) throwIfSignedOut()
    if (hasCopy) return describeCopy(!isDone)
    throw new ToolProblem(
      isDone && failure !== undefined
        ? `there is no copy of the items yet, and ${describeClientError(failure)}`
        : 'the items are still being downloaded; try again in a moment',
    )
  }
  /** Returns the edit that brings back what an edit has replaced; undefined where there is none. */
  const reverse = (id: string, edit: ReplicaEdit, before: ReplicaThing | undefined): ReplicaEdit | undefined => {
    if (edit.kind === 'create') return { kind: 'remove', id }
    if (edit.kind !== 'change' || before === undefined) return undefined
    const all: ReplicaFields = { ...before, url: before.url ?? '', html: before.html ?? '' }
    const names = Object.keys(edit.fields) as (keyof ReplicaFields)[]
    return { kind: 'change', id, fields: Object.fromEntries(names.map((name) => [name, all[name]])) }
  }
  const save = async (edit: ReplicaEdit): Promise<SavedEdit> => {
    throwIfSignedOut()
    const before = 'id' in edit ? await replica.findThing(edit.id) : undefined
    const [created] = await replica.editAll([edit])
    const id = created ?? before?.id ?? ''
    const wasSilent = failure?.code === 'network'
    // Always a new one: the sync that is under way may have begun before the edit.
    const isDone = await waitFor(startSync(), wasSilent ? times.searchWait : times.saveWait)
    if (!isDone) return { id, waitsBecause: 'the server did not respond yet' }
    throwIfSignedOut()
    if (failure !== undefined) return { id: await replica.resolveId(id), waitsBecause: describeClientError(failure) }
    const rejection = rejected.get(id)
    if (rejection !== undefined) {
      const back = reverse(id, edit, before)
      if (back !== undefined) await replica.editAll([back])
      rejected = new Map([...rejected].filter(([name]) => name !== id))
      throw new ToolProblem(`nothing was changed: ${describeClientError(rejection)}`)
    }
    if (edit.kind === 'change' && lastResult?.lost.some((lost) => lost.id === id)) {
      await replica.forgetLostEdit(id)
      throw new ToolProblem('nothing was changed: another device has deleted this item')
    }
    return { id: await replica.resolveId(id), waitsBecause: undefined }
  }
  return {
    replica,
    index,
    refresh,
    save,
    begin: () => void startSync(),
    close: async () => {
      ending.abort(new ClientError('network', 'the program ends'))
      await running?.catch(() => undefined)
    },
  }
}
