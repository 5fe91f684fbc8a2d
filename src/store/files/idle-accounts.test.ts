import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFailingFiles } from '../contract/failing-files.ts'
import { contractForm, listIds, makeThing, putThings } from '../contract/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { pagedDownloadSeconds, type Store } from '../store.ts'

let folder = ''
let milliseconds = 0
let store: Store
const failing = createFailingFiles()

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  folder = await mkdtemp(join(tmpdir(), 'thingsync-idle-'))
  milliseconds = Date.UTC(2030, 0, 1)
  store = await openJsonFileStore({ folder, form: contractForm, now: () => milliseconds, files: failing.files })
})
afterEach(async () => {
  failing.refuse(undefined)
  await store.close()
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

/** Lets time pass, and the store do what it does every minute. */
const pass = async (seconds: number): Promise<void> => {
  milliseconds += seconds * 1000
  vi.advanceTimersByTime(60_000)
  // What the timer began ends after a few writes to the disk.
  await new Promise((resolve) => setTimeout(resolve, 100))
}

const listFiles = async (): Promise<readonly string[]> =>
  (await readdir(join(folder, 'accounts'), { recursive: true })).filter((name) => name.endsWith('.json'))

/** True when the account is in memory, where its earlier positions are. */
const isOpen = async (userId: string): Promise<boolean> => (await store.readAsOf(userId, 1)) !== undefined

test('an account that nobody uses leaves the memory, and comes back with all it holds', async () => {
  await putThings(store, 'ann', makeThing('a'))
  await putThings(store, 'ann', makeThing('b'), makeThing('a', { title: 'new' }))
  const early = await store.read('ann')

  await pass(pagedDownloadSeconds + 1)

  expect(await listFiles()).toHaveLength(1)
  expect(await isOpen('ann')).toBe(false)
  const view = await store.read('ann')
  expect([view.position, (await view.findThing('a'))?.title]).toEqual([3, 'new'])
  await putThings(store, 'ann', makeThing('c'))
  expect(await listIds(await store.read('ann'), 3)).toEqual({ changed: ['c'], deleted: [] })
  expect(await listIds(early, 0)).toEqual({ changed: ['b', 'a'], deleted: [] })
})

test('an account stays in memory for as long as pages of a listing may be asked for', async () => {
  await putThings(store, 'ann', makeThing('a'))
  await putThings(store, 'ann', makeThing('b'))

  for (let page = 0; page < 3; page += 1) {
    await store.read('ann')
    await pass(pagedDownloadSeconds - 1)
  }

  expect(await isOpen('ann')).toBe(true)
})

test('an account that cannot be saved stays in memory', async () => {
  await putThings(store, 'ann', makeThing('a'))
  await putThings(store, 'ann', makeThing('b'))
  failing.refuse('rename', 'ENOSPC')

  await pass(pagedDownloadSeconds + 1)

  expect(await isOpen('ann')).toBe(true)
  failing.refuse(undefined)
  await pass(pagedDownloadSeconds + 1)
  expect(await isOpen('ann')).toBe(false)
})
