import type { Draft, Store, View } from '../store.ts'
import type { OpenStore } from './contract-case.ts'
import { openContractMemoryStore } from './open-stores.ts'

/** A store that breaks the promise, and the sentence that must find it out. */
export interface WrongStore {
  readonly fault: string
  readonly open: OpenStore
  readonly foundBy: string
}

const wrap =
  (breakStore: (store: Store) => Store): OpenStore =>
  async () => {
    const opened = await openContractMemoryStore()
    return { ...opened, store: breakStore(opened.store) }
  }

/** Each step of a write is committed by itself, so readers see it before the write has resolved. */
const publishEarly = (store: Store): Store => ({
  ...store,
  write: (userId, writer, work) => {
    const step = <T>(run: (draft: Draft) => Promise<T>): Promise<T> => store.write(userId, writer, run)
    return store.write(`turn of ${userId}`, writer, (turn) =>
      work({
        ...turn,
        findThing: (id) => step((draft) => draft.findThing(id)),
        putThing: (thing) => step((draft) => draft.putThing(thing)),
        deleteThing: (id) => step((draft) => draft.deleteThing(id)),
        putTag: (name, settings) => step((draft) => draft.putTag(name, settings)),
      }),
    )
  },
})

/** A deletion is known until the next write only. */
const forgetTombstones = (store: Store): Store => ({
  ...store,
  read: async (userId) => {
    const view = await store.read(userId)
    const list: View['list'] = async (query) => {
      const listing = await view.list(query)
      const { deletedCount } = await view.list({ after: view.position - 1 })
      const none = await view.list({ after: view.position })
      return deletedCount > 0 ? listing : { ...listing, deletedCount: 0, pageDeletedCount: 0, deleted: none.deleted }
    }
    return { ...view, list }
  },
})

/** A view lists what is there when it is asked, not when it was opened. */
const leakLaterChanges = (store: Store): Store => ({
  ...store,
  read: async (userId) => ({
    ...(await store.read(userId)),
    list: async (query) => (await store.read(userId)).list(query),
  }),
})

/** Stores with one fault each. */
export const wrongStores: readonly WrongStore[] = [
  {
    fault: 'shows a change before its write resolves',
    open: wrap(publishEarly),
    foundBy: 'a change is visible to nobody before its write resolves',
  },
  {
    fault: 'forgets a deletion after the next write',
    open: wrap(forgetTombstones),
    foundBy: 'a deletion is never forgotten, however much is written after it',
  },
  {
    fault: 'lets a later change into a view',
    open: wrap(leakLaterChanges),
    foundBy: 'later writes do not change what a view answers',
  },
]
