import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError } from '../store.ts'
import { describeFiles, readFolder } from '../tools/inspect.ts'
import { locateAccount } from './directory.ts'

let folder = ''
let store: Store

const open = async (segmentBytes: number): Promise<void> => {
  store = await openJsonFileStore({ folder, form: contractForm, segmentBytes })
}

const listSegments = async (): Promise<readonly string[]> => (await readdir(join(folder, 'journal'))).sort()

/** Every write of bob fills a segment, and the content of older segments is saved. */
const writeOften = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await putThings(store, 'bob', createThing(`b${n}`))
  await store.close()
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-damaged-'))
  // Ann has a file, and a write in the journal that is not in it.
  await open(1)
  await putThings(store, 'ann', createThing('a'))
  await store.close()
  await open(1_000_000)
  await putThings(store, 'ann', createThing('b'))
  await store.close()
})
afterEach(() => rm(folder, { recursive: true }))

test('a damaged account keeps the segments of the journal with its writes, and no others', async () => {
  const path = join(folder, 'accounts', locateAccount('ann'))
  const whole = await readFile(path, 'utf8')
  await writeFile(path, whole.replace('title of a', 'title of x'))
  const before = await listSegments()

  await open(1)
  await writeOften(20)
  await open(1)
  await writeOften(20)

  // The earlier segments, the newest one, and perhaps one that the closing store left to the next start.
  const after = await listSegments()
  expect(after.length).toBeLessThanOrEqual(before.length + 2)
  expect(after).toContain(before.at(-1))
  const damaged = describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')
  expect(damaged.map(({ file }) => file)).toEqual([join('accounts', locateAccount('ann'))])
  // A user repairs the file: nothing of the account is lost, and its part of the journal is removed at last.
  await writeFile(path, whole)
  await open(1)
  expect((await listIds(await store.read('ann'), 0)).changed).toEqual(['a', 'b'])
  expect((await listIds(await store.read('bob'), 0)).changed).toHaveLength(20)
  await putThings(store, 'ann', createThing('c'))
  await writeOften(3)
  expect(await listSegments()).not.toContain(before.at(-1))
})

test('the loss of a segment that only a damaged account needs is detected', async () => {
  const path = join(folder, 'accounts', locateAccount('ann'))
  await writeFile(path, '{"format":')
  const kept = (await listSegments()).at(-1) ?? ''
  await open(1)
  await writeOften(5)
  expect((await listSegments())[0]).toBe(kept)
  await rm(join(folder, 'journal', kept))

  await expect(open(1)).rejects.toThrow(StoreError)
  await expect(open(1)).rejects.toThrow(`${kept} is missing`)
})
