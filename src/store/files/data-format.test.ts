import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, listIds, makeThing, putThings } from '../contract/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { silentLog } from '../store-log.ts'
import { showAccountPath } from './account-path.ts'
import { encodeSealed } from './sealed-json.ts'

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
  const directory = [
    ...encodeSealed({ format: 'thingsync directory', version: 1 }, { users: [user], apps: [], sessions: [] }),
  ].join('')
  const stored = { ...makeThing('a'), position: 3, createdPosition: 3, writer: 'phone', othersPosition: 0 }
  const lists = { things: [stored], tombstones: [], tags: [], records: [] }
  const account = [
    ...encodeSealed({ format: 'thingsync account', version: 1, userId: 'ann', position: 3 }, lists),
  ].join('')
  const accountPath = join('accounts', showAccountPath('ann'))
  await mkdir(join(folder, dirname(accountPath)), { recursive: true })
  await writeFile(join(folder, 'directory.json'), directory)
  await writeFile(join(folder, accountPath), account)
  return { directory, account, accountPath, user }
}

test('a data folder without a journal is brought to the newer format, with a copy of all it held', async () => {
  const { directory, account, accountPath, user } = await makeFirstFolder()

  const store = await open()

  expect(await store.directory.listUsers()).toEqual([user])
  expect((await store.read('ann')).position).toBe(3)
  await putThings(store, 'ann', makeThing('b'))
  await store.close()
  expect(warned).toEqual([expect.stringContaining(join(folder, 'before-journal'))])
  expect(await readFile(join(folder, 'before-journal', 'directory.json'), 'utf8')).toBe(directory)
  expect(await readFile(join(folder, 'before-journal', accountPath), 'utf8')).toBe(account)
  const reopened = await open()
  expect((await listIds(await reopened.read('ann'), 0)).changed).toEqual(['a', 'b'])
  await reopened.close()
  expect(warned).toHaveLength(1)
})

test('a crash while a data folder is brought to the newer format costs nothing', async () => {
  const { account, accountPath } = await makeFirstFolder()
  await mkdir(join(folder, 'before-journal.unfinished'))
  await (await open()).close()
  // What is made behind it.
  for (const name of ['format.json', join('journal', '000000000001.ndjson')]) await rm(join(folder, name))

  const store = await open()

  expect((await store.read('ann')).position).toBe(3)
  await store.close()
  expect(await readFile(join(folder, 'before-journal', accountPath), 'utf8')).toBe(account)
})

test('a data folder of a later format is refused and left alone', async () => {
  await (await open()).close()
  const later = [...encodeSealed({ format: 'thingsync data', version: 4 }, {})].join('')
  await writeFile(join(folder, 'format.json'), later)
  const before = await readdir(folder)

  await expect(open()).rejects.toThrow('its version is 4, this program reads version 3')

  expect(await readdir(folder)).toEqual(before)
})
