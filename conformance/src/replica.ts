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

/** What one device of a user does. It keeps nothing: positions and ids are passed by hand. */
export interface Replica {
  readonly name: string
  /** Place of the user in the target's list, from 0. */
  readonly user: number
  /** Sends a sync that is judged: a Finding when the answer is no sync answer. */
  readonly sync: (parameters?: SyncParameters) => Promise<SyncResponse>
  /** Sends a sync and gives back whatever came. */
  readonly trySync: (parameters?: SyncParameters) => Promise<Reply>
  /** Sends any request with this replica's token presented the way that works here. */
  readonly send: (request: RawRequest) => Promise<Reply>
  readonly token: () => Promise<string>
  /** A judged full listing, in one answer. */
  readonly listAll: () => Promise<SyncResponse>
  /** The current position. A preparing step: a failure blocks the rule, as with every function below. */
  readonly position: () => Promise<number>
  /** Creates a thing, title and local id made up when not given; its id. */
  readonly create: (fields?: ThingFields) => Promise<string>
  /** Creates things, up to 10 in one request; their ids in the same order. */
  readonly createMany: (list: readonly ThingFields[]) => Promise<string[]>
  /** Changes a thing; fields left out may be kept or cleared, title is made up. */
  readonly change: (id: string, fields?: ThingFields) => Promise<SyncResponse>
  readonly remove: (...ids: string[]) => Promise<SyncResponse>
  readonly setTag: (name: string, settings: TagSettings) => Promise<SyncResponse>
}

/** What a replica needs from its lab. */
export interface ReplicaParts {
  readonly name: string
  readonly user: number
  /** A text that no other thing of the run has. */
  readonly unique: () => string
  /** The latest position that the user was given in this run: a delta from there is short. */
  readonly latest: () => number | undefined
  readonly send: (request: RawRequest) => Promise<Reply>
  readonly token: () => Promise<string>
}

/** Things in one request; how many a server takes at once is its own choice (interface 8). */
export const maxBatch = 10

/** Makes a replica. */
export const createReplica = ({ name, user, unique, latest, send, token }: ReplicaParts): Replica => {
  const trySync = (parameters: SyncParameters = {}): Promise<Reply> => send(writeSyncRequest(parameters))
  const sync = async (parameters: SyncParameters = {}): Promise<SyncResponse> =>
    readSyncResponse(await trySync(parameters), describeSync(parameters, name))

  const short = (): SyncParameters => {
    const from = latest()
    return from === undefined ? {} : { from }
  }

  // Uploads are sent from a late position: a full listing in each answer would make large accounts slow.
  const upload = (what: string, parameters: SyncParameters): Promise<SyncResponse> =>
    asSetup(what, () => sync({ ...short(), ...parameters }))

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
      const { pos } = await asSetup('asking for the position', () => sync(short()))
      // A new account may stand at 0, and from=0 asks for everything: a delta needs a later position.
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
