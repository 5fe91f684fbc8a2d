import { execFileSync } from 'node:child_process'
import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeBackup, writeBackupTo } from './backup.ts'

async function* listLines(): AsyncGenerator<string, void, undefined> {
  for (let n = 0; n < 2000; n++) yield `{"user":{"id":"${n} ${Math.sin(n)}"}}\n`
}

/** A data folder, and a folder beside it. */
const createFolders = async () => {
  const root = await files.mkdtemp(join(tmpdir(), 'thingsync-target-'))
  onTestFinished(() => files.rm(root, { recursive: true }))
  const [dataFolder, beside] = [join(root, 'data'), join(root, 'beside')]
  await files.mkdir(join(dataFolder, 'accounts'), { recursive: true })
  await files.mkdir(beside)
  return { root, dataFolder, beside }
}

const write = (dataFolder: string, file: string) => writeBackup({ file, dataFolder }, listLines(), 1)

test('a regular file is replaced as a whole, and its hard links do not change', async () => {
  const { dataFolder, beside } = await createFolders()
  await files.writeFile(join(beside, 'old.gz'), 'old')
  await files.link(join(beside, 'old.gz'), join(beside, 'same.gz'))

  const { bytes } = await write(dataFolder, join(beside, 'old.gz'))

  expect((await files.stat(join(beside, 'old.gz'))).size).toBe(bytes)
  expect(await files.readFile(join(beside, 'same.gz'), 'utf8')).toBe('old')
  expect(await files.readdir(beside)).toEqual(['old.gz', 'same.gz'])
})

test('links, folders and pipes are not changed', async () => {
  const { dataFolder, beside } = await createFolders()
  await files.writeFile(join(beside, 'precious'), 'precious')
  await files.symlink(join(beside, 'precious'), join(beside, 'link'))
  await files.symlink(join(beside, 'nothing'), join(beside, 'broken'))
  await files.mkdir(join(beside, 'folder'))
  execFileSync('mkfifo', [join(beside, 'pipe')])
  const before = await files.readdir(beside)

  for (const [name, kind] of [
    ['link', 'a link'],
    ['broken', 'a link'],
    ['folder', 'a folder'],
    ['pipe', 'not a regular file'],
  ] as const)
    await expect(write(dataFolder, join(beside, name))).rejects.toThrow(
      `backup: ${join(beside, name)} is ${kind}; give the name of a new file, or - for standard output`,
    )

  expect(await files.readdir(beside)).toEqual(before)
  expect(await files.readFile(join(beside, 'precious'), 'utf8')).toBe('precious')
  expect((await files.lstat(join(beside, 'pipe'))).isFIFO()).toBe(true)
})

test('no file of the data folder is replaced or added, by any path', async () => {
  const { root, dataFolder, beside } = await createFolders()
  await files.writeFile(join(dataFolder, 'format.json'), '{}')
  await files.symlink(dataFolder, join(root, 'other-name'))
  await files.symlink(join(dataFolder, 'accounts'), join(beside, 'deep'))

  for (const file of [
    join(dataFolder, 'format.json'),
    join(dataFolder, 'new.gz'),
    join(dataFolder, 'accounts', 'new.gz'),
    `${beside}/../data/new.gz`,
    join(root, 'other-name', 'new.gz'),
    join(beside, 'deep', 'new.gz'),
  ])
    await expect(write(dataFolder, file)).rejects.toThrow(`backup: ${file} is in the data folder`)

  expect(await files.readFile(join(dataFolder, 'format.json'), 'utf8')).toBe('{}')
  expect(await files.readdir(dataFolder)).toEqual(['accounts', 'format.json'])
})

test('a full disk ends the backup with its own error, and no other error is thrown', async () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', errno: -28 })

  await expect(writeBackupTo(() => Promise.reject(full), listLines(), 1)).rejects.toBe(full)
})

test('an error of the items leaves an earlier file unchanged, and no other file', async () => {
  const { dataFolder, beside } = await createFolders()
  const file = join(beside, 'old.gz')
  await files.writeFile(file, 'old')
  async function* fail(): AsyncGenerator<string, void, undefined> {
    yield* listLines()
    throw new Error('the server stopped')
  }

  await expect(writeBackup({ file, dataFolder }, fail(), 1)).rejects.toThrow('the server stopped')

  expect(await files.readdir(beside)).toEqual(['old.gz'])
  expect(await files.readFile(file, 'utf8')).toBe('old')
})
