import type { RawRequest } from './client.ts'
import { type Pair, type UploadForm, writeUpload } from './form.ts'
import type { JsonObject } from './json.ts'

/** Tag settings as submitted (interface 2.2). */
export interface TagSettings {
  readonly favorite?: boolean
  readonly color?: string | false
  readonly todo?: boolean
}

/** Settings of a tag that was never set. */
export const off = { favorite: false, color: false, todo: false } as const satisfies TagSettings

/** Fields of a thing as submitted (interface 2.1), the ids apart. */
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
  /** How several things of one kind are written; default `array`. */
  readonly form?: UploadForm
  /** Default: GET, and POST when something is uploaded. */
  readonly method?: 'GET' | 'POST'
}

/** The parameters as they go over the wire, in the order of the interface's table. */
export const writeSync = (parameters: SyncParameters): Pair[] => {
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

/** The request of a sync, still without a token. */
export const writeSyncRequest = (parameters: SyncParameters): RawRequest => {
  const pairs = writeSync(parameters)
  const method = parameters.method ?? (isUpload(parameters) ? 'POST' : 'GET')
  return method === 'GET' ? { method, path: 'sync', query: pairs } : { method, path: 'sync', form: pairs }
}

/** The request in a few words for a message. */
export const describeSync = (parameters: SyncParameters, name: string): string => {
  const kinds = Object.entries(parameters).filter(([, value]) => Array.isArray(value) || typeof value === 'object')
  const from = parameters.from === undefined ? 'a full sync' : `a sync from ${parameters.from}`
  return `${from}${kinds.map(([kind]) => ` with ${kind}`).join('')} by ${name}`
}
