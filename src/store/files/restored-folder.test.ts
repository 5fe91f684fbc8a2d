import { cp, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, listIds, makeThing, putThings } from '../contract/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreFailed } from '../store.ts'
import { silentLog } from '../store-log.ts'
import { chooseDistance } from './raises.ts'

let parent = ''
let folder = ''
let milliseconds = 0
let store: Store | undefined
let warned: string[] = []
const log = { ...silentLog, warn: (_details: object, message: string) => void warned.push(message) }

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'thingsync-restored-'))
  folder = join(parent, 'data')
  warned = []
  milliseconds = Date.UTC(2030, 0, 1)
})
afterEach(async () => {
  await close()
  await rm(parent, { recursive: true })
})

const open = async (segmentBytes = 1024 * 1024): Promise<Store> => {
  store = await openJsonFileStore({ folder, form: contractForm, log, now: () => milliseconds, segmentBytes })
  return store
}

const close = async (): Promise<void> => {
  await store?.close()
  store = undefined
}

const backup = async (): Promise<void> => {
  await close()
  await cp(folder, join(parent, 'backup'), { recursive: true })
}

const restore = async (): Promise<void> => {
  await close()
  await rm(folder, { recursive: true })
  await cp(join(parent, 'backup'), folder, { recursive: true })
}

const positionOf = async (opened: Store, userId: string): Promise<number> => (await opened.read(userId)).position

for (const [name, segmentBytes] of [
  ['in the journal', 1024 * 1024],
  ["in the account's file", 1],
] as const)
  test(`no position that was given after a backup (${name}) is given again after it was restored`, async () => {
    await putThings(await open(segmentBytes), 'ann', makeThing('a'), makeThing('b'))
    await backup()
    const lost = await open(segmentBytes)
    await putThings(lost, 'ann', makeThing('c'))
    await putThings(lost, 'bob', makeThing('d'))
    await restore()

    const restored = await open(segmentBytes)
    const distance = chooseDistance(milliseconds, milliseconds / 1000)

    expect([await positionOf(restored, 'ann'), await positionOf(restored, 'bob')]).toEqual([2 + distance, distance])
    expect(await listIds(await restored.read('ann'), 0)).toEqual({ changed: ['a', 'b'], deleted: [] })
    await putThings(restored, 'ann', makeThing('e'))
    await close()
    const reopened = await open(segmentBytes)
    expect(await positionOf(reopened, 'ann')).toBe(3 + distance)
    expect(await listIds(await reopened.read('ann'), 3)).toEqual({ changed: ['e'], deleted: [] })
    expect(warned).toEqual([expect.stringContaining('was restored')])
  })

test('the backup of a restored folder raises positions once more when it is restored', async () => {
  await putThings(await open(), 'ann', makeThing('a'))
  await backup()
  await restore()
  await putThings(await open(), 'ann', makeThing('b'))
  await backup()
  await putThings(await open(), 'ann', makeThing('c'))
  await restore()

  expect(await positionOf(await open(), 'ann')).toBe(2 + 2 * chooseDistance(milliseconds, milliseconds / 1000))
})

test('a backup that is restored again gives no position that was given after the first time', async () => {
  await putThings(await open(), 'ann', makeThing('a'))
  await backup()
  await restore()
  const first = await open()
  for (const id of ['b', 'c', 'd']) await putThings(first, 'ann', makeThing(id))
  const given = await positionOf(first, 'ann')
  await restore()
  milliseconds += 10_000

  expect(await positionOf(await open(), 'ann')).toBeGreaterThan(given)
})

test('a raise is a million, and ten for each second since; a year where the clock or the time is wrong', () => {
  const now = Date.UTC(2030, 0, 1)
  const [second, day, year] = [1, 24 * 3600, 365 * 24 * 3600]

  const raises = [0, second, day, year, -second, undefined].map((ago) =>
    chooseDistance(now, ago === undefined ? undefined : now / 1000 - ago),
  )

  expect(raises).toEqual([1_000_000, 1_000_010, 1_864_000, 316_360_000, 316_360_000, 316_360_000])
  // A client that keeps positions as 32-bit floats is exact below this.
  expect(raises.slice(0, 3).every((by) => by < 2 ** 24 / 8)).toBe(true)
})

test('after a thousand restores with wrong clocks positions are exact integers still', () => {
  const total = 1000 * chooseDistance(-1e15, undefined)

  expect(total).toBeLessThan(Number.MAX_SAFE_INTEGER / 10_000)
})

test('a folder that is moved goes on with its positions', async () => {
  await putThings(await open(), 'ann', makeThing('a'))
  await close()
  await rename(folder, join(parent, 'elsewhere'))
  folder = join(parent, 'elsewhere')

  expect(await positionOf(await open(), 'ann')).toBe(1)
  expect(warned).toEqual([])
})

test('an account whose file is ahead of the journal is not served, and named', async () => {
  const first = await open(1)
  for (const id of ['a', 'b', 'c']) await putThings(first, 'ann', makeThing(id))
  await putThings(first, 'bob', makeThing('d'))
  await close()
  const [file = ''] = (await readdir(join(folder, 'accounts'), { recursive: true })).filter((name) =>
    name.endsWith('ann.json'),
  )
  const path = join(folder, 'accounts', file)
  const text = await readFile(path, 'utf8')
  const ahead = text.replace(/"write":\d+/, '"write":999').replace(/"checksum": "[^"]*"/, '"checksum": null')
  await writeFile(path, ahead.replace(',\n"checksum": null', ''))

  const opened = await open()

  await expect(opened.read('ann')).rejects.toThrow(StoreFailed)
  await expect(putThings(opened, 'ann', makeThing('e'))).rejects.toThrow('has lost its end')
  expect((await listIds(await opened.read('bob'), 0)).changed).toEqual(['d'])
})
