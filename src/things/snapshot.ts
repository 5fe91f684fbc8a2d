import type { Store, View } from '../store/store.ts'

/** What the pages of one listing are taken from (contract, sync 6). */
export interface Snapshot {
  readonly view: View
  /** List what changed after this position; 0 for a full listing. */
  readonly after: number
  /** Ids to leave out of the listing. */
  readonly omit: ReadonlySet<string>
  /** Ids to list as deleted behind everything else, because an upload named them and they are gone. */
  readonly goneIds: ReadonlySet<string>
}

/** Whose listing it is, and the `from` that its pages have in common. */
export interface ListingOwner {
  readonly userId: string
  readonly session: string
  readonly from: number
}

const nameOf = (from: number, after: number) => `${after === 0 ? 'full' : 'delta'} ${from}`
const goneNameOf = (name: string) => `${name} gone`

/** Remembers the snapshot of a first page for the pages to come, instead of an earlier one with the same `from`. */
export const rememberSnapshot = async (store: Store, owner: ListingOwner, snapshot: Snapshot): Promise<void> => {
  const { userId, session, from } = owner
  const { position } = snapshot.view
  const name = nameOf(from, snapshot.after)
  await store.rememberListing(userId, session, name, { position, omit: snapshot.omit })
  await store.rememberListing(userId, session, goneNameOf(name), { position, omit: snapshot.goneIds })
}

/**
 * The snapshot of the first page, or undefined when it is no longer known. `after` is what a new listing would start
 * at: a `from` that was beyond the account's position when the first page was asked for is found as well.
 */
export const findSnapshot = async (store: Store, owner: ListingOwner, after: number): Promise<Snapshot | undefined> => {
  const { userId, session, from } = owner
  for (const start of after === 0 ? [0] : [after, 0]) {
    const name = nameOf(from, start)
    const open = await store.findListing(userId, session, name)
    const gone = await store.findListing(userId, session, goneNameOf(name))
    if (open === undefined || gone === undefined) continue
    const view = await store.readAsOf(userId, open.position)
    return view && { view, after: start, omit: open.omit, goneIds: gone.omit }
  }
  return undefined
}
