import { execFile } from 'node:child_process'
import { copyFile, cp, mkdtemp, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFailingFiles } from '../../../test/store/failing-files.ts'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { chooseDistance } from '../account/records.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError, silentLog } from '../store.ts'

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

const run = promisify(execFile)

const listFiles = async (root: string): Promise<readonly string[]> => {
  const entries = await readdir(root, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name).slice(root.length))
}

/** Ways to restore a backup over an existing folder. */
const waysInPlace = {
  'cp -a': async () => void (await run('cp', ['-a', `${join(parent, 'backup')}/.`, folder])),
  'cp -R': async () => void (await run('cp', ['-R', `${join(parent, 'backup')}/.`, folder])),
  'rsync -a': async () => {
    for (const file of await listFiles(join(parent, 'backup'))) {
      const [source, target] = [join(parent, 'backup', file), join(folder, file)]
      const { atime, mtime } = await stat(source)
      await copyFile(source, `${target}.incoming`)
      await utimes(`${target}.incoming`, atime, mtime)
      await rename(`${target}.incoming`, target)
    }
  },
}

const positionOf = async (opened: Store, userId: string): Promise<number> => (await opened.read(userId)).position

for (const [name, segmentBytes] of [
  ['in the journal', 1024 * 1024],
  ["in the account's file", 1],
] as const)
  test(`after the restore of a backup (${name}), no position since the backup is used again`, async () => {
    await putThings(await open(segmentBytes), 'ann', createThing('a'), createThing('b'))
    await backup()
    const lost = await open(segmentBytes)
    await putThings(lost, 'ann', createThing('c'))
    await putThings(lost, 'bob', createThing('d'))
    await restore()

    const restored = await open(segmentBytes)
    const distance = chooseDistance(milliseconds, milliseconds / 1000)

    expect([await positionOf(restored, 'ann'), await positionOf(restored, 'bob')]).toEqual([2 + distance, distance])
    expect(await listIds(await restored.read('ann'), 0)).toEqual({ changed: ['a', 'b'], deleted: [] })
    await putThings(restored, 'ann', createThing('e'))
    await close()
    const reopened = await open(segmentBytes)
    expect(await positionOf(reopened, 'ann')).toBe(3 + distance)
    expect(await listIds(await reopened.read('ann'), 3)).toEqual({ changed: ['e'], deleted: [] })
    expect(warned).toEqual([expect.stringContaining('was restored')])
  })

for (const [way, restoreInPlace] of Object.entries(waysInPlace))
  test(`after a backup is restored in place (${way}), no position is used again`, async () => {
    await putThings(await open(), 'ann', createThing('a'), createThing('b'))
    await backup()
    const lost = await open()
    await putThings(lost, 'ann', createThing('c'))
    await putThings(lost, 'bob', createThing('d'))
    await close()
    await restoreInPlace()

    const restored = await open()

    const distance = chooseDistance(milliseconds, milliseconds / 1000)
    expect([await positionOf(restored, 'ann'), await positionOf(restored, 'bob')]).toEqual([2 + distance, distance])
    expect(await listIds(await restored.read('ann'), 0)).toEqual({ changed: ['a', 'b'], deleted: [] })
    await close()
    expect(await positionOf(await open(), 'ann')).toBe(2 + distance)
    expect(warned).toEqual([expect.stringContaining('was restored')])
  })

for (const way of ['cp -a', 'rsync -a'] as const)
  test(`the same applies to a copy made while the server ran (${way})`, async () => {
    await putThings(await open(), 'ann', createThing('a'))
    await cp(folder, join(parent, 'backup'), { recursive: true })
    // Copies keep the times of an hour ago; a folder that stays in place never has such times.
    const past = Date.now() / 1000 - 3600
    for (const file of await listFiles(join(parent, 'backup'))) await utimes(join(parent, 'backup', file), past, past)
    await putThings(store ?? (await open()), 'ann', createThing('b'))
    // The copy overwrites what the closing store still writes, as after a crash.
    await close()
    await waysInPlace[way]()

    expect(await positionOf(await open(), 'ann')).toBeGreaterThan(1_000_000)
  })

test('a folder that was not seen for a while may be an earlier state, and gets raised positions', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await close()
  milliseconds += 24 * 3_600_000

  expect(await positionOf(await open(), 'ann')).toBe(1 + 1_864_000)
  expect(warned).toEqual([])
})

test('a server that starts again soon continues with its positions', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await close()
  milliseconds += 5 * 60_000

  expect(await positionOf(await open(), 'ann')).toBe(1)
})

test('after a crash between a restore and the raise of positions, the next start raises them', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await backup()
  await putThings(await open(), 'ann', createThing('b'))
  await close()
  await waysInPlace['cp -a']()
  const failing = createFailingFiles()
  const rename: typeof failing.files.rename = async (from, to) => {
    if (String(to).endsWith('format.json'))
      throw Object.assign(new Error('injected by the test'), { code: 'EIO', errno: -1 })
    await failing.files.rename(from, to)
  }
  const options = { folder, form: contractForm, now: () => milliseconds }
  await expect(openJsonFileStore({ ...options, files: { ...failing.files, rename } })).rejects.toThrow(StoreError)

  expect(await positionOf(await open(), 'ann')).toBeGreaterThan(1_000_000)
})

test('the restore of a backup of a restored folder raises positions once more', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await backup()
  await restore()
  await putThings(await open(), 'ann', createThing('b'))
  await backup()
  await putThings(await open(), 'ann', createThing('c'))
  await restore()

  expect(await positionOf(await open(), 'ann')).toBe(2 + 2 * chooseDistance(milliseconds, milliseconds / 1000))
})

test('a second restore of a backup uses no position from after the first restore', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await backup()
  await restore()
  const first = await open()
  for (const id of ['b', 'c', 'd']) await putThings(first, 'ann', createThing(id))
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
  // Below this, positions are exact even as 32-bit floats.
  expect(raises.slice(0, 3).every((by) => by < 2 ** 24 / 8)).toBe(true)
})

test('after a thousand restores with wrong clocks, positions are still exact integers', () => {
  const total = 1000 * chooseDistance(-1e15, undefined)

  expect(total).toBeLessThan(Number.MAX_SAFE_INTEGER / 10_000)
})

test('a folder that is moved continues with its positions', async () => {
  await putThings(await open(), 'ann', createThing('a'))
  await close()
  await rename(folder, join(parent, 'elsewhere'))
  folder = join(parent, 'elsewhere')

  expect(await positionOf(await open(), 'ann')).toBe(1)
  expect(warned).toEqual([])
})

test('an account whose file is ahead of the journal is named and not served', async () => {
  const first = await open(1)
  for (const id of ['a', 'b', 'c']) await putThings(first, 'ann', createThing(id))
  await putThings(first, 'bob', createThing('d'))
  await close()
  const [file = ''] = (await readdir(join(folder, 'accounts'), { recursive: true })).filter((name) =>
    name.endsWith('ann.ndjson'),
  )
  const path = join(folder, 'accounts', file)
  const text = await readFile(path, 'utf8')
  const repaired = text.replaceAll(/"crc32":"[^"]*"/g, '"crc32":"--------"')
  await writeFile(path, repaired.replaceAll(/"write": *\d+/g, '"write":         999'))

  const opened = await open()

  await expect(opened.read('ann')).rejects.toThrow(StoreError)
  await expect(putThings(opened, 'ann', createThing('e'))).rejects.toThrow('has lost its end')
  expect((await listIds(await opened.read('bob'), 0)).changed).toEqual(['d'])
})
