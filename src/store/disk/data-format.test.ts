import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, listIds, makeThing, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { encodeSealed } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import { silentLog } from '../store-log.ts'
import { describeFiles } from '../tools/inspect/describe-files.ts'
import { readFolder } from '../tools/inspect/read-folder.ts'
import { repairFolder } from '../tools/repair/repair-folder.ts'
import { locateAccount } from './account-path.ts'

let folder = ''
let warned: string[] = []
const log = { ...silentLog, warn: (_details: object, message: string) => void warned.push(message) }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-format-'))
  warned = []
})
afterEach(() => rm(folder, { recursive: true }))

const open = () => openJsonFileStore({ folder, form: contractForm, log })

/** A data folder as it was before there was a journal, with one user who has one thing. */
const makeFirstFolder = async () => {
  const user = { id: 'ann', name: 'Ann', passwordHash: '', createdAt: 1 }
  const registry = [
    ...encodeSealed({ format: 'thingsync directory', version: 1 }, { users: [user], apps: [], sessions: [] }),
  ].join('')
  const stored = { ...makeThing('a'), position: 3, createdPosition: 3, writer: 'phone', othersPosition: 0 }
  const lists = { things: [stored], tombstones: [], tags: [], records: [] }
  const account = [
    ...encodeSealed({ format: 'thingsync account', version: 1, userId: 'ann', position: 3 }, lists),
  ].join('')
  const accountPath = join('accounts', locateAccount('ann').replace('.ndjson', '.json'))
  await mkdir(join(folder, dirname(accountPath)), { recursive: true })
  await writeFile(join(folder, 'directory.json'), registry)
  await writeFile(join(folder, accountPath), account)
  return { registry, account, accountPath, user }
}

test('a data folder without a journal is brought to the newer format, with a copy of all it held', async () => {
  const { registry, account, accountPath, user } = await makeFirstFolder()

  const store = await open()

  expect(await store.registry.listUsers()).toEqual([user])
  expect((await store.read('ann')).position).toBe(3)
  await putThings(store, 'ann', makeThing('b'))
  await store.close()
  expect(warned).toEqual([expect.stringContaining(join(folder, 'before-journal'))])
  expect(await readFile(join(folder, 'before-journal', 'directory.json'), 'utf8')).toBe(registry)
  expect(await readFile(join(folder, 'before-journal', accountPath), 'utf8')).toBe(account)
  const reopened = await open()
  expect((await listIds(await reopened.read('ann'), 0)).changed).toEqual(['a', 'b'])
  await reopened.close()
  expect(warned).toHaveLength(1)
})

test('a crash while a data folder is brought to the newer format costs nothing', async () => {
  const { account, accountPath } = await makeFirstFolder()
  await mkdir(join(folder, 'new-version.unfinished'))
  await (await open()).close()
  // What is made behind it.
  for (const name of ['format.json', join('journal', '000000000001.ndjson')]) await rm(join(folder, name))

  const store = await open()

  expect((await store.read('ann')).position).toBe(3)
  await store.close()
  expect(await readFile(join(folder, 'before-journal', accountPath), 'utf8')).toBe(account)
})

/** `format.json` as a later version of the program may write it. */
const writeLaterFormat = async (readVersion: number): Promise<string> => {
  const text = await readFile(join(folder, 'format.json'), 'utf8')
  const { raises, accounts, checksum: _, ...head } = JSON.parse(text)
  const later = { ...head, version: 99, readVersion, program: '7.8.9' }
  await writeFile(join(folder, 'format.json'), [...encodeSealed(later, { raises, accounts })].join(''))
  return 'its version is 99, this program reads version 5; thingsync 7.8.9 wrote it, this is thingsync '
}

const readAll = async (): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)))
}

test('a data folder of a later format is refused by the server and every tool, and left alone', async () => {
  await (await open()).close()
  const sentence = await writeLaterFormat(99)
  // Damage beside it makes nobody repair it either.
  await writeFile(join(folder, 'directory.json'), '{"format":')
  const before = await readAll()

  await expect(open()).rejects.toThrow(sentence)
  await expect(readFolder(folder)).rejects.toThrow(sentence)
  await expect(repairFolder(folder, 0)).rejects.toThrow(sentence)

  expect(await readAll()).toEqual(before)
})

test('a data folder of a later format that can be read like this one is read, and not written', async () => {
  const store = await open()
  await putThings(store, 'ann', makeThing('a'))
  await store.close()
  const sentence = await writeLaterFormat(4)
  const before = await readAll()

  const read = await readFolder(folder)
  await expect(open()).rejects.toThrow(sentence)
  await expect(repairFolder(folder, 0)).rejects.toThrow(sentence)

  expect(describeFiles(read).filter(({ state }) => state === 'damaged')).toEqual([])
  expect(read.accounts.map(({ found }) => found?.things)).toEqual([1])
  expect(await readAll()).toEqual(before)
})

test('a file of a later format in a folder without format.json is not repaired either', async () => {
  await (await open()).close()
  await rm(join(folder, 'format.json'))
  const later = [...encodeSealed({ format: 'thingsync directory', version: 9 }, {})].join('')
  await writeFile(join(folder, 'directory.json'), later)
  const before = await readAll()

  await expect(repairFolder(folder, 0)).rejects.toThrow('directory.json: its version is 9')
  await expect(open()).rejects.toThrow(StoreFailed)

  expect(await readAll()).toEqual(before)
})

test('a flipped bit in the version is damage, and no later format', async () => {
  await (await open()).close()
  const path = join(folder, 'format.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace('"version":5', '"version":7'))

  const { damaged } = await repairFolder(folder, 0)

  expect(damaged.map(({ file }) => file)).toEqual(['format.json'])
  await (await open()).close()
})
