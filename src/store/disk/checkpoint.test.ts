import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import type { Store } from '../store.ts'

const createFolder = async (): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-checkpoint-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  return folder
}

const open = (folder: string): Promise<Store> => openJsonFileStore({ folder, form: contractForm })

const putUser = (store: Store, id: string, passwordHash: string): Promise<void> =>
  store.registry.change((draft) => draft.put('users', { id, name: id, passwordHash, createdAt: 1 }))

/** Reads all files of a folder. */
const readAll = async (folder: string): Promise<ReadonlyMap<string, string>> => {
  const entries = await files.readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await files.readFile(path, 'utf8')] as const)))
}

const findFiles = async (folder: string, text: string): Promise<readonly string[]> =>
  [...(await readAll(folder))].flatMap(([path, content]) =>
    content.includes(text) ? [path.slice(folder.length + 1)] : [],
  )

test('a checkpoint writes everything into plain files, and empties the journal', async () => {
  const folder = await createFolder()
  const store = await open(folder)
  await putUser(store, 'ann', 'hash of ann')
  await putThings(store, 'ann', createThing('first'))
  expect((await findFiles(folder, 'title of first')).every((file) => file.startsWith('journal'))).toBe(true)

  await store.checkpoint()

  expect(await findFiles(folder, 'hash of ann')).toEqual(['directory.json'])
  expect(await findFiles(folder, 'title of first')).toEqual([expect.stringMatching(/^accounts\/..\/ann\.ndjson$/)])
  await putThings(store, 'ann', createThing('second'))
  await store.checkpoint()
  await store.checkpoint()
  expect(await findFiles(folder, 'title of second')).toEqual([expect.stringMatching(/^accounts\/..\/ann\.ndjson$/)])
  expect(await files.readdir(join(folder, 'journal'))).toHaveLength(1)
  await store.close()
  const again = await open(folder)
  expect((await listIds(await again.read('ann'), 0)).changed).toEqual(['first', 'second'])
  await again.close()
})

test('the data of a removed account is soon in no file, however large the journal may grow', async () => {
  const folder = await createFolder()
  const store = await open(folder)
  await putThings(store, 'ann', createThing('secret'))
  await putThings(store, 'bob', createThing('kept'))
  await store.checkpoint()
  await putThings(store, 'ann', createThing('secret', { title: 'title of secret, again' }))
  await store.removeAccount('ann')

  await expect.poll(() => findFiles(folder, 'title of secret')).toEqual([])

  expect(await findFiles(folder, 'title of kept')).toHaveLength(1)
  await store.close()
})

test('damage with unknown keys does not hide the loss of a later change of the registry', async () => {
  const folder = await createFolder()
  const store = await open(folder)
  await putUser(store, 'ann', 'old password')
  await store.checkpoint()
  await putThings(store, 'ann', createThing('a'))
  await putThings(store, 'ann', createThing('b'))
  await putUser(store, 'ann', 'new password')
  await putThings(store, 'ann', createThing('c'))
  await store.close()
  const [path = ''] = [...(await readAll(folder)).keys()].filter((name) => name.includes('/journal/'))
  const text = await files.readFile(path, 'utf8')
  const damaged = text.replace('"of":"account ann"', '"of":"accoXXX ann"').replace('new password', 'new passXord')
  await files.writeFile(path, damaged)

  await expect(open(folder)).rejects.toThrow(`${path} is damaged`)

  // On its own it would prevent no sign-in.
  await files.writeFile(path, text.replace('"of":"account ann"', '"of":"accoXXX ann"'))
  const opened = await open(folder)
  expect((await opened.registry.listUsers()).map(({ passwordHash }) => passwordHash)).toEqual(['new password'])
  await opened.close()
})
