import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { chooseDistance } from '../account/records.ts'
import { locateAccount, writeUnfinishedFormat } from '../disk/directory.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { StoreError } from '../store.ts'
import { describeFiles, readFolder } from './inspect.ts'
import { repairFolder } from './repair.ts'

const now = Date.UTC(2030, 0, 1)

const open = (folder: string, segmentBytes = 1_000_000) =>
  openJsonFileStore({ folder, form: contractForm, now: () => now, segmentBytes })

/** A folder in which ann has a, b and c and bob has d, in their own files when segments are small. */
const createData = async (segmentBytes?: number): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-repair-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  const store = await open(folder, segmentBytes)
  for (const id of ['a', 'b', 'c']) await putThings(store, 'ann', createThing(id))
  await putThings(store, 'bob', createThing('d'))
  await store.close()
  return folder
}

const edit = async (path: string, change: (text: string) => string): Promise<void> =>
  files.writeFile(path, change(await files.readFile(path, 'utf8')))

const findSegment = async (folder: string): Promise<string> =>
  join(folder, 'journal', (await files.readdir(join(folder, 'journal'))).sort().at(-1) ?? '')

const readBoth = async (folder: string) => {
  const store = await open(folder)
  const [ann, bob] = [await store.read('ann'), await store.read('bob')]
  const lists = [(await listIds(ann, 0)).changed, (await listIds(bob, 0)).changed]
  await store.close()
  return { lists, positions: [ann.position, bob.position] }
}

test('a folder without damage is not changed', async () => {
  const folder = await createData()
  const before = await files.readdir(folder, { recursive: true })

  const repair = await repairFolder(folder, now)

  expect(repair).toEqual({ damaged: [], quarantineFolder: undefined })
  expect(await files.readdir(folder, { recursive: true })).toEqual(before)
})

test('the changes of a damaged write are lost, all else stays, and only its account is raised', async () => {
  const folder = await createData()
  await edit(await findSegment(folder), (text) => text.replace('title of b', 'title of x'))

  const { damaged, quarantineFolder = '' } = await repairFolder(folder, now)

  expect(damaged.map(({ file }) => file)).toEqual([
    join('accounts', locateAccount('ann')),
    'journal/000000000001.ndjson',
  ])
  expect(await files.readFile(join(quarantineFolder, 'journal', '000000000001.ndjson'), 'utf8')).toContain('title of x')
  expect(await readBoth(folder)).toEqual({
    lists: [['a', 'c'], ['d']],
    positions: [3 + chooseDistance(now, undefined), 1],
  })
})

test("an account's damaged file is rebuilt from its whole lines, and quarantined unchanged", async () => {
  const folder = await createData(1)
  const file = join('accounts', locateAccount('ann'))
  await edit(join(folder, file), (text) => text.replace('"title":"title of b"', '"title":"title of b'))

  const { quarantineFolder = '' } = await repairFolder(folder, now)

  expect(await files.readFile(join(quarantineFolder, file), 'utf8')).toContain('"title of b,')
  expect(await readBoth(folder)).toEqual({
    lists: [['a', 'c'], ['d']],
    positions: [3 + chooseDistance(now, undefined), 1],
  })
})

test('a damaged file loses nothing that the journal still holds', async () => {
  const folder = await createData()
  const path = join(folder, 'accounts', locateAccount('ann'))
  await files.mkdir(join(path, '..'), { recursive: true })
  await files.writeFile(path, '{"format":"thingsync acc')

  await repairFolder(folder, now)

  expect((await readBoth(folder)).lists).toEqual([['a', 'b', 'c'], ['d']])
})

test('when the accounts of lost writes are unknown, all accounts get raised positions', async () => {
  const folder = await createData()
  await edit(await findSegment(folder), (text) => text.split('\n').toSpliced(2, 1).join('\n'))

  await repairFolder(folder, now)

  const distance = chooseDistance(now, undefined)
  expect(await readBoth(folder)).toEqual({ lists: [['a', 'c'], ['d']], positions: [3 + distance, 1 + distance] })
})

test('no store opens a folder whose repair was interrupted, and the repair can be run again', async () => {
  const folder = await createData()
  await writeUnfinishedFormat(folder, files, 'repair')

  await expect(open(folder)).rejects.toThrow(StoreError)
  await expect(open(folder)).rejects.toThrow('run thingsync verify --repair again')
  await repairFolder(folder, now)

  expect((await readBoth(folder)).lists).toEqual([['a', 'b', 'c'], ['d']])
  expect(describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')).toEqual([])
})

test('the repair of an unfinished restore does not produce a folder that a server would open', async () => {
  const folder = await createData()
  await writeUnfinishedFormat(folder, files, 'restore')

  const sentence = `${folder} was half restored; empty it and restore or copy again`
  await expect(repairFolder(folder, now)).rejects.toThrow(new StoreError(sentence))

  await expect(open(folder)).rejects.toThrow('half restored')
  const [format] = describeFiles(await readFolder(folder)).filter(({ file }) => file === 'format.json')
  expect(format).toMatchObject({ state: 'damaged', repair: 'nothing' })
})

test('raises are not lost with format.json: its copy has them', async () => {
  const folder = await createData()
  const copied = `${folder}/copied`
  await files.cp(folder, `${folder}.copied`, { recursive: true })
  await files.rename(`${folder}.copied`, copied)
  // The positions of a copy are raised, and no line of an account records this.
  await (await open(copied)).close()
  await files.rm(join(copied, 'format.json'))

  await repairFolder(copied, now)

  const { positions } = await readBoth(copied)
  const raised = chooseDistance(now, now / 1000) + chooseDistance(now, undefined)
  expect(positions).toEqual([3 + raised, 1 + raised])
})

test('a line of the registry that a user left as invalid JSON is named, and does not stop a repair', async () => {
  const folder = await createData()
  const store = await open(folder)
  for (const id of ['ann', 'bob'])
    await store.registry.change((draft) => draft.put('users', { id, name: id, passwordHash: '', createdAt: 1 }))
  await store.close()
  await edit(await findSegment(folder), (text) =>
    text.replace(/\{"crc32":"\w+"(.*"of":"directory".*"do":)\{.*"bob".*\}\n/, '{"crc32":"--------"$1{oh no}}\n'),
  )

  const { damaged } = await repairFolder(folder, now)

  expect(damaged.map(({ file }) => file)).toEqual(['directory.json'])
  const again = await open(folder)
  expect((await again.registry.listUsers()).map(({ name }) => name)).toEqual(['ann'])
  await again.close()
})

test('a damaged line break in the file of an account is damage, and no line around it is lost', async () => {
  const folder = await createData(1)
  const file = join('accounts', locateAccount('ann'))
  await edit(join(folder, file), (text) => text.replace('\n{"crc32"', ' {"crc32"'))

  const { damaged } = await repairFolder(folder, now)

  expect(damaged.map(({ file: name }) => name)).toEqual([file])
  expect((await readBoth(folder)).lists).toEqual([['a', 'b', 'c'], ['d']])
})

test('bytes after the valid end of a file do not become part of a whole account', async () => {
  const folder = await createData(1)
  const path = join(folder, 'accounts', locateAccount('ann'))
  await edit(
    path,
    (text) =>
      `${text}${text
        .split('\n')
        .find((line) => line.includes('"c"'))
        ?.replace('"c"', '"x"')}`,
  )
  for (const name of ['format.json', 'format-copy.json']) await files.rm(join(folder, name))

  await repairFolder(folder, now)

  // An incomplete line is treated as an unfinished append.
  expect((await readBoth(folder)).lists).toEqual([['a', 'b', 'c'], ['d']])
  expect(describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')).toEqual([])
})

test('an account whose file has the content of another account gets none of it', async () => {
  const folder = await createData(1)
  const [ofAnn, ofBob] = ['ann', 'bob'].map((id) => join(folder, 'accounts', locateAccount(id)))
  await files.copyFile(ofBob ?? '', ofAnn ?? '')
  await edit(ofAnn ?? '', (text) => text.replace('title of d', 'title of x'))
  await files.appendFile(ofAnn ?? '', await files.readFile(ofBob ?? ''))

  await repairFolder(folder, now)

  expect((await readBoth(folder)).lists).toEqual([[], ['d']])
})

test('an account with a completely unreadable file uses no position again', async () => {
  const folder = await createData(1)
  const path = join(folder, 'accounts', locateAccount('ann'))
  await files.writeFile(path, Buffer.alloc((await files.stat(path)).size))

  await repairFolder(folder, now)

  expect(await readBoth(folder)).toEqual({ lists: [[], ['d']], positions: [chooseDistance(now, undefined), 1] })
  expect(describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')).toEqual([])
})

test('a position that a user entered twice belongs to one change only after a repair', async () => {
  const folder = await createData()
  const tag = '{"tag":{"name":"t","position":3,"settings":{"favorite":false,"color":"red","todo":false}}}'
  await edit(await findSegment(folder), (text) =>
    text.replace(/"crc32":"\w+"(.*"do":\[)\{"thing":\{"_id":"b".*\]/, `"crc32":"--------"$1${tag}]`),
  )

  await repairFolder(folder, now)

  const written = await files.readFile(join(folder, 'accounts', locateAccount('ann')), 'utf8')
  const positions = [...written.matchAll(/"at":\[(\d+)|"tag":\{"name":"t","position":(\d+)/g)].map(
    ([, at, of]) => at ?? of,
  )
  expect(positions).toHaveLength(3)
  expect(new Set(positions).size).toBe(3)
  expect((await readBoth(folder)).lists).toEqual([['a', 'c'], ['d']])
  expect((await readBoth(folder)).positions[0]).toBeGreaterThan(chooseDistance(now, undefined))
})

test('a damaged append to a file is named and kept when format.json is lost as well', async () => {
  for (const lost of [['format.json'], ['format.json', 'format-copy.json']]) {
    const folder = await createData(1)
    const file = join('accounts', locateAccount('ann'))
    await edit(join(folder, file), (text) => text.replace('title of b', 'title of x'))
    const before = await files.readFile(join(folder, file))
    for (const name of lost) await files.rm(join(folder, name))

    const { damaged, quarantineFolder = '' } = await repairFolder(folder, now)

    expect(damaged.map((found) => found.file)).toEqual([file, 'format.json'])
    expect(damaged[0]?.says).toMatch(/^it is whole up to byte \d+ only/)
    expect(await files.readFile(join(quarantineFolder, file))).toEqual(before)
    expect((await readBoth(folder)).lists).toEqual([['a', 'b', 'c'], ['d']])
  }
})
