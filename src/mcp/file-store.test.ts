import { appendFile, mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { LocalStore } from '../../client/src/local-store.ts'
import { localStoreContract } from '../../test/support/local-store-contract.ts'
import { DamagedStore, type FileStore, openFileStore } from './file-store.ts'

const createFile = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-mcp-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'replica.jsonl')
}

const open = async (path: string): Promise<FileStore> => {
  const store = await openFileStore(path)
  onTestFinished(() => store.close().catch(() => undefined))
  return store
}

const listAll = async (store: LocalStore) => {
  const entries = []
  for await (const entry of store.list('')) entries.push(entry)
  return entries
}

localStoreContract('file', async () => {
  const path = await createFile()
  const store = await open(path)
  let current = store
  const reopen = async () => {
    await current.close()
    current = await open(path)
    return current
  }
  return { store, reopen }
})

test('a crash at any byte of a write leaves the store as before the write, and the next write is kept', async () => {
  const path = await createFile()
  const first = await open(path)
  await first.write(new Map([['a', 'before']]))
  const { size } = await stat(path)
  await first.write(
    new Map<string, unknown>([
      ['a', 'after'],
      ['b', 'ключ\n'],
    ]),
  )
  await first.close()
  const whole = await readFile(path)

  for (let length = size; length < whole.length; length++) {
    await writeFile(path, whole.subarray(0, length))
    const store = await openFileStore(path)
    expect(await listAll(store)).toEqual([['a', 'before']])
    await store.write(new Map([['c', 1]]))
    await store.close()
    const again = await openFileStore(path)
    expect(await listAll(again)).toEqual([
      ['a', 'before'],
      ['c', 1],
    ])
    await again.close()
  }
})

test('a last line that lost bytes in a power cut is cut off, and shorter writes follow', async () => {
  const path = await createFile()
  const first = await open(path)
  await first.write(new Map([['a', 'before']]))
  const { size } = await stat(path)
  await first.write(new Map([['b', 'a long text that is not all on disk']]))
  await first.close()
  const bytes = await readFile(path)
  await writeFile(path, bytes.fill(0, size + 12, bytes.length - 1))

  const second = await open(path)
  await second.write(new Map([['c', 1]]))
  await second.close()

  expect(await listAll(await open(path))).toEqual([
    ['a', 'before'],
    ['c', 1],
  ])
})

test('a store whose values are replaced again and again stays small, and keeps the last values', async () => {
  const path = await createFile()
  const store = await open(path)
  const text = 'x'.repeat(100_000)

  for (let time = 0; time < 100; time++)
    await store.write(
      new Map<string, unknown>([
        ['a', `${time}${text}`],
        [`b${time % 3}`, time],
      ]),
    )

  expect((await stat(path)).size).toBeLessThan(2_000_000)
  await store.close()
  const reopened = await open(path)
  expect((await listAll(reopened)).sort()).toEqual([
    ['a', `99${text}`],
    ['b0', 99],
    ['b1', 97],
    ['b2', 98],
  ])
  expect(await readdir(join(path, '..'))).toEqual(['replica.jsonl'])
})

test('a damaged line in the middle is an error that says what to do', async () => {
  const path = await createFile()
  const store = await open(path)
  await store.write(new Map([['a', 'some text']]))
  await store.write(new Map([['b', 1]]))
  await store.close()
  await writeFile(path, (await readFile(path, 'utf8')).replace('some text', 'same text'))

  await expect(openFileStore(path)).rejects.toThrow(DamagedStore)
  await expect(openFileStore(path)).rejects.toThrow(
    /replica\.jsonl is damaged .* delete this file.* come from the server again/,
  )
})

test('a file that is no local store, or an empty one, is an error and stays as it is', async () => {
  const path = await createFile()
  await appendFile(path, 'my own notes\n')

  await expect(openFileStore(path)).rejects.toThrow(DamagedStore)
  expect(await readFile(path, 'utf8')).toBe('my own notes\n')
  await writeFile(path, 'one line')
  await expect(openFileStore(path)).rejects.toThrow(DamagedStore)
  expect(await readFile(path, 'utf8')).toBe('one line')
  await truncate(path)
  await expect(openFileStore(path)).rejects.toThrow(DamagedStore)
})

test('a write after another process took the folder over is an error, and so is each later one', async () => {
  const path = await createFile()
  let isHeld = true
  const store = await openFileStore(path, { isHeld: async () => isHeld })
  onTestFinished(() => store.close())
  await store.write(new Map([['a', 1]]))

  isHeld = false

  await expect(store.write(new Map([['a', 2]]))).rejects.toMatchObject({ code: 'store_gone' })
  isHeld = true
  await expect(store.write(new Map([['a', 3]]))).rejects.toMatchObject({ code: 'store_gone' })
  expect(await store.get('a')).toBe(1)
})
