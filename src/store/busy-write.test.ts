import { expect, test } from 'vitest'
import { contractForm, createSettings, createThing, putThings } from '../../test/store/fixtures.ts'
import { openMemoryStore } from './memory-store.ts'
import type { ThingForm } from './store.ts'

const takeTime = (): void => {
  const end = performance.now() + 0.1
  while (performance.now() < end);
}

/** Counts how often other events run until the call. */
const countTurns = (): (() => number) => {
  let turns = 0
  const next = (): void => {
    turns += 1
    handle = setImmediate(next)
  }
  let handle = setImmediate(next)
  return () => {
    clearImmediate(handle)
    return turns
  }
}

const open = (form: Partial<ThingForm>) =>
  openMemoryStore({ form: { ...contractForm, ...form }, monotonicMs: () => performance.now() })

test('other events run while a write sets thousands of tags', async () => {
  const store = await open({
    isTodoTag: (settings) => {
      takeTime()
      return contractForm.isTodoTag(settings)
    },
  })
  let turns = 0

  await store.write('ann', 'a session', async (draft) => {
    const stop = countTurns()
    for (let index = 0; index < 2000; index += 1) await draft.putTag(`t${index}`, createSettings('strike'))
    turns = stop()
  })

  expect(turns).toBeGreaterThan(10)
  await store.close()
})

test('the oldest of thousands of things with one URL is found without reading all of them', async () => {
  let reads = 0
  const store = await open({
    readThing: (json) => {
      reads += 1
      return contractForm.readThing(json)
    },
  })
  await putThings(store, 'ann', ...Array.from({ length: 2000 }, (_, index) => createThing(`id${index}`, { url: 'u' })))
  reads = 0

  const found = await store.write('ann', 'a session', (draft) => draft.findThingByUrl('u'))

  expect(found?.id).toBe('id0')
  expect(reads).toBeLessThan(10)
  await store.close()
})
