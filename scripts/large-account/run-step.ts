import { createWriteStream } from 'node:fs'
import * as files from 'node:fs/promises'
import { basename, join } from 'node:path'
import { nobodysPasswordHash } from '../../src/accounts/passwords.ts'
import { writeAccountFile } from '../../src/store/disk/account-file.ts'
import { locateAccount, readFormat, writeFormat } from '../../src/store/disk/directory.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import { encodeItem } from '../../src/store/record/backup-format.ts'
import { encodeChangeLine } from '../../src/store/record/change-text.ts'
import type { Store } from '../../src/store/store.ts'
import { writeBackupTo } from '../../src/store/tools/backup.ts'
import { describeFiles, readFolder } from '../../src/store/tools/inspect.ts'
import { repairFolder } from '../../src/store/tools/repair.ts'
import { readBackup, restoreFolder } from '../../src/store/tools/restore.ts'
import { thingForm } from '../../src/things/thing.ts'

/** Creates a thing whose step has about 350 bytes. */
const createThing = (n: number) => ({
  id: `id${n}`,
  title: `thing number ${n}, with a title`,
  tags: n % 5 === 0 ? 'red,blue' : '',
  date: 1_700_000_000 + n,
  url: `https://example.org/${n}`,
  html: `<p>${'text '.repeat(20)}</p>`,
  archived: false,
  todoStatus: false,
})

function* createSteps(bytes: number, noteCount: (count: number) => void): Generator<string> {
  let written = 0
  for (let n = 1; written < bytes; n += 1) {
    const change = { position: n, createdPosition: n, writer: 'phone', othersPosition: 0 }
    const step = encodeChangeLine({ thing: { ...createThing(n), ...change } })
    written += step.length + 1
    noteCount(n)
    yield step
  }
}

const open = (folder: string): Promise<Store> => openJsonFileStore({ folder, form: thingForm })

/** Creates a data folder with one account whose file has `mebibytes`. Returns the number of things. */
const create = async (folder: string, mebibytes: number): Promise<number> => {
  const store = await open(folder)
  await store.registry.change((draft) =>
    draft.put('users', { id: 'ann', name: 'ann', passwordHash: nobodysPasswordHash, createdAt: 1 }),
  )
  await store.checkpoint()
  await store.close()
  const format = await readFormat(folder, files)
  if (format?.inventory === undefined) throw new Error('the folder has no inventory')
  const path = join(folder, 'accounts', locateAccount('ann'))
  await files.mkdir(join(path, '..'), { recursive: true })
  const location = { path, asideFolder: join(folder, 'unfinished'), files }
  let count = 0
  const steps = createSteps(mebibytes * 2 ** 20, (n) => {
    count = n
  })
  // The position of the account may be larger than the positions of all things.
  await writeAccountFile(location, 'ann', { position: 1_000_000_000, write: 1 }, steps)
  const inventory = { ...format.inventory, accounts: [[basename(path), 1] as const] }
  await writeFormat(folder, files, { ...format, inventory })
  return count
}

const verify = async (folder: string): Promise<string> => {
  const read = await readFolder(folder)
  const damaged = describeFiles(read).filter(({ state }) => state === 'damaged')
  return `${damaged.length} damaged, ${read.accounts[0]?.found?.things} things`
}

const backup = async (folder: string): Promise<string> => {
  const store = await open(folder)
  const file = createWriteStream(join(folder, '..', 'backup.gz'))
  const lines = async function* (): AsyncGenerator<string> {
    let text = ''
    for await (const item of store.listItems()) {
      text += `${encodeItem(item)}\n`
      if (text.length < 65_536) continue
      yield text
      text = ''
    }
    yield text
  }
  const write = (bytes: Buffer) =>
    new Promise<void>((done, failed) => file.write(bytes, (e) => (e ? failed(e) : done())))
  const { counts } = await writeBackupTo(write, lines(), 1)
  await new Promise((done) => file.end(done))
  await store.close()
  return `${counts.thing} things`
}

const restore = async (folder: string): Promise<string> => {
  const target = join(folder, '..', 'restored')
  await files.mkdir(target)
  await restoreFolder(target, readBackup(join(folder, '..', 'backup.gz')), { now: 1_700_000_000_000, createdAt: 1 })
  return verify(target)
}

/** Changes a thing 100 times with a checkpoint after each change. Returns the growth of the account's file. */
const change = async (folder: string): Promise<string> => {
  const path = join(folder, 'accounts', locateAccount('ann'))
  const store = await open(folder)
  const { size } = await files.stat(path)
  const thing = createThing(5)
  for (let n = 0; n < 100; n += 1) {
    await store.write('ann', 'phone', (draft) => draft.putThing({ ...thing, title: `change ${n}` }))
    await store.checkpoint()
  }
  await store.close()
  return `${((await files.stat(path)).size - size) / 100} bytes a change`
}

const repair = async (folder: string): Promise<string> => {
  const path = join(folder, 'accounts', locateAccount('ann'))
  const handle = await files.open(path, 'r+')
  await handle.write('X', 1_000_000)
  await handle.close()
  const { damaged } = await repairFolder(folder, 1_700_000_000_000)
  return `${damaged.length} repaired, ${await verify(folder)}`
}

/** The steps on an existing folder. Each runs in its own process. */
const steps = { verify, change, backup, restore, repair } as const

export { create }

const [name = '', folder = '', mebibytes = '0'] = process.argv.slice(2)
let [heap, rss] = [0, 0]
const sample = setInterval(() => {
  const used = process.memoryUsage()
  heap = Math.max(heap, used.heapUsed)
  rss = Math.max(rss, used.rss)
}, 20)
const begun = process.cpuUsage()
const startedAt = Date.now()
const result =
  name === 'create'
    ? `${await create(folder, Number(mebibytes))} things`
    : await steps[name as keyof typeof steps](folder)
clearInterval(sample)
const { user, system } = process.cpuUsage(begun)
const inMebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`
process.stdout.write(
  `${name}: ${result}; heap ${inMebibytes(heap)}, memory ${inMebibytes(rss)}, ` +
    `${((user + system) / 1e6).toFixed(1)} s of CPU, ${((Date.now() - startedAt) / 1000).toFixed(1)} s\n`,
)
