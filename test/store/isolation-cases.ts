import assert from 'node:assert/strict'
import { acrossRestart, type ContractCase } from './contract-case.ts'
import { createSettings, createThing, listIds, putThings, readEverything, readTags } from './fixtures.ts'

const hostileNames = [
  '__proto__',
  'constructor',
  '../../x',
  '/etc/passwd',
  '',
  ' ',
  '🦊',
  'a]b',
  '"',
  '\\',
  '\u2028',
  '.',
  'CON',
]

/** Promise 7: accounts are apart, and names are nothing but names. */
export const isolationCases: readonly ContractCase[] = [
  {
    name: "accounts never see each other's data",
    run: async ({ store }) => {
      await putThings(store, 'ann', createThing('same', { url: 'u', tags: 'red' }))
      await store.write('ann', 'phone', async (draft) => {
        await draft.putTag('red', createSettings('strike'))
        await draft.putRecord('kind', 'group', 'key', 'of ann')
      })
      const nothing = await readEverything(await store.read('nobody'), ['same'])

      assert.deepEqual(await readEverything(await store.read('bob'), ['same']), nothing)
      await store.write('bob', 'phone', async (draft) => {
        assert.equal(await draft.findThing('same'), undefined)
        assert.equal(await draft.findThingByUrl('u'), undefined)
        assert.equal(await draft.findTag('red'), undefined)
        assert.equal(await draft.findRecord('kind', 'group', 'key'), undefined)
        assert.equal(await draft.deleteThing('same'), false)
        await draft.putThing(createThing('same', { title: 'of bob' }))
      })
      assert.equal((await (await store.read('ann')).findThing('same'))?.title, 'title of same')
    },
  },
  {
    name: 'any text can be an id, a tag, a url or the name of a record',
    run: async (tested) => {
      const { store } = tested
      const things = hostileNames.map((name) =>
        createThing(name, { ...(name === '' ? {} : { url: name }), title: name, tags: name }),
      )
      await putThings(store, 'ann', ...things)
      await store.write('ann', 'phone', async (draft) => {
        for (const name of hostileNames) {
          if (name !== '') assert.equal((await draft.findThingByUrl(name))?.id, name)
          await draft.putTag(name, createSettings())
          for (const other of hostileNames) await draft.putRecord(name, other, name, other)
        }
      })

      for await (const opened of acrossRestart(tested)) {
        const view = await opened.read('ann')
        assert.deepEqual((await listIds(view, 0)).changed, hostileNames)
        assert.deepEqual([...(await readTags(view, 0)).keys()], hostileNames)
        for (const name of hostileNames) {
          assert.equal((await view.findThing(name))?.title, name)
          for (const other of hostileNames)
            assert.deepEqual(await view.listRecords(name, other), new Map([[name, other]]))
        }
      }
    },
  },
  {
    name: 'any text can be the id of an account, and none reaches the data of another',
    run: async (tested) => {
      const { store } = tested
      for (const name of hostileNames) await putThings(store, name, createThing(`of ${name}`))

      for await (const opened of acrossRestart(tested))
        for (const name of hostileNames)
          assert.deepEqual((await listIds(await opened.read(name), 0)).changed, [`of ${name}`])
    },
  },
  {
    name: 'a removed account is forgotten for good, and the others stay',
    run: async (tested) => {
      const { store } = tested
      await putThings(store, 'ann', createThing('a'))
      await putThings(store, 'bob', createThing('b'))

      await store.removeAccount('ann')
      await store.removeAccount('never there')

      for await (const opened of acrossRestart(tested)) {
        assert.equal((await opened.read('ann')).position, 0)
        assert.deepEqual(await listIds(await opened.read('ann'), 0), { changed: [], deleted: [] })
        assert.deepEqual((await listIds(await opened.read('bob'), 0)).changed, ['b'])
      }
    },
  },
]
