import type { Exchange } from './right-requests.ts'
import { showFields } from './thing-fields.ts'
import type { Account, Json, JsonObject, Listed, Session, StoredTag, TagSettings, Thing } from './world.ts'

/** What a listing is made for. */
export interface ListingOf {
  readonly account: Account
  readonly session: Session
  readonly from: number
  /** `from` is omitted, 0 or beyond the current position. */
  readonly full: boolean
  /** Ids that the same request uploaded, unless another client had changed them after `from`. */
  readonly own: ReadonlySet<Json>
  /** Names of the tags whose settings the same request uploaded. */
  readonly ownTags: ReadonlySet<string>
  /** Those of them that another session set after `from`. */
  readonly sharedTags: ReadonlySet<string>
  readonly exchange: Exchange
}

/** Numbers of entries of an answer; `page` is what of it the page shows, `skipped` what `skip_id` left out. */
export interface Counts {
  readonly created: number
  readonly changed: number
  readonly deleted: number
  readonly page: number
  readonly skipped: number
}

/** The tag settings of a tag that has none. */
export const plainTag: TagSettings = { favorite: false, color: false, todo: false }

/** Whether a thing carries a tag whose `todo` is not false (contract, sync 12). */
export function isTodo(thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean {
  return thing.fields.tags.split(/\s+/).some((name) => (tags.get(name)?.settings.todo ?? false) !== false)
}

/** How listings are made and shaped (interface 2 and 4.3). */
export const rightListings = {
  /** Whether `from` asks for everything. */
  isFull: (from: number | undefined, account: Account): boolean =>
    from === undefined || from === 0 || from > account.position,
  /** The position after which changes are listed. */
  since: (from: number, _session: Session, _account: Account): number => from,
  listsThing: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    !thing.deleted && !own.has(thing.id) && (full || thing.position > from),
  listsDeleted: (thing: Thing, { full, from, own }: ListingOf): boolean =>
    thing.deleted && !own.has(thing.id) && !full && thing.position > from && thing.created <= from,
  listsTag: (name: string, { settings, position }: StoredTag, { full, from, ownTags }: ListingOf): boolean =>
    !ownTags.has(name) &&
    (full ? settings.favorite || settings.color !== false || settings.todo !== false : position > from),
  /** Settings that the request itself submitted are in its answer, in full. */
  answersOwnTags: true,
  order: (a: Thing, b: Thing): number => a.position - b.position,
  /** The finished lists, before they are counted. */
  listed: (list: readonly Listed[], _kind: 'changed' | 'deleted', _of: ListingOf): readonly Listed[] => list,
  /** A thing in its returned form (interface 2.1). */
  thing: (thing: Thing, isTodo: boolean, _of?: ListingOf): Json => ({
    _id: thing.id,
    ...showFields(thing.fields, isTodo),
  }),
  isTodo: (thing: Thing, tags: ReadonlyMap<string, StoredTag>): boolean => isTodo(thing, tags),
  tag: (settings: TagSettings): Json => ({ ...settings }),
  /** Settings by tag name, in returned form. */
  tags: (tags: ReadonlyMap<string, Json>): Json => (tags.size === 0 ? undefined : Object.fromEntries(tags)),
  /** `things.new`. */
  newMap: (ids: ReadonlyMap<Json, Json>): Json => Object.fromEntries(ids),
  /** One page of a list. */
  page: <T>(list: readonly T[], skip: number, limit: number | undefined): readonly T[] =>
    list.slice(skip, limit === undefined ? undefined : skip + limit),
  /** Whether a listed thing is left out by `skip_id`. */
  isSkipped: (id: Json, skipIds: readonly string[], _kind: 'changed' | 'deleted'): boolean =>
    skipIds.includes(id as string),
  /** Deleted ids come after the things in the pages. */
  deletedFirst: false,
  /** Pages of one listing come from one snapshot. */
  keepsPages: true,
  thingCount: (counts: Counts): number => counts.created + counts.changed + counts.deleted,
  /** The `pos` that goes with a listing made just now. */
  position: (account: Account, _session: Session, _of: ListingOf): Json => account.position,
  /** Between making the list and taking its position; right servers do nothing there. */
  betweenListAndPosition: undefined as ((account: Account) => Promise<void>) | undefined,
  /** The `things` of the answer; nothing to list: undefined. */
  things: (things: JsonObject, _of: ListingOf): Json => (Object.keys(things).length === 0 ? undefined : things),
}
