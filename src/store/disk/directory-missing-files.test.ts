import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { forgetInventory } from '../../../test/store/forget-inventory.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError, silentLog } from '../store.ts'
import { describeFiles, readFolder } from '../tools/inspect.ts'
import { repairFolder } from '../tools/repair.ts'
import { locateAccount } from './directory.ts'

const advice =
  'put it back from a copy of the folder, or restore a backup, or run "thingsync verify --repair" to go on without it'

const createFolder = async (): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-missing-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  return folder
}

const open = (folder: string, segmentBytes = 1_000_000, log = silentLog): Promise<Store> =>
  openJsonFileStore({ folder, form: contractForm, segmentBytes, log })

/** A closed folder with a user. The accounts are in their own files, or all in the journal. */
const createData = async (segmentBytes?: number): Promise<string> => {
  const folder = await createFolder()
  const store = await open(folder, segmentBytes)
  await store.registry.change((draft) => draft.put('users', { id: 'ann', name: 'Ann', passwordHash: '', createdAt: 1 }))
  for (const id of ['a', 'b', 'c']) await putThings(store, 'ann', createThing(id))
  await putThings(store, 'bob', createThing('d'))
  await store.close()
  return folder
}

const listDamaged = async (folder: string): Promise<readonly string[]> =>
  describeFiles(await readFolder(folder))
    .filter(({ state }) => state === 'damaged')
    .map(({ file }) => file)

const readPositions = async (folder: string): Promise<readonly number[]> => {
  const store = await open(folder)
  const views = [await store.read('ann'), await store.read('bob')]
  await store.close()
  return views.map(({ position }) => position)
}

for (const [where, segmentBytes] of [
  ['all in the journal', undefined],
  ['in files of their own', 1],
] as const)
  test.each(['journal', 'directory.json', 'format.json'])(
    `a folder (accounts ${where}) without %s is rejected unchanged, until a repair continues without it`,
    async (name) => {
      const folder = await createData(segmentBytes)
      await files.rm(join(folder, name), { recursive: true })
      const before = await files.readdir(folder, { recursive: true })

      const openError = await open(folder).catch((error: unknown) => error)

      expect(openError).toBeInstanceOf(StoreError)
      expect(String(openError)).toMatch(new RegExp(`${join(folder, name)}\\S*? is missing.*; ${advice}`))
      expect(await files.readdir(folder, { recursive: true })).toEqual(before)
      expect((await listDamaged(folder)).some((file) => file.startsWith(name))).toBe(true)
      await repairFolder(folder, Date.now())
      expect(await listDamaged(folder)).toEqual([])
      // A client with an earlier position receives all later changes.
      if (name !== 'directory.json') expect(Math.min(...(await readPositions(folder)))).toBeGreaterThan(100_000_000)
      else expect(await readPositions(folder)).toEqual([3, 1])
    },
  )

test('a folder without a recorded inventory is rejected when its journal is missing', async () => {
  const [saved, unsaved] = [await createData(1), await createData()]
  for (const folder of [saved, unsaved]) {
    await forgetInventory(folder)
    await files.rm(join(folder, 'journal'), { recursive: true })
  }

  await expect(open(saved)).rejects.toThrow(`${join(saved, 'journal')} is missing`)
  await expect(open(unsaved)).rejects.toThrow(`${join(unsaved, 'journal')} is missing`)
})

test('after the loss of the oldest segment, its writes are not treated as never written', async () => {
  const folder = await createData()
  const store = await openJsonFileStore({
    folder,
    form: contractForm,
    segmentBytes: 1,
    files: { ...files, rename: rejectAccounts },
  })
  await putThings(store, 'ann', createThing('e'))
  await store.close()
  const [oldest = '', ...others] = (await files.readdir(join(folder, 'journal'))).sort()
  await files.rm(join(folder, 'journal', oldest))

  expect(others.length).toBeGreaterThan(0)
  await expect(open(folder)).rejects.toThrow(`${join(folder, 'journal', oldest)} is missing`)
  expect(await listDamaged(folder)).toContain(join('journal', oldest))
})

/** A disk that accepts no file of an account, so that the journal keeps all its segments. */
const rejectAccounts: typeof files.rename = async (from, to) => {
  if (String(to).includes('accounts') || String(to).includes('registry'))
    throw Object.assign(new Error('ENOSPC: injected by the test'), { code: 'ENOSPC', errno: -28 })
  await files.rename(from, to)
}

test('writes cut off the journal after a clean stop are reported, and their numbers not used again', async () => {
  const folder = await createData()
  const path = join(folder, 'journal', '000000000001.ndjson')
  const whole = await files.readFile(path, 'utf8')
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1
  const sentence = `${path} has lost its end: it ends at write 5, and write 6 was on disk; ${advice}`

  for (const length of [lastLine, lastLine + 40, whole.length - 2]) {
    await files.writeFile(path, whole.slice(0, length))
    await expect(open(folder), `cut at ${length}`).rejects.toThrow(sentence)
    expect((await files.readFile(path, 'utf8')).length, 'nothing is cut off').toBe(length)
  }
  expect(await listDamaged(folder)).toEqual([join('journal', '000000000001.ndjson')])
  await repairFolder(folder, Date.now())
  expect(Math.min(...(await readPositions(folder)))).toBeGreaterThan(100_000_000)
})

test('an unfinished line after a clean stop is cut off, and is no loss', async () => {
  const folder = await createData()
  await files.appendFile(join(folder, 'journal', '000000000001.ndjson'), '{"crc32":"0123')
  const warned: string[] = []

  const store = await open(folder, 1_000_000, { ...silentLog, warn: (_details, message) => void warned.push(message) })
  onTestFinished(store.close)

  expect((await listIds(await store.read('ann'), 0)).changed).toEqual(['a', 'b', 'c'])
  expect(warned).toEqual([expect.stringMatching(/^cut 14 bytes off .*; the last whole write is 6$/)])
})

test('a broken link instead of directory.json does not look like a folder without users', async () => {
  const folder = await createData()
  const path = join(folder, 'directory.json')
  await files.rename(path, `${folder}-directory.json`)
  onTestFinished(() => files.rm(`${folder}-directory.json`, { force: true }))
  await files.symlink(`${folder}-nowhere.json`, path)

  await expect(open(folder)).rejects.toThrow(`${path} is missing, with all users and sessions; ${advice}`)

  await files.rename(`${folder}-directory.json`, `${folder}-nowhere.json`)
  onTestFinished(() => files.rm(`${folder}-nowhere.json`))
  const store = await open(folder)
  expect((await store.registry.listUsers()).map(({ name }) => name)).toEqual(['Ann'])
  await store.close()
})

test('an account without its file is reported and not served as empty; the others are served', async () => {
  const folder = await createData(1)
  const file = join('accounts', locateAccount('ann'))
  await files.rm(join(folder, file))
  const failures: string[] = []
  const log = { ...silentLog, error: (_details: object, message: string) => void failures.push(message) }

  const store = await open(folder, 1_000_000, log)

  expect(failures).toEqual([expect.stringContaining('1 files of accounts are missing (ann.ndjson)')])
  await expect(store.read('ann')).rejects.toThrow(`${join(folder, file)} is missing; ${advice}`)
  await expect(putThings(store, 'ann', createThing('e'))).rejects.toThrow(StoreError)
  await putThings(store, 'bob', createThing('e'))
  await store.close()
  expect(await listDamaged(folder)).toEqual([file])
  await repairFolder(folder, Date.now())
  expect(await listDamaged(folder)).toEqual([])
  expect(Math.min(...(await readPositions(folder)))).toBeGreaterThan(100_000_000)
})

test('a removed account is not reported as missing', async () => {
  const folder = await createData(1)
  const store = await open(folder, 1)
  await store.removeAccount('ann')
  await putThings(store, 'bob', createThing('e'))
  await store.close()
  await files.access(join(folder, 'accounts', locateAccount('bob')))
  await expect(files.access(join(folder, 'accounts', locateAccount('ann')))).rejects.toThrow('ENOENT')

  expect(await readPositions(folder)).toEqual([0, 2])
  expect(await listDamaged(folder)).toEqual([])
})
