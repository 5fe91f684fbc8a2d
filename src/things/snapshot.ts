import type { IdSet, Store, View } from '../store/store.ts'

/** What the pages of one listing are taken from (contract, sync 6). */
export interface Snapshot {
  readonly view: View
  /** List what changed after this position; 0 for a full listing. */
  readonly after: number
  /** Ids to leave out of the listing. */
  readonly omit: IdSet
  /** Ids to list as deleted behind everything else, because an upload named them and they are gone. */
  readonly goneIds: ReadonlySet<string>
}

/** Whose listing it is, and the `from` that its pages have in common. */
export interface ListingOwner {
  readonly userId: string
  readonly session: string
  readonly from: number
}

/** Remembers the snapshot of a first page for the pages to come, instead of an earlier one with the same `from`. */
export const rememberSnapshot = async (store: Store, owner: ListingOwner, snapshot: Snapshot): Promise<void> => {
  const { view, ...listing } = snapshot
  const { userId, session, from } = owner
  await store.rememberListing(userId, session, String(from), { ...listing, position: view.position })
}

/** The snapshot of the first page with this `from`, or undefined when it is no longer known. */
export const findSnapshot = async (store: Store, owner: ListingOwner): Promise<Snapshot | undefined> => {
  const open = await store.findListing(owner.userId, owner.session, String(owner.from))
  const view = open && (await store.readAsOf(owner.userId, open.position))
  return view && { view, after: open.after, omit: open.omit, goneIds: open.goneIds }
}
