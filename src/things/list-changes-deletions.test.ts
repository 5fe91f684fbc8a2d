import { expect, test } from 'vitest'
import { contractForm, createThing } from '../../test/store/fixtures.ts'
import type { Environment } from '../environment.ts'
import { openMemoryStore } from '../store/memory-store.ts'
import { listChanges } from './list-changes.ts'
import { applyUpload } from './upload.ts'

const count = 100_000
const environment: Environment = { now: () => 1, newId: () => 'none', newSecret: () => 'none' }

/** Counts the turns of the event loop of each iteration over a list. */
const watchPasses = () => {
  let turn = 0
  let isOver = false
  const next = (): void => {
    turn += 1
    if (!isOver) setImmediate(next)
  }
  setImmediate(next)
  const passes: number[] = []
  const watch = <Item>(items: Iterable<Item>) =>
    function* (): Generator<Item> {
      const before = turn
      yield* items
      passes.push(turn - before)
    }
  const end = (): readonly number[] => {
    isOver = true
    return passes
  }
  return { watch, end }
}

test('other events run while a hundred thousand things are deleted and listed', async () => {
  const store = await openMemoryStore({ form: contractForm })
  const ids = Array.from({ length: count }, (_, n) => `t${n}`)
  await store.write('ann', 'phone', async (draft) => {
    for (const id of ids) await draft.putThing(createThing(id))
  })
  const { position } = await store.read('ann')
  const deletedThings = Object.assign([...ids], {})
  const { watch, end } = watchPasses()
  deletedThings[Symbol.iterator] = watch(ids) as (typeof deletedThings)[typeof Symbol.iterator]
  const upload = { newThings: [], changedThings: [], deletedThings, tags: new Map(), from: position }

  const outcome = await store.write('ann', 'phone', (draft) => applyUpload(draft, upload, 'phone', environment))
  const deletedIds = new Set(outcome.deletedIds)
  deletedIds[Symbol.iterator] = watch(ids) as (typeof deletedIds)[typeof Symbol.iterator]
  const query = { userId: 'ann', session: 'phone', from: position - 1 }
  const { thingCount } = await listChanges(store, query, { ...outcome, deletedIds })
  const passes = end()

  expect(thingCount).toBe(0)
  expect(passes.length).toBeGreaterThanOrEqual(2)
  // Each of them in a single turn would block other events for tens of milliseconds.
  expect(Math.min(...passes)).toBeGreaterThan(2)
  await store.close()
})
