import type { Reply } from '../client.ts'
import { type Json, type JsonObject, type Pair, writeUpload } from '../encoding.ts'
import type { Exchange } from '../result.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import type { ListStep, PagesStep, ReplicaName, TagVersion, UploadStep, Version } from './plan.ts'

/** The fields of a thing that histories compare. `todoStatus` depends on tag settings and is left out. */
export interface Fields {
  readonly title: string
  readonly tags: string
  readonly archived: boolean
  readonly url: string | undefined
  readonly html: string | undefined
  /** Undefined at the replica that created a thing without a date. */
  readonly date: number | undefined
}

/** Returns the title of one version; it identifies the version wherever it is listed. */
export const titleOf = (version: Version, mark: string): string =>
  version.number === 1 ? `${mark} ${version.thing}` : `${mark} ${version.thing} ${version.number}`

/** Returns the fields of one version, with every field that the thing ever had: an omitted field's effect is open. */
export const fieldsOf = (version: Version, mark: string): Fields => {
  const word = `${version.thing}-${version.number}`
  return {
    title: titleOf(version, mark),
    tags: version.number % 2 === 1 ? mark : `${mark} ${mark}-again`,
    archived: version.archived,
    url: version.rich ? `https://example.org/${word}` : undefined,
    html: version.rich ? `note ${word}` : undefined,
    date: version.rich ? 1_600_000_000 : undefined,
  }
}

/** Returns the fields as an upload submits them (interface 2.1). */
const submittedFields = (version: Version, mark: string): JsonObject => {
  const { title, tags, archived, url, html, date } = fieldsOf(version, mark)
  const rich = url === undefined || html === undefined || date === undefined ? {} : { date, url, html }
  return archived || version.number > 1 ? { title, tags, ...rich, archived } : { title, tags, ...rich }
}

const textOr = <T>(value: Json | undefined, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** Reads the fields of a listed thing (interface 2.1, returned form); other rules check their types. */
const readFields = (thing: JsonObject): Fields => ({
  title: textOr(thing.title, ''),
  tags: textOr(thing.tags, '').split(/\s+/).sort().join(' '),
  archived: thing.archived === true,
  url: textOr(thing.url, undefined),
  html: textOr(thing.html, undefined),
  date: typeof thing.date === 'number' ? thing.date : undefined,
})

/** Returns the names of differing fields; a date that one replica does not know is no difference. */
export const differingFields = (one: Fields, other: Fields): (keyof Fields)[] => {
  const names: (keyof Fields)[] = ['title', 'tags', 'archived', 'url', 'html']
  const differing = names.filter((name) => one[name] !== other[name])
  const bothDated = one.date !== undefined && other.date !== undefined
  return bothDated && one.date !== other.date ? [...differing, 'date'] : differing
}

/** Returns the color of one version of a tag's settings; it identifies the version. */
export const colorOf = (version: TagVersion): string => `#${(0x100000 + version.number * 0x1f3).toString(16)}`

/** Returns a listed tag's color in a comparable form: letter case and the number sign do not count. */
const readColor = (settings: JsonObject): string => {
  const color = typeof settings.color === 'string' ? settings.color : 'none'
  return `#${color.toLowerCase().replace(/^#/, '')}`
}

/** The parts of a sync response (interface 4.3) that histories need. */
export interface ListingResponse {
  readonly position: number
  /** Listed things by `_id`; of a thing listed twice, the last one. */
  readonly changed: ReadonlyMap<string, Fields>
  readonly deleted: ReadonlySet<string>
  /** IDs listed more than once, in `things.changed` and `things.deleted` together. */
  readonly twice: ReadonlySet<string>
  /** Colors by tag name. */
  readonly colors: ReadonlyMap<string, string>
  /** Assigned `_id` by client-assigned ID. */
  readonly ids: ReadonlyMap<string, string>
  /** 0 when the response has none. */
  readonly thingCount: number
}

/** Reads a response; returns undefined when it is no sync response. */
export const readListingResponse = (reply: Reply): ListingResponse | undefined => {
  if (!isSyncResponse(reply)) return undefined
  const { pos, things, changed, deleted, tags, created, json } = readSyncResponse(reply, 'a sync')
  const listed = [...changed, ...deleted]
  return {
    position: pos,
    changed: new Map([...things].map(([id, thing]) => [id, readFields(thing)])),
    deleted: new Set(deleted),
    twice: new Set(listed.filter((id, index) => listed.indexOf(id) !== index)),
    colors: new Map([...tags].map(([name, settings]) => [name, readColor(settings)])),
    ids: created,
    thingCount: typeof json.thingCount === 'number' ? json.thingCount : 0,
  }
}

/** The common part of all events. Times are ticks of one counter. */
interface TimedEvent {
  /** Line of the description, from 1. */
  readonly number: number
  readonly round: number
  readonly who: ReplicaName
  readonly started: number
  readonly ended: number
}

/** One sync, or the pages of one listing. */
export interface SyncEvent extends TimedEvent {
  readonly step: ListStep | UploadStep | PagesStep
  /** Number of the event whose position was sent as `from`; 0 for a full sync. */
  readonly base: number
  /** The responses in order: one, or one for each page; empty when the server rejected the request. */
  readonly responses: readonly ListingResponse[]
  /** The position that the replica keeps; undefined when the server rejected the request. */
  readonly position: number | undefined
  /** The server's response, when it was no sync response. */
  readonly apiError: string | undefined
  readonly exchange: Exchange | undefined
  /** Number of the pages event between whose pages this event happened. */
  readonly during: number | undefined
}

/** A grant with a refresh token. */
interface RefreshEvent extends TimedEvent {
  readonly step: { readonly kind: 'refresh' }
}

/** One event of a history. */
export type TraceEvent = SyncEvent | RefreshEvent

/** The record of a played history. */
export interface Trace {
  readonly mark: string
  /** In the order in which they started; `number` is their position in it. */
  readonly events: readonly TraceEvent[]
  /** The `_id` of each created thing. */
  readonly idOf: ReadonlyMap<string, string>
}

/** Whether the event is a sync. */
export const isSync = (event: TraceEvent): event is SyncEvent => event.step.kind !== 'refresh'

/** Returns the upload of the event, if it has one. */
export const uploadOf = (event: TraceEvent): UploadStep | undefined =>
  event.step.kind === 'upload' ? event.step : undefined

/** The mapping from the names of a plan to names on the wire. */
interface Spelling {
  /** Prefix of every title, tag and client-assigned ID of one play of a history. */
  readonly mark: string
  /** The `_id` of a thing. */
  readonly idOf: (thing: string) => string
}

/** Returns the `local_id` of a thing. Each is used once, so that no server takes a creation for a safe retry. */
export const localIdOf = (thing: string, mark: string): string => `${mark}-${thing}`

/** Returns the name of a tag on the wire. */
export const tagNameOf = (tag: string, mark: string): string => `${mark}-${tag}`

/** Encodes the parameters of an upload, without `from` and token (interface 4.3). */
export const encodeUploadStep = (step: UploadStep, { mark, idOf }: Spelling): Pair[] => {
  const created = step.creates.map((version) => ({
    local_id: localIdOf(version.thing, mark),
    ...submittedFields(version, mark),
  }))
  const changed = step.changes.map((version) => ({ _id: idOf(version.thing), ...submittedFields(version, mark) }))
  const tags = step.tags.map((version): Pair => {
    const settings = { favorite: true, color: colorOf(version), todo: false }
    return [`tag[${tagNameOf(version.tag, mark)}]`, JSON.stringify(settings)]
  })
  return [
    ...writeUpload('new_thing', created, step.form),
    ...writeUpload('changed_thing', changed, step.form),
    ...writeUpload('deleted_thing', step.deletes.map(idOf), step.form),
    ...tags,
  ]
}

/** Whether one event certainly ended before another began. */
export type Precedence = (one: SyncEvent, other: SyncEvent) => boolean

/** Compares by time: the response of one event came before the other was sent. */
export const precedesInTime: Precedence = (one, other) => one.ended < other.started

/** Compares by plan, for every play: by rounds, and by the order of one replica's steps in a round. */
export const precedesInPlan: Precedence = (one, other) => {
  if (one.during === other.number || other.during === one.number) return false
  if (one.round !== other.round) return one.round < other.round
  const inOrder = one.who === other.who || (one.during !== undefined && one.during === other.during)
  return inOrder && one.number < other.number
}
