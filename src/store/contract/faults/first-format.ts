import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { encodeSealed } from '../../files/sealed-json.ts'
import { openJsonFileStore } from '../../json-file-store.ts'
import { contractForm } from '../fixtures.ts'
import { addUser, writeOnce } from './counted-writes.ts'
import type { WriterLine } from './killed-writer.ts'

type Lists = Readonly<Record<string, readonly unknown[]>>

const readSealed = async (path: string) => JSON.parse(await readFile(path, 'utf8')) as Lists & { position: number }

/** Makes a data folder as it was before there was a journal; gives what was answered of its content. */
export const makeFirstFormatFolder = async (folder: string): Promise<readonly WriterLine[]> => {
  const made = join(folder, 'made')
  const store = await openJsonFileStore({ folder: made, form: contractForm, segmentBytes: 1 })
  const addedUser = await addUser(store)
  let answer = await writeOnce(store, 'ann', 'first')
  for (let number = 0; number < 5; number += 1) answer = await writeOnce(store, 'ann', 'first')
  await store.close()

  const write = async (name: string, head: { format: string; [key: string]: string | number }, lists: Lists) => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), [...encodeSealed({ version: 1, ...head }, lists)].join(''))
  }

  const { users = [], apps = [], sessions = [] } = await readSealed(join(made, 'directory.json'))
  await write('directory.json', { format: 'thingsync directory' }, { users, apps, sessions })
  for (const name of await readdir(join(made, 'accounts'), { recursive: true })) {
    if (!name.endsWith('.json')) continue
    const {
      position,
      things = [],
      tombstones = [],
      tags = [],
      records = [],
    } = await readSealed(join(made, 'accounts', name))
    const head = { format: 'thingsync account', userId: 'ann', position }
    // It knew no errands.
    const kept = records.filter((record) => !JSON.stringify(record).startsWith('{"kind":"errands"'))
    await write(join('accounts', name), head, { things, tombstones, tags, records: kept })
  }
  await rm(made, { recursive: true })
  return [{ addedUser }, { wrote: 'ann', attempt: 'first', ...answer }]
}
