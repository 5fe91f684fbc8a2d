import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createFailingFiles, type FailingOperation } from '../../test/store/failing-files.ts'
import { contractForm, createGate, createThing, listIds, putThings } from '../../test/store/fixtures.ts'
import { openJsonFileStore } from './json-file-store.ts'
import { type Store, StoreError } from './store.ts'

let folder = ''
let logged: string[] = []
const log = {
  warn: (_details: object, message: string) => void logged.push(message),
  error: (_details: object, message: string) => void logged.push(message),
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-backend-'))
  logged = []
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  await rm(folder, { recursive: true })
})

const opened: Store[] = []
/** With `segmentBytes` 1 every account is saved to its file after each write, before the store is closed. */
const open = async (files = createFailingFiles().files, segmentBytes = 1024): Promise<Store> => {
  const store = await openJsonFileStore({ folder, form: contractForm, log, files, segmentBytes })
  opened.push(store)
  return store
}

const openSaving = (): Promise<Store> => open(createFailingFiles().files, 1)

const closeLast = async (): Promise<void> => opened.pop()?.close()

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

const readJournal = async (): Promise<string> => {
  const segments = (await listFiles()).filter((file) => file.endsWith('.ndjson'))
  return (await Promise.all(segments.map((file) => readFile(file, 'utf8')))).join('')
}

const listNow = async (store: Store, userId = 'ann'): Promise<readonly unknown[]> =>
  (await listIds(await store.read(userId), 0)).changed

const putUser = (store: Store, name: string): Promise<void> =>
  store.registry.change((draft) => draft.put('users', { id: name, name, passwordHash: '', createdAt: 1 }))

test('a change is visible only after the disk has confirmed it', async () => {
  const { files, holdSyncs } = createFailingFiles()
  const store = await open(files)
  await putThings(store, 'ann', createThing('a'))
  const release = holdSyncs()
  const write = putThings(store, 'ann', createThing('b'))
  await new Promise((resolve) => setTimeout(resolve, 100))

  const meanwhile = await store.read('ann')

  expect([meanwhile.position, await listNow(store)]).toEqual([1, ['a']])
  release()
  await write
  expect([meanwhile.position, await listNow(store)]).toEqual([1, ['a', 'b']])
})

test('a write on a full disk leaves nothing, and the next one works', async () => {
  const { files, injectFault } = createFailingFiles()
  const store = await open(files)
  await putThings(store, 'ann', createThing('a'))
  await putUser(store, 'ann')
  const before = await readJournal()
  injectFault('append', 'ENOSPC')

  const failed = putThings(store, 'ann', createThing('b'))
  const builtOnIt = putThings(store, 'ann', createThing('later'))
  await expect(failed).rejects.toThrow(StoreError)
  await expect(failed).rejects.toMatchObject({ cause: { code: 'ENOSPC' } })
  await expect(builtOnIt).rejects.toThrow(StoreError)
  await expect(putUser(store, 'bob')).rejects.toThrow(StoreError)

  expect([await listNow(store), (await store.registry.listUsers()).length]).toEqual([['a'], 1])
  expect(await readJournal()).toBe(before)
  injectFault(undefined)
  await store.check()
  await putThings(store, 'ann', createThing('c'))
  await closeLast()
  const reopened = await open()
  expect([(await reopened.read('ann')).position, await listNow(reopened)]).toEqual([2, ['a', 'c']])
})

test('after a failed sync nothing is written until a restart, which shows no part of the write', async () => {
  const { files, injectFault } = createFailingFiles()
  const store = await open(files)
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'bob', createThing('b'))
  injectFault('sync file')
  await expect(putThings(store, 'ann', createThing('lost'))).rejects.toThrow(StoreError)
  injectFault(undefined)

  await expect(putThings(store, 'bob', createThing('later'))).rejects.toThrow('until a restart')
  await expect(putUser(store, 'ann')).rejects.toThrow(StoreError)
  await expect(store.check()).rejects.toThrow(StoreError)
  expect([await listNow(store), await listNow(store, 'bob')]).toEqual([['a'], ['b']])
  expect(logged.join()).toContain('could not be synced')

  await closeLast()
  const reopened = await open()
  await putThings(reopened, 'ann', createThing('c'))
  expect([await listNow(reopened), await listNow(reopened, 'bob')]).toEqual([['a', 'c'], ['b']])
})

test('a failed sync of a file without its final name stops no write, and the file is written again', async () => {
  const { files, injectFault } = createFailingFiles()
  const store = await open(files, 1)
  await putThings(store, 'ann', createThing('a'))
  injectFault('sync aside')
  await putThings(store, 'ann', createThing('b'))
  await expect(store.check()).rejects.toThrow(StoreError)

  await putThings(store, 'bob', createThing('c'))

  injectFault(undefined)
  await store.check()
  await putThings(store, 'ann', createThing('d'))
  await closeLast()
  expect(logged).toContainEqual(expect.stringContaining('could not be synced'))
  expect(await listNow(await open())).toEqual(['a', 'b', 'd'])
})

for (const operation of ['open', 'rename', 'sync folder'] satisfies FailingOperation[])
  test(`an account that cannot be saved (${operation}) stays in the journal, and nothing is lost`, async () => {
    const { files, injectFault } = createFailingFiles()
    const store = await open(files, 1)
    const acknowledged: string[] = []
    const put = async (id: string): Promise<void> => {
      try {
        await putThings(store, 'ann', createThing(id))
        acknowledged.push(id)
      } catch (error) {
        // After a failed sync of a folder nothing may be written.
        if (!(error instanceof StoreError && operation === 'sync folder')) throw error
      }
    }
    await put('a')
    injectFault(operation)
    for (const id of ['b', 'c']) await put(id)
    await closeLast()
    injectFault(undefined)

    expect(logged.length).toBeGreaterThan(0)
    const reopened = await openSaving()
    expect(await listNow(reopened)).toEqual(acknowledged)
    await putThings(reopened, 'ann', createThing('d'))
    await closeLast()
    expect(await listNow(await open())).toEqual([...acknowledged, 'd'])
  })

test('the check fails while the disk accepts no file, and leaves no file', async () => {
  const { files, injectFault } = createFailingFiles()
  const store = await open(files)
  const before = await listFiles()
  for (const [operation, code] of [
    ['open', 'EROFS'],
    ['append', 'ENOSPC'],
  ] as const) {
    injectFault(operation, code)
    await expect(store.check()).rejects.toThrow(StoreError)
  }
  injectFault(undefined)

  await store.check()

  expect(await listFiles()).toEqual(before)
})

test('an account that is temporarily unreadable is read later', async () => {
  await putThings(await openSaving(), 'ann', createThing('a'))
  await closeLast()
  const { files, injectFault } = createFailingFiles()
  const store = await open(files)
  injectFault('read')

  await expect(store.read('ann')).rejects.toThrow(StoreError)
  await expect(putThings(store, 'ann', createThing('b'))).rejects.toThrow(StoreError)

  injectFault(undefined)
  expect(await listNow(store)).toEqual(['a'])
})

for (const [damage, content] of [
  ['no JSON', '{"format":"thingsync account"'],
  ['another shape', '{"format":"thingsync account","version":1,"userId":"ann","position":1}'],
  ['empty', ''],
  ['the account of another user', 'bob'],
] as const)
  test(`a damaged account (${damage}) is named, copied and not changed, and the others are served`, async () => {
    const first = await openSaving()
    await putThings(first, 'ann', createThing('a'))
    await putThings(first, 'bob', createThing('b'))
    await closeLast()
    const path = await findFile('ann.ndjson')
    const damaged = content === 'bob' ? await readFile(await findFile('bob.ndjson'), 'utf8') : content
    await writeFile(path, damaged)
    const store = await open()

    await expect(store.read('ann')).rejects.toThrow(StoreError)
    await expect(putThings(store, 'ann', createThing('c'))).rejects.toThrow(StoreError)
    await expect(store.read('ann')).rejects.toThrow(`${path} is damaged`)

    await putThings(store, 'bob', createThing('d'))
    expect(await listNow(store, 'bob')).toEqual(['b', 'd'])
    expect(logged).toEqual([expect.stringContaining(`${path} is damaged`)])
    const copies = (await listFiles()).filter((file) => file.startsWith(`${path}.damaged-`))
    expect(copies).toHaveLength(1)
    expect(await Promise.all([path, ...copies].map((file) => readFile(file, 'utf8')))).toEqual([damaged, damaged])

    await store.removeAccount('ann')
    expect((await listFiles()).filter((file) => file.includes('ann'))).toEqual([])
    expect(await listNow(store)).toEqual([])
  })

test('with a damaged registry the store does not open, and names the file', async () => {
  await putUser(await openSaving(), 'ann')
  await closeLast()
  await writeFile(join(folder, 'directory.json'), '[]')

  await expect(open()).rejects.toThrow(`${join(folder, 'directory.json')} is damaged`)
})

test('the next opening removes and logs what a crash left unfinished', async () => {
  await putThings(await openSaving(), 'ann', createThing('a'))
  await closeLast()
  await writeFile(join(folder, 'unfinished', 'ann.ndjson.1234'), '{"half')

  const store = await open()

  expect(await readdir(join(folder, 'unfinished'))).toEqual([])
  expect(logged).toEqual([expect.stringContaining('ann.ndjson.1234')])
  expect(await listNow(store)).toEqual(['a'])
})

test('an account that is removed while it is being saved stays removed', async () => {
  const { files } = createFailingFiles()
  const gate = createGate()
  let isHeld = false
  const rename: typeof files.rename = async (from, to) => {
    if (String(to).endsWith('ann.ndjson')) isHeld = true
    if (isHeld) await gate.opened
    await files.rename(from, to)
  }
  const store = await open({ ...files, rename }, 1)
  await putThings(store, 'ann', createThing('a'))
  while (!isHeld) await new Promise(setImmediate)
  const removal = store.removeAccount('ann')
  while (!(await readJournal()).includes('"removed"')) await new Promise(setImmediate)
  gate.open()
  await removal

  expect(await listNow(store)).toEqual([])
  await closeLast()
  expect(await listNow(await open())).toEqual([])
})

test('no name that a client or a user chose becomes the name of a file', async () => {
  const store = await openSaving()
  for (const name of ['../../x', '..', '/tmp/x', 'a/b', 'ü', '', 'x'.repeat(300)])
    await putThings(store, name, createThing(name, { tags: name }))
  await closeLast()

  const names = (await listFiles()).map((file) => file.slice(folder.length)).filter((name) => /^.accounts/.test(name))

  expect(names).toHaveLength(7)
  for (const name of names) expect(name).toMatch(/^\/accounts\/[0-9a-f]{2}\/sha256\.[0-9a-f]{64}\.ndjson$/)
})

test('a closed store has finished all writes that were begun, and accepts no more', async () => {
  const store = await open()
  const write = putThings(store, 'ann', createThing('a'))

  await store.close()

  await write
  await expect(putThings(store, 'ann', createThing('b'))).rejects.toThrow(StoreError)
  await expect(store.read('ann')).rejects.toThrow(StoreError)
  expect(await listNow(await open())).toEqual(['a'])
})
