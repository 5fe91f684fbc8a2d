import type { LocalStore } from './local-store.ts'
import { readPendingEdits } from './pending-edits.ts'
import { createReplicaView, type ReplicaView } from './replica-view.ts'

/** What a replica shows, without what changes it. */
export type ReplicaReader = Pick<
  ReplicaView,
  'findThing' | 'findThings' | 'listThings' | 'listThingParts' | 'listTags' | 'resolveId'
>

/**
 * Reads what a replica shows in a store that another program has open and perhaps writes: a worker reads everything while
 * the page that has the replica does not wait. Edits that wait are those of now; of what is written later some may be seen,
 * and `watch` of the replica tells of all of it.
 */
export const openReplicaReader = async (store: LocalStore): Promise<ReplicaReader> => {
  const { findThing, findThings, listThings, listThingParts, listTags, resolveId } = createReplicaView(
    store,
    await readPendingEdits(store),
  )
  return { findThing, findThings, listThings, listThingParts, listTags, resolveId }
}
