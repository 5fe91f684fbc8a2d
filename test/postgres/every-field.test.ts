import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runCopy } from '../../src/cli/copy-commands.ts'
import { openJsonFileStore } from '../../src/store/json-file-store.ts'
import { openPostgres } from '../../src/store/postgres/open-postgres.ts'
import type { Store } from '../../src/store/store.ts'
import { thingForm } from '../../src/things/thing.ts'
import { anyStoreContent, type StoreContent } from '../support/any-item.ts'
import { readContent, toCompared, writeContent } from '../support/store-content.ts'
import { openTestDatabase } from './open-database.ts'

let root = ''
let createdFolders = 0
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'thingsync-every-field-'))
})
afterAll(() => rm(root, { recursive: true }))

const createPath = (): string => {
  createdFolders += 1
  return join(root, `${createdFolders}`)
}

const use = async <T>(store: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> => {
  const opened = await store
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}
const useFolder = <T>(folder: string, work: (store: Store) => Promise<T>): Promise<T> =>
  use(openJsonFileStore({ folder, form: thingForm }), work)
const useDatabase = <T>(url: string, work: (store: Store) => Promise<T>): Promise<T> =>
  use(openPostgres({ url, form: thingForm }), work)

/** Runs a case with random contents and an empty database; a failure prints the seed. */
const check = (isBare: boolean, run: (content: StoreContent, url: string) => Promise<void>): Promise<void> =>
  fc.assert(
    fc.asyncProperty(anyStoreContent, async (content) => {
      const { url, drop } = await openTestDatabase({ isBare })
      try {
        await run(content, url)
      } finally {
        await drop()
      }
    }),
    // Making an example smaller takes a while; the seed is printed after this time all the same.
    { numRuns: 4, interruptAfterTimeLimit: 60_000, markInterruptAsFailure: true },
  )

test('every field is there in a database, and when another process reads it', () =>
  check(false, async (content, url) => {
    await useDatabase(url, async (store) => {
      await writeContent(store, content)
      expect(await readContent(store)).toEqual(toCompared(content))
    })

    expect(await useDatabase(url, readContent)).toEqual(toCompared(content))
  }))

test('every field is there after a copy to a database, and after the copy back', () =>
  check(true, async (content, url) => {
    const [from, back] = [createPath(), createPath()]
    await useFolder(from, (store) => writeContent(store, content))

    await runCopy(from, url, () => undefined)
    expect(await useDatabase(url, readContent)).toEqual(toCompared(content))
    await runCopy(url, back, () => undefined)

    expect(await useFolder(back, readContent)).toEqual(toCompared(content))
  }))
