import assert from 'node:assert/strict'
import type { Thing } from '../../src/store/model.ts'
import type { ListQuery, Store, View } from '../../src/store/store.ts'
import type { ContractCase } from './contract-case.ts'
import { contractForm, createSettings, createThing, type Listed, readList, shortenListed } from './fixtures.ts'

interface ModelThing {
  readonly thing: Thing
  readonly position: number
  readonly createdPosition: number
}

/** The account at one position, kept in the dullest way. */
interface Model {
  readonly position: number
  readonly things: ReadonlyMap<string, ModelThing>
  readonly deleted: ReadonlyMap<string, { readonly position: number; readonly createdPosition: number }>
  readonly todoTags: ReadonlySet<string>
}

type Random = (below: number) => number

const createRandom = (seed: number): Random => {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const tagNames = ['red', 'blue', 'green']

const list = (model: Model, query: ListQuery) => {
  const { after, skip = 0, limit = Number.POSITIVE_INFINITY, omit = new Set(), archived, tag } = query
  const things = [...model.things.values()]
    .filter(({ thing, position }) => position > after && !omit.has(thing.id))
    .filter(({ thing }) => archived === undefined || thing.archived === archived)
    .filter(({ thing }) => tag === undefined || contractForm.tagsOf(thing).includes(tag))
    .sort((a, b) => a.position - b.position)
  const deleted = [...model.deleted]
    .filter(([id, stone]) => after > 0 && stone.position > after && stone.createdPosition <= after && !omit.has(id))
    .sort(([, a], [, b]) => a.position - b.position)
  const isTodo = (thing: Thing) => contractForm.tagsOf(thing).some((name) => model.todoTags.has(name))
  const changed = things
    .slice(skip, skip + limit)
    .map(({ thing }) => shortenListed(JSON.parse(contractForm.showThing(thing, isTodo(thing))) as Listed))
  const skipDeleted = Math.max(0, skip - things.length)
  const page = deleted.slice(skipDeleted, skipDeleted + limit - changed.length).map(([id]) => id)
  const counts = { changedCount: things.length, deletedCount: deleted.length }
  return { changed, deleted: page, ...counts, pageChangedCount: changed.length, pageDeletedCount: page.length }
}

const step = async (store: Store, model: Model, random: Random): Promise<Model> => {
  const things = new Map(model.things)
  const deleted = new Map(model.deleted)
  const todoTags = new Set(model.todoTags)
  let position = model.position
  await store.write('ann', 'phone', async (draft) => {
    for (let n = random(60); n >= 0; n -= 1) {
      const id = `t${random(400)}`
      const tag = tagNames[random(3)] as string
      const kind = random(20)
      if (kind < 14) {
        const tags = tagNames.filter(() => random(2) === 0).join(' ')
        const thing = createThing(id, {
          title: `${position}`,
          archived: random(4) === 0,
          todoStatus: random(2) === 0,
          tags,
        })
        await draft.putThing(thing)
        position = draft.position()
        const createdPosition = (things.get(id) ?? deleted.get(id))?.createdPosition ?? position
        things.set(id, { thing, position, createdPosition })
        deleted.delete(id)
      } else if (kind < 19) {
        const before = things.get(id)
        assert.equal(await draft.deleteThing(id), before !== undefined)
        if (before === undefined) continue
        position += 1
        things.delete(id)
        deleted.set(id, { position, createdPosition: before.createdPosition })
      } else {
        const isTodo = random(2) === 0
        await draft.putTag(tag, createSettings(isTodo ? 'strike' : false))
        position += 1
        if (isTodo) todoTags.add(tag)
        else todoTags.delete(tag)
      }
    }
  })
  return { position, things, deleted, todoTags }
}

const createQuery = (position: number, random: Random): ListQuery => ({
  after: random(3) === 0 ? 0 : random(position + 2),
  ...(random(2) === 0 ? { skip: random(random(2) === 0 ? 20 : 300) } : {}),
  ...(random(2) === 0 ? { limit: random(50) } : {}),
  ...(random(2) === 0 ? { omit: new Set(Array.from({ length: random(80) }, () => `t${random(420)}`)) } : {}),
  ...(random(3) === 0 ? { archived: random(2) === 0 } : {}),
  ...(random(3) === 0 ? { tag: tagNames[random(3)] as string } : {}),
})

const compare = async (view: View, model: Model, random: Random): Promise<void> => {
  assert.equal(view.position, model.position)
  const query = createQuery(model.position, random)
  assert.deepEqual(await readList(view, query), list(model, query))
}

/** Promises 1, 3, 4 and 5 at once: random histories, listed in every way, now, in old views and as of earlier positions. */
export const modelCases: readonly ContractCase[] = [
  {
    name: 'whatever was written, every listing, page and earlier position holds what a dull model says',
    run: async ({ store, passTime }) => {
      const random = createRandom(20_261_121)
      const kept: { readonly view: View; readonly model: Model }[] = []
      let model: Model = { position: 0, things: new Map(), deleted: new Map(), todoTags: new Set() }
      for (let round = 0; round < 100; round += 1) {
        model = await step(store, model, random)
        passTime(1000)
        kept.push({ view: await store.read('ann'), model })
        const listing = { position: model.position, after: 0, omit: new Set<string>(), missingIds: new Set<string>() }
        await store.rememberListing('ann', `session ${round}`, 'first page', listing)
        for (let n = 0; n < 4; n += 1) await compare(await store.read('ann'), model, random)
        const old = kept[random(kept.length)]
        assert.ok(old)
        await compare(old.view, old.model, random)
        const earlier = await store.readAsOf('ann', old.model.position)
        assert.ok(earlier)
        await compare(earlier, old.model, random)
      }
    },
  },
]
