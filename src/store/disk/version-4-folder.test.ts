import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { contractForm, listIds, makeThing, putThings, readList } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { encodeSealed } from '../record/sealed-json.ts'
import { StoreFailed } from '../store.ts'
import { silentLog } from '../store-log.ts'
import { describeFiles } from '../tools/inspect/describe-files.ts'
import { readFolder } from '../tools/inspect/read-folder.ts'
import type { FileOperations } from './file-operations.ts'
import { findPlace, readFormat } from './format-file.ts'
import { chooseDistance } from './raises.ts'

const at = Date.UTC(2026, 10, 22) / 1000

/** The files of a data folder as the program wrote them when its folders were of version 4. */
const written = new Map([
  [
    'accounts/49/ann.json',
    `{"format":"thingsync account","version":1,"userId":"ann","position":5,"write":6,
"tags": [
{"name":"red","position":4,"settings":{"favorite":true,"color":"#fff","todo":"strike"}}
],
"things": [
{"thing":{"_id":"a","title":"title of a","tags":"red","date":1700000000,"url":"https://a.example/","html":"<p>é"},"at":[1,1,0],"by":"phone","todoStatus":true},
{"thing":{"_id":"b","title":"title of b","tags":"","date":1700000000,"archived":true},"at":[2,2,0],"by":"phone","todoStatus":true}
],
"tombstones": [
{"id":"gone","position":5,"createdPosition":3}
],
"records": [
{"kind":"kind","group":"group","key":"key","value":{"n":1}}
],
"checksum": "crc32 d441960c"}
`,
  ],
  [
    'accounts/81/bob.json',
    `{"format":"thingsync account","version":1,"userId":"bob","position":3,"write":14,
"tags": [
],
"things": [
{"thing":{"_id":"d","title":"title of d","tags":"","date":1700000000},"at":[1,1,0],"by":"writer"},
{"thing":{"_id":"e","title":"title of e","tags":"","date":1700000000},"at":[2,2,0],"by":"writer"},
{"thing":{"_id":"f","title":"title of f","tags":"","date":1700000000},"at":[3,3,0],"by":"writer"}
],
"tombstones": [
],
"records": [
],
"checksum": "crc32 38463c5e"}
`,
  ],
  [
    'directory.json',
    `{"format":"thingsync directory","version":2,"write":9,
"users": [
{"id":"ann","name":"Ann","passwordHash":"hash","createdAt":1}
],
"apps": [
],
"sessions": [
],
"codes": [
],
"browserSessions": [
],
"links": [
],
"keys": [
],
"errands": [
{"userId":"ann","key":"webhook/1","dueAt":5}
],
"checksum": "crc32 a0b1b699"}
`,
  ],
  [
    // Ann was damaged, and her file put back; behind this one four writes are gone.
    'journal/000000000007.ndjson',
    `{"crc32":"5f90101d","write":           7,"batch":           7,"of":"journal","ofCrc32":"20e25541","do":{"format":"thingsync journal","version":1}}
{"crc32":"fc839a44","write":           8,"batch":           8,"of":"account ann","ofCrc32":"9e1b207a","do":[{"thing":{"_id":"c","title":"title of c","tags":"red","date":1700000000,"todoStatus":false},"at":[6,6,0],"by":"writer"}]}
{"crc32":"94448d37","write":           9,"batch":           9,"of":"account ann","ofCrc32":"9e1b207a","do":[{"errand":{"key":"webhook/1","dueAt":5}}]}
{"crc32":"a1b01d09","write":          10,"batch":          10,"of":"account bob","ofCrc32":"21d9aaaf","do":[{"thing":{"_id":"d","title":"title of d","tags":"","date":1700000000},"at":[1,1,0],"by":"writer"}]}
`,
  ],
  [
    'journal/000000000015.ndjson',
    `{"crc32":"5bc649b5","write":          15,"batch":          15,"of":"journal","ofCrc32":"20e25541","do":{"format":"thingsync journal","version":1}}
`,
  ],
])

/** Such a folder; where it and its `format.json` are cannot be in a text. */
const makeFolder = async (places: { readonly place?: string; readonly original?: string } = {}): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-version-4-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  for (const [name, text] of written) {
    await files.mkdir(dirname(join(folder, name)), { recursive: true })
    await files.writeFile(join(folder, name), text)
  }
  const place = places.place ?? (await findPlace(join(folder, 'journal'), files))
  const head = {
    format: 'thingsync data',
    version: 4,
    readVersion: 4,
    program: '1.0.0',
    place,
    at,
    first: 15,
    write: 15,
  }
  const lists = { raises: [], accounts: ['ann.json', 'bob.json'], outliers: [{ first: 7, next: 11 }] }
  const path = join(folder, 'format.json')
  await files.writeFile(path, [...encodeSealed(head, lists)].join(''))
  const originals = [places.original ?? (await findPlace(path, files))]
  await files.writeFile(join(folder, 'format-copy.json'), [...encodeSealed(head, { ...lists, originals })].join(''))
  return folder
}

const open = (folder: string, others: { readonly files?: FileOperations } = {}) =>
  openJsonFileStore({ folder, form: contractForm, log: silentLog, now: () => at * 1000, ...others })

test('a data folder of version 4 opens with all it held, also what a file of its journal has behind which some are gone', async () => {
  const folder = await makeFolder()

  const store = await open(folder)

  const [ann, bob] = [await store.read('ann'), await store.read('bob')]
  expect([ann.position, bob.position]).toEqual([6, 3])
  expect((await readList(ann, { after: 0 })).changed).toEqual([
    ['a', 'title of a', 'red', false, true, { date: 1_700_000_000, url: 'https://a.example/', html: '<p>é' }],
    ['b', 'title of b', '', true],
    ['c', 'title of c', 'red', false, false],
  ])
  expect(await listIds(ann, 4)).toEqual({ changed: ['c'], deleted: ['gone'] })
  expect((await listIds(bob, 0)).changed).toEqual(['d', 'e', 'f'])
  expect(await store.listAllErrands()).toEqual([{ userId: 'ann', key: 'webhook/1', dueAt: 5 }])
  expect((await ann.findThing('b'))?.todoStatus).toBe(true)
  await store.close()
  const inventory = (await readFormat(folder, files, 'write'))?.inventory
  expect(inventory).toMatchObject({ first: 15, outliers: [{ first: 7, next: 11 }] })
  expect(inventory?.accounts.map(([name]) => name).sort()).toEqual(['ann.ndjson', 'bob.ndjson'])
  expect(describeFiles(await readFolder(folder)).filter(({ state }) => state === 'damaged')).toEqual([])
  for (const [name, text] of written)
    expect(await files.readFile(join(folder, 'before-version-5', name), 'utf8')).toBe(text)
})

test.each([
  ['another folder', { place: '1-1' }],
  ['another format.json', { original: '1-1' }],
])(
  'one that was restored, which %s tells, is raised, also when a crash comes while it is brought to this version',
  async (_, places) => {
    const folder = await makeFolder(places)
    let isFull = true
    const failing: FileOperations = {
      ...files,
      rename: async (from, to) => {
        if (isFull && to === join(folder, 'format.json'))
          throw Object.assign(new Error('refused by the test'), { code: 'ENOSPC', errno: -1 })
        await files.rename(from, to)
      },
    }

    await expect(open(folder, { files: failing })).rejects.toThrow(StoreFailed)
    isFull = false
    const store = await open(folder, { files: failing })

    const distance = chooseDistance(at * 1000, at)
    const positions = [(await store.read('ann')).position, (await store.read('bob')).position]
    expect(positions).toEqual([6 + distance, 3 + distance])
    await putThings(store, 'ann', makeThing('later'))
    expect((await store.read('ann')).position).toBe(7 + distance)
    await store.close()
  },
)

test('a folder in which a copy of an earlier version lies is refused before anything in it is changed', async () => {
  const folder = await makeFolder()
  await files.mkdir(join(folder, 'before-version-5'))

  await expect(open(folder)).rejects.toThrow('move that out of the folder, and start again')

  expect(await files.readFile(join(folder, 'format.json'), 'utf8')).toContain('"version":4')
})

test('a folder of an earlier version whose format.json is lost is not repaired as if it held nothing', async () => {
  const folder = await makeFolder()
  await files.rm(join(folder, 'format.json'))

  await expect(readFolder(folder)).rejects.toThrow('is of an earlier version')
})
