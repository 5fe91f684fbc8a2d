import assert from 'node:assert/strict'
import type { Store } from '../../src/store/store.ts'
import type { ContractCase } from './contract-case.ts'
import { createGate, createSettings, createThing, listIds, putThings } from './fixtures.ts'

const followChanges = async (store: Store, isDone: () => boolean): Promise<ReadonlySet<unknown>> => {
  const known = new Set<unknown>()
  let position = 0
  for (let isLast = false; !isLast; ) {
    isLast = isDone()
    const view = await store.read('ann')
    assert.ok(view.position >= position, 'a position went back')
    const { changed, deleted } = await listIds(view, position)
    for (const id of changed) known.add(id)
    for (const id of deleted) known.delete(id)
    position = view.position
    await new Promise(setImmediate)
  }
  return known
}

/** Promise 1: writes of an account are in one order, which positions show. */
export const orderCases: readonly ContractCase[] = [
  {
    name: 'writes to one account happen one after the other',
    run: async ({ store }) => {
      let working = 0
      const increase = (): Promise<void> =>
        store.write('ann', 'phone', async (draft) => {
          working += 1
          assert.equal(working, 1, 'two writes were at work at once')
          const before = await draft.findRecord('counter', '', '')
          await new Promise(setImmediate)
          await draft.putRecord('counter', '', '', Number(before ?? 0) + 1)
          working -= 1
        })

      await Promise.all(Array.from({ length: 20 }, increase))

      assert.deepEqual(await (await store.read('ann')).listRecords('counter', ''), new Map([['', 20]]))
    },
  },
  {
    name: 'a write to one account does not wait for a write to another',
    run: async ({ store }) => {
      const gate = createGate()
      const slow = store.write('ann', 'phone', () => gate.opened)

      try {
        await putThings(store, 'bob', createThing('b1'))
      } finally {
        gate.open()
        await slow
      }
    },
  },
  {
    name: 'each change of a thing or a tag takes the next position, and nothing else takes one',
    run: async ({ store }) => {
      const positions = await store.write('ann', 'phone', async (draft) => {
        const seen = [draft.position()]
        const step = async (work: Promise<unknown>): Promise<void> => {
          await work
          seen.push(draft.position())
        }
        await step(draft.putThing(createThing('a')))
        await step(draft.putThing(createThing('a', { title: 'again' })))
        await step(draft.putTag('red', createSettings()))
        await step(draft.putRecord('kind', 'group', 'key', 1))
        await step(draft.deleteThing('a'))
        await step(draft.deleteThing('a'))
        await step(draft.deleteThing('never there'))
        return seen
      })

      assert.deepEqual(positions, [0, 1, 2, 3, 3, 4, 4, 4])
      assert.equal((await store.read('ann')).position, 4)
    },
  },
  {
    name: 'no change ever appears at or below a position that was already given',
    run: async ({ store }) => {
      let isDone = false
      const followers = Array.from({ length: 4 }, () => followChanges(store, () => isDone))
      const write = async (writer: number): Promise<void> => {
        for (let n = 0; n < 25; n += 1) {
          await store.write('ann', `device ${writer}`, async (draft) => {
            await draft.putThing(createThing(`w${writer}n${n}`))
            await new Promise(setImmediate)
            await draft.putThing(createThing(`w${writer}n${n - 1}`, { title: 'changed' }))
            if (n % 5 === 4) await draft.deleteThing(`w${writer}n${n - 3}`)
          })
        }
      }

      await Promise.all([0, 1, 2, 3].map(write))
      isDone = true
      const replicas = await Promise.all(followers)

      const { changed } = await listIds(await store.read('ann'), 0)
      for (const replica of replicas) assert.deepEqual(new Set(replica), new Set(changed))
    },
  },
  {
    name: 'a stored thing knows its creation, its last writer and the last change by anybody else',
    run: async ({ store }) => {
      const put = (writer: string) =>
        store.write('ann', writer, async (draft) => {
          await draft.putThing(createThing('a'))
          return draft.findThing('a')
        })

      const stored = [
        await put('phone'),
        await put('phone'),
        await put('laptop'),
        await put('laptop'),
        await put('phone'),
      ]

      assert.deepEqual(
        stored.map((thing) => [thing?.position, thing?.createdPosition, thing?.writer, thing?.othersPosition]),
        [
          [1, 1, 'phone', 0],
          [2, 1, 'phone', 0],
          [3, 1, 'laptop', 2],
          [4, 1, 'laptop', 2],
          [5, 1, 'phone', 4],
        ],
      )
      assert.deepEqual(await (await store.read('ann')).findThing('a'), stored[4])
    },
  },
  {
    name: 'things that others changed after a position are distinguished from the changes of only their last writer',
    run: async ({ store }) => {
      await store.write('ann', 'laptop', async (draft) => {
        for (const id of ['a', 'b']) await draft.putThing(createThing(id))
      })
      await store.write('ann', 'phone', async (draft) => {
        for (const id of ['b', 'c', 'd']) await draft.putThing(createThing(id))
        await draft.deleteThing('d')
      })
      const view = await store.read('ann')
      await store.write('ann', 'laptop', (draft) => draft.putThing(createThing('c')))

      const own = await Promise.all(
        [0, 1, 2].map(async (after) => [...(await view.listOwnIds(new Set(['a', 'b', 'c', 'd', 'x']), after))]),
      )

      assert.deepEqual(own, [
        ['a', 'c'],
        ['a', 'c'],
        ['a', 'b', 'c'],
      ])
    },
  },
]
