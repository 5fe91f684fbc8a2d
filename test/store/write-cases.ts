import assert from 'node:assert/strict'
import { acrossRestart, type ContractCase } from './contract-case.ts'
import { createGate, createSettings, createThing, putThings, readEverything } from './fixtures.ts'

const ids = ['a', 'b', 'c']

/** Promise 2: a write is made durable and visible as a whole, or not at all. */
export const writeCases: readonly ContractCase[] = [
  {
    name: 'a change is visible to nobody before its write resolves',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'))
      const before = await readEverything(await store.read('ann'), ids)
      const changed = createGate()
      const gate = createGate()
      const write = store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('b'))
        await draft.deleteThing('a')
        await draft.putTag('red', createSettings('strike'))
        await draft.putRecord('kind', 'group', 'key', 1)
        changed.open()
        await gate.opened
      })

      await changed.opened
      try {
        const meanwhile = await store.read('ann')
        assert.deepEqual(await readEverything(meanwhile, ids), before)
        assert.deepEqual(await meanwhile.listRecords('kind', 'group'), new Map())
      } finally {
        gate.open()
        await write
      }
      assert.equal((await store.read('ann')).position, 4)
    },
  },
  {
    name: 'a thing that could not be read back is not written',
    run: async (opened) => {
      const { store } = opened
      await putThings(store, 'ann', createThing('a'))
      const before = await readEverything(await store.read('ann'), ids)

      for (const date of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
        await assert.rejects(
          store.write('ann', 'phone', async (draft) => {
            await draft.putThing(createThing('b'))
            await draft.putThing(createThing('c', { date }))
          }),
          /not a finite number/,
        )
      }

      for await (const after of acrossRestart(opened)) {
        assert.deepEqual(await readEverything(await after.read('ann'), ids), before)
      }
    },
  },
  {
    name: 'a write reads its own changes',
    run: async ({ store }) => {
      const url = 'https://example.org/'
      await putThings(store, 'ann', createThing('a', { url }), createThing('b', { url }))

      await store.write('ann', 'phone', async (draft) => {
        assert.equal((await draft.findThingByUrl(url))?.id, 'a')
        await draft.deleteThing('a')
        assert.equal(await draft.findThing('a'), undefined)
        assert.equal((await draft.findThingByUrl(url))?.id, 'b')
        await draft.putThing(createThing('b', { title: 'moved', url: 'https://example.org/other' }))
        assert.equal(await draft.findThingByUrl(url), undefined)
        const added = createThing('c', { url, tags: 'red' })
        await draft.putThing(added)
        assert.deepEqual(await draft.findThingByUrl(url), await draft.findThing('c'))
        assert.equal((await draft.findThing('b'))?.title, 'moved')

        assert.equal(await draft.isTodo(added), false)
        await draft.putTag('red', createSettings('strike'))
        assert.deepEqual(await draft.findTag('red'), createSettings('strike'))
        assert.equal(await draft.isTodo(added), true)

        await draft.putRecord('kind', 'group', 'one', { deep: [1, null] })
        await draft.putRecord('kind', 'group', 'two', 2)
        assert.deepEqual(await draft.findRecord('kind', 'group', 'one'), { deep: [1, null] })
        await draft.deleteRecord('kind', 'group', 'one')
        assert.deepEqual(await draft.listRecords('kind', 'group'), new Map([['two', 2]]))
        await draft.deleteRecords('kind', 'group')
        assert.equal(await draft.findRecord('kind', 'group', 'two'), undefined)
      })
    },
  },
  {
    name: 'when the work throws, nothing of it is visible, and the next write goes on as if it had not been',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a', { tags: 'red' }))
      const before = await readEverything(await store.read('ann'), ids)
      const thrown = new RangeError('no')

      const failed = store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('b'))
        await draft.deleteThing('a')
        await draft.putTag('red', createSettings('strike'))
        await draft.putRecord('kind', 'group', 'key', 1)
        throw thrown
      })

      await assert.rejects(failed, thrown)
      const after = await store.read('ann')
      assert.deepEqual(await readEverything(after, ids), before)
      assert.deepEqual(await after.listRecords('kind', 'group'), new Map())
      await putThings(store, 'ann', createThing('c'))
      assert.equal((await store.read('ann')).position, 2)
    },
  },
  {
    name: 'a draft that outlives its write changes nothing',
    run: async ({ store }) => {
      const draft = await store.write('ann', 'phone', async (opened) => opened)

      await assert.rejects(async () => draft.putThing(createThing('a')))

      await putThings(store, 'ann', createThing('b'))
      const view = await store.read('ann')
      assert.equal(view.position, 1)
      assert.equal(await view.findThing('a'), undefined)
    },
  },
  {
    name: 'a write that is to be kept soon is kept like any other, alone and under one that builds on it',
    run: async (opened) => {
      const putSoon = (id: string) =>
        opened.store.write('ann', 'phone', (draft) => draft.putThing(createThing(id)), 'soon')

      await putSoon('a')
      const soon = putSoon('b')
      await putThings(opened.store, 'ann', createThing('b', { title: 'moved' }), createThing('c'))
      // What was written before has resolved before, too.
      await soon

      for await (const after of acrossRestart(opened)) {
        const view = await after.read('ann')
        const titles = await Promise.all(ids.map(async (id) => (await view.findThing(id))?.title))
        assert.deepEqual([view.position, titles], [4, [createThing('a').title, 'moved', createThing('c').title]])
      }
    },
  },
  {
    name: 'what resolved is there after a restart, nothing else is, and positions go on',
    needsReopen: true,
    run: async ({ store, reopen }) => {
      assert.ok(reopen)
      await putThings(
        store,
        'ann',
        createThing('a', { tags: 'red', html: '<b>é\n"\u2028</b>', url: 'u' }),
        createThing('b'),
      )
      await store.write('ann', 'laptop', async (draft) => {
        await draft.putThing(createThing('c', { archived: true, date: -1.5, todoStatus: true, tags: 'red' }))
        await draft.putThing(createThing('a', { tags: 'red blue' }))
        await draft.deleteThing('b')
        await draft.putTag('red', createSettings('dont-strike'))
        await draft.putRecord('kind', 'group', 'key', { deep: [1, 'two', null, false] })
      })
      const failing = store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('never'))
        throw new RangeError('no')
      })
      await assert.rejects(failing, RangeError)
      const before = await readEverything(await store.read('ann'), [...ids, 'never'])

      const reopened = await reopen()

      const view = await reopened.read('ann')
      assert.deepEqual(await readEverything(view, [...ids, 'never']), before)
      assert.deepEqual(await view.listRecords('kind', 'group'), new Map([['key', { deep: [1, 'two', null, false] }]]))
      await reopened.write('ann', 'phone', (draft) => draft.putThing(createThing('a')))
      const next = await (await reopened.read('ann')).findThing('a')
      assert.deepEqual([next?.position, next?.createdPosition, next?.othersPosition], [7, 1, 4])
    },
  },
]
