import type { IdSet, Listing, Store, TagEntry, View } from '../store/store.ts'
import { hasSettings } from './thing.ts'
import type { UploadOutcome } from './upload.ts'

/** Which changes a sync request asks for (interface 4.3). Absent `from` and `skip` mean 0, absent `limit` means all. */
export interface ChangesQuery {
  readonly userId: string
  /** The id of the session that asks. */
  readonly session: string
  readonly from?: number | undefined
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  /** Ids of `skip_id`. */
  readonly skipIds?: readonly string[] | undefined
}

/** The parts of a sync answer (interface 4.3, response). The listing is read when it is written out. */
export interface Changes {
  /** `pos` */
  readonly position: number
  /** `thingCount`: new, changed and deleted things, before `skip` and `limit` and after `skip_id`. */
  readonly thingCount: number
  /** In pieces that are not empty. Each is there once. */
  readonly tags: AsyncIterable<readonly TagEntry[]>
  /** `things.new`: ids by local id. */
  readonly assigned: ReadonlyMap<string, string>
  /** `things.changed` and `things.deleted` of this page. */
  readonly listing: Listing
  /** More ids for `things.deleted`, behind those of the listing. */
  readonly goneIds: readonly string[]
}

const findGoneIds = (query: ChangesQuery, uploaded?: UploadOutcome): string[] => {
  const skipIds = new Set(query.skipIds)
  return [...(uploaded?.goneIds ?? [])].filter((id) => !skipIds.has(id))
}

const noIds: ReadonlySet<string> = new Set()

/** All ids of some sets. No set is made of them: an upload may have deleted a hundred thousand. */
const joinIds = (given: readonly ReadonlySet<string>[]): IdSet => {
  const sets = given.filter(({ size }) => size > 0)
  return {
    size: sets.reduce((sum, { size }) => sum + size, 0),
    has: (id) => sets.some((set) => set.has(id)),
    [Symbol.iterator]: () => eachId(sets),
  }
}

function* eachId(sets: readonly ReadonlySet<string>[]): Generator<string> {
  for (const [index, set] of sets.entries())
    for (const id of set) if (!sets.slice(0, index).some((before) => before.has(id))) yield id
}

const listWritten = ({ assigned, changedIds }: UploadOutcome): ReadonlySet<string> =>
  assigned.size === 0 ? changedIds : new Set([...assigned.values(), ...changedIds])

/**
 * Own uploads are left out, unless somebody else has changed the same thing since: the client lacks that change. When
 * the last change is no longer ours, ours is among the others', and it comes after `after`.
 */
const beginSnapshot = async (
  view: View,
  after: number,
  query: ChangesQuery,
  uploaded?: UploadOutcome,
): Promise<Snapshot> => {
  const goneIds = new Set(findGoneIds(query, uploaded))
  const ownIds = uploaded ? await view.listOwnIds(listWritten(uploaded), after) : noIds
  const omit = joinIds([new Set(query.skipIds), ownIds, uploaded?.deletedIds ?? noIds, goneIds])
  return { view, after, omit, goneIds }
}

/** A later page may carry an upload too: what it finds gone comes at the end of the listing. */
const continueSnapshot = (snapshot: Snapshot, query: ChangesQuery, uploaded?: UploadOutcome): Snapshot => {
  const more = findGoneIds(query, uploaded)
  return more.length === 0 ? snapshot : { ...snapshot, goneIds: new Set([...snapshot.goneIds, ...more]) }
}

/** A tag of the upload is answered as it is at the position of the answer: others may have changed it since. */
async function* listTags({ view, after }: Snapshot, uploaded?: UploadOutcome): AsyncGenerator<readonly TagEntry[]> {
  const own = uploaded?.tags ?? noTags
  // A later page shows the account as it was before its upload.
  const isBefore = uploaded !== undefined && view.position < uploaded.positionAfter
  const isShown = ([name, settings]: TagEntry): boolean =>
    own.has(name) ? !isBefore : after > 0 || hasSettings(settings)
  for await (const piece of view.listTags(after)) {
    const shown = piece.filter(isShown)
    if (shown.length > 0) yield shown
  }
  if (isBefore) yield* listOwnTags(own)
}

const ownInPiece = 64

async function* listOwnTags(own: UploadOutcome['tags']): AsyncGenerator<readonly TagEntry[]> {
  const entries = [...own]
  for (let start = 0; start < entries.length; start += ownInPiece) yield entries.slice(start, start + ownInPiece)
}

const listPage = async (snapshot: Snapshot, skip: number, limit: number | undefined) => {
  const { view, after, omit, goneIds } = snapshot
  const listing = await view.list({ after, omit, skip, ...(limit === undefined ? {} : { limit }) })
  const listedCount = listing.changedCount + listing.deletedCount
  const room = limit === undefined ? goneIds.size : limit - listing.pageChangedCount - listing.pageDeletedCount
  const goneSkip = Math.max(0, skip - listedCount)
  return { listing, listedCount, goneIds: [...goneIds].slice(goneSkip, goneSkip + room) }
}

const emptyListing: Listing = {
  changedCount: 0,
  deletedCount: 0,
  pageChangedCount: 0,
  pageDeletedCount: 0,
  async *changed() {},
  async *deleted() {},
}

/** True when nothing has changed after a position but by the upload itself. */
const isUpToDate = (view: View, after: number, uploaded?: UploadOutcome): boolean => {
  const { positionBefore, positionAfter } = uploaded ?? { positionBefore: view.position, positionAfter: view.position }
  return after === positionBefore && positionAfter === view.position
}

/** What there is to answer when there is nothing to list. */
const listOwn = ({ position }: View, query: ChangesQuery, uploaded?: UploadOutcome): Changes => {
  const { assigned = noneAssigned, tags = noTags } = uploaded ?? {}
  const goneIds = uploaded === undefined ? [] : findGoneIds(query, uploaded)
  return {
    position,
    thingCount: assigned.size + goneIds.length,
    tags: listOwnTags(tags),
    assigned,
    listing: emptyListing,
    goneIds,
  }
}

const noneAssigned: ReadonlyMap<string, string> = new Map()
const noTags: UploadOutcome['tags'] = new Map()

/**
 * What a sync request is answered with, after its upload, if it has one, was written (contract, sync 1 to 6). All pages
 * of a listing come from the snapshot of its first page and return that position. `viewed` is the account where it was
 * read for this request already, and nothing was uploaded since.
 */
export const listChanges = async (
  store: Store,
  query: ChangesQuery,
  uploaded?: UploadOutcome,
  viewed?: View,
): Promise<Changes> => {
  const { userId, session, from = 0, skip = 0, limit } = query
  const view = viewed ?? (await store.read(userId))
  // Such a position comes from a client of a lost future: it needs everything.
  const isLost = from > (uploaded?.positionBefore ?? view.position) || !view.hasBeenAt(from)
  const after = isLost ? 0 : from
  // Most requests of most clients. A page would have to be remembered.
  const isOneAnswer = skip === 0 && limit === undefined
  if (isOneAnswer && isUpToDate(view, after, uploaded)) return listOwn(view, query, uploaded)
  const owner: ListingOwner = { userId, session, from }

  const found = skip > 0 ? await findSnapshot(store, owner) : undefined
  const snapshot = found ? continueSnapshot(found, query, uploaded) : await beginSnapshot(view, after, query, uploaded)
  if (snapshot !== found && (skip > 0 || limit !== undefined)) await rememberSnapshot(store, owner, snapshot)

  const page = await listPage(snapshot, skip, limit)
  const assigned: ReadonlyMap<string, string> = uploaded?.assigned ?? new Map()
  return {
    position: snapshot.view.position,
    thingCount: assigned.size + page.listedCount + snapshot.goneIds.size,
    tags: listTags(snapshot, uploaded),
    assigned,
    listing: page.listing,
    goneIds: page.goneIds,
  }
}

/** What the pages of one listing are taken from (contract, sync 6). */
interface Snapshot {
  readonly view: View
  /** List what changed after this position; 0 for a full listing. */
  readonly after: number
  /** Ids to leave out of the listing. */
  readonly omit: IdSet
  /** Ids to list as deleted behind everything else, because an upload named them and they are gone. */
  readonly goneIds: ReadonlySet<string>
}

/** Whose listing it is, and the `from` that its pages have in common. */
interface ListingOwner {
  readonly userId: string
  readonly session: string
  readonly from: number
}

/** Remembers the snapshot of a first page for the pages to come, instead of an earlier one with the same `from`. */
const rememberSnapshot = async (store: Store, owner: ListingOwner, snapshot: Snapshot): Promise<void> => {
  const { view, ...listing } = snapshot
  const { userId, session, from } = owner
  await store.rememberListing(userId, session, String(from), { ...listing, position: view.position })
}

/** The snapshot of the first page with this `from`, or undefined when it is no longer known. */
const findSnapshot = async (store: Store, owner: ListingOwner): Promise<Snapshot | undefined> => {
  const open = await store.findListing(owner.userId, owner.session, String(owner.from))
  const view = open && (await store.readAsOf(owner.userId, open.position))
  return view && { view, after: open.after, omit: open.omit, goneIds: open.goneIds }
}
