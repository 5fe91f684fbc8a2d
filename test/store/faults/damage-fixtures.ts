import * as nodeFiles from 'node:fs/promises'
import { mkdtemp, readdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readFormat, writeFormat } from '../../../src/store/disk/directory.ts'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import { createFailingFiles } from '../failing-files.ts'
import { contractForm } from '../fixtures.ts'
import { addUser, deliverOnce, writeOnce } from './counted-writes.ts'

/** A closed data folder, and what it holds. */
export interface DamageFixture {
  readonly folder: string
  /** Its files, by path. */
  readonly files: ReadonlyMap<string, Buffer>
  readonly counts: ReadonlyMap<string, number>
  readonly users: number
}

const userIds = ['ann', 'bob', 'cyd']

/** Where the content is: all in one segment of the journal, in many, all in files of accounts, or in all of them. */
const layouts = [
  { segmentBytes: 1024 * 1024, isSaving: true },
  { segmentBytes: 3000, isSaving: false },
  { segmentBytes: 1, isSaving: true },
  { segmentBytes: 6000, isSaving: true },
]

const listFiles = async (folder: string): Promise<readonly string[]> =>
  (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const readFiles = async (folder: string): Promise<ReadonlyMap<string, Buffer>> =>
  new Map(await Promise.all((await listFiles(folder)).map(async (path) => [path, await readFile(path)] as const)))

/** Brings the folder back to what it was, and back to itself: a copy, also one in place, is another folder to the store. */
export const resetFixture = async ({ folder, files }: DamageFixture): Promise<void> => {
  for (const path of await listFiles(folder)) if (!files.has(path)) await unlink(path)
  for (const [path, content] of files) await writeFile(path, content)
  const format = await readFormat(folder, nodeFiles)
  if (format === null) throw new Error(`${folder} has no format.json`)
  await writeFormat(folder, nodeFiles, format)
}

/** One data folder for each kind of file that may hold content; the caller removes them. */
export const createDamageFixtures = (): Promise<readonly DamageFixture[]> =>
  Promise.all(
    layouts.map(async ({ segmentBytes, isSaving }) => {
      const folder = await mkdtemp(join(tmpdir(), 'thingsync-fixture-'))
      const { files, injectFault } = createFailingFiles()
      const store = await openJsonFileStore({ folder, form: contractForm, files, segmentBytes })
      if (!isSaving) injectFault('rename', 'ENOSPC')
      const counts = new Map<string, number>()
      let users = 0
      for (let round = 0; round < 6; round += 1) {
        users = await addUser(store)
        await deliverOnce(store)
        await Promise.all(
          userIds.flatMap((userId) =>
            [0, 1].map(async () => {
              const { count } = await writeOnce(store, userId, `round ${round}`)
              counts.set(userId, Math.max(count, counts.get(userId) ?? 0))
            }),
          ),
        )
      }
      // A clean stop records the inventory, so that later damage is reported.
      injectFault(undefined)
      await store.close()
      return { folder, files: await readFiles(folder), counts, users }
    }),
  )
