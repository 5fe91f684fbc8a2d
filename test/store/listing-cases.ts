import assert from 'node:assert/strict'
import type { TagSettings } from '../../src/store/model.ts'
import type { TagCount, TagEntry } from '../../src/store/store.ts'
import type { ContractCase } from './contract-case.ts'
import {
  createSettings,
  createThing,
  listIds,
  putThings,
  readList,
  readPieces,
  readTagCounts,
  readTags,
} from './fixtures.ts'

/** Promise 4: what a listing holds, and that it comes in pieces. */
export const listingCases: readonly ContractCase[] = [
  {
    name: 'a full sync holds every living thing once, in the order of the last change, and no deletion',
    run: async ({ store }) => {
      await putThings(
        store,
        'ann',
        createThing('a'),
        createThing('b'),
        createThing('c'),
        createThing('d', { archived: true }),
      )
      await store.write('ann', 'phone', async (draft) => {
        await draft.deleteThing('c')
        await draft.putThing(createThing('a', { title: 'changed' }))
      })

      const full = await readList(await store.read('ann'), { after: 0 })

      const shown = [
        ['b', 'title of b', '', false],
        ['d', 'title of d', '', true],
        ['a', 'changed', '', false],
      ]
      const counts = { changedCount: 3, deletedCount: 0, pageChangedCount: 3, pageDeletedCount: 0 }
      assert.deepEqual(full, { changed: shown, deleted: [], ...counts })
    },
  },
  {
    name: 'an incremental sync holds what was created, changed or deleted after its position, each once',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'), createThing('b'), createThing('c'))
      await store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('d'))
        await draft.putThing(createThing('a', { title: 'one' }))
        await draft.putThing(createThing('a', { title: 'two' }))
        await draft.putThing(createThing('b'))
        await draft.deleteThing('b')
      })
      const view = await store.read('ann')

      assert.deepEqual(await listIds(view, 3), { changed: ['d', 'a'], deleted: ['b'] })
      assert.deepEqual(await listIds(view, 4), { changed: ['a'], deleted: ['b'] })
      assert.deepEqual(await listIds(view, 7), { changed: [], deleted: ['b'] })
      assert.deepEqual(await listIds(view, 8), { changed: [], deleted: [] })
      assert.deepEqual(await listIds(view, 99), { changed: [], deleted: [] })
    },
  },
  {
    name: 'a deletion is never forgotten, however much is written after it',
    run: async ({ store, passTime }) => {
      await putThings(store, 'ann', createThing('a'), createThing('b'))
      await store.write('ann', 'phone', (draft) => draft.deleteThing('a'))
      for (let n = 0; n < 3; n += 1) {
        await putThings(store, 'ann', ...Array.from({ length: 2000 }, () => createThing('b', { title: `${n}` })))
        passTime(3_600_000)
      }

      assert.deepEqual(await listIds(await store.read('ann'), 2), { changed: ['b'], deleted: ['a'] })
    },
  },
  {
    name: 'a deletion is not forgotten over a restart',
    needsReopen: true,
    run: async ({ store, reopen }) => {
      assert.ok(reopen)
      await putThings(store, 'ann', createThing('a'), createThing('b'))
      await store.write('ann', 'phone', (draft) => draft.deleteThing('a'))

      const reopened = await reopen()

      await putThings(reopened, 'ann', createThing('c'))
      assert.deepEqual(await listIds(await reopened.read('ann'), 2), { changed: ['c'], deleted: ['a'] })
    },
  },
  {
    name: 'a thing that was created and deleted after the position is not in the incremental sync',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'))
      await putThings(store, 'ann', createThing('b'))
      await store.write('ann', 'phone', (draft) => draft.deleteThing('b'))
      const view = await store.read('ann')

      assert.deepEqual(await listIds(view, 1), { changed: [], deleted: [] })
      assert.deepEqual(await listIds(view, 2), { changed: [], deleted: ['b'] })
    },
  },
  {
    name: 'an id that is put again after its deletion lives, and a later deletion is listed for clients that knew it',
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a'))
      await store.write('ann', 'phone', (draft) => draft.deleteThing('a'))
      await putThings(store, 'ann', createThing('a'))
      const alive = await store.read('ann')
      await store.write('ann', 'phone', (draft) => draft.deleteThing('a'))

      assert.deepEqual(await listIds(alive, 1), { changed: ['a'], deleted: [] })
      assert.deepEqual(await listIds(await store.read('ann'), 1), { changed: [], deleted: ['a'] })
    },
  },
  {
    name: "a tag's todo setting changes how its things are shown, and gives them no position",
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('a', { tags: 'red', todoStatus: true }), createThing('b'))
      const flip = (todo: 'strike' | false) =>
        store.write('ann', 'phone', (draft) => draft.putTag('red', createSettings(todo)))
      const show = async () => (await readList(await store.read('ann'), { after: 0, limit: 1 })).changed

      await flip('strike')
      const asTodo = await show()
      const incremental = await listIds(await store.read('ann'), 2)
      const stored = await (await store.read('ann')).findThing('a')
      await flip(false)

      assert.deepEqual(asTodo, [['a', 'title of a', 'red', false, true]])
      assert.deepEqual(incremental, { changed: [], deleted: [] })
      assert.equal(stored?.position, 1)
      assert.deepEqual(await show(), [['a', 'title of a', 'red', false]])
    },
  },
  {
    name: 'changed tag settings are listed after a position, and all that were ever set from 0',
    run: async ({ store }) => {
      await store.write('ann', 'phone', async (draft) => {
        await draft.putTag('red', createSettings())
        await draft.putTag('blue', createSettings())
        await draft.putTag('red', createSettings('strike'))
      })
      const view = await store.read('ann')
      const red = ['red', createSettings('strike')] as const

      assert.deepEqual(await readTags(view, 0), new Map([['blue', createSettings()], red]))
      assert.deepEqual(await readTags(view, 2), new Map([red]))
      assert.deepEqual(await readTags(view, 3), new Map())
    },
  },
  {
    name: 'living things are counted, all and per tag',
    run: async ({ store }) => {
      await putThings(
        store,
        'ann',
        createThing('a', { tags: 'red red blue' }),
        createThing('b', { tags: 'red', archived: true }),
      )
      await putThings(
        store,
        'ann',
        createThing('c', { tags: 'green' }),
        createThing('b', { tags: 'red blue', archived: true }),
      )
      await store.write('ann', 'phone', (draft) => draft.deleteThing('c'))

      const view = await store.read('ann')

      assert.equal(await view.countThings(), 2)
      assert.deepEqual(await readTagCounts(await view.countTags()), {
        favorite: new Map(),
        other: new Map([
          ['red', 2],
          ['blue', 2],
        ]),
      })
    },
  },
  {
    name: 'favorites are counted apart, those that nothing carries with 0, as they were at the position of the view',
    run: async ({ store }) => {
      await putThings(
        store,
        'ann',
        createThing('a', { tags: 'red blue green' }),
        createThing('b', { tags: 'red blue' }),
      )
      await store.write('ann', 'phone', async (draft) => {
        await draft.putTag('red', createSettings())
        await draft.putTag('blue', { ...createSettings(), favorite: false })
        await draft.putTag('unused', createSettings())
      })
      const view = await store.read('ann')
      const counts = await view.countTags()
      await store.write('ann', 'phone', async (draft) => {
        await draft.putTag('red', { ...createSettings(), favorite: false })
        await draft.putTag('blue', createSettings())
        await draft.deleteThing('b')
      })
      const expected = {
        favorite: new Map([
          ['red', 2],
          ['unused', 0],
        ]),
        other: new Map([
          ['blue', 2],
          ['green', 1],
        ]),
      }

      assert.deepEqual(await readTagCounts(counts), expected)
      assert.deepEqual(await readTagCounts(await view.countTags()), expected)
    },
  },
  {
    name: 'thousands of tags are listed in pieces, and a listing that was begun goes on while they change',
    run: async ({ store }) => {
      const count = 3000
      const names = Array.from({ length: count }, (_, n) => `tag ${n}`)
      const putAll = (settings: TagSettings) =>
        store.write('ann', 'phone', async (draft) => {
          for (const name of names) await draft.putTag(name, settings)
        })
      await putAll(createSettings())
      const view = await store.read('ann')
      const listing = view.listTags(0)[Symbol.asyncIterator]()
      const counting = (await view.countTags()).favorite()[Symbol.asyncIterator]()
      const first = (await listing.next()).value as readonly TagEntry[]
      const firstCounts = (await counting.next()).value as readonly TagCount[]
      for (let round = 0; round < 3; round += 1) await putAll(createSettings('strike'))

      const rest = await readPieces({ [Symbol.asyncIterator]: () => listing })
      const restCounts = await readPieces({ [Symbol.asyncIterator]: () => counting })

      assert.ok(first.length <= 256 && firstCounts.length <= 256)
      assert.deepEqual(
        [...first, ...rest],
        names.map((name) => [name, createSettings()]),
      )
      assert.deepEqual(
        [...firstCounts, ...restCounts],
        names.map((name) => [name, 0]),
      )
    },
  },
  {
    name: 'a large listing comes in pieces, so that memory holds one of them and not the whole',
    run: async ({ store }) => {
      await putThings(
        store,
        'ann',
        ...Array.from({ length: 3000 }, (_, n) => createThing(`t${n}`, { title: 'x'.repeat(400) })),
      )

      const sizes: number[] = []
      for await (const { json } of (await (await store.read('ann')).list({ after: 0 })).changed())
        sizes.push(json.length)

      assert.ok(sizes.length >= 5, `${sizes.length} pieces`)
      assert.ok(Math.max(...sizes) <= 300_000, `a piece of ${Math.max(...sizes)} characters`)
    },
  },
]
