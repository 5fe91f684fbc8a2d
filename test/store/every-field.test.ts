/**
 * Nothing that a store keeps loses a field on any way: things with every field of their table, settings of tags, users, apps,
 * sessions and all else, through restarts, checkpoints, backups, repairs, and our own JSON.
 */
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { systemEnvironment } from '../../src/environment.ts'
import { listAccountText } from '../../src/runtime/account-commands.ts'
import { listStoreText, openImport } from '../../src/runtime/piecewise-jobs.ts'
import { locateAccount } from '../../src/store/disk/directory.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import type { Thing } from '../../src/store/model.ts'
import type { Store } from '../../src/store/store.ts'
import { writeBackup } from '../../src/store/tools/backup.ts'
import { repairFolder } from '../../src/store/tools/repair.ts'
import { fieldNames } from '../../src/thing-table.ts'
import type { ItemToImport } from '../../src/things/import-things.ts'
import { hasSettings, isTodoTag, splitTags, thingForm } from '../../src/things/thing.ts'
import { readJson, writeJson } from '../../src/transfer/json.ts'
import { gatherContent } from '../../src/transfer/transfer.ts'
import { anyStoreContent, type StoreContent } from '../support/any-item.ts'
import { restoreBackup } from '../support/restore.ts'
import { readContent, toCompared, writeContent } from '../support/store-content.ts'

let root = ''
let createdFolders = 0
beforeAll(async () => {
  root = await files.mkdtemp(join(tmpdir(), 'thingsync-every-field-'))
})
afterAll(() => files.rm(root, { recursive: true }))

const open = (folder: string): Promise<Store> => openJsonFileStore({ folder, form: thingForm })

const use = async <T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> => {
  const store = await open(folder)
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}

const createFolder = async (name: string): Promise<string> => {
  createdFolders += 1
  const folder = join(root, `${name}-${createdFolders}`)
  await files.mkdir(folder)
  return folder
}

/** Runs a case with random contents; a failure prints the seed. */
const check = (run: (content: StoreContent, folder: string) => Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(anyStoreContent, async (content) => run(content, await createFolder('data'))),
    // Making an example smaller takes a while; the seed is printed after this time all the same.
    { numRuns: 8, interruptAfterTimeLimit: 40_000, markInterruptAsFailure: true },
  )

const userIdOf = ({ registry }: StoreContent): string => registry.users[0]?.id ?? ''

test('random contents have each field of each thing in one item at least', () =>
  fc.assert(
    fc.property(anyStoreContent, ({ things: [first] }) => {
      expect(Object.keys(first ?? {}).sort()).toEqual(['id', ...fieldNames].sort())
    }),
  ))

test('everything is there when it was written, and after a restart from the journal', () =>
  check(async (content, folder) => {
    await use(folder, async (store) => {
      await writeContent(store, content)
      expect(await readContent(store)).toEqual(toCompared(content))
    })
    expect(await files.readdir(join(folder, 'accounts')).catch(() => [])).toEqual([])

    expect(await use(folder, readContent)).toEqual(toCompared(content))
  }))

test('everything is there after a checkpoint and a restart', () =>
  check(async (content, folder) => {
    await use(folder, async (store) => {
      await writeContent(store, content)
      await store.checkpoint()
      expect(await readContent(store)).toEqual(toCompared(content))
    })
    expect(await files.readFile(join(folder, 'accounts', locateAccount(userIdOf(content))), 'utf8')).toContain(
      `"_id":${JSON.stringify(content.things[0]?.id)}`,
    )

    expect(await use(folder, readContent)).toEqual(toCompared(content))
  }))

test('everything is there in a restored backup', () =>
  check(async (content, folder) => {
    const file = `${folder}.gz`
    await use(folder, async (store) => {
      await writeContent(store, content)
      await writeBackup({ file, dataFolder: folder }, listStoreText(store), Math.floor(Date.now() / 1000))
    })

    const restored = await restoreBackup(await files.readFile(file), await createFolder('root'))

    expect(await use(restored, readContent)).toEqual(toCompared(content))
  }))

test('everything is there after a repair that rebuilt all files from their lines', () =>
  check(async (content, folder) => {
    await use(folder, async (store) => {
      await writeContent(store, content)
      await store.checkpoint()
    })
    // The lines of the account and the items of the registry are whole; what says that they are is not.
    await damageEnd(join(folder, 'accounts', locateAccount(userIdOf(content))))
    await damageEnd(join(folder, 'directory.json'))

    const { damaged } = await repairFolder(folder, Date.now())

    expect(damaged.map(({ file }) => file)).toEqual(
      expect.arrayContaining([join('accounts', locateAccount(userIdOf(content))), 'directory.json']),
    )
    expect(await use(folder, readContent)).toEqual(toCompared(content))
  }))

test('everything of a thing and a tag that is to be seen is there after an export and an import as our own JSON', () =>
  check(async (content, folder) => {
    const name = content.registry.users[0]?.name ?? ''
    const text = await use(folder, async (store) => {
      await writeContent(store, content)
      return writeAgain(await listAccountText(store, name))
    })
    const other = await createFolder('other')

    const found = await use(other, async (store) => {
      await writeContent(store, { ...content, things: [], tags: new Map(), webhooks: [], devices: [] })
      const context = {
        store,
        environment: systemEnvironment,
        quotas: { things: null, bytes: null, hooks: null, tags: null },
      }
      const begin = { name: 'import begin', user: name, isDry: false, allowsDuplicates: true, file: 'f' } as const
      const job = await openImport(context, begin)
      await job.addItems(await readItems(text))
      await job.end()
      return readContent(store)
    })

    expect(pick(found, 'thing', 'tag')).toEqual(pick(toCompared(toExported(content)), 'thing', 'tag'))
  }))

const damageEnd = async (path: string): Promise<void> => {
  const bytes = await files.readFile(path)
  const at = bytes.lastIndexOf('"') - 1
  bytes[at] = bytes[at] === 0x61 ? 0x62 : 0x61
  await files.writeFile(path, bytes)
}

/** The text as the export writes it: read and written again. */
const writeAgain = async (parts: AsyncIterable<string>): Promise<string> => {
  let text = ''
  for await (const part of writeJson.write(await gatherContent(readJson.read(parts)))) text += part
  return text
}

async function* chunksOf(text: string) {
  yield text
}

const readItems = async (text: string): Promise<readonly ItemToImport[]> => {
  const items: ItemToImport[] = []
  for await (const item of readJson.read(chunksOf(text))) {
    if (item.kind !== 'thing' && item.kind !== 'tag') throw new Error(item.reason)
    items.push(item)
  }
  return items
}

/** What an export shows: no completion of what is no todo, no settings as if never set. */
const toExported = (content: StoreContent): StoreContent => {
  const isTodo = ({ tags }: Thing) =>
    splitTags(tags).some((name) => {
      const settings = content.tags.get(name)
      return settings !== undefined && isTodoTag(settings)
    })
  return {
    ...content,
    things: content.things.map((thing) => (isTodo(thing) ? thing : { ...thing, todoStatus: false })),
    tags: new Map([...content.tags].filter(([, settings]) => hasSettings(settings))),
  }
}

const pick = (found: Readonly<Record<string, unknown>>, ...kinds: readonly string[]) =>
  Object.fromEntries(
    Object.entries(found)
      .filter(([key]) => kinds.some((kind) => key.startsWith(`${kind} `)))
      // The import writes under a name of its own.
      .map(([key, item]) => [key, { ...(item as object), writer: undefined }]),
  )
