import assert from 'node:assert/strict'
import type { Draft, OutboxEntry, Store, TakenEntry } from '../../src/store/store.ts'
import { beforeAndAfterRestart, type ContractCase } from './contract-case.ts'
import { createGate, makeThing, putThings } from './fixtures.ts'

const putErrand = (store: Store, { userId, key, dueAt }: OutboxEntry): Promise<void> =>
  store.write(userId, 'phone', (draft) => draft.putOutboxEntry(key, dueAt))

const deleteErrand = (store: Store, userId: string, key: string): Promise<void> =>
  store.write(userId, 'teller', (draft) => draft.deleteOutboxEntry(key))

const nameErrand = (errand: OutboxEntry | undefined) => errand && [errand.userId, errand.key, errand.dueAt]

/** More than any case has; a wrong store may hand out one errand again and again. */
const mostTaken = 9

const takeAll = async (store: Store, now: number): Promise<readonly TakenEntry[]> => {
  const all: TakenEntry[] = []
  for (let taken = await store.takeOutboxEntry(now); taken !== undefined; taken = await store.takeOutboxEntry(now))
    if (all.push(taken) === mostTaken) break
  return all
}

/** Promise 8: what is to be told. */
export const errandCases: readonly ContractCase[] = [
  {
    name: 'an errand is visible, and handed out, when its write resolves and not before',
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
      assert.deepEqual(nameErrand(await store.takeOutboxEntry(9)), ['ann', 'hook', 5])
    },
  },
  {
    name: 'when the work throws, its errands are as they were',
    run: async (tested) => {
      const { store } = tested
      await putErrand(store, { userId: 'ann', key: 'old', dueAt: 5 })
      const failed = store.write('ann', 'phone', async (draft) => {
        await draft.deleteOutboxEntry('old')
        await draft.putOutboxEntry('new', 1)
        throw new RangeError('no')
      })

      await assert.rejects(failed, RangeError)
      for await (const opened of beforeAndAfterRestart(tested))
        assert.deepEqual(await opened.listOutboxEntries(), [{ userId: 'ann', key: 'old', dueAt: 5 }])
    },
  },
  {
    name: 'a write reads the errands of all before it, also of those that are still on their way',
    run: async (tested) => {
      const { store } = tested
      const write = (work: (draft: Draft, errands: ReadonlyMap<string, number>) => Promise<void>): Promise<void> =>
        store.write('ann', 'phone', async (draft) => work(draft, await draft.listOutboxEntries()))

      const writes = [
        write(async (draft) => draft.putOutboxEntry('a', 1)),
        write(async (draft, errands) => {
          assert.deepEqual(errands, new Map([['a', 1]]))
          await draft.putOutboxEntry('b', 2)
          await draft.deleteOutboxEntry('a')
          assert.deepEqual(await draft.listOutboxEntries(), new Map([['b', 2]]))
        }),
        write(async (draft, errands) => {
          assert.deepEqual(errands, new Map([['b', 2]]))
          await draft.putOutboxEntry('b', 3)
        }),
      ]
      await Promise.all(writes)

      for await (const opened of beforeAndAfterRestart(tested))
        assert.deepEqual(await (await opened.read('ann')).listOutboxEntries(), new Map([['b', 3]]))
    },
  },
  {
    name: 'after a restart all errands are there that no write settled, also those that were out',
    needsReopen: true,
    run: async ({ store, reopen }) => {
      assert.ok(reopen)
      await store.write('ann', 'phone', async (draft) => {
        await draft.putThing(makeThing('a'))
        await draft.putOutboxEntry('out', 1)
        await draft.putOutboxEntry('settled', 2)
        await draft.putOutboxEntry('moved', 3)
      })
      await putErrand(store, { userId: 'bob', key: 'waiting', dueAt: 4 })
      await store.takeOutboxEntry(9)
      await deleteErrand(store, 'ann', 'settled')
      await putErrand(store, { userId: 'ann', key: 'moved', dueAt: 5 })
      for (let number = 0; number < 20; number += 1) await putThings(store, 'cyd', makeThing('a'))

      for (let restart = 0; restart < 3; restart += 1) {
        const reopened: Store = await reopen()
        assert.deepEqual((await takeAll(reopened, 9)).map(nameErrand), [
          ['ann', 'out', 1],
          ['bob', 'waiting', 4],
          ['ann', 'moved', 5],
        ])
      }
    },
  },
  {
    name: 'a removed account has no errands, and what was out of it comes back to nobody',
    run: async (tested) => {
      const { store } = tested
      await putErrand(store, { userId: 'ann', key: 'out', dueAt: 1 })
      await putErrand(store, { userId: 'ann', key: 'waiting', dueAt: 2 })
      await putErrand(store, { userId: 'bob', key: 'waiting', dueAt: 3 })
      const taken = await store.takeOutboxEntry(1)

      await store.removeAccount('ann')
      await taken?.release()

      const left = [{ userId: 'bob', key: 'waiting', dueAt: 3 }]
      assert.deepEqual(await (await store.read('ann')).listOutboxEntries(), new Map())
      for await (const opened of beforeAndAfterRestart(tested)) {
        assert.deepEqual(await opened.listOutboxEntries(), left)
        assert.equal(await opened.nextOutboxEntryAt(), 3)
      }
    },
  },
  {
    name: 'any text can be the key of an errand, and any time its time',
    run: async (tested) => {
      const { store } = tested
      const keys = ['__proto__', 'constructor', '', '"', '\\', '\u2028', '🦊', '"},{"errand":{"key":"x","dueAt":1}}']
      const times = [0, -1.5, 2 ** 53, Number.MAX_VALUE, 1, 2, 3, 4]
      const errands = new Map(keys.map((key, index) => [key, times[index] ?? 0]))
      for (const userId of keys)
        await store.write(userId, 'phone', async (draft) => {
          for (const [key, dueAt] of errands) await draft.putOutboxEntry(key, dueAt)
        })
      for (const dueAt of [Number.POSITIVE_INFINITY, Number.NaN])
        await assert.rejects(putErrand(store, { userId: 'ann', key: 'never', dueAt }), /not a finite number/)

      for await (const opened of beforeAndAfterRestart(tested))
        for (const userId of keys) assert.deepEqual(await (await opened.read(userId)).listOutboxEntries(), errands)
    },
  },
  {
    name: 'the earliest errand that is due is handed out first, whoever it belongs to',
    run: async ({ store }) => {
      await putErrand(store, { userId: 'ann', key: 'a', dueAt: 30 })
      await putErrand(store, { userId: 'bob', key: 'a', dueAt: 10 })
      await putErrand(store, { userId: 'ann', key: 'b', dueAt: 20 })
      await putErrand(store, { userId: 'ann', key: 'c', dueAt: 40 })

      assert.equal(await store.nextOutboxEntryAt(), 10)
      assert.equal(await store.takeOutboxEntry(9), undefined)
      assert.deepEqual((await takeAll(store, 30)).map(nameErrand), [
        ['bob', 'a', 10],
        ['ann', 'b', 20],
        ['ann', 'a', 30],
      ])
      assert.equal(await store.nextOutboxEntryAt(), 40)
    },
  },
  {
    name: 'an errand is handed out to one teller at a time',
    run: async ({ store }) => {
      await putErrand(store, { userId: 'ann', key: 'hook', dueAt: 5 })
      const [taken, ...others] = await takeAll(store, 9)
      assert.deepEqual(others, [])

      await deleteErrand(store, 'ann', 'hook')
      await putErrand(store, { userId: 'ann', key: 'hook', dueAt: 6 })
      assert.equal(await store.takeOutboxEntry(9), undefined)
      assert.equal(await store.nextOutboxEntryAt(), undefined)
      assert.deepEqual(await store.listOutboxEntries(), [{ userId: 'ann', key: 'hook', dueAt: 6 }])
      await taken?.release()

      const again = await store.takeOutboxEntry(9)
      assert.deepEqual(nameErrand(again), ['ann', 'hook', 6])
      await taken?.release()
      assert.equal(await store.takeOutboxEntry(9), undefined)
      await again?.release(20)
      assert.equal(await store.nextOutboxEntryAt(), 20)
      assert.equal(await store.takeOutboxEntry(19), undefined)
      assert.deepEqual(nameErrand(await store.takeOutboxEntry(20)), ['ann', 'hook', 6])
    },
  },
  {
    name: 'an errand that was settled is not handed out again, and one that was moved not before its new time',
    run: async ({ store }) => {
      await putErrand(store, { userId: 'ann', key: 'settled', dueAt: 5 })
      await putErrand(store, { userId: 'ann', key: 'moved', dueAt: 5 })
      for (const taken of await takeAll(store, 9)) {
        if (taken.key === 'settled') await deleteErrand(store, 'ann', 'settled')
        else await putErrand(store, { ...taken, dueAt: 50 })
        await taken.release()
      }

      assert.equal(await store.takeOutboxEntry(49), undefined)
      assert.deepEqual((await takeAll(store, 50)).map(nameErrand), [['ann', 'moved', 50]])
    },
  },
  {
    name: 'who watches errands is told when one is put, moved or released',
    run: async ({ store }) => {
      let count = 0
      const stop = store.watchOutbox(() => {
        count += 1
      })
      const isTold = async (): Promise<boolean> => {
        await new Promise(setImmediate)
        const before = count
        count = 0
        return before > 0
      }

      await putErrand(store, { userId: 'ann', key: 'hook', dueAt: 5 })
      assert.equal(await isTold(), true)
      await putErrand(store, { userId: 'ann', key: 'hook', dueAt: 4 })
      assert.equal(await isTold(), true)
      const taken = await store.takeOutboxEntry(4)
      assert.equal(await isTold(), false)
      await taken?.release()
      assert.equal(await isTold(), true)
      await putThings(store, 'ann', makeThing('a'))
      assert.equal(await isTold(), false)
      stop()
      await putErrand(store, { userId: 'ann', key: 'hook', dueAt: 3 })
      assert.equal(await isTold(), false)
    },
  },
]
