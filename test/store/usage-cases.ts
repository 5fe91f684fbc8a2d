import assert from 'node:assert/strict'
import type { TagSettings } from '../../src/store/model.ts'
import type { Draft, Store, Usage } from '../../src/store/store.ts'
import { acrossRestart, type ContractCase } from './contract-case.ts'
import { contractForm, createGate, createSettings, createThing, readList, readTags } from './fixtures.ts'

const noTags = { tags: 0, clearedTags: 0 }

/** The same, counted one by one: what each thing says, as JSON up to its state, and each tag with 64 bytes beside it. */
const countListed = async (store: Store): Promise<Usage> => {
  const view = await store.read('ann')
  const found = await Promise.all(['a', 'b', 'c'].map(view.findThing))
  const texts = found.flatMap((thing) => (thing ? [contractForm.showThing({ ...thing, archived: false }, false)] : []))
  const tags = await readTags(view, 0)
  const isSet = (settings: TagSettings) => settings.favorite || settings.color !== false || settings.todo !== false
  const setCount = [...tags.values()].filter(isSet).length
  const sum = (all: Iterable<string>, more: number) =>
    Array.from(all).reduce((bytes, text) => bytes + Buffer.byteLength(text) + more, 0)
  return {
    things: texts.length,
    bytes: sum(texts, -1) + sum(tags.keys(), 64),
    tags: setCount,
    clearedTags: tags.size - setCount,
  }
}

/** Steps that change what an account holds, and how a thing of it is shown. */
const steps: readonly ((draft: Draft) => Promise<unknown>)[] = [
  (draft) => draft.putThing(createThing('a')),
  (draft) => draft.putThing(createThing('b', { tags: 'task', html: 'ä😀', archived: true })),
  (draft) => draft.putTag('task', createSettings('strike')),
  (draft) =>
    draft.putThing(createThing('a', { title: 'ö', url: 'https://example.org/', tags: 'task', todoStatus: true })),
  (draft) => draft.putThing(createThing('c', { tags: 'task' })),
  (draft) => draft.putTag('task', createSettings(false)),
  (draft) => draft.deleteThing('c'),
  (draft) => draft.deleteThing('c'),
  (draft) => draft.putThing(createThing('b', { title: 'shorter' })),
  (draft) => draft.putThing(createThing('c', { title: 'back' })),
  (draft) => draft.putTag('ä😀', { favorite: true, color: false, todo: false }),
  (draft) => draft.putTag('task', cleared),
  async (draft) => {
    await draft.putTag('ä😀', cleared)
    await draft.putTag('new', cleared)
    await draft.putTag('new', cleared)
    await draft.putTag('task', createSettings())
  },
  (draft) => draft.putTag('new', { ...cleared, color: '#abcdef' }),
]

const cleared: TagSettings = { favorite: false, color: false, todo: false }

/** What an account holds: quotas are checked against it. */
export const usageCases: readonly ContractCase[] = [
  {
    name: 'what an account holds is counted whatever is changed, in views, in writes and after a restart',
    run: async (opened) => {
      const { store } = opened
      assert.deepEqual(await (await store.read('ann')).countUsage(), { things: 0, bytes: 0, ...noTags })
      for (const step of steps) {
        const within = await store.write('ann', 'phone', async (draft) => {
          await step(draft)
          const { tags, clearedTags } = await draft.countTagUsage()
          const usage = await draft.countUsage()
          assert.deepEqual({ tags, clearedTags }, { tags: usage.tags, clearedTags: usage.clearedTags })
          return usage
        })
        // What is listed shows todos as they are now, in bytes of another length.
        await readList(await store.read('ann'), { after: 0 })
        const listed = await countListed(store)
        assert.deepEqual([await (await store.read('ann')).countUsage(), within], [listed, listed])
      }

      for await (const after of acrossRestart(opened)) {
        assert.deepEqual(await (await after.read('ann')).countUsage(), await countListed(after))
      }
    },
  },
  {
    name: 'thousands of tags are counted and listed in the order of their changes, also after a restart',
    run: async (opened) => {
      const names = Array.from({ length: 6000 }, (_, n) => `tag ${n}`.padEnd(n % 200, 'ä'))
      const put = (these: readonly string[], settings: TagSettings) =>
        opened.store.write('ann', 'phone', async (draft) => {
          for (const name of these) await draft.putTag(name, settings)
        })
      await put(names, createSettings('strike'))
      await put(names.slice(0, 2500), cleared)
      await put(['last'], createSettings())
      const ordered = [...names.slice(2500), ...names.slice(0, 2500), 'last']
      const bytes = ordered.reduce((sum, name) => sum + Buffer.byteLength(name) + 64, 0)

      for await (const after of acrossRestart(opened)) {
        const view = await after.read('ann')
        assert.deepEqual(await view.countUsage(), { things: 0, bytes, tags: 3501, clearedTags: 2500 })
        assert.deepEqual([...(await readTags(view, 0)).keys()], ordered)
        assert.deepEqual([...(await readTags(view, 8500)).keys()], ['last'])
      }
    },
  },
  {
    name: 'a write counts what the writes before it have put, also those that nobody sees yet',
    run: async ({ store }) => {
      const gate = createGate()
      const first = store.write('ann', 'phone', async (draft) => {
        await draft.putThing(createThing('a'))
        await draft.putThing(createThing('b'))
        await gate.opened
      })
      const others = steps.slice(3).map((step) =>
        store.write('ann', 'laptop', async (draft) => {
          const before = await draft.countUsage()
          await step(draft)
          return { before, after: await draft.countUsage() }
        }),
      )
      gate.open()
      await first
      const seen = await Promise.all(others)

      for (const [index, { before }] of seen.entries()) if (index > 0) assert.deepEqual(before, seen[index - 1]?.after)
      assert.equal(seen[0]?.before.things, 2)
      assert.deepEqual(seen.at(-1)?.after, await countListed(store))
    },
  },
]
