import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, createThing, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import type { Store, ThingForm } from '../store.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-long-write-'))
})
afterEach(() => rm(folder, { recursive: true }))

const log = { warn: () => undefined, error: () => undefined }

/** Indexing takes so long that everything that can happen meanwhile does happen. */
const slowForm: ThingForm = {
  ...contractForm,
  tagsOf: (thing) => {
    const end = performance.now() + 0.1
    while (performance.now() < end);
    return contractForm.tagsOf(thing)
  },
}

/** With `segmentBytes` 1 a checkpoint begins after every batch, while a long write in it becomes visible. */
const open = (segmentBytes = 1): Promise<Store> => openJsonFileStore({ folder, form: slowForm, log, segmentBytes })

const things = Array.from({ length: 2000 }, (_, index) =>
  createThing(`id${index}`, { title: `Nr. ${index} ☕`, tags: `t${index}` }),
)

const countThings = async (store: Store, userId = 'ann') => (await store.read(userId)).countThings()

test('a checkpoint that begins while a long write becomes visible loses no part of it', async () => {
  const store = await open()
  await putThings(store, 'ann', createThing('first'))
  await putThings(store, 'ann', ...things)
  await store.close()

  const again = await open()
  const view = await again.read('ann')

  expect([view.position, await countThings(again)]).toEqual([2001, 2001])
  expect((await view.findThing('id1234'))?.title).toBe('Nr. 1234 ☕')
  await again.close()
  expect((await readdir(join(folder, 'journal'))).length).toBeLessThan(4)
})

test('a long write, and the other writes of its batch, are read again from the journal', async () => {
  const store = await open(2 ** 30)
  await Promise.all([
    putThings(store, 'bob', createThing('before')),
    putThings(store, 'ann', ...things),
    putThings(store, 'bob', createThing('after')),
    putThings(store, 'ann', createThing('after')),
  ])
  await store.close()

  const again = await open(2 ** 30)

  expect([await countThings(again), await countThings(again, 'bob')]).toEqual([2001, 2])
  await again.close()
})

test('a closed store has made all writes visible that were begun', async () => {
  const store = await open()
  const long = putThings(store, 'ann', ...things)
  const view = await store.read('ann')

  await store.close()

  let isShown = false
  void long.then(() => {
    isShown = true
  })
  await Promise.resolve()
  await Promise.resolve()
  expect(view.position).toBe(0)
  expect(isShown).toBe(true)
})
