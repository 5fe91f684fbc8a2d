import type { Reply } from '../client.ts'
import { type Json, type JsonObject, type Pair, writeUpload } from '../encoding.ts'
import type { Exchange } from '../result.ts'
import { isSyncResponse, readSyncResponse } from '../sync-messages.ts'
import type { ListStep, PagesStep, ReplicaName, TagVersion, UploadStep, Version } from './plan.ts'

/** What a replica holds of a thing, as far as histories compare it. `todoStatus` depends on tag settings and is left out. */
export interface Fields {
  readonly title: string
  readonly tags: string
  readonly archived: boolean
  readonly url: string | undefined
  readonly html: string | undefined
  /** Unknown to the replica that created a thing without one. */
  readonly date: number | undefined
}

/** Title of one version, by which it is recognised wherever it turns up. */
export const titleOf = (version: Version, mark: string): string =>
  version.number === 1 ? `${mark} ${version.thing}` : `${mark} ${version.thing} ${version.number}`

/** The fields of one version; every field that the thing ever had is given again, because leaving one out is not settled. */
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

/** The fields as an upload submits them (interface 2.1). */
const submittedFields = (version: Version, mark: string): JsonObject => {
  const { title, tags, archived, url, html, date } = fieldsOf(version, mark)
  const rich = url === undefined || html === undefined || date === undefined ? {} : { date, url, html }
  return archived || version.number > 1 ? { title, tags, ...rich, archived } : { title, tags, ...rich }
}

const textOr = <T>(value: Json | undefined, otherwise: T): string | T => (typeof value === 'string' ? value : otherwise)

/** The fields of a listed thing (interface 2.1, returned form); a field of a wrong type is the business of other rules. */
const readFields = (thing: JsonObject): Fields => ({
  title: textOr(thing.title, ''),
  tags: textOr(thing.tags, '').split(/\s+/).sort().join(' '),
  archived: thing.archived === true,
  url: textOr(thing.url, undefined),
  html: textOr(thing.html, undefined),
  date: typeof thing.date === 'number' ? thing.date : undefined,
})

/** Names of the fields in which two replicas differ; a date that one of them does not know is no difference. */
export const differingFields = (one: Fields, other: Fields): (keyof Fields)[] => {
  const names: (keyof Fields)[] = ['title', 'tags', 'archived', 'url', 'html']
  const differing = names.filter((name) => one[name] !== other[name])
  const bothDated = one.date !== undefined && other.date !== undefined
  return bothDated && one.date !== other.date ? [...differing, 'date'] : differing
}

/** Color of one version of a tag's settings, by which it is recognised. */
export const colorOf = (version: TagVersion): string => `#${(0x100000 + version.number * 0x1f3).toString(16)}`

/** A listed tag's color in a form that can be compared: letter case and the number sign don't count. */
const readColor = (settings: JsonObject): string => {
  const color = typeof settings.color === 'string' ? settings.color : 'none'
  return `#${color.toLowerCase().replace(/^#/, '')}`
}

/** A sync answer (interface 4.3), as far as histories look at it. */
export interface ListingResponse {
  readonly position: number
  /** Listed things by `_id`; of a thing listed twice the last one. */
  readonly changed: ReadonlyMap<string, Fields>
  readonly deleted: ReadonlySet<string>
  /** Ids listed more than once, in `things.changed` and `things.deleted` together. */
  readonly twice: ReadonlySet<string>
  /** Colors by tag name. */
  readonly colors: ReadonlyMap<string, string>
  /** Given `_id` by local id. */
  readonly ids: ReadonlyMap<string, string>
  /** 0 when the answer has none. */
  readonly thingCount: number
}

/** Reads an answer; undefined when it is no sync answer. */
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

/** What every event has. Times are ticks of one counter: a smaller one came before. */
interface Timed {
  /** Line of the story, from 1. */
  readonly number: number
  readonly round: number
  readonly who: ReplicaName
  readonly started: number
  readonly ended: number
}

/** One sync, or the pages of one listing, as it went. */
export interface SyncEvent extends Timed {
  readonly step: ListStep | UploadStep | PagesStep
  /** Number of the event whose position was sent as `from`; 0 when everything was asked for. */
  readonly base: number
  /** The answers in order: one, or one for each page; empty when the request was refused. */
  readonly responses: readonly ListingResponse[]
  /** The position that the replica keeps; undefined when the request was refused. */
  readonly position: number | undefined
  /** What the server said instead of a sync answer. */
  readonly apiError: string | undefined
  readonly exchange: Exchange | undefined
  /** Number of the pages event between whose pages this one happened. */
  readonly during: number | undefined
}

/** A grant by request token. */
interface RefreshEvent extends Timed {
  readonly step: { readonly kind: 'refresh' }
}

/** One thing that happened. */
export type TraceEvent = SyncEvent | RefreshEvent

/** A history as it was played. */
export interface Trace {
  readonly mark: string
  /** In the order in which they were started; `number` counts them. */
  readonly events: readonly TraceEvent[]
  /** The `_id` that each created thing was given. */
  readonly idOf: ReadonlyMap<string, string>
}

/** Whether the event is a sync. */
export const isSync = (event: TraceEvent): event is SyncEvent => event.step.kind !== 'refresh'

/** The upload that the event sent, if it did. */
export const uploadOf = (event: TraceEvent): UploadStep | undefined =>
  event.step.kind === 'upload' ? event.step : undefined

/** How the names of a plan are written on the wire. */
interface Spelling {
  /** Starts every title, tag and local id of one playing of a history. */
  readonly mark: string
  /** The `_id` of a thing. */
  readonly idOf: (thing: string) => string
}

/** The `local_id` of a thing; never used twice, so that no server takes a creation for a repetition of an earlier one. */
export const localIdOf = (thing: string, mark: string): string => `${mark}-${thing}`

/** Name of a tag on the wire. */
export const tagNameOf = (tag: string, mark: string): string => `${mark}-${tag}`

/** The parameters of an upload, without `from` and token (interface 4.3). */
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

/** Whether one event was over, for certain, before another began. */
export type Precedence = (one: SyncEvent, other: SyncEvent) => boolean

/** As the history was played: the answer of the one came before the other was sent. */
export const precedesInTime: Precedence = (one, other) => one.ended < other.started

/** Whenever the history is played: by its rounds, and by the order in which one replica does its steps in a round. */
export const precedesInPlan: Precedence = (one, other) => {
  if (one.during === other.number || other.during === one.number) return false
  if (one.round !== other.round) return one.round < other.round
  const inOrder = one.who === other.who || (one.during !== undefined && one.during === other.during)
  return inOrder && one.number < other.number
}
