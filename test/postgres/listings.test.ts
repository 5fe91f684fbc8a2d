import { expect, onTestFinished, test } from 'vitest'
import type { View } from '../../src/store/store.ts'
import { createThing, putThings, readEverything } from '../store/fixtures.ts'
import { openTestDatabase } from './open-database.ts'
import { openStores } from './open-stores.ts'

const ids = ['a', 'b', 'c', 'd', 'e']

test('a listing is remembered for all processes however often others write meanwhile', async () => {
  const { url, drop } = await openTestDatabase()
  const stores = await openStores(3, url)
  onTestFinished(async () => {
    await Promise.all(stores.map((store) => store.close()))
    await drop()
  })
  const storeOf = (number: number) => stores[number % stores.length] ?? expect.unreachable()
  const readShown = (view: View) => readEverything(view, ids)
  await putThings(storeOf(0), 'ann', ...ids.map((id) => createThing(id)))

  let isOver = false
  const writing = Array.from({ length: 24 }, async (_, writer) => {
    for (let count = 0; !isOver; count += 1) {
      const id = ids[(writer + count) % ids.length] ?? 'a'
      await storeOf(writer).write('ann', `writer ${writer}`, (draft) =>
        draft.putThing(createThing(id, { title: `${writer} ${count}` })),
      )
    }
  })
  const remembered = await Promise.all(
    Array.from({ length: 30 }, async (_, session) => {
      const store = storeOf(session)
      const view = await store.read('ann')
      const shown = await readShown(view)
      const { position } = view
      const listing = { position, after: 0, omit: new Set<string>(), missingIds: new Set<string>() }
      await store.rememberListing('ann', `session ${session}`, 'all', listing)
      return { session, position, shown }
    }),
  )
  isOver = true
  await Promise.all(writing)

  for (const { session, position, shown } of remembered) {
    const other = storeOf(session + 1)
    expect(await other.findListing('ann', `session ${session}`, 'all')).toMatchObject({ position })
    const view = await other.readAsOf('ann', position)
    expect(view && (await readShown(view))).toEqual(shown)
  }
})
