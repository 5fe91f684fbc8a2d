import assert from 'node:assert/strict'
import type { Errand, Store, TakenErrand } from '../store.ts'
import type { ContractCase } from './contract-case.ts'
import { createGate, makeThing, putThings } from './fixtures.ts'

const putErrand = (store: Store, { userId, key, dueAt }: Errand): Promise<void> =>
  store.write(userId, 'phone', (draft) => draft.putErrand(key, dueAt))

const deleteErrand = (store: Store, userId: string, key: string): Promise<void> =>
  store.write(userId, 'teller', (draft) => draft.deleteErrand(key))

const nameErrand = (errand: Errand | undefined) => errand && [errand.userId, errand.key, errand.dueAt]

const takeAll = async (store: Store, now: number): Promise<readonly TakenErrand[]> => {
  const taken = await store.takeErrand(now)
  return taken === undefined ? [] : [taken, ...(await takeAll(store, now))]
}

/** Promise 8: what is to be told. */
export const errandCases: readonly ContractCase[] = [
  {
    name: 'an errand is visible, and handed out, when its write resolves and not before',
    run: async ({ store }) => {
      const staged = createGate()
      const gate = createGate()
      const write = store.write('ann', 'phone', async (draft) => {
        await draft.putErrand('hook', 5)
        assert.deepEqual(await draft.listErrands(), new Map([['hook', 5]]))
        staged.open()
        await gate.opened
      })

      await staged.opened
      assert.equal(await store.takeErrand(9), undefined)
      assert.deepEqual(await (await store.read('ann')).listErrands(), new Map())
      gate.open()
      await write

      assert.deepEqual(await (await store.read('ann')).listErrands(), new Map([['hook', 5]]))
      assert.deepEqual(nameErrand(await store.takeErrand(9)), ['ann', 'hook', 5])
    },
  },
  {
    name: 'when the work throws, its errands are as they were',
    run: async ({ store }) => {
      await putErrand(store, { userId: 'ann', key: 'old', dueAt: 5 })
      const failed = store.write('ann', 'phone', async (draft) => {
        await draft.deleteErrand('old')
        await draft.putErrand('new', 1)
        throw new RangeError('no')
      })

      await assert.rejects(failed, RangeError)
      assert.deepEqual(await store.listAllErrands(), [{ userId: 'ann', key: 'old', dueAt: 5 }])
    },
  },
  {
    name: 'the earliest errand that is due is handed out first, whoever it belongs to',
    run: async ({ store }) => {
      await putErrand(store, { userId: 'ann', key: 'a', dueAt: 30 })
      await putErrand(store, { userId: 'bob', key: 'a', dueAt: 10 })
      await putErrand(store, { userId: 'ann', key: 'b', dueAt: 20 })
      await putErrand(store, { userId: 'ann', key: 'c', dueAt: 40 })

      assert.equal(await store.nextErrandAt(), 10)
      assert.equal(await store.takeErrand(9), undefined)
      assert.deepEqual((await takeAll(store, 30)).map(nameErrand), [
        ['bob', 'a', 10],
        ['ann', 'b', 20],
        ['ann', 'a', 30],
      ])
      assert.equal(await store.nextErrandAt(), 40)
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
      assert.equal(await store.takeErrand(9), undefined)
      assert.equal(await store.nextErrandAt(), undefined)
      assert.deepEqual(await store.listAllErrands(), [{ userId: 'ann', key: 'hook', dueAt: 6 }])
      await taken?.release()

      const again = await store.takeErrand(9)
      assert.deepEqual(nameErrand(again), ['ann', 'hook', 6])
      await taken?.release()
      assert.equal(await store.takeErrand(9), undefined)
      await again?.release(20)
      assert.equal(await store.nextErrandAt(), 20)
      assert.equal(await store.takeErrand(19), undefined)
      assert.deepEqual(nameErrand(await store.takeErrand(20)), ['ann', 'hook', 6])
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

      assert.equal(await store.takeErrand(49), undefined)
      assert.deepEqual((await takeAll(store, 50)).map(nameErrand), [['ann', 'moved', 50]])
    },
  },
  {
    name: 'who watches errands is told when one is put, moved or released',
    run: async ({ store }) => {
      let count = 0
      const stop = store.watchErrands(() => {
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
      const taken = await store.takeErrand(4)
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
