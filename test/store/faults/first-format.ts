import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runWhole } from '../../../src/slices.ts'
import { locateAccount } from '../../../src/store/disk/account-path.ts'
import { openJsonFileStore } from '../../../src/store/json-file-store.ts'
import type { StoredThing } from '../../../src/store/model.ts'
import { encodeLine } from '../../../src/store/record/journal-line.ts'
import { encodeSealed } from '../../../src/store/record/sealed-json.ts'
import type { StoreItem } from '../../../src/store/record/store-item.ts'
import { encodeStoredThing } from '../../../src/store/record/thing-step.ts'
import { contractForm } from '../fixtures.ts'
import { writeOnce } from './counted-writes.ts'
import type { WriterLine } from './killed-writer.ts'

type Lists = Readonly<Record<string, readonly unknown[]>>

/** An account of counted writes and a user, as a store holds them, and what was answered. */
const makeContent = async (folder: string) => {
  const store = await openJsonFileStore({ folder, form: contractForm, segmentBytes: 1 })
  // So that the account is one of a user, and listed.
  await store.registry.change((draft) => draft.put('users', { id: 'ann', name: 'ann', passwordHash: '', createdAt: 1 }))
  let answer = await writeOnce(store, 'ann', 'first')
  for (let number = 0; number < 5; number += 1) answer = await writeOnce(store, 'ann', 'first')
  const items: StoreItem[] = []
  for await (const item of store.listItems()) items.push(item)
  await store.close()
  await rm(folder, { recursive: true })
  const listed = <Name extends string>(name: Name): readonly unknown[] =>
    items.flatMap((item) => (name in item && !('account' in item) ? [new Map(Object.entries(item)).get(name)] : []))
  return { listed, position: answer.position, told: [{ addedUser: 1 }, { wrote: 'ann', attempt: 'first', ...answer }] }
}

const writeSealed = async (path: string, head: { format: string; [key: string]: string | number }, lists: Lists) => {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, [...encodeSealed({ version: 1, ...head }, lists)].join(''))
}

const accountPath = join('accounts', locateAccount('ann').replace('.ndjson', '.json'))

/** Makes a data folder as it was before there was a journal; gives what was answered of its content. */
export const makeFirstFormatFolder = async (folder: string): Promise<readonly WriterLine[]> => {
  const { listed, position, told } = await makeContent(join(folder, 'made'))
  const users = [{ id: 'user 1', name: 'user 1', passwordHash: 'hash 1', createdAt: 1 }]
  await writeSealed(
    join(folder, 'directory.json'),
    { format: 'thingsync directory' },
    { users, apps: [], sessions: [] },
  )
  // It knew no errands.
  const records = listed('record').filter((record) => !JSON.stringify(record).startsWith('{"kind":"errands"'))
  const lists = { things: listed('thing'), tombstones: listed('tombstone'), tags: listed('tag'), records }
  await writeSealed(join(folder, accountPath), { format: 'thingsync account', userId: 'ann', position }, lists)
  return told
}

/** Makes a data folder of version 3, in which steps of things were what a store has in memory. */
export const makeVersion3Folder = (folder: string): Promise<readonly WriterLine[]> =>
  makeVersionFolder(folder, 3, (thing) => thing)

/** Makes a data folder of version 4, the last before files of accounts held lines as the journal does. */
export const makeVersion4Folder = async (folder: string): Promise<readonly WriterLine[]> => {
  const told = await makeVersionFolder(folder, 4, (thing): unknown =>
    JSON.parse(encodeStoredThing(thing as StoredThing)),
  )
  const format = JSON.parse(await readFile(join(folder, 'format.json'), 'utf8'))
  const { raises, accounts, checksum: _, ...head } = format
  const { ino, birthtimeNs } = await stat(join(folder, 'format.json'), { bigint: true })
  await writeSealed(join(folder, 'format-copy.json'), head, { raises, accounts, originals: [`${ino}-${birthtimeNs}`] })
  return told
}

const makeVersionFolder = async (
  folder: string,
  version: 3 | 4,
  writeThing: (thing: unknown) => unknown,
): Promise<readonly WriterLine[]> => {
  const { listed, position, told } = await makeContent(join(folder, 'made'))
  const users = [{ id: 'user 1', name: 'user 1', passwordHash: 'hash 1', createdAt: 1 }]
  const errands = listed('errand').map((errand) => ({ userId: 'ann', ...(errand as object) }))
  const registry = { users, apps: [], sessions: [], codes: [], browserSessions: [], links: [], keys: [], errands }
  await writeSealed(join(folder, 'directory.json'), { format: 'thingsync directory', version: 2, write: 7 }, registry)
  const lists = {
    tags: listed('tag'),
    things: listed('thing').map(writeThing),
    tombstones: listed('tombstone'),
    records: listed('record'),
  }
  const head = { format: 'thingsync account', userId: 'ann', position, write: 7 }
  await writeSealed(join(folder, accountPath), head, lists)
  await mkdir(join(folder, 'journal'))
  const line = { write: 8, batch: 8, key: 'journal' }
  const steps = Buffer.from(JSON.stringify({ format: 'thingsync journal', version: 1 }))
  await writeFile(join(folder, 'journal', '000000000008.ndjson'), Buffer.concat(runWhole(encodeLine(line, [steps]))))
  const { ino, birthtimeNs } = await stat(join(folder, 'journal'), { bigint: true })
  // One that was not seen for long is raised.
  const at = Math.floor(Date.now() / 1000)
  const format = { format: 'thingsync data', version, place: `${ino}-${birthtimeNs}`, at, first: 8, write: 8 }
  await writeSealed(join(folder, 'format.json'), format, { raises: [], accounts: [accountPath.split('/').at(-1)] })
  return told
}
