import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, createThing, putThings } from '../../../test/store/fixtures.ts'
import { type JsonFileStoreOptions, openJsonFileStore } from '../json-file-store.ts'
import type { Store } from '../store.ts'
import { silentLog } from '../store.ts'
import { readFolder } from '../tools/inspect.ts'
import { repairFolder } from '../tools/repair.ts'
import { locateAccount } from './directory.ts'

let folder = ''
let said: string[] = []
const log = { ...silentLog, error: (_details: object, message: string) => void said.push(message) }

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-outbox-'))
  said = []
})
afterEach(() => rm(folder, { recursive: true }))

const open = (options: Pick<JsonFileStoreOptions, 'segmentBytes'> = {}): Promise<Store> =>
  openJsonFileStore({ folder, form: contractForm, log, ...options })

const putEntry = (store: Store, userId: string, key: string, dueAt: number): Promise<void> =>
  store.write(userId, 'phone', (draft) => draft.putOutboxEntry(key, dueAt))

const journalFile = async (): Promise<string> =>
  join(folder, 'journal', (await readdir(join(folder, 'journal'))).sort()[0] ?? '')

test('outbox entries are found without reading any account', async () => {
  const store = await open({ segmentBytes: 1 })
  await putThings(store, 'ann', createThing('a'))
  await putEntry(store, 'ann', 'saved', 1)
  await putThings(store, 'ann', createThing('b'))
  await store.close()
  const again = await open()
  await putEntry(again, 'bob', 'in the journal', 2)
  await again.close()
  await writeFile(join(folder, 'accounts', locateAccount('ann')), 'no JSON')

  const opened = await open()

  expect(await opened.listOutboxEntries()).toEqual([
    { userId: 'ann', key: 'saved', dueAt: 1 },
    { userId: 'bob', key: 'in the journal', dueAt: 2 },
  ])
  expect(said).toEqual([])
  await expect(opened.read('ann')).rejects.toThrow('is damaged')
  await opened.close()
})

test('entries in removed segments of the journal are kept in the file of the registry', async () => {
  const store = await open({ segmentBytes: 1 })
  await putEntry(store, 'ann', 'hook', 5)
  for (let number = 0; number < 5; number += 1) await putThings(store, 'bob', createThing('b'))
  await store.close()

  expect(await readFile(await journalFile(), 'utf8')).not.toContain('entry')
  expect(await readFile(join(folder, 'directory.json'), 'utf8')).toContain('{"userId":"ann","key":"hook","dueAt":5}')
  const opened = await open()
  expect(await opened.listOutboxEntries()).toEqual([{ userId: 'ann', key: 'hook', dueAt: 5 }])
  await opened.close()
})

test('a long write stores its outbox entries, and entries that it deletes stay deleted', async () => {
  const store = await open()
  await putEntry(store, 'ann', 'settled', 1)
  await store.write('ann', 'phone', async (draft) => {
    await draft.deleteOutboxEntry('settled')
    for (let number = 0; number < 1000; number += 1) await draft.putThing(createThing(`t${number}`))
    await draft.putOutboxEntry('hook', 5)
  })
  expect(await store.listOutboxEntries()).toEqual([{ userId: 'ann', key: 'hook', dueAt: 5 }])
  await store.close()

  const opened = await open()
  expect(await opened.listOutboxEntries()).toEqual([{ userId: 'ann', key: 'hook', dueAt: 5 }])
  expect(await (await opened.read('ann')).countThings()).toBe(1000)
  await opened.close()
})

test('an entry in a damaged line is found after its repair, whatever was saved meanwhile', async () => {
  const store = await open()
  await putEntry(store, 'ann', 'settled', 1)
  await putEntry(store, 'ann', 'hook', 5)
  await putEntry(store, 'bob', 'hook', 6)
  await store.close()
  const path = await journalFile()
  const replace = async (found: string | RegExp, by: string) =>
    writeFile(path, (await readFile(path, 'utf8')).replace(found, by))
  await replace('"key":"hook","dueAt":5', '"key":"hook","dueAt":#')

  const served = await open({ segmentBytes: 1 })
  await served.write('bob', 'dispatcher', (draft) => draft.deleteOutboxEntry('hook'))
  for (let number = 0; number < 5; number += 1) await putEntry(served, 'cyd', 'hook', 7)
  await served.close()
  expect(said).toEqual([expect.stringContaining('account ann')])
  expect(await readFile(join(folder, 'directory.json'), 'utf8')).toContain('"userId":"cyd"')
  await replace(/"crc32":"\w{8}"(.*"key":"hook","dueAt":)#/, '"crc32":"--------"$15')

  const opened = await open()
  expect(await opened.listOutboxEntries()).toEqual([
    { userId: 'ann', key: 'settled', dueAt: 1 },
    { userId: 'ann', key: 'hook', dueAt: 5 },
    { userId: 'cyd', key: 'hook', dueAt: 7 },
  ])
  await opened.close()
})

test('a repair keeps the readable outbox entries, in the file and in the journal', async () => {
  const store = await open({ segmentBytes: 1 })
  await putEntry(store, 'ann', 'hook', 5)
  await putEntry(store, 'bob', 'hook', 6)
  for (let number = 0; number < 5; number += 1) await putThings(store, 'bob', createThing('b'))
  await store.close()
  const again = await open()
  await putEntry(again, 'cyd', 'hook', 7)
  await again.write('ann', 'dispatcher', (draft) => draft.deleteOutboxEntry('hook'))
  await again.close()
  const path = join(folder, 'directory.json')
  await writeFile(
    path,
    (await readFile(path, 'utf8')).replace('"checksum"', '"checkers"').replace('"users"', '"abusers"'),
  )
  await writeFile(path, (await readFile(path, 'utf8')).replace('\n]', '\n'))

  await repairFolder(folder, Date.UTC(2026, 10, 23))

  const opened = await open()
  expect(await opened.listOutboxEntries()).toEqual([
    { userId: 'bob', key: 'hook', dueAt: 6 },
    { userId: 'cyd', key: 'hook', dueAt: 7 },
  ])
  await opened.close()
})

test('the inspection of a data folder includes its outbox entries', async () => {
  const store = await open()
  await putEntry(store, 'ann', 'hook', 5)
  await putEntry(store, 'bob', 'hook', 6)
  await store.write('bob', 'dispatcher', (draft) => draft.deleteOutboxEntry('hook'))
  await store.close()

  const { registry } = await readFolder(folder)

  expect(registry.found?.outboxEntries).toEqual([{ userId: 'ann', key: 'hook', dueAt: 5 }])
})
