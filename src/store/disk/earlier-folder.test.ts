import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, listIds, makeThing, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { encodeSealed } from '../record/sealed-json.ts'
import { silentLog } from '../store-log.ts'
import { readFolder } from '../tools/inspect/read-folder.ts'
import { repairFolder } from '../tools/repair/repair-folder.ts'
import { findPlace, readFormat } from './format-file.ts'

/** The files of a data folder as version 1.0.0 wrote them on 2026-11-22, before folders had owners and inventories. */
const written = new Map([
  [
    'format.json',
    `{"format":"thingsync data","version":2,"place":"10119448-1795313949962967727",
"raises": [
],
"checksum": "crc32 7476e58d"}
`,
  ],
  [
    'directory.json',
    `{"format":"thingsync directory","version":2,"write":2,
"users": [
{"id":"ann","name":"Ann","passwordHash":"hash","createdAt":1}
],
"apps": [
],
"sessions": [
],
"checksum": "crc32 3a88ed10"}
`,
  ],
  [
    'journal/000000000004.ndjson',
    `{"crc32":"e1165eac","write":           4,"batch":           4,"of":"journal","ofCrc32":"20e25541","do":{"format":"thingsync journal","version":1}}
{"crc32":"d0edaaad","write":           5,"batch":           5,"of":"account bob","ofCrc32":"21d9aaaf","do":[{"thing":{"id":"c","title":"title of c","tags":"","date":1700000000,"archived":false,"todoStatus":false,"position":1,"createdPosition":1,"writer":"writer","othersPosition":0}}]}
{"crc32":"8e23b633","write":           6,"batch":           6,"of":"account ann","ofCrc32":"9e1b207a","do":[{"tombstone":{"id":"b","position":3,"createdPosition":2}},{"thing":{"id":"d","title":"title of d","tags":"","date":1700000000,"archived":false,"todoStatus":false,"position":4,"createdPosition":4,"writer":"phone","othersPosition":0}},{"tag":{"name":"red","position":5,"settings":{"favorite":true,"color":"#fff","todo":"strike"}}}]}
{"crc32":"2a7762b3","write":           7,"batch":           7,"of":"account bob","ofCrc32":"21d9aaaf","do":[{"thing":{"id":"e","title":"title of e","tags":"","date":1700000000,"archived":false,"todoStatus":false,"position":2,"createdPosition":2,"writer":"writer","othersPosition":0}}]}
`,
  ],
  [
    'accounts/49/ann.json',
    `{"format":"thingsync account","version":1,"userId":"ann","position":2,"write":3,
"tags": [
],
"things": [
{"id":"a","title":"title of a","tags":"","date":1700000000,"archived":false,"todoStatus":false,"position":1,"createdPosition":1,"writer":"writer","othersPosition":0},
{"id":"b","title":"title of b","tags":"","date":1700000000,"archived":false,"todoStatus":false,"position":2,"createdPosition":2,"writer":"writer","othersPosition":0}
],
"tombstones": [
],
"records": [
],
"checksum": "crc32 2c334f46"}
`,
  ],
])

const makeEarlierFolder = async (): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-earlier-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  for (const [name, text] of written) {
    await files.mkdir(dirname(join(folder, name)), { recursive: true })
    await files.writeFile(join(folder, name), text)
  }
  return folder
}

const open = (folder: string, warned: string[] = []) => {
  const log = { ...silentLog, warn: (_details: object, message: string) => void warned.push(message) }
  return openJsonFileStore({ folder, form: contractForm, log, now: () => Date.UTC(2026, 10, 23) })
}

test('a data folder of version 1.0.0 opens with all it held, and says from then on that it is none any more', async () => {
  const folder = await makeEarlierFolder()
  // Where it is cannot be in a text.
  await files.mkdir(join(folder, 'unfinished'))
  const place = await findPlace(join(folder, 'journal'), files)
  const format = [...encodeSealed({ format: 'thingsync data', version: 2, place }, { raises: [] })].join('')
  await files.writeFile(join(folder, 'format.json'), format)
  const warned: string[] = []

  const store = await open(folder, warned)

  // Version 1.0.0 reads no other than 2, and would drop keys, errands, codes and links.
  expect(await files.readFile(join(folder, 'format.json'), 'utf8')).toMatch('{"format":"thingsync data","version":5,')
  expect((await store.registry.listUsers()).map(({ name }) => name)).toEqual(['Ann'])
  const [ann, bob] = [await store.read('ann'), await store.read('bob')]
  expect([ann.position, bob.position]).toEqual([5, 2])
  expect(await listIds(ann, 2)).toEqual({ changed: ['d'], deleted: ['b'] })
  expect(await listIds(bob, 0)).toEqual({ changed: ['c', 'e'], deleted: [] })
  await putThings(store, 'bob', makeThing('f'))
  await store.close()
  expect(warned).toEqual([expect.stringContaining(`all that it held is kept in ${join(folder, 'before-version-5')}`)])
  for (const [name, text] of written)
    if (name !== 'format.json') expect(await files.readFile(join(folder, 'before-version-5', name), 'utf8')).toBe(text)
  expect((await readFormat(folder, files, 'read'))?.inventory).toMatchObject({
    first: 4,
    write: 8,
    accounts: [['ann.ndjson', 0]],
  })
})

test('a copy of such a folder, of which nobody knows when it was made, is raised by a year', async () => {
  const store = await open(await makeEarlierFolder())
  onTestFinished(store.close)

  expect((await store.read('ann')).position).toBe(5 + 1_000_000 + 10 * 365 * 24 * 3600)
})

test('a folder of an earlier version is neither verified nor repaired before it was brought to this one', async () => {
  const folder = await makeEarlierFolder()
  const before = await files.readdir(folder, { recursive: true })

  await expect(readFolder(folder)).rejects.toThrow('is of an earlier version')
  await expect(repairFolder(folder, 0)).rejects.toThrow('is of an earlier version')

  expect(await files.readdir(folder, { recursive: true })).toEqual(before)
})

test('a damaged account of an earlier version is named and not served, and a repair takes from it what can be read', async () => {
  const folder = await makeEarlierFolder()
  const path = join(folder, 'accounts/49/ann.json')
  await files.writeFile(
    path,
    (await files.readFile(path, 'utf8')).replace('"title":"title of b"', '"title":"title of b'),
  )
  const failures: string[] = []
  const log = { ...silentLog, error: (_details: object, message: string) => void failures.push(message) }

  const store = await openJsonFileStore({ folder, form: contractForm, log })

  await expect(store.read('ann')).rejects.toThrow('ann.ndjson is damaged')
  expect((await listIds(await store.read('bob'), 0)).changed).toEqual(['c', 'e'])
  await store.close()
  expect(failures[0]).toContain(`${path} is damaged`)
  await repairFolder(folder, 0)
  const repaired = await openJsonFileStore({ folder, form: contractForm })
  expect((await listIds(await repaired.read('ann'), 0)).changed).toEqual(['a', 'd'])
  await repaired.close()
})
