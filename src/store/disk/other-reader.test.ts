import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createRandom } from '../../../test/store/faults/random.ts'
import { contractForm, createSettings, createThing } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'

const userIds = ['ann', 'bob', 'cyd', 'a user/with "an odd" id']
const program = join(import.meta.dirname, '../../../test/store/read_folder.py')

const python = spawnSync('python3', ['--version'])
const isMissing = python.error !== undefined
if (isMissing && process.env.CI !== 'true')
  console.warn('python3 is missing: the other reader of data folders is not tried')

/** Makes random writes to random accounts, and returns the final content of the store. */
const createFolder = async (folder: string, seed: number): Promise<unknown> => {
  const { below, pick } = createRandom(seed)
  for (let round = 0; round < 4; round += 1) {
    const store = await openJsonFileStore({ folder, form: contractForm, segmentBytes: pick([1, 2000, 1e9]) })
    for (const id of userIds)
      await store.registry.change((draft) => draft.put('users', { id, name: id, passwordHash: '', createdAt: 1 }))
    for (let n = 0; n < 12; n += 1) {
      const id = `t${below(6)} é€😀 \u2028 "`
      await store.write(pick(userIds), 'phone', async (draft) => {
        await draft.putOutboxEntry('hook', n)
        await draft.putThing(createThing(id, { title: `},{"thing":{ ${n}`, html: '<p>'.repeat(below(60)) }))
        if (below(3) === 0) await draft.deleteThing(id)
        if (below(3) === 0) await draft.putTag(pick(['red', 'blue']), createSettings(pick([false, 'strike'])))
        if (below(2) === 0) await draft.putRecord('kind', pick(['g', 'h']), `${below(3)}`, { n })
        if (below(5) === 0) await draft.deleteRecords('kind', 'g')
      })
      if (below(10) === 0) await store.removeAccount(pick(userIds))
      if (below(8) === 0) await store.checkpoint()
    }
    await store.close()
  }
  return readStore(folder)
}

const readStore = async (folder: string): Promise<unknown> => {
  const store = await openJsonFileStore({ folder, form: contractForm })
  const accounts = new Map<string, Record<string, unknown[]> & { position: number; records: number }>()
  let userId = ''
  for await (const item of store.listItems()) {
    if ('account' in item) {
      userId = item.account
      const lists: Record<string, unknown[]> = { thing: [], tombstone: [], tag: [] }
      accounts.set(userId, Object.assign(lists, { position: item.position, records: 0 }) as never)
    }
    const account = accounts.get(userId)
    if ('record' in item && account) account.records += 1
    for (const kind of ['thing', 'tombstone', 'tag'])
      if (kind in item) account?.[kind]?.push(new Map(Object.entries(item)).get(kind))
  }
  await store.close()
  return Array.from(accounts, ([id, account]) => ({ id, ...account }))
    .filter(({ position, records }) => position > 0 || records > 0)
    .sort((a, b) => (a.id < b.id ? -1 : 1))
}

test.skipIf(isMissing && process.env.CI !== 'true')(
  'a program in another language, written by docs/reference/data-folder.md, reads what we read',
  async () => {
    for (let seed = 1; seed <= 3; seed += 1) {
      const folder = await mkdtemp(join(tmpdir(), 'thingsync-other-'))
      onTestFinished(() => rm(folder, { recursive: true }))
      const ours = await createFolder(folder, seed)

      const { stdout, stderr } = spawnSync('python3', [program, folder], { encoding: 'utf8' })

      expect(stderr, `seed ${seed}`).toBe('')
      expect(JSON.parse(stdout), `seed ${seed}`).toEqual(ours)
    }
  },
)
