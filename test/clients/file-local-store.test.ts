import { appendFile, mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { localStoreContract } from '../support/local-store-contract.ts'
import { createFileTokenStorage, openFileLocalStore } from './file-local-store.ts'

const createFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-file-store-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

localStoreContract('files', async () => {
  const folder = await createFolder()
  let current = await openFileLocalStore(folder)
  onTestFinished(() => current.close())
  return {
    store: current,
    reopen: async () => {
      await current.close()
      current = await openFileLocalStore(folder)
      return current
    },
  }
})

test('a line that a kill cut off is dropped, and later writes are read', async () => {
  const folder = await createFolder()
  const first = await openFileLocalStore(folder)
  await first.write(new Map([['a', 'kept']]))
  await first.close()
  await appendFile(join(folder, 'journal'), '[["a","\\"lo')

  const second = await openFileLocalStore(folder)
  await second.write(new Map([['b', 1]]))
  await second.close()
  const third = await openFileLocalStore(folder)

  expect([await third.get('a'), await third.get('b')]).toEqual(['kept', 1])
  await third.close()
})

test('a long journal of replaced values is written again when it is opened', async () => {
  const folder = await createFolder()
  const first = await openFileLocalStore(folder)
  for (let value = 0; value < 1_500; value += 1) await first.write(new Map([['a', value]]))
  await first.close()
  const before = (await stat(join(folder, 'journal'))).size

  const second = await openFileLocalStore(folder)

  expect(await second.get('a')).toBe(1_499)
  expect((await stat(join(folder, 'journal'))).size).toBeLessThan(before / 100)
  await second.close()
})

test('tokens are there for the next program until they are cleared', async () => {
  const folder = await createFolder()
  const pair = { accessToken: 'a', requestToken: 'r', session: 's', expiresAt: 1 }

  await createFileTokenStorage(folder).write(pair)

  expect(await createFileTokenStorage(folder).read()).toEqual(pair)
  expect(await readFile(join(folder, 'tokens.json'), 'utf8')).toBe(JSON.stringify(pair))
  await createFileTokenStorage(folder).clear()
  expect(await createFileTokenStorage(folder).read()).toBeUndefined()
})
