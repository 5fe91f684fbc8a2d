import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRandom } from '../../../test/store/faults/random.ts'
import { contractForm, createSettings, createThing, readList, readTags } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError } from '../store.ts'
import { describeFiles, listFiles, readFolder } from './inspect.ts'
import { repairFolder } from './repair.ts'

const userIds = ['ann', 'bob', 'cyd']
const thingIds = Array.from({ length: 30 }, (_, n) => `t${n}`)
const copies = 20
let root = ''
let original = ''
let contentBefore: readonly unknown[] = []
let accountsBefore: readonly string[] = []

const open = (folder: string) => openJsonFileStore({ folder, form: contractForm, segmentBytes: 4096 })

const readAccounts = async (store: Store): Promise<readonly string[]> => {
  const accounts: string[] = []
  for (const userId of userIds) {
    const view = await store.read(userId)
    // A copy of a folder has raised positions, so they are not compared.
    const all = [await readList(view, { after: 0 }), [...(await readTags(view, 0))]]
    const records = [...(await view.listRecords('kind', 'group'))]
    const deleted = (await readList(view, { after: 1 })).deletedCount
    accounts.push(JSON.stringify([all, records, deleted]))
  }
  return accounts
}

/** Reads everything from a store. */
const readAll = async (store: Store) => [await store.registry.listUsers(), await readAccounts(store)]

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'thingsync-damage-'))
  original = join(root, 'original')
  const store = await open(original)
  for (const id of userIds)
    await store.registry.change((draft) =>
      draft.put('users', { id, name: `${id}’s name`, passwordHash: '', createdAt: 1 }),
    )
  for (const [n, id] of thingIds.entries())
    await store.write(userIds[n % 3] ?? '', 'phone', async (draft) => {
      await draft.putThing(createThing(id, { html: 'é'.repeat(n * 5) }))
      await draft.putTag('red', createSettings(n % 2 === 0 ? 'strike' : false))
      await draft.putRecord('kind', 'group', id, n)
      if (n >= 9 && n % 5 === 0) await draft.deleteThing(`t${n - 9}`)
    })
  contentBefore = await readAll(store)
  accountsBefore = await readAccounts(store)
  await store.close()
})
afterAll(() => rm(root, { recursive: true }))

/** Damages one of the files as disks, programs and users do. */
const damage = async (folder: string, seed: number): Promise<string> => {
  const { below, pick } = createRandom(seed)
  const names = (await listFiles(folder)).map(({ file }) => file).filter((file) => !file.startsWith('unfinished'))
  const file = pick(names)
  const bytes = await readFile(join(folder, file))
  const at = below(bytes.length)
  const end = Math.min(bytes.length, at + 1 + below(200))
  const [before, middle, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)]
  // A cut after a line of the newest segment looks like a line that was never written; it is undetectable.
  const cutEnd = before.at(-1) === '\n'.charCodeAt(0) ? at - 1 : at
  const results = [
    () => Buffer.concat([before, Buffer.from([(bytes[at] ?? 0) ^ (1 << below(8))]), bytes.subarray(at + 1)]),
    () => bytes.subarray(0, Math.max(1, cutEnd)),
    () => Buffer.concat([before, after]),
    () => Buffer.concat([before, Buffer.alloc(middle.length), after]),
    () => Buffer.concat([before, Buffer.from('{"garbage": 1}\n'), after]),
    () => Buffer.concat([before, middle, middle, after]),
  ]
  await writeFile(join(folder, file), pick(results)())
  return file
}

const findOpened = async (folder: string): Promise<unknown> => {
  try {
    const store = await open(folder)
    try {
      return await readAll(store)
    } finally {
      await store.close()
    }
  } catch (error) {
    if (error instanceof StoreError) return error.message
    throw error
  }
}

test('in a folder without damage every file is whole', async () => {
  const found = describeFiles(await readFolder(original))

  expect(found.filter(({ state }) => state !== 'whole')).toEqual([])
  expect(found.length).toBeGreaterThan(userIds.length + 2)
})

test(`each of ${copies} randomly damaged folders is reported, or opens with every acknowledged change`, async () => {
  let named = 0
  for (let seed = 1; seed <= copies; seed += 1) {
    const folder = join(root, `copy-${seed}`)
    await cp(original, folder, { recursive: true })
    const file = await damage(folder, seed)

    const found = describeFiles(await readFolder(folder)).filter(({ state }) => state !== 'whole')
    const isNamed = found.some((one) => one.file === file && one.says !== undefined)
    const isDamaged = found.some(({ state }) => state === 'damaged')

    if (isNamed) named += 1
    else expect(await findOpened(folder), `${file}, seed ${seed}`).toEqual(contentBefore)
    const repaired = await repairFolder(folder, 0)
    expect(repaired.damaged.length > 0, `${file}, seed ${seed}`).toBe(isDamaged)
    const left = describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')
    expect(left, `${file}, seed ${seed}`).toEqual([])
    const reopened = await open(folder)
    const all = await readAccounts(reopened)
    // A damaged file of one account does not affect the others.
    const harmed = file.startsWith('accounts') ? userIds.findIndex((id) => file.endsWith(`${id}.ndjson`)) : undefined
    if (harmed !== undefined)
      expect(all.toSpliced(harmed, 1), `${file}, seed ${seed}`).toEqual(accountsBefore.toSpliced(harmed, 1))
    if (file !== 'directory.json') expect(await reopened.registry.listUsers()).toHaveLength(userIds.length)
    await reopened.close()
    await rm(folder, { recursive: true })
  }
  expect(named).toBeGreaterThan(copies / 2)
})
