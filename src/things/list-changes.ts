import type { IdSet, Listing, Store, TagEntry, View } from '../store/store.ts'
import { hasSettings } from './thing.ts'
import type { UploadOutcome } from './upload.ts'

/** The query of a sync request (interface 4.3). Absent `from` and `skip` mean 0; absent `limit` means all. */
export interface ChangesQuery {
  readonly userId: string
  /** The id of the requesting session. */
  readonly session: string
  readonly from?: number | undefined
  readonly skip?: number | undefined
  readonly limit?: number | undefined
  /** Ids of `skip_id`. */
  readonly skipIds?: readonly string[] | undefined
}

/** The parts of a sync response (interface 4.3, response). The listing is read while the response is written. */
export interface Changes {
  /** `pos` */
  readonly position: number
  /** `thingCount`: new, changed and deleted things, before `skip` and `limit` and after `skip_id`. */
  readonly thingCount: number
  /** Tags in pieces that are not empty; each tag appears once. */
  readonly tags: AsyncIterable<readonly TagEntry[]>
  /** `things.new`: ids by client-assigned ID. */
  readonly assigned: ReadonlyMap<string, string>
  /** `things.changed` and `things.deleted` of this page. */
  readonly listing: Listing
  /** More ids for `things.deleted`, behind those of the listing. */
  readonly missingIds: readonly string[]
}

const findMissingIds = (query: ChangesQuery, uploaded?: UploadOutcome): string[] => {
  const skipIds = new Set(query.skipIds)
  return [...(uploaded?.missingIds ?? [])].filter((id) => !skipIds.has(id))
}

const noIds: ReadonlySet<string> = new Set()

/** Joins sets of ids without copying them: an upload may have deleted a hundred thousand. */
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
    for (const id of set) if (!sets.slice(0, index).some((earlier) => earlier.has(id))) yield id
}

const listWritten = ({ assigned, changedIds }: UploadOutcome): ReadonlySet<string> =>
  assigned.size === 0 ? changedIds : new Set([...assigned.values(), ...changedIds])

/**
 * Begins a snapshot for the first page. It leaves out the things of this upload, unless another session has changed the
 * same thing since: the client lacks that change. Then the listing has the thing, because its last change is after
 * `after`.
 */
const beginSnapshot = async (
  view: View,
  after: number,
  query: ChangesQuery,
  uploaded?: UploadOutcome,
): Promise<Snapshot> => {
  const missingIds = new Set(findMissingIds(query, uploaded))
  const ownIds = uploaded ? await view.listOwnIds(listWritten(uploaded), after) : noIds
  const omit = joinIds([new Set(query.skipIds), ownIds, uploaded?.deletedIds ?? noIds, missingIds])
  return { view, after, omit, missingIds }
}

/**
 * Continues a snapshot for a later page. If that page has an upload, ids that it finds deleted go to the listing's end.
 */
const continueSnapshot = (snapshot: Snapshot, query: ChangesQuery, uploaded?: UploadOutcome): Snapshot => {
  const more = findMissingIds(query, uploaded)
  return more.length === 0 ? snapshot : { ...snapshot, missingIds: new Set([...snapshot.missingIds, ...more]) }
}

/**
 * Lists tags. A tag of the upload has its settings at the position of the response: others may have changed it since.
 */
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

const tagsInPiece = 64

async function* listOwnTags(own: UploadOutcome['tags']): AsyncGenerator<readonly TagEntry[]> {
  const entries = [...own]
  for (let start = 0; start < entries.length; start += tagsInPiece) yield entries.slice(start, start + tagsInPiece)
}

const listPage = async (snapshot: Snapshot, skip: number, limit: number | undefined) => {
  const { view, after, omit, missingIds } = snapshot
  const listing = await view.list({ after, omit, skip, ...(limit === undefined ? {} : { limit }) })
  const listedCount = listing.changedCount + listing.deletedCount
  const room = limit === undefined ? missingIds.size : limit - listing.pageChangedCount - listing.pageDeletedCount
  const missingSkip = Math.max(0, skip - listedCount)
  return { listing, listedCount, missingIds: [...missingIds].slice(missingSkip, missingSkip + room) }
}

const emptyListing: Listing = {
  changedCount: 0,
  deletedCount: 0,
  pageChangedCount: 0,
  pageDeletedCount: 0,
  async *changed() {},
  async *deleted() {},
}

/** True when only the upload itself has changed the account after a position. */
const isUpToDate = (view: View, after: number, uploaded?: UploadOutcome): boolean => {
  const { positionBefore, positionAfter } = uploaded ?? { positionBefore: view.position, positionAfter: view.position }
  return after === positionBefore && positionAfter === view.position
}

/** Creates the parts of a response without a listing. */
const listOwn = ({ position }: View, query: ChangesQuery, uploaded?: UploadOutcome): Changes => {
  const { assigned = noneAssigned, tags = noTags } = uploaded ?? {}
  const missingIds = uploaded === undefined ? [] : findMissingIds(query, uploaded)
  return {
    position,
    thingCount: assigned.size + missingIds.length,
    tags: listOwnTags(tags),
    assigned,
    listing: emptyListing,
    missingIds,
  }
}

const noneAssigned: ReadonlyMap<string, string> = new Map()
const noTags: UploadOutcome['tags'] = new Map()

/**
 * Lists the changes for the response to a sync request, after its upload, if any, was written (contract, sync 1 to 6).
 * All pages of a listing come from the snapshot of its first page and return the position of that snapshot. `viewed` is
 * a view that this request has read already, if it has no upload.
 */
export const listChanges = async (
  store: Store,
  query: ChangesQuery,
  uploaded?: UploadOutcome,
  viewed?: View,
): Promise<Changes> => {
  const { userId, session, from = 0, skip = 0, limit } = query
  const view = viewed ?? (await store.read(userId))
  // The client has seen a position that was lost, for example with an old backup: it needs a full sync.
  const isLost = from > (uploaded?.positionBefore ?? view.position) || !view.hasBeenAt(from)
  const after = isLost ? 0 : from
  // The most frequent case. A page would need a stored snapshot.
  const isSingleResponse = skip === 0 && limit === undefined
  if (isSingleResponse && isUpToDate(view, after, uploaded)) return listOwn(view, query, uploaded)
  const owner: ListingOwner = { userId, session, from }

  const found = skip > 0 ? await findSnapshot(store, owner) : undefined
  const snapshot = found ? continueSnapshot(found, query, uploaded) : await beginSnapshot(view, after, query, uploaded)
  if (snapshot !== found && (skip > 0 || limit !== undefined)) await rememberSnapshot(store, owner, snapshot)

  const page = await listPage(snapshot, skip, limit)
  const assigned: ReadonlyMap<string, string> = uploaded?.assigned ?? new Map()
  return {
    position: snapshot.view.position,
    thingCount: assigned.size + page.listedCount + snapshot.missingIds.size,
    tags: listTags(snapshot, uploaded),
    assigned,
    listing: page.listing,
    missingIds: page.missingIds,
  }
}

/** The snapshot that all pages of a listing come from (contract, sync 6). */
interface Snapshot {
  readonly view: View
  /** The listing begins after this position; 0 for a full sync. */
  readonly after: number
  /** Ids to leave out of the listing. */
  readonly omit: IdSet
  /** Ids to list as deleted at the end: an upload named them, but they no longer exist. */
  readonly missingIds: ReadonlySet<string>
}

/** The owner of a listing: its user, its session and the `from` of all its pages. */
interface ListingOwner {
  readonly userId: string
  readonly session: string
  readonly from: number
}

/** Stores the snapshot of a first page for later pages. It replaces an earlier one with the same `from`. */
const rememberSnapshot = async (store: Store, owner: ListingOwner, snapshot: Snapshot): Promise<void> => {
  const { view, ...listing } = snapshot
  const { userId, session, from } = owner
  await store.rememberListing(userId, session, String(from), { ...listing, position: view.position })
}

/** Finds the snapshot of the first page with this `from`; undefined when the store no longer has it. */
const findSnapshot = async (store: Store, owner: ListingOwner): Promise<Snapshot | undefined> => {
  const open = await store.findListing(owner.userId, owner.session, String(owner.from))
  const view = open && (await store.readAsOf(owner.userId, open.position))
  return view && { view, after: open.after, omit: open.omit, missingIds: open.missingIds }
}
