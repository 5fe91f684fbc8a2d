import { expect, test } from 'vitest'
import { contractForm, createThing, readTagCounts, readTags } from '../../test/store/fixtures.ts'
import { openMemoryStore } from './memory-store.ts'

const thingCount = 30_000

/** Counts how often other events run during some work. */
const countTurns = async (work: () => Promise<unknown>): Promise<number> => {
  let turns = 0
  let isDone = false
  const tick = (): void => {
    turns += 1
    if (!isDone) setImmediate(tick)
  }
  setImmediate(tick)
  await work()
  isDone = true
  return turns
}

test('other events run while the things of a tag, and many deletions, are searched', async () => {
  const store = await openMemoryStore({ form: contractForm })
  await store.write('ann', 'phone', async (draft) => {
    for (let n = 0; n < thingCount; n += 1) await draft.putThing(createThing(`t${n}`, { tags: 'red' }))
  })
  const position = (await store.read('ann')).position
  const tagged = await store.read('ann')
  const taggedTurns = await countTurns(async () => {
    expect((await tagged.list({ after: 0, tag: 'red' })).changedCount).toBe(thingCount)
  })

  await store.write('ann', 'phone', async (draft) => {
    for (let n = 0; n < thingCount; n += 1) await draft.deleteThing(`t${n}`)
  })
  const deleted = await store.read('ann')
  const deletedTurns = await countTurns(async () => {
    expect((await deleted.list({ after: position })).deletedCount).toBe(thingCount)
  })

  expect(Math.min(taggedTurns, deletedTurns)).toBeGreaterThan(2)
  await store.close()
})

test('other events run while tags are counted and listed, with settings and without', async () => {
  const store = await openMemoryStore({ form: contractForm })
  const carried = Array.from({ length: thingCount }, (_, n) => `carried${n}`)
  await store.write('ann', 'phone', async (draft) => {
    for (let n = 0; n < thingCount; n += 1)
      await draft.putTag(`tag ${n}`.padEnd(200, 'x'), { favorite: n % 2 === 0, color: false, todo: false })
    for (let n = 0; n < thingCount; n += 1000)
      await draft.putThing(createThing(`t${n}`, { tags: carried.slice(n, n + 1000).join(' ') }))
  })
  const view = await store.read('ann')

  const listTurns = await countTurns(async () => {
    expect(await readTags(view, 0)).toHaveProperty('size', thingCount)
  })
  const countedTurns = await countTurns(async () => {
    const { favorite, other } = await readTagCounts(await view.countTags())
    expect([favorite.size, other.size]).toEqual([thingCount / 2, thingCount])
  })

  expect(Math.min(listTurns, countedTurns)).toBeGreaterThan(5)
  await store.close()
})
