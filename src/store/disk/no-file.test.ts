import { execFileSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { readFolder } from '../tools/inspect.ts'
import { repairFolder } from '../tools/repair.ts'
import { locateAccount } from './directory.ts'
import { NotAFile } from './files.ts'

const now = Date.UTC(2030, 0, 1)

/** Opens, reads and closes a folder with a store. */
const useStore = async (folder: string): Promise<void> => {
  const store = await openJsonFileStore({ folder, form: contractForm, now: () => now, segmentBytes: 1 })
  try {
    await store.registry.listUsers()
    await store.read('ann')
  } finally {
    await store.close()
  }
}

const replacements = {
  folder: (path: string) => mkdir(path),
  pipe: async (path: string) => void execFileSync('mkfifo', [path]),
}

test.each([
  'format.json',
  'format-copy.json',
  'directory.json',
  join('accounts', locateAccount('ann')),
  'journal/000000000005.ndjson',
])('a folder or a pipe instead of %s is named by each reader, and no data is lost', async (file) => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-no-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const store = await openJsonFileStore({ folder, form: contractForm, now: () => now, segmentBytes: 1 })
  for (const id of ['a', 'b']) await putThings(store, 'ann', createThing(id))
  await store.close()
  await cp(folder, `${folder}.kept`, { recursive: true })
  onTestFinished(() => rm(`${folder}.kept`, { recursive: true, force: true }))

  for (const replace of Object.values(replacements)) {
    await rm(join(folder, file), { recursive: true })
    await replace(join(folder, file))
    for (const use of [useStore, readFolder, (path: string) => repairFolder(path, now)]) {
      const used = use(folder)
      await expect(used).rejects.toThrow(NotAFile)
      await expect(used).rejects.toThrow(`${join(folder, file)} is not a file; move it out of the data folder`)
    }
  }

  await rm(folder, { recursive: true })
  await rename(`${folder}.kept`, folder)
  await useStore(folder)
})

test('a folder among the unfinished files is named by the store and the tools', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-no-file-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await useStore(folder)
  const strange = join(folder, 'unfinished', 'strange')
  await mkdir(strange)

  for (const use of [useStore, readFolder, (path: string) => repairFolder(path, now)])
    await expect(use(folder)).rejects.toThrow(new NotAFile(strange))
  await rm(strange, { recursive: true })

  await useStore(folder)
})
