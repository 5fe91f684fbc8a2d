import assert from 'node:assert/strict'
import type { Session } from '../../src/store/registry/registry.ts'
import type { AccountEvent, Store, View, VisibleChange } from '../../src/store/store.ts'
import type { ContractCase } from './contract-case.ts'
import { createSettings, createThing, putThings } from './fixtures.ts'

const collectEvents = async (view: View, after: number): Promise<readonly AccountEvent[]> => {
  const events: AccountEvent[] = []
  for await (const event of view.listEvents(after)) events.push(event)
  return events
}

const watch = (store: Store, userId: string) => {
  const notified: VisibleChange[] = []
  const stop = store.watch(userId, (change) => notified.push(change))
  return { notified, stop }
}

const settle = (): Promise<void> => new Promise(setImmediate)

/** Promise 8: the listeners of an account, and what has happened in it. */
export const watchCases: readonly ContractCase[] = [
  {
    name: 'a listener of an account is notified of each change, with its writer, when it is visible',
    run: async ({ store }) => {
      const views: Promise<readonly [View, number]>[] = []
      const { notified } = watch(store, 'ann')
      store.watch('ann', ({ position }) => {
        views.push(store.read('ann').then((view) => [view, position] as const))
      })
      const other = watch(store, 'bob')

      await putThings(store, 'ann', createThing('a'), createThing('b'))
      await store.write('ann', 'phone', (draft) => draft.putTag('red', createSettings()))
      await store.write('ann', 'phone', (draft) => draft.putOutboxEntry('hook', 1))
      await assert.rejects(
        store.write('ann', 'phone', async (draft) => {
          await draft.putThing(createThing('never'))
          throw new RangeError('no')
        }),
      )
      await settle()

      assert.deepEqual(notified, [
        { position: 2, writer: 'writer' },
        { position: 3, writer: 'phone' },
      ])
      const seen = await Promise.all(views)
      assert.equal(seen.length, 2)
      assert.ok(seen.every(([view, position]) => view.position >= position))
      assert.deepEqual(other.notified, [])
    },
  },
  {
    name: 'no listener is notified after it stopped, or after its account was removed',
    run: async ({ store }) => {
      const stopped = watch(store, 'ann')
      const staying = watch(store, 'ann')
      stopped.stop()
      await putThings(store, 'ann', createThing('a'))
      await settle()
      await store.removeAccount('ann')
      await putThings(store, 'ann', createThing('a'))
      await settle()

      staying.stop()
      assert.deepEqual([stopped.notified.length, staying.notified.length], [0, 1])
    },
  },
  {
    name: 'ten thousand can watch one account',
    run: async ({ store }) => {
      const watching = Array.from({ length: 10_000 }, () => watch(store, 'ann'))
      await putThings(store, 'ann', createThing('a'))
      await settle()

      assert.ok(watching.every(({ notified }) => notified.length === 1))
    },
  },
  {
    name: 'the events of an account are the last change of each thing after a position, deletions too, in order',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('old'), createThing('kept'), createThing('back'))
      await store.write('ann', 'phone', async (draft) => {
        await draft.deleteThing('back')
        await draft.putThing(createThing('short'))
        await draft.putThing(createThing('old', { title: 'changed' }))
        await draft.putTag('red', createSettings())
        await draft.deleteThing('short')
        await draft.putThing(createThing('back'))
        await draft.deleteThing('kept')
        await draft.putThing(createThing('new'))
        await draft.putThing(createThing('new', { title: 'changed' }))
      })
      const view = await store.read('ann')
      const expected = [
        { position: 6, id: 'old', createdPosition: 1, kind: 'thing' },
        { position: 8, id: 'short', createdPosition: 5, kind: 'deletion' },
        { position: 9, id: 'back', createdPosition: 3, kind: 'thing' },
        { position: 10, id: 'kept', createdPosition: 2, kind: 'deletion' },
        { position: 12, id: 'new', createdPosition: 11, kind: 'thing' },
      ]
      await putThings(store, 'ann', createThing('later'), createThing('old'))

      const begun = view.listEvents(0)[Symbol.asyncIterator]()
      assert.deepEqual((await begun.next()).value, expected[0])
      await putThings(store, 'ann', createThing('kept'), createThing('new'))
      assert.deepEqual((await begun.next()).value, expected[1])
      assert.deepEqual(await collectEvents(view, 0), expected)
      assert.deepEqual(await collectEvents(view, 8), expected.slice(2))
      assert.deepEqual(await collectEvents(view, 12), [])
    },
  },
  {
    name: 'a write knows what it has done',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'), createThing('b'))

      await store.write('ann', 'phone', async (draft) => {
        assert.deepEqual([...draft.kinds()], [])
        await draft.putThing(createThing('c'))
        await draft.putThing(createThing('c'))
        await draft.deleteThing('unknown')
        assert.deepEqual([...draft.kinds()], ['new_thing'])
        await draft.putThing(createThing('a'))
        await draft.deleteThing('b')
        await draft.putTag('red', createSettings())
        assert.deepEqual([...draft.kinds()], ['new_thing', 'changed_thing', 'deleted_thing', 'tag'])
      })
    },
  },
  {
    name: 'a listener of a session is notified when it is removed or suspended, and of no other session',
    run: async ({ store }) => {
      const session = (id: string) => ({ id, userId: 'ann', clientId: 'app', createdAt: 1, pairs: [] })
      const put = (...sessions: readonly Session[]) =>
        store.registry.change(async (registry) => {
          for (const one of sessions) await registry.put('sessions', one)
        })
      await put(session('a'), session('b'), session('c'))
      const notified: string[] = []
      const stops = ['a', 'b', 'c'].map((id) => store.watchSession(id, () => notified.push(id)))

      await put({ ...session('a'), lastUsedAt: 2 })
      await settle()
      assert.deepEqual(notified, [])
      await store.registry.change(async (registry) => {
        await registry.put('sessions', { ...session('a'), isSuspended: true })
        await registry.delete('sessions', 'b')
      })
      await settle()
      for (const stop of stops) stop()
      await store.registry.change((registry) => registry.delete('sessions', 'c'))
      await settle()

      assert.deepEqual(notified, ['a', 'b'])
    },
  },
]
