import * as nodeFiles from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { StoreError } from '../store.ts'
import { locateAccount } from './directory.ts'
import type { FileOperations } from './files.ts'

let folder = ''
let touched: string[] = []

/** Records which account is written; while `isFull`, the disk accepts none. */
const createFiles = (isFull: boolean): FileOperations => ({
  ...nodeFiles,
  rename: async (from, to) => {
    if (String(to).includes('/accounts/')) {
      if (isFull) throw Object.assign(new Error('injected by the test'), { code: 'ENOSPC', errno: -1 })
      touched.push(String(to))
    }
    await nodeFiles.rename(from, to)
  },
})

const open = (isFull = false) =>
  openJsonFileStore({ folder, form: contractForm, segmentBytes: 1, files: createFiles(isFull) })

const listSegments = () => nodeFiles.readdir(join(folder, 'journal'))

const userIds = ['ann', 'bob', 'cyd']

beforeEach(async () => {
  folder = await nodeFiles.mkdtemp(join(tmpdir(), 'thingsync-start-'))
  touched = []
  // Each account has writes in older segments of the journal, and no account has its own file.
  const store = await open(true)
  for (const userId of userIds) await putThings(store, userId, createThing('a'), createThing('b'))
  await store.close()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(async () => {
  vi.useRealTimers()
  await nodeFiles.rm(folder, { recursive: true })
})

const untilSaved = async (): Promise<void> => {
  while ((await listSegments()).length > 1) await new Promise(setImmediate)
}

test('a start does not save accounts before the responses to the first requests', async () => {
  const store = await open()

  expect((await listIds(await store.read('bob'), 0)).changed).toEqual(['a', 'b'])
  // The close would wait for a checkpoint that had begun.
  await store.close()

  expect(touched).toEqual([])
  expect((await listSegments()).length).toBeGreaterThan(1)
})

test('accounts that a start only saves do not stay in memory', async () => {
  const store = await open()
  vi.advanceTimersByTime(60_000)
  await untilSaved()
  expect(touched).toHaveLength(3)

  // The next request would read the account from its file, which is missing.
  await nodeFiles.rm(join(folder, 'accounts', locateAccount('ann')))

  await expect(store.read('ann')).rejects.toThrow(StoreError)
  expect((await listIds(await store.read('bob'), 0)).changed).toEqual(['a', 'b'])
  await store.close()
})

test('a write to an account during its saving from the journal is not lost', async () => {
  const store = await open()
  vi.advanceTimersByTime(60_000)
  const writes = userIds.map((userId) => putThings(store, userId, createThing('c')))

  await Promise.all([...writes, untilSaved()])
  await store.removeAccount('cyd')
  await store.close()

  const reopened = await open()
  const lists = await Promise.all(userIds.map(async (id) => (await listIds(await reopened.read(id), 0)).changed))
  expect(lists).toEqual([['a', 'b', 'c'], ['a', 'b', 'c'], []])
  await reopened.close()
})
