import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, type BeginLoading, beginAccount, createAccount } from '../account/account.ts'
import { type AccountDocument, documentOf } from '../account/account-document.ts'
import { contractForm, makeSettings, makeThing, noErrands, noReaders, readList } from '../contract/fixtures.ts'
import { viewAccount } from '../view.ts'
import { accountForm } from './account-file.ts'
import { loadAccountFile } from './load-account-file.ts'
import { DamagedFile, showSeal } from './sealed-json.ts'

let folder = ''
beforeAll(async () => {
  folder = await files.mkdtemp(join(tmpdir(), 'thingsync-load-'))
})
afterAll(() => files.rm(folder, { recursive: true, force: true }))

const begin: BeginLoading = (position) => beginAccount(contractForm, noReaders, position)
const place = (id: string, position: number) => ({
  ...makeThing(id, { tags: position % 2 === 0 ? 'red' : 'blue "é"', url: `https://example.org/${position % 3}` }),
  position,
  createdPosition: 1,
  writer: 'phone',
  othersPosition: 0,
})

const document: AccountDocument = {
  position: 12,
  things: [place('a', 1), { ...place('€"', 4), archived: true, todoStatus: true }, { ...place('c', 6), date: 1.5 }],
  tombstones: [
    { id: 'd', position: 2, createdPosition: 1 },
    { id: 'e', position: 9, createdPosition: 1 },
  ],
  tags: [
    { name: 'red', position: 5, settings: makeSettings('strike') },
    { name: 'blue', position: 7, settings: makeSettings() },
  ],
  records: [{ kind: 'k', group: 'g', key: 'x', value: { list: ['},{', 1] } }],
}

const show = (account: Account) => {
  const { position, things, tombstones, tags, records } = documentOf(account)
  const shown = [...account.table.things.at(position).walk(0)].flatMap(({ block }) =>
    block.bytes.toString('utf8', 0, block.used),
  )
  const lists = { things: [...things], tombstones: [...tombstones], tags: [...tags], records: [...records] }
  return { position, ...lists, shown, isStale: shown.length > 0 && isStale(account) }
}
const isStale = (account: Account): boolean =>
  account.table.things.blocks().some(({ staleFrom }) => staleFrom <= account.position())

const write = (value: AccountDocument): string => [...accountForm('ann').encode({ write: 3, document: value })].join('')

const loadAccount = async (text: string | Buffer) => {
  const path = join(folder, 'account.json')
  await files.writeFile(path, text)
  const loaded = await loadAccountFile({ path, files }, 'ann', begin)
  return loaded && { write: loaded.write, account: loaded.loading.finish() }
}

const load = async (text: string | Buffer) => {
  const loaded = await loadAccount(text)
  return loaded && { ...loaded, account: show(loaded.account) }
}

const decode = (text: string) => {
  try {
    const { write: last, document: decoded } = accountForm('ann').decode(text)
    return { write: last, account: show(createAccount(contractForm, noReaders, decoded)) }
  } catch (error) {
    if (error instanceof DamagedFile) return undefined
    throw error
  }
}

test('an account that is loaded line by line is the one that its file says as a whole', async () => {
  const text = write(document)

  const loaded = await load(text)

  expect(loaded).toEqual(decode(text))
  expect(loaded?.account.things).toEqual(document.things)
})

test('an account without anything, and one without a file, are empty', async () => {
  const empty = { position: 0, things: [], tombstones: [], tags: [], records: [] }

  expect(await load(write(empty))).toEqual(decode(write(empty)))
  expect((await loadAccountFile({ path: join(folder, 'none'), files }, 'ann', begin))?.write).toBe(0)
})

test('things that are listed before their tags, as files had them before, are shown anew', async () => {
  const [head = '', ...rest] = write(document).split('\n')
  const from = (name: string) => rest.indexOf(`"${name}": [`)
  const lists = [...rest.slice(from('things'), from('records')), ...rest.slice(0, from('things'))]
  const sealed = [head, ...lists, ...rest.slice(from('records'), -2)].join('\n')
  const text = `${sealed}${showSeal(crc32(sealed))}`

  const loaded = await loadAccount(text)

  if (loaded === undefined) throw new Error('the file was not loaded')
  const expected = createAccount(contractForm, noReaders, document)
  expect(isStale(loaded.account)).toBe(true)
  for (const query of [{ after: 0 }, { after: 2 }, { after: 0, tag: 'red' }])
    expect(await readList(viewAccount(loaded.account, 12, noErrands), query)).toEqual(
      await readList(viewAccount(expected, 12, noErrands), query),
    )
})

test.each([
  ['positions that do not ascend', { things: [place('a', 4), place('b', 3)] }],
  ['a position above the account', { things: [place('a', 13)] }],
  ['a tombstone above the account', { tombstones: [{ id: 'd', position: 13, createdPosition: 1 }] }],
  ['a thing twice', { things: [place('a', 3), place('a', 4)] }],
  ['a thing that is a tombstone too', { tombstones: [{ id: 'a', position: 2, createdPosition: 1 }] }],
  ['a tag twice', { tags: [document.tags, document.tags].flatMap((tags) => [...tags].slice(0, 1)) }],
])('a file with %s is not loaded', async (_, wrong) => {
  const text = write({ ...document, ...wrong })

  expect(decode(text)).toBeUndefined()
  expect(await load(text)).toBeUndefined()
})

test('a file without its checksum is left to who reads it as a whole', async () => {
  const repaired = write(document).replace(/,\n"checksum": "crc32 .*/, '}')

  expect(await load(repaired)).toBeUndefined()
  expect(decode(repaired)).toBeDefined()
})

test('a file with a byte changed, missing or cut is not loaded', async () => {
  const bytes = Buffer.from(write(document))
  const loadedAt: number[] = []

  for (let at = 0; at < bytes.length; at += 3) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] as number) ^ 1
    const variants = [changed, bytes.subarray(0, at), Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])]
    for (const damaged of variants) if ((await load(damaged)) !== undefined) loadedAt.push(at)
  }

  expect(loadedAt).toEqual([])
})

test('lines that were moved, doubled or lost are loaded as they are read as a whole, or not at all', async () => {
  const lines = write(document).split('\n').slice(0, -2)
  const withoutBytes = (read: ReturnType<typeof decode>) =>
    read && { ...read, account: { ...read.account, shown: [], isStale: false } }
  let loadedCount = 0

  for (let at = 0; at < lines.length; at += 1)
    for (let to = 0; to <= lines.length; to += 1) {
      const line = lines[at] as string
      const without = lines.toSpliced(at, 1)
      for (const changed of [without, without.toSpliced(to, 0, line), lines.toSpliced(to, 0, line)]) {
        const sealed = changed.join('\n')
        const text = `${sealed}${showSeal(crc32(sealed))}`
        const loaded = await load(text)
        if (loaded === undefined) continue
        expect(withoutBytes(loaded)).toEqual(withoutBytes(decode(text)))
        loadedCount += 1
      }
    }

  expect(loadedCount).toBeGreaterThan(10)
})
