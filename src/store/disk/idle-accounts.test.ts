import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFailingFiles } from '../../../test/store/failing-files.ts'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { pagedDownloadSeconds, type Store } from '../store.ts'
import type { FileOperations } from './files.ts'

let folder = ''
let milliseconds = 0
let unixMilliseconds = 0
let store: Store
const failing = createFailingFiles()
/** The only account whose file the disk does not accept. */
let failingAccount: string | undefined
const files: FileOperations = {
  ...failing.files,
  rename: async (from, to) => {
    if (String(to).endsWith(`${failingAccount}.ndjson`))
      throw Object.assign(new Error('injected by the test'), { code: 'EIO', errno: -1 })
    await failing.files.rename(from, to)
  },
}

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  folder = await mkdtemp(join(tmpdir(), 'thingsync-idle-'))
  milliseconds = 1_000_000
  unixMilliseconds = Date.UTC(2030, 0, 1)
  store = await openJsonFileStore({
    folder,
    form: contractForm,
    now: () => unixMilliseconds,
    monotonicMs: () => milliseconds,
    files,
  })
})
afterEach(async () => {
  failing.injectFault(undefined)
  failingAccount = undefined
  await store.close()
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

/** Lets time pass, and runs the sweep that the store does every minute. */
const pass = async (seconds: number): Promise<void> => {
  milliseconds += seconds * 1000
  unixMilliseconds += seconds * 1000
  vi.advanceTimersByTime(60_000)
  // The sweep has ended when nothing waits for the disk any more.
  for (let turns = 0; turns < 50; ) {
    await new Promise((resolve) => setImmediate(resolve))
    turns = process.getActiveResourcesInfo().some((name) => /^FS|Close/.test(name)) ? 0 : turns + 1
  }
}

const listFiles = async (): Promise<readonly string[]> =>
  (await readdir(join(folder, 'accounts'), { recursive: true })).filter((name) => name.endsWith('.ndjson'))

/** Returns true when the account is in memory, where its earlier positions are. */
const isOpen = async (userId: string): Promise<boolean> => (await store.readAsOf(userId, 1)) !== undefined

/** Lets minutes pass until so many accounts are in memory: a slow disk takes longer than `pass`. */
const untilOpen = async (count: number): Promise<void> => {
  await vi.waitFor(
    () => {
      vi.advanceTimersByTime(60_000)
      expect(store.countOpenAccounts()).toBe(count)
    },
    { timeout: 60_000, interval: 100 },
  )
}

test('an idle account leaves the memory, and is complete when it is loaded again', async () => {
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'ann', createThing('b'), createThing('a', { title: 'new' }))
  const early = await store.read('ann')

  await pass(pagedDownloadSeconds + 1)

  await untilOpen(0)
  expect(await listFiles()).toHaveLength(1)
  expect(await isOpen('ann')).toBe(false)
  const view = await store.read('ann')
  expect([view.position, (await view.findThing('a'))?.title]).toEqual([3, 'new'])
  await putThings(store, 'ann', createThing('c'))
  expect(await listIds(await store.read('ann'), 3)).toEqual({ changed: ['c'], deleted: [] })
  expect(await listIds(early, 0)).toEqual({ changed: ['b', 'a'], deleted: [] })
})

test('an account stays in memory for as long as a client may request pages of a listing', async () => {
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'ann', createThing('b'))

  for (let page = 0; page < 3; page += 1) {
    await store.read('ann')
    await pass(pagedDownloadSeconds - 1)
  }

  expect(await isOpen('ann')).toBe(true)
})

test('an account that cannot be saved stays in memory', async () => {
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'ann', createThing('b'))
  failing.injectFault('rename', 'ENOSPC')

  await pass(pagedDownloadSeconds + 1)

  expect(await isOpen('ann')).toBe(true)
  failing.injectFault(undefined)
  await pass(pagedDownloadSeconds + 1)
  await untilOpen(0)
})

test('an account that cannot be saved keeps no other account in memory', async () => {
  for (const userId of ['ann', 'bob']) {
    await putThings(store, userId, createThing('a'))
    await putThings(store, userId, createThing('b'))
  }
  failingAccount = 'ann'

  await pass(pagedDownloadSeconds + 1)

  await untilOpen(1)
  expect([await isOpen('ann'), await isOpen('bob')]).toEqual([true, false])
})

test('a clock that is set back keeps no idle account in memory', async () => {
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'ann', createThing('b'))
  unixMilliseconds -= 3_600_000

  await pass(pagedDownloadSeconds + 1)

  await untilOpen(0)
})

test('a clock that is set forward ends no listing', async () => {
  const listing = { position: 1, after: 0, omit: new Set<string>(), missingIds: new Set<string>() }
  await store.rememberListing('ann', 'phone', 'one', listing)
  unixMilliseconds += 3_600_000

  await pass(pagedDownloadSeconds - 1)

  expect(await store.findListing('ann', 'phone', 'one')).toEqual(listing)
})

test('the store frees expired listings', async () => {
  const listing = { position: 1, after: 0, omit: new Set<string>(), missingIds: new Set<string>() }
  await store.rememberListing('ann', 'phone', 'one', listing)

  await pass(pagedDownloadSeconds + 1)

  // As if no time had passed: a listing that is found is still in memory.
  milliseconds -= pagedDownloadSeconds * 1000
  expect(await store.findListing('ann', 'phone', 'one')).toBeUndefined()
})
