import assert from 'node:assert/strict'
import { pagedDownloadSeconds, type Store } from '../../src/store/store.ts'
import type { ContractCase } from './contract-case.ts'
import {
  createGate,
  createSettings,
  createThing,
  type Listed,
  putThings,
  readEverything,
  readList,
  readListing,
  shortenListed,
} from './fixtures.ts'

const windowMilliseconds = pagedDownloadSeconds * 1000
const ids = ['a', 'b', 'c', 'd', 'later']

const fill = async (store: Store): Promise<void> => {
  await putThings(store, 'ann', createThing('a', { tags: 'red' }), createThing('b', { archived: true }))
  await putThings(store, 'ann', createThing('c', { tags: 'red blue' }), createThing('d'), createThing('gone'))
  await store.write('ann', 'phone', async (draft) => {
    await draft.deleteThing('gone')
    await draft.putTag('blue', createSettings('strike'))
    await draft.putRecord('kind', 'group', 'key', 1)
  })
}

const changeEverything = async (store: Store): Promise<void> => {
  await store.write('ann', 'laptop', async (draft) => {
    await draft.putThing(createThing('a', { title: 'changed', tags: 'blue' }))
    await draft.putThing(createThing('b', { archived: false }))
    await draft.deleteThing('c')
    await draft.putThing(createThing('later', { tags: 'red' }))
    await draft.putTag('red', createSettings('strike'))
    await draft.putTag('blue', createSettings(false))
    await draft.putTag('green', createSettings('strike'))
    await draft.putRecord('kind', 'group', 'key', 2)
  })
}

/** Promises 3 and 5: reads see one position, hold nobody, and can be repeated for a while. */
export const snapshotCases: readonly ContractCase[] = [
  {
    name: 'an account that was never written to is empty, at position 0',
    run: async ({ store }) => {
      const view = await store.read('ann')

      const listed = await readList(view, { after: 0 })

      assert.equal(view.position, 0)
      assert.equal(await view.countThings(), 0)
      const counts = { changedCount: 0, deletedCount: 0, pageChangedCount: 0, pageDeletedCount: 0 }
      assert.deepEqual(listed, { changed: [], deleted: [], ...counts })
    },
  },
  {
    name: 'later writes do not change what a view returns',
    run: async ({ store }) => {
      await fill(store)
      const view = await store.read('ann')
      const before = await readEverything(view, ids)

      await changeEverything(store)

      assert.deepEqual(await readEverything(view, ids), before)
      assert.deepEqual(await view.listRecords('kind', 'group'), new Map([['key', 1]]))
      assert.equal(await view.isTodo(createThing('any', { tags: 'blue' })), true)
      assert.notDeepEqual(await readEverything(await store.read('ann'), ids), before)
    },
  },
  {
    name: 'later writes do not change a listing that is being read',
    run: async ({ store }) => {
      const html = 'x'.repeat(1000)
      const many = Array.from({ length: 2000 }, (_, n) => createThing(`t${n}`, { title: html, tags: 'red' }))
      await putThings(store, 'ann', ...many)
      await store.write('ann', 'phone', (draft) => draft.deleteThing('t0'))
      const whole = await readList(await store.read('ann'), { after: 1999 })
      const full = await (await store.read('ann')).list({ after: 0 })
      const incremental = await (await store.read('ann')).list({ after: 1999 })

      const runs: string[] = []
      for await (const { json } of full.changed()) {
        runs.push(json.toString())
        const n = runs.length
        if (n < 20)
          await store.write('ann', 'laptop', async (draft) => {
            await draft.putThing(createThing(`t${2000 - n}`, { title: 'changed', archived: true }))
            await draft.deleteThing(`t${1900 - n}`)
            await draft.putTag('red', createSettings(n % 2 === 0 ? 'strike' : false))
          })
      }

      const expected = many.slice(1).map((thing) => [thing.id, html, 'red', false])
      const listed = JSON.parse(`[${runs.join('')}]`) as readonly Listed[]
      assert.deepEqual(listed.map(shortenListed), expected)
      assert.deepEqual(await readListing(incremental), whole)
    },
  },
  {
    name: 'a slow reader never holds a writer',
    run: async ({ store }) => {
      await putThings(
        store,
        'ann',
        ...Array.from({ length: 500 }, (_, n) => createThing(`t${n}`, { title: 'x'.repeat(500) })),
      )
      const listing = await (await store.read('ann')).list({ after: 0 })
      const reader = listing.changed()[Symbol.asyncIterator]()
      await reader.next()

      await putThings(store, 'ann', createThing('later'))

      assert.equal((await store.read('ann')).position, 501)
      await reader.return?.()
    },
  },
  {
    name: 'a read never waits for a slow writer',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'))
      const gate = createGate()
      const write = store.write('ann', 'phone', () => gate.opened)

      try {
        assert.equal(await (await store.read('ann')).countThings(), 1)
      } finally {
        gate.open()
        await write
      }
    },
  },
  {
    name: 'an account can be read as of the position of a listing for as long as a paged download may last',
    run: async ({ store, passTime }) => {
      await fill(store)
      const before = await store.read('ann')
      const responses = await readEverything(before, ids)
      const listing = { position: before.position, after: 0, omit: new Set<string>(), missingIds: new Set<string>() }
      await store.rememberListing('ann', 'phone', 'first page', listing)
      await changeEverything(store)
      const changeOften = (times: number) =>
        store.write('ann', 'phone', async (draft) => {
          for (let n = 0; n < times; n += 1) await draft.putThing(createThing('d', { title: `change ${n}` }))
        })
      await changeOften(3000)
      passTime(windowMilliseconds - 2000)
      await changeOften(3000)

      const earlier = await store.readAsOf('ann', before.position)

      assert.ok(earlier)
      assert.deepEqual(await readEverything(earlier, ids), responses)
    },
  },
  {
    name: 'what is forgotten after a paged download must have ended changes nothing that is listed now',
    run: async ({ store, passTime }) => {
      await fill(store)
      await changeEverything(store)
      const first = await store.read('ann')
      const incremental = await readList(first, { after: 4 })
      const begun = await first.list({ after: 0 })
      const full = await readList(first, { after: 0 })
      for (let round = 0; round < 3; round += 1) {
        await store.write('ann', 'phone', async (draft) => {
          for (let n = 0; n < 3000; n += 1)
            await draft.putThing(createThing('often', { tags: 'red', title: `${round} ${n}` }))
          await draft.deleteThing('often')
        })
        passTime(windowMilliseconds + 2000)
      }
      await putThings(store, 'ann', createThing('last'))

      const view = await store.read('ann')

      const last = ['last', 'title of last', '', false]
      assert.deepEqual((await readList(view, { after: 0 })).changed, [...(full.changed as unknown[]), last])
      assert.deepEqual((await readList(view, { after: 4 })).changed, [...(incremental.changed as unknown[]), last])
      assert.deepEqual((await readList(view, { after: 4 })).deleted, incremental.deleted)
      assert.deepEqual(await readListing(begun), full)
      assert.equal(await view.findThing('often'), undefined)
    },
  },
  {
    name: 'a position that was not reached yet is not known',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'))

      assert.equal(await store.readAsOf('ann', 2), undefined)
      assert.equal((await store.readAsOf('ann', 1))?.position, 1)
    },
  },
  {
    name: 'an open listing is remembered for its session for as long as a paged download may last',
    run: async ({ store, passTime }) => {
      const listing = { position: 7, after: 3, omit: new Set(['a']), missingIds: new Set(['b']) }
      await store.rememberListing('ann', 'phone', 'from 3', listing)
      passTime(windowMilliseconds - 1)

      assert.deepEqual(await store.findListing('ann', 'phone', 'from 3'), listing)
      assert.equal(await store.findListing('ann', 'laptop', 'from 3'), undefined)
      assert.equal(await store.findListing('bob', 'phone', 'from 3'), undefined)
      assert.equal(await store.findListing('ann', 'phone', 'from 4'), undefined)
      passTime(1)
      assert.equal(await store.findListing('ann', 'phone', 'from 3'), undefined)
    },
  },
]
