import type { RawRequest, Reply } from './client.ts'
import {
  isObject,
  type Json,
  type JsonObject,
  listOf,
  type Pair,
  showValue,
  type UploadForm,
  writeUpload,
} from './encoding.ts'
import { type Exchange, Finding } from './result.ts'

/** Tag settings as submitted (interface 2.2). */
export interface TagSettings {
  readonly favorite?: boolean
  readonly color?: string | false
  readonly todo?: boolean
}

/** Default settings of a tag. */
export const off = { favorite: false, color: false, todo: false } as const satisfies TagSettings

/** Fields of a thing as submitted, without IDs (interface 2.1). */
export interface ThingFields {
  readonly title?: string
  readonly tags?: string
  readonly date?: number
  readonly url?: string
  readonly html?: string
  readonly archived?: boolean
  readonly todoStatus?: boolean
}

/** Parameters of sync (interface 4.3). */
export interface SyncParameters {
  readonly from?: number
  readonly skip?: number
  readonly limit?: number
  readonly new_thing?: readonly JsonObject[]
  readonly changed_thing?: readonly JsonObject[]
  readonly deleted_thing?: readonly string[]
  readonly tag?: Readonly<Record<string, TagSettings>>
  readonly skip_id?: readonly string[]
  /** Form of several things of one kind; default `array`. */
  readonly form?: UploadForm
  /** Default: POST with an upload, else GET. */
  readonly method?: 'GET' | 'POST'
}

/** Writes the parameters as they go over the wire, in the order of the interface's table. */
const writeSync = (parameters: SyncParameters): Pair[] => {
  const number = (name: 'from' | 'skip' | 'limit'): Pair[] => {
    const value = parameters[name]
    return value === undefined ? [] : [[name, String(value)]]
  }
  const { form } = parameters
  return [
    ...number('from'),
    ...number('skip'),
    ...number('limit'),
    ...writeUpload('new_thing', parameters.new_thing ?? [], form),
    ...writeUpload('changed_thing', parameters.changed_thing ?? [], form),
    ...writeUpload('deleted_thing', parameters.deleted_thing ?? [], form),
    ...Object.entries(parameters.tag ?? {}).map(([name, settings]): Pair => [`tag[${name}]`, JSON.stringify(settings)]),
    ...writeUpload('skip_id', parameters.skip_id ?? [], form),
  ]
}

const isUpload = (parameters: SyncParameters): boolean =>
  [parameters.new_thing, parameters.changed_thing, parameters.deleted_thing, parameters.tag].some(
    (part) => part !== undefined,
  )

/** Writes the request of a sync, without a token. */
export const writeSyncRequest = (parameters: SyncParameters): RawRequest => {
  const pairs = writeSync(parameters)
  const method = parameters.method ?? (isUpload(parameters) ? 'POST' : 'GET')
  return method === 'GET' ? { method, path: 'sync', query: pairs } : { method, path: 'sync', form: pairs }
}

/** Describes the request in a few words for a message. */
export const describeSync = (parameters: SyncParameters, name: string): string => {
  const kinds = Object.entries(parameters).filter(([, value]) => Array.isArray(value) || typeof value === 'object')
  const from = parameters.from === undefined ? 'a full sync' : `a sync from ${parameters.from}`
  return `${from}${kinds.map(([kind]) => ` with ${kind}`).join('')} by ${name}`
}

/** A sync response (interface 4.3), read leniently: missing or wrong values read as empty; `json` has the original. */
export interface SyncResponse {
  readonly pos: number
  readonly json: JsonObject
  /** `things.new`: server ID by client-assigned ID. */
  readonly created: ReadonlyMap<string, string>
  /** `things.changed` by ID, as received; of a thing listed twice, the last one. */
  readonly things: ReadonlyMap<string, JsonObject>
  /** IDs of `things.changed` in the order listed, repetitions included. */
  readonly changed: readonly string[]
  readonly deleted: readonly string[]
  readonly tags: ReadonlyMap<string, JsonObject>
  readonly reply: Reply
  readonly exchange: Exchange
}

const entriesOf = (value: Json | undefined): [string, Json][] => (isObject(value) ? Object.entries(value) : [])
const idOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined
const isId = (id: string | undefined): id is string => id !== undefined

/** Whether the reply is a sync response: a JSON object with a numeric position and no error. */
export const isSyncResponse = (reply: Reply): boolean =>
  reply.error === undefined && typeof reply.json?.pos === 'number' && reply.status < 400

const describeFailure = (reply: Reply): string => {
  if (!reply.isUtf8) return `${reply.status} with a body that is not UTF-8`
  if (reply.json === undefined)
    return `${reply.status} with a body that is not a JSON object: ${showValue(reply.text, 200)}`
  return `${reply.status} ${showValue(reply.json)}`
}

/** Reads a sync response. @throws Finding when the reply is no sync response. */
export const readSyncResponse = (reply: Reply, what: string): SyncResponse => {
  const json = reply.json
  const pos = json?.pos
  if (json === undefined || typeof pos !== 'number' || !isSyncResponse(reply)) {
    throw new Finding(`${what} to get a JSON object with a numeric pos`, describeFailure(reply), reply.exchange)
  }
  const things = isObject(json.things) ? json.things : {}
  const listed = listOf(things.changed).filter(isObject)
  const changed = listed.flatMap((thing): [string, JsonObject][] => {
    const id = idOf(thing._id)
    return id === undefined ? [] : [[id, thing]]
  })
  return {
    pos,
    json,
    created: new Map(
      entriesOf(things.new).flatMap(([localId, id]): [string, string][] => {
        const text = idOf(id)
        return text === undefined ? [] : [[localId, text]]
      }),
    ),
    things: new Map(changed),
    changed: changed.map(([id]) => id),
    deleted: listOf(things.deleted).map(idOf).filter(isId),
    tags: new Map(entriesOf(json.tags).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))),
    reply,
    exchange: reply.exchange,
  }
}
