import type { RawRequest, Reply } from './client.ts'
import type { Json, JsonObject } from './encoding.ts'
import { asSetup, Finding } from './result.ts'
import {
  describeSync,
  readSyncResponse,
  type SyncParameters,
  type SyncResponse,
  type TagSettings,
  type ThingFields,
  writeSyncRequest,
} from './sync-messages.ts'

/** One device of a user. It stores nothing: the rule passes positions and IDs. */
export interface Replica {
  readonly name: string
  /** Index of the user in the target's list, from 0. */
  readonly user: number
  /** Sends a sync that is checked. @throws Finding when the response is no sync response. */
  readonly sync: (parameters?: SyncParameters) => Promise<SyncResponse>
  /** Sends a sync and resolves to any response. */
  readonly trySync: (parameters?: SyncParameters) => Promise<Reply>
  /** Sends any request with this replica's token, presented in the way that works here. */
  readonly send: (request: RawRequest) => Promise<Reply>
  readonly token: () => Promise<string>
  /** Sends a full sync in one response, which is checked. */
  readonly listAll: () => Promise<SyncResponse>
  /** Returns the current position. Like every function below a setup step: a failure blocks the rule. */
  readonly position: () => Promise<number>
  /** Creates a thing, with a new title and client-assigned ID when none is given; resolves to its ID. */
  readonly create: (fields?: ThingFields) => Promise<string>
  /** Creates things, up to 10 in one request; resolves to their IDs in the same order. */
  readonly createMany: (list: readonly ThingFields[]) => Promise<string[]>
  /** Changes a thing, with a new title when none is given; the server may keep or clear other fields. */
  readonly change: (id: string, fields?: ThingFields) => Promise<SyncResponse>
  readonly remove: (...ids: string[]) => Promise<SyncResponse>
  readonly setTag: (name: string, settings: TagSettings) => Promise<SyncResponse>
}

/** The parts of a lab that a replica uses. */
export interface ReplicaParts {
  readonly name: string
  readonly user: number
  /** Returns a text that no other thing of the run has. */
  readonly unique: () => string
  /** Returns the latest position that the user got in this run: an incremental sync from there is short. */
  readonly latest: () => number | undefined
  readonly send: (request: RawRequest) => Promise<Reply>
  readonly token: () => Promise<string>
}

/** Maximum number of things in one request; how many a server accepts at once is its own choice (interface 8). */
export const maxBatch = 10

/** Creates a replica. */
export const createReplica = ({ name, user, unique, latest, send, token }: ReplicaParts): Replica => {
  const trySync = (parameters: SyncParameters = {}): Promise<Reply> => send(writeSyncRequest(parameters))
  const sync = async (parameters: SyncParameters = {}): Promise<SyncResponse> =>
    readSyncResponse(await trySync(parameters), describeSync(parameters, name))

  const fromLatest = (): SyncParameters => {
    const from = latest()
    return from === undefined ? {} : { from }
  }

  // Uploads are sent from a late position: a full sync in each response would make large accounts slow.
  const upload = (what: string, parameters: SyncParameters): Promise<SyncResponse> =>
    asSetup(what, () => sync({ ...fromLatest(), ...parameters }))

  const createBatch = async (list: readonly ThingFields[]): Promise<string[]> => {
    const things = list.map((fields): JsonObject & { local_id: string } => {
      const localId = unique()
      return { local_id: localId, title: localId, ...(fields as Record<string, Json>) }
    })
    const response = await upload(`creating ${list.length === 1 ? 'a thing' : `${list.length} things`}`, {
      new_thing: things,
    })
    return asSetup('creating things', async () =>
      things.map(({ local_id: localId }) => {
        const id = response.created.get(localId)
        if (id !== undefined) return id
        throw new Finding(`things.new with an entry for local_id ${localId}`, 'there is none', response.exchange)
      }),
    )
  }

  const createMany = async (list: readonly ThingFields[]): Promise<string[]> => {
    const ids: string[] = []
    for (let start = 0; start < list.length; start += maxBatch) {
      ids.push(...(await createBatch(list.slice(start, start + maxBatch))))
    }
    return ids
  }

  return {
    name,
    user,
    sync,
    trySync,
    send,
    token,
    listAll: () => sync(),
    position: async () => {
      const { pos } = await asSetup('asking for the position', () => sync(fromLatest()))
      // A new account may have position 0, and from=0 requests a full sync: an incremental sync needs a later position.
      if (pos !== 0) return pos
      await trySync({ new_thing: [{ local_id: unique(), title: unique() }] })
      return (await asSetup('asking for the position', () => sync())).pos
    },
    create: async (fields = {}) => (await createMany([fields]))[0] ?? '',
    createMany,
    change: (id, fields = {}) =>
      upload(`changing thing ${id}`, {
        changed_thing: [{ _id: id, title: unique(), ...(fields as Record<string, Json>) }],
      }),
    remove: (...ids) => upload(`deleting ${ids.join(', ')}`, { deleted_thing: ids }),
    setTag: (tag, settings) => upload(`setting tag ${tag}`, { tag: { [tag]: settings } }),
  }
}
