import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { encodeSealed } from '../record/checked-lines.ts'
import { StoreError } from '../store.ts'
import { readFolder } from '../tools/inspect.ts'
import { repairFolder } from '../tools/repair.ts'

let folder = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-format-'))
})
afterEach(() => rm(folder, { recursive: true }))

const open = () => openJsonFileStore({ folder, form: contractForm })

/** A `format.json` that a later version of the program may write. */
const writeLaterFormat = async (): Promise<string> => {
  const text = await readFile(join(folder, 'format.json'), 'utf8')
  const { raises, accounts, checksum: _, ...head } = JSON.parse(text)
  const later = { ...head, version: 99, program: '7.8.9' }
  await writeFile(join(folder, 'format.json'), [...encodeSealed(later, { raises, accounts })].join(''))
  return 'its version is 99, this program reads version 1; thingsync 7.8.9 wrote it, this is thingsync '
}

const readAll = async (): Promise<ReadonlyMap<string, string>> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(await Promise.all(paths.map(async (path) => [path, await readFile(path, 'utf8')] as const)))
}

test('the server and every tool reject a data folder of a later format, and change nothing', async () => {
  await (await open()).close()
  const sentence = await writeLaterFormat()
  // Other damage in the folder causes no repair either.
  await writeFile(join(folder, 'directory.json'), '{"format":')
  const before = await readAll()

  await expect(open()).rejects.toThrow(sentence)
  await expect(readFolder(folder)).rejects.toThrow(sentence)
  await expect(repairFolder(folder, 0)).rejects.toThrow(sentence)

  expect(await readAll()).toEqual(before)
})

test('a file of a later format is not repaired in a folder without format.json', async () => {
  await (await open()).close()
  await rm(join(folder, 'format.json'))
  const later = [...encodeSealed({ format: 'thingsync directory', version: 9 }, {})].join('')
  await writeFile(join(folder, 'directory.json'), later)
  const before = await readAll()

  await expect(repairFolder(folder, 0)).rejects.toThrow('directory.json: its version is 9')
  await expect(open()).rejects.toThrow(StoreError)

  expect(await readAll()).toEqual(before)
})

test('a flipped bit in the version is damage, not a later format', async () => {
  await (await open()).close()
  const path = join(folder, 'format.json')
  await writeFile(path, (await readFile(path, 'utf8')).replace('"version":1', '"version":7'))

  const { damaged } = await repairFolder(folder, 0)

  expect(damaged.map(({ file }) => file)).toEqual(['format.json'])
  await (await open()).close()
})
