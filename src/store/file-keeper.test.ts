import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFailingFiles, type Refusable } from './contract/failing-files.ts'
import { contractForm, listIds, makeThing, putThings } from './contract/fixtures.ts'
import { openJsonFileStore } from './json-file-store.ts'
import { type Store, StoreFailed } from './store.ts'

let folder = ''
let logged: string[] = []
const log = {
  warn: (_details: object, message: string) => void logged.push(message),
  error: (_details: object, message: string) => void logged.push(message),
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-keeper-'))
  logged = []
})
afterEach(() => rm(folder, { recursive: true }))

const open = (files = createFailingFiles().files): Promise<Store> =>
  openJsonFileStore({ folder, form: contractForm, log, files })

const listFiles = async (): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()

const findFile = async (name: string): Promise<string> => {
  const path = (await listFiles()).find((candidate) => candidate.endsWith(`/${name}`))
  if (path === undefined) throw new Error(`there is no ${name}`)
  return path
}

const listNow = async (store: Store, userId = 'ann'): Promise<readonly unknown[]> =>
  (await listIds(await store.read(userId), 0)).changed

const putUser = (store: Store, name: string): Promise<void> =>
  store.directory.change((draft) => draft.putUser({ id: name, name, passwordHash: '', createdAt: 1 }))

test('a change is shown to nobody before the disk has confirmed it', async () => {
  const { files, holdSyncs } = createFailingFiles()
  const store = await open(files)
  await putThings(store, 'ann', makeThing('a'))
  const release = holdSyncs()
  const write = putThings(store, 'ann', makeThing('b'))
  await new Promise((resolve) => setTimeout(resolve, 100))

  const meanwhile = await store.read('ann')

  expect([meanwhile.position, await listNow(store)]).toEqual([1, ['a']])
  release()
  await write
  expect([meanwhile.position, await listNow(store)]).toEqual([1, ['a', 'b']])
})

for (const [operation, code] of [
  ['open', 'EROFS'],
  ['append', 'ENOSPC'],
  ['rename', 'EIO'],
] as const)
  test(`a write that the disk refuses (${operation}, ${code}) leaves nothing, and the next one works`, async () => {
    const { files, refuse } = createFailingFiles()
    const store = await open(files)
    await putThings(store, 'ann', makeThing('a'))
    await putUser(store, 'ann')
    const before = await listFiles()
    refuse(operation, code)

    const failed = putThings(store, 'ann', makeThing('b'))
    await expect(failed).rejects.toThrow(StoreFailed)
    await expect(failed).rejects.toMatchObject({ cause: { code } })
    await expect(putUser(store, 'bob')).rejects.toThrow(StoreFailed)

    expect([await listNow(store), (await store.directory.listUsers()).length]).toEqual([['a'], 1])
    expect(await listFiles()).toEqual(before)
    refuse(undefined)
    await store.check()
    await putThings(store, 'ann', makeThing('c'))
    await store.close()
    const reopened = await open()
    expect([(await reopened.read('ann')).position, await listNow(reopened)]).toEqual([2, ['a', 'c']])
  })

for (const operation of ['sync file', 'sync folder'] satisfies Refusable[])
  test(`after a sync that failed (${operation}) nothing is written until a restart, which shows nothing of it`, async () => {
    const { files, refuse } = createFailingFiles()
    const store = await open(files)
    await putThings(store, 'ann', makeThing('a'))
    await putThings(store, 'bob', makeThing('b'))
    refuse(operation)
    await expect(putThings(store, 'ann', makeThing('lost'))).rejects.toThrow(StoreFailed)
    refuse(undefined)

    await expect(putThings(store, 'bob', makeThing('later'))).rejects.toThrow('until a restart')
    await expect(putUser(store, 'ann')).rejects.toThrow(StoreFailed)
    await expect(store.check()).rejects.toThrow(StoreFailed)
    expect([await listNow(store), await listNow(store, 'bob')]).toEqual([['a'], ['b']])
    expect(logged.join()).toContain('could not be synced')

    await store.close()
    const reopened = await open()
    await putThings(reopened, 'ann', makeThing('c'))
    expect([await listNow(reopened), await listNow(reopened, 'bob')]).toEqual([['a', 'c'], ['b']])
  })

test('the check fails while the disk takes nothing, and leaves no file', async () => {
  const { files, refuse } = createFailingFiles()
  const store = await open(files)
  for (const [operation, code] of [
    ['open', 'EROFS'],
    ['append', 'ENOSPC'],
  ] as const) {
    refuse(operation, code)
    await expect(store.check()).rejects.toThrow(StoreFailed)
  }
  refuse(undefined)

  await store.check()

  expect(await listFiles()).toEqual([])
})

test('an account that cannot be read for a moment is read when it can', async () => {
  const first = await open()
  await putThings(first, 'ann', makeThing('a'))
  await first.close()
  const { files, refuse } = createFailingFiles()
  const store = await open(files)
  refuse('read')

  await expect(store.read('ann')).rejects.toThrow(StoreFailed)
  await expect(putThings(store, 'ann', makeThing('b'))).rejects.toThrow(StoreFailed)

  refuse(undefined)
  expect(await listNow(store)).toEqual(['a'])
})

for (const [damage, content] of [
  ['no JSON', '{"format":"thingsync account"'],
  ['another shape', '{"format":"thingsync account","version":1,"userId":"ann","position":1}'],
  ['empty', ''],
  ['the account of somebody else', 'bob'],
] as const)
  test(`a damaged account (${damage}) is named, copied and left alone, and the others are served`, async () => {
    const first = await open()
    await putThings(first, 'ann', makeThing('a'))
    await putThings(first, 'bob', makeThing('b'))
    await first.close()
    const path = await findFile('ann.json')
    const damaged = content === 'bob' ? await readFile(await findFile('bob.json'), 'utf8') : content
    await writeFile(path, damaged)
    const store = await open()

    await expect(store.read('ann')).rejects.toThrow(StoreFailed)
    await expect(putThings(store, 'ann', makeThing('c'))).rejects.toThrow(StoreFailed)
    await expect(store.read('ann')).rejects.toThrow(`${path} is damaged`)

    await putThings(store, 'bob', makeThing('d'))
    expect(await listNow(store, 'bob')).toEqual(['b', 'd'])
    expect(logged).toEqual([expect.stringContaining(`${path} is damaged`)])
    const copies = (await listFiles()).filter((file) => file.startsWith(`${path}.damaged-`))
    expect(copies).toHaveLength(1)
    expect(await Promise.all([path, ...copies].map((file) => readFile(file, 'utf8')))).toEqual([damaged, damaged])

    await store.removeAccount('ann')
    expect((await listFiles()).filter((file) => file.includes('ann'))).toEqual([])
    expect(await listNow(store)).toEqual([])
  })

test('a damaged directory keeps the store from opening, with its name', async () => {
  await putUser(await open(), 'ann')
  await writeFile(join(folder, 'directory.json'), '[]')

  await expect(open()).rejects.toThrow(`${join(folder, 'directory.json')} is damaged`)
})

test('what a crash left unfinished is removed at the next opening, and said', async () => {
  await putThings(await open(), 'ann', makeThing('a'))
  await writeFile(join(folder, 'unfinished', 'ann.json.1234'), '{"half')

  const store = await open()

  expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  expect(logged).toEqual([expect.stringContaining('ann.json.1234')])
  expect(await listNow(store)).toEqual(['a'])
})

test('no name that a client or a user chose is the name of a file', async () => {
  const store = await open()
  for (const name of ['../../x', '..', '/tmp/x', 'a/b', 'ü', '', 'x'.repeat(300)])
    await putThings(store, name, makeThing(name, { tags: name }))

  const names = (await listFiles()).map((file) => file.slice(folder.length))

  expect(names).toHaveLength(7)
  for (const name of names) expect(name).toMatch(/^\/accounts\/[0-9a-f]{2}\/sha256\.[0-9a-f]{64}\.json$/)
})

test('a closed store has finished what was begun, and takes nothing more', async () => {
  const store = await open()
  const write = putThings(store, 'ann', makeThing('a'))

  await store.close()

  await write
  await expect(putThings(store, 'ann', makeThing('b'))).rejects.toThrow(StoreFailed)
  await expect(store.read('ann')).rejects.toThrow(StoreFailed)
  expect(await listNow(await open())).toEqual(['a'])
})
