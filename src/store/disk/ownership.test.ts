import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { type JsonFileStoreOptions, openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError, silentLog } from '../store.ts'

const createFolder = async (): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-ownership-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  return folder
}

const open = async (folder: string, options: Partial<JsonFileStoreOptions> = {}): Promise<Store> => {
  const store = await openJsonFileStore({ folder, form: contractForm, segmentBytes: 1_000_000, ...options })
  onTestFinished(store.close)
  return store
}

/** An owner whose folder another process takes over when the test says so. */
const createOwner = (mayHavePreviousOwner = false) => {
  let isOwner = true
  const lose = (): void => {
    isOwner = false
  }
  return { ownership: { isHeld: async () => isOwner, mayHavePreviousOwner }, lose }
}

const listNow = async (store: Store, userId: string) => (await listIds(await store.read(userId), 0)).changed

const findSegment = (folder: string): string => join(folder, 'journal', '000000000001.ndjson')

test('a journal that another process made grow gets no more writes, and nothing is overwritten', async () => {
  const folder = await createFolder()
  const failures: string[] = []
  const first = await open(folder, {
    log: { ...silentLog, error: (_details, message) => void failures.push(message) },
  })
  await putThings(first, 'ann', createThing('a'))
  const second = await open(folder)
  await putThings(second, 'ann', createThing('b'))
  const before = await files.readFile(findSegment(folder))

  await expect(putThings(first, 'ann', createThing('c'))).rejects.toThrow(
    `${findSegment(folder)} was changed by another process; nothing more is written until a restart`,
  )

  expect(await files.readFile(findSegment(folder))).toEqual(before)
  await expect(first.check()).rejects.toThrow(StoreError)
  expect(await listNow(first, 'ann')).toEqual(['a'])
  expect(failures).toHaveLength(1)
  await putThings(second, 'bob', createThing('d'))
})

test.each([
  ['taken away', (path: string) => files.rm(path)],
  [
    'replaced by a copy of itself',
    async (path: string) => {
      await files.copyFile(path, `${path}.copy`)
      await files.rename(`${path}.copy`, path)
    },
  ],
])('a journal whose file was %s gets no more writes', async (_, change) => {
  const folder = await createFolder()
  const store = await open(folder)
  await putThings(store, 'ann', createThing('a'))
  await change(findSegment(folder))

  await expect(putThings(store, 'ann', createThing('b'))).rejects.toThrow('nothing more is written until a restart')
  await expect(putThings(store, 'bob', createThing('c'))).rejects.toThrow(StoreError)
})

test('an owner that loses the folder during a write acknowledges nothing and names no file', async () => {
  const folder = await createFolder()
  const { ownership, lose } = createOwner()
  const store = await open(folder, { ownership })
  await putThings(store, 'ann', createThing('a'))
  lose()

  await expect(putThings(store, 'ann', createThing('b'))).rejects.toThrow('was taken over by another process')

  expect(await listNow(store, 'ann')).toEqual(['a'])
  await store.close()
  expect(await files.readdir(join(folder, 'accounts'))).toEqual([])
})

test('late appends of a suspended owner reach no file of the new owner', async () => {
  const folder = await createFolder()
  const { ownership, lose } = createOwner()
  const suspended = await open(folder, { ownership })
  await putThings(suspended, 'ann', createThing('a'))
  // Suspended after its last check of the journal's length, it writes when it resumes.
  const late = await files.open(findSegment(folder), 'a')
  onTestFinished(() => late.close())
  lose()

  const next = await open(folder, createOwner(true))
  await late.appendFile('{"crc32":"late')
  await putThings(next, 'ann', createThing('b'))
  await expect(putThings(suspended, 'ann', createThing('c'))).rejects.toThrow(StoreError)
  await next.close()

  expect(await files.readFile(findSegment(folder), 'utf8')).not.toContain('late')
  expect(await listNow(await open(folder), 'ann')).toEqual(['a', 'b'])
})

test('an unfinished file of a suspended owner is removed before the next owner reads', async () => {
  const folder = await createFolder()
  const { ownership, lose } = createOwner()
  let resume = (): void => undefined
  const asleep = new Promise<void>((resolve) => {
    resume = resolve
  })
  let fellAsleep = (): void => undefined
  const isAsleep = new Promise<void>((resolve) => {
    fellAsleep = resolve
  })
  // Suspended between its last check of the ownership, and the rename.
  const rename: typeof files.rename = async (from, to) => {
    if (String(to).endsWith('ann.ndjson')) {
      fellAsleep()
      await asleep
    }
    await files.rename(from, to)
  }
  const suspended = await open(folder, { ownership, segmentBytes: 1, files: { ...files, rename } })
  await putThings(suspended, 'ann', createThing('a'))
  await isAsleep
  lose()

  // The next owner saves the account to its own file, and removes its lines from the journal.
  const next = await open(folder, { ...createOwner(true), segmentBytes: 1 })
  await putThings(next, 'ann', createThing('b'))
  await putThings(next, 'bob', createThing('c'))
  await next.close()
  resume()
  await suspended.close()

  expect(await listNow(await open(folder), 'ann')).toEqual(['a', 'b'])
})
