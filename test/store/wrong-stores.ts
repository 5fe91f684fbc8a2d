import type { AccountEvent, Draft, Store, TakenEntry, View, VisibleChange } from '../../src/store/store.ts'
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
        putOutboxEntry: (key, dueAt) => step((draft) => draft.putOutboxEntry(key, dueAt)),
        listOutboxEntries: () => step((draft) => draft.listOutboxEntries()),
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

async function* laterEvents(store: Store, userId: string, after: number): AsyncGenerator<AccountEvent> {
  yield* (await store.read(userId)).listEvents(after)
}

/** A view lists what exists when it is called, not when it was opened. */
const leakLaterChanges = (store: Store): Store => ({
  ...store,
  read: async (userId) => ({
    ...(await store.read(userId)),
    list: async (query) => (await store.read(userId)).list(query),
    listEvents: (after) => laterEvents(store, userId, after),
  }),
})

/** A dispatcher that takes an outbox entry leaves it there for others. */
const handOutTwice = (store: Store): Store => ({
  ...store,
  takeOutboxEntry: async (now) => {
    const taken = await store.takeOutboxEntry(now)
    await taken?.release()
    return taken
  },
})

/** An outbox entry is deleted when it is handed out. */
const handOutOnce = (store: Store): Store => ({
  ...store,
  takeOutboxEntry: async (now) => {
    const taken = await store.takeOutboxEntry(now)
    if (taken !== undefined) await store.write(taken.userId, 'store', (draft) => draft.deleteOutboxEntry(taken.key))
    return taken
  },
})

/** The latest outbox entry is handed out first. */
const handOutLast = (store: Store): Store => ({
  ...store,
  takeOutboxEntry: async (now) => {
    const taken: TakenEntry[] = []
    for (let next = await store.takeOutboxEntry(now); next !== undefined; next = await store.takeOutboxEntry(now))
      taken.push(next)
    const last = taken.pop()
    for (const { release } of taken) await release()
    return last
  },
})

/** Time is of no concern. */
const handOutEarly = (store: Store): Store => ({
  ...store,
  takeOutboxEntry: () => store.takeOutboxEntry(Number.POSITIVE_INFINITY),
})

/** The outbox entries outlive the account. */
const retainEntries = (store: Store): Store => ({
  ...store,
  removeAccount: async (userId) => {
    const entries = await (await store.read(userId)).listOutboxEntries()
    await store.removeAccount(userId)
    await store.write(userId, 'store', async (draft) => {
      for (const [key, dueAt] of entries) await draft.putOutboxEntry(key, dueAt)
    })
  },
})

/** A listener is notified when a write begins. */
const notifyEarly = (store: Store): Store => {
  const watchers: (readonly [userId: string, onChange: (change: VisibleChange) => void])[] = []
  return {
    ...store,
    watch: (...watcher) => {
      watchers.push(watcher)
      return () => undefined
    },
    write: async (userId, writer, work) => {
      const position = (await store.read(userId)).position + 1
      for (const [watched, onChange] of watchers) if (watched === userId) onChange({ position, writer })
      return store.write(userId, writer, work)
    },
  }
}

/** A thing that was created and deleted after the position has no event: a client keeps it from an earlier page. */
const hideShortLives = (store: Store): Store => ({
  ...store,
  read: async (userId) => {
    const view = await store.read(userId)
    async function* listEvents(after: number): AsyncGenerator<AccountEvent> {
      for await (const event of view.listEvents(after))
        if (event.kind === 'thing' || event.createdPosition <= after) yield event
    }
    return { ...view, listEvents }
  },
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
    foundBy: 'later writes do not change what a view returns',
  },
  {
    fault: 'hands out an outbox entry before its write resolves',
    open: wrap(publishEarly),
    foundBy: 'an outbox entry is visible, and handed out, when its write resolves and not before',
  },
  {
    fault: 'hands out an outbox entry to several dispatchers',
    open: wrap(handOutTwice),
    foundBy: 'an outbox entry is handed out to one dispatcher at a time',
  },
  {
    fault: 'forgets an outbox entry that was handed out',
    open: wrap(handOutOnce),
    foundBy: 'an outbox entry is handed out to one dispatcher at a time',
  },
  {
    fault: 'hands out the latest outbox entry first',
    open: wrap(handOutLast),
    foundBy: 'the earliest outbox entry that is due is handed out first, from whichever account',
  },
  {
    fault: 'hands out outbox entries that are not due',
    open: wrap(handOutEarly),
    foundBy: 'a deleted outbox entry is not handed out again, and a moved one not before its new time',
  },
  {
    fault: 'keeps the outbox entries of a removed account',
    open: wrap(retainEntries),
    foundBy: 'a removed account has no outbox entries, and a release brings none back',
  },
  {
    fault: 'notifies of a change before it is visible',
    open: wrap(notifyEarly),
    foundBy: 'a listener of an account is notified of each change, with its writer, when it is visible',
  },
  {
    fault: 'hides what lived only between two looks',
    open: wrap(hideShortLives),
    foundBy: 'the events of an account are the last change of each thing after a position, deletions too, in order',
  },
  {
    fault: 'lets later events into a view',
    open: wrap(leakLaterChanges),
    foundBy: 'the events of an account are the last change of each thing after a position, deletions too, in order',
  },
]
