import assert from 'node:assert/strict'
import type { Draft, OutboxEntry, Store, TakenEntry } from '../../src/store/store.ts'
import { acrossRestart, type ContractCase } from './contract-case.ts'
import { createGate, createThing, putThings } from './fixtures.ts'

const putEntry = (store: Store, { userId, key, dueAt }: OutboxEntry): Promise<void> =>
  store.write(userId, 'phone', (draft) => draft.putOutboxEntry(key, dueAt))

const deleteEntry = (store: Store, userId: string, key: string): Promise<void> =>
  store.write(userId, 'dispatcher', (draft) => draft.deleteOutboxEntry(key))

const nameEntry = (entry: OutboxEntry | undefined) => entry && [entry.userId, entry.key, entry.dueAt]

/** More than any case has; a wrong store may hand out one entry again and again. */
const maxTaken = 9

const takeAll = async (store: Store, now: number): Promise<readonly TakenEntry[]> => {
  const all: TakenEntry[] = []
  for (let taken = await store.takeOutboxEntry(now); taken !== undefined; taken = await store.takeOutboxEntry(now))
    if (all.push(taken) === maxTaken) break
  return all
}

/** Promise 8: the outbox. */
export const outboxCases: readonly ContractCase[] = [
  {
    name: 'an outbox entry is visible, and handed out, when its write resolves and not before',
    run: async ({ store }) => {
      const staged = createGate()
      const gate = createGate()
      const write = store.write('ann', 'phone', async (draft) => {
        await draft.putOutboxEntry('hook', 5)
        assert.deepEqual(await draft.listOutboxEntries(), new Map([['hook', 5]]))
        staged.open()
        await gate.opened
      })

      await staged.opened
      try {
        assert.equal(await store.takeOutboxEntry(9), undefined)
        assert.deepEqual(await (await store.read('ann')).listOutboxEntries(), new Map())
      } finally {
        gate.open()
        await write
      }

      assert.deepEqual(await (await store.read('ann')).listOutboxEntries(), new Map([['hook', 5]]))
      assert.deepEqual(nameEntry(await store.takeOutboxEntry(9)), ['ann', 'hook', 5])
    },
  },
  {
    name: 'when the work throws, the outbox is unchanged',
    run: async (tested) => {
      const { store } = tested
      await putEntry(store, { userId: 'ann', key: 'old', dueAt: 5 })
      const failed = store.write('ann', 'phone', async (draft) => {
        await draft.deleteOutboxEntry('old')
        await draft.putOutboxEntry('new', 1)
        throw new RangeError('no')
      })

      await assert.rejects(failed, RangeError)
      for await (const opened of acrossRestart(tested))
        assert.deepEqual(await opened.listOutboxEntries(), [{ userId: 'ann', key: 'old', dueAt: 5 }])
    },
  },
  {
    name: 'a write reads the outbox entries of all earlier writes, including unresolved ones',
    run: async (tested) => {
      const { store } = tested
      const write = (work: (draft: Draft, entries: ReadonlyMap<string, number>) => Promise<void>): Promise<void> =>
        store.write('ann', 'phone', async (draft) => work(draft, await draft.listOutboxEntries()))

      const writes = [
        write(async (draft) => draft.putOutboxEntry('a', 1)),
        write(async (draft, entries) => {
          assert.deepEqual(entries, new Map([['a', 1]]))
          await draft.putOutboxEntry('b', 2)
          await draft.deleteOutboxEntry('a')
          assert.deepEqual(await draft.listOutboxEntries(), new Map([['b', 2]]))
        }),
        write(async (draft, entries) => {
          assert.deepEqual(entries, new Map([['b', 2]]))
          await draft.putOutboxEntry('b', 3)
        }),
      ]
      await Promise.all(writes)

      for await (const opened of acrossRestart(tested))
        assert.deepEqual(await (await opened.read('ann')).listOutboxEntries(), new Map([['b', 3]]))
    },
  },
  {
    name: 'after a restart each outbox entry that no write deleted is there, even if it was handed out',
    needsReopen: true,
    run: async ({ store, reopen }) => {
      assert.ok(reopen)
      await store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('a'))
        await draft.putOutboxEntry('out', 1)
        await draft.putOutboxEntry('settled', 2)
        await draft.putOutboxEntry('moved', 3)
      })
      await putEntry(store, { userId: 'bob', key: 'waiting', dueAt: 4 })
      await store.takeOutboxEntry(9)
      await deleteEntry(store, 'ann', 'settled')
      await putEntry(store, { userId: 'ann', key: 'moved', dueAt: 5 })
      for (let number = 0; number < 20; number += 1) await putThings(store, 'cyd', createThing('a'))

      for (let restart = 0; restart < 3; restart += 1) {
        const reopened: Store = await reopen()
        assert.deepEqual((await takeAll(reopened, 9)).map(nameEntry), [
          ['ann', 'out', 1],
          ['bob', 'waiting', 4],
          ['ann', 'moved', 5],
        ])
      }
    },
  },
  {
    name: 'a removed account has no outbox entries, and a release brings none back',
    run: async (tested) => {
      const { store } = tested
      await putEntry(store, { userId: 'ann', key: 'out', dueAt: 1 })
      await putEntry(store, { userId: 'ann', key: 'waiting', dueAt: 2 })
      await putEntry(store, { userId: 'bob', key: 'waiting', dueAt: 3 })
      const taken = await store.takeOutboxEntry(1)

      await store.removeAccount('ann')
      await taken?.release()

      const left = [{ userId: 'bob', key: 'waiting', dueAt: 3 }]
      assert.deepEqual(await (await store.read('ann')).listOutboxEntries(), new Map())
      for await (const opened of acrossRestart(tested)) {
        assert.deepEqual(await opened.listOutboxEntries(), left)
        assert.equal(await opened.nextOutboxEntryAt(), 3)
      }
    },
  },
  {
    name: 'any text can be the key of an outbox entry, and any finite number its due time',
    run: async (tested) => {
      const { store } = tested
      const keys = ['__proto__', 'constructor', '', '"', '\\', '\u2028', '🦊', '"},{"entry":{"key":"x","dueAt":1}}']
      const times = [0, -1.5, 2 ** 53, Number.MAX_VALUE, 1, 2, 3, 4]
      const entries = new Map(keys.map((key, index) => [key, times[index] ?? 0]))
      for (const userId of keys)
        await store.write(userId, 'phone', async (draft) => {
          for (const [key, dueAt] of entries) await draft.putOutboxEntry(key, dueAt)
        })
      for (const dueAt of [Number.POSITIVE_INFINITY, Number.NaN])
        await assert.rejects(putEntry(store, { userId: 'ann', key: 'never', dueAt }), /not a finite number/)

      for await (const opened of acrossRestart(tested))
        for (const userId of keys) assert.deepEqual(await (await opened.read(userId)).listOutboxEntries(), entries)
    },
  },
  {
    name: 'the earliest outbox entry that is due is handed out first, from whichever account',
    run: async ({ store }) => {
      await putEntry(store, { userId: 'ann', key: 'a', dueAt: 30 })
      await putEntry(store, { userId: 'bob', key: 'a', dueAt: 10 })
      await putEntry(store, { userId: 'ann', key: 'b', dueAt: 20 })
      await putEntry(store, { userId: 'ann', key: 'c', dueAt: 40 })

      assert.equal(await store.nextOutboxEntryAt(), 10)
      assert.equal(await store.takeOutboxEntry(9), undefined)
      assert.deepEqual((await takeAll(store, 30)).map(nameEntry), [
        ['bob', 'a', 10],
        ['ann', 'b', 20],
        ['ann', 'a', 30],
      ])
      assert.equal(await store.nextOutboxEntryAt(), 40)
    },
  },
  {
    name: 'an outbox entry is handed out to one dispatcher at a time',
    run: async ({ store }) => {
      await putEntry(store, { userId: 'ann', key: 'hook', dueAt: 5 })
      const [taken, ...others] = await takeAll(store, 9)
      assert.deepEqual(others, [])

      await deleteEntry(store, 'ann', 'hook')
      await putEntry(store, { userId: 'ann', key: 'hook', dueAt: 6 })
      assert.equal(await store.takeOutboxEntry(9), undefined)
      assert.equal(await store.nextOutboxEntryAt(), undefined)
      assert.deepEqual(await store.listOutboxEntries(), [{ userId: 'ann', key: 'hook', dueAt: 6 }])
      await taken?.release()

      const again = await store.takeOutboxEntry(9)
      assert.deepEqual(nameEntry(again), ['ann', 'hook', 6])
      await taken?.release()
      assert.equal(await store.takeOutboxEntry(9), undefined)
      await again?.release(20)
      assert.equal(await store.nextOutboxEntryAt(), 20)
      assert.equal(await store.takeOutboxEntry(19), undefined)
      assert.deepEqual(nameEntry(await store.takeOutboxEntry(20)), ['ann', 'hook', 6])
    },
  },
  {
    name: 'a deleted outbox entry is not handed out again, and a moved one not before its new time',
    run: async ({ store }) => {
      await putEntry(store, { userId: 'ann', key: 'settled', dueAt: 5 })
      await putEntry(store, { userId: 'ann', key: 'moved', dueAt: 5 })
      for (const taken of await takeAll(store, 9)) {
        if (taken.key === 'settled') await deleteEntry(store, 'ann', 'settled')
        else await putEntry(store, { ...taken, dueAt: 50 })
        await taken.release()
      }

      assert.equal(await store.takeOutboxEntry(49), undefined)
      assert.deepEqual((await takeAll(store, 50)).map(nameEntry), [['ann', 'moved', 50]])
    },
  },
  {
    name: 'a listener of the outbox is notified when an entry is put, moved or released',
    run: async ({ store }) => {
      let count = 0
      const stop = store.watchOutbox(() => {
        count += 1
      })
      const isNotified = async (): Promise<boolean> => {
        await new Promise(setImmediate)
        const before = count
        count = 0
        return before > 0
      }

      await putEntry(store, { userId: 'ann', key: 'hook', dueAt: 5 })
      assert.equal(await isNotified(), true)
      await putEntry(store, { userId: 'ann', key: 'hook', dueAt: 4 })
      assert.equal(await isNotified(), true)
      const taken = await store.takeOutboxEntry(4)
      assert.equal(await isNotified(), false)
      await taken?.release()
      assert.equal(await isNotified(), true)
      await putThings(store, 'ann', createThing('a'))
      assert.equal(await isNotified(), false)
      stop()
      await putEntry(store, { userId: 'ann', key: 'hook', dueAt: 3 })
      assert.equal(await isNotified(), false)
    },
  },
]
