import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import {
  contractForm,
  createSettings,
  createThing,
  listIds,
  putThings,
  readTags,
} from '../../../test/store/fixtures.ts'
import { chooseDistance } from '../account/records.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { openMemoryStore } from '../memory-store.ts'
import { BackupError, encodeItem } from '../record/backup-format.ts'
import { restoreFolder } from './restore.ts'

const now = Date.UTC(2030, 0, 1)
const day = 24 * 3600
const createdAt = now / 1000 - day

const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-restore-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

const key = { name: 'vapid', publicKey: 'public', privateKey: 'private', createdAt: 1 }

/** The lines of a store with two users; bob has written nothing. */
async function* listLines(): AsyncGenerator<string, void, undefined> {
  const store = await openMemoryStore({ form: contractForm })
  for (const id of ['ann', 'bob'])
    await store.registry.change((draft) => draft.put('users', { id, name: id, passwordHash: '', createdAt: 1 }))
  await putThings(store, 'ann', createThing('a'), createThing('b'), createThing('c'))
  await store.write('ann', 'phone', async (draft) => {
    await draft.deleteThing('b')
    await draft.putTag('red', createSettings('strike'))
    await draft.putRecord('kind', 'group', 'key', ['value'])
    await draft.putOutboxEntry('hook', 7)
  })
  await store.write('bob', 'phone', (draft) => draft.putOutboxEntry('hook', 8))
  await store.registry.change((draft) => draft.put('keys', key))
  for await (const item of store.listItems()) yield encodeItem(item)
}

const open = (folder: string) => openJsonFileStore({ folder, form: contractForm, now: () => now })

test('a restored store has the same content, at positions that no client knows', async () => {
  const folder = await createFolder()

  await restoreFolder(folder, listLines(), { now, createdAt })

  const store = await open(folder)
  onTestFinished(store.close)
  const view = await store.read('ann')
  expect((await store.registry.listUsers()).map(({ id }) => id)).toEqual(['ann', 'bob'])
  expect(view.position).toBe(5 + chooseDistance(now, createdAt))
  expect((await store.read('bob')).position).toBe(chooseDistance(now, createdAt))
  expect(await listIds(view, 0)).toEqual({ changed: ['a', 'c'], deleted: [] })
  expect(await listIds(view, 4)).toEqual({ changed: ['a', 'c'], deleted: ['b'] })
  expect(await readTags(view, 1000)).toEqual(new Map([['red', createSettings('strike')]]))
  expect(await view.listRecords('kind', 'group')).toEqual(new Map([['key', ['value']]]))
  expect(await store.registry.findKey('vapid')).toEqual(key)
  expect(await store.listOutboxEntries()).toEqual([
    { userId: 'ann', key: 'hook', dueAt: 7 },
    { userId: 'bob', key: 'hook', dueAt: 8 },
  ])
})

test('the error for an unwritable folder names it once', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'journal'), '')

  const restored = restoreFolder(folder, listLines(), { now, createdAt })

  await expect(restored).rejects.toThrow(
    new BackupError(`data folder: ${folder} cannot be written (ENOTDIR); nothing was restored`),
  )
})

test('positions are raised once, however often the store is opened, and writes continue from there', async () => {
  const folder = await createFolder()
  await restoreFolder(folder, listLines(), { now, createdAt })
  for (const id of ['d', 'e']) {
    const store = await open(folder)
    await putThings(store, 'ann', createThing(id))
    await putThings(store, 'bob', createThing(id))
    await store.close()
  }

  const store = await open(folder)
  onTestFinished(store.close)

  const distance = chooseDistance(now, createdAt)
  expect((await store.read('ann')).position).toBe(5 + distance + 2)
  expect((await store.read('bob')).position).toBe(distance + 2)
})

test('a second restore of a backup begins above all positions since the first restore', async () => {
  const [first, second] = [await createFolder(), await createFolder()]
  await restoreFolder(first, listLines(), { now, createdAt })
  const store = await open(first)
  await putThings(store, 'ann', createThing('d'))
  const given = (await store.read('ann')).position
  await store.close()

  await restoreFolder(second, listLines(), { now: now + 60_000, createdAt })

  const again = await open(second)
  onTestFinished(again.close)
  expect((await again.read('ann')).position).toBeGreaterThan(given)
})

test('no store opens a folder during a restore', async () => {
  const folder = await createFolder()
  let openError: unknown
  async function* lines(): AsyncGenerator<string, void, undefined> {
    for await (const line of listLines()) {
      yield line
      openError ??= await open(folder).catch((error: unknown) => error)
    }
  }

  await restoreFolder(folder, lines(), { now, createdAt })

  expect(String(openError)).toContain('half restored: empty this folder and restore or copy again')
})

test('a restore that fails leaves nothing', async () => {
  const folder = await createFolder()
  async function* lines(): AsyncGenerator<string, void, undefined> {
    yield* listLines()
    throw new Error('the tape tore')
  }

  await expect(restoreFolder(folder, lines(), { now, createdAt })).rejects.toThrow('the tape tore')

  expect(await readdir(folder)).toEqual([])
})

test('in an account with gaps, all positions since the backup count as lost', async () => {
  const folder = await createFolder()
  const far = 3_000_003
  const lost = { kind: 'lost-positions', group: '', key: '', value: [[2, far - 1]] }
  async function* listFar() {
    for await (const line of listLines())
      yield line
        .replace('"position":5}', `"position":${far}}`)
        .replace(/\{"record":.*/, JSON.stringify({ record: lost }))
  }

  await restoreFolder(folder, listFar(), { now, createdAt })

  const store = await open(folder)
  onTestFinished(store.close)
  const view = await store.read('ann')
  expect(view.position).toBe(far + chooseDistance(now, createdAt))
  // It is unknown whether a client's state at the third position is older than the raised `a`.
  expect([1, far, far + 100, view.position - 1, view.position].map(view.hasBeenAt)).toEqual([
    true,
    true,
    false,
    false,
    true,
  ])
})
