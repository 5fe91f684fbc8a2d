import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { forgetInventory } from '../../../test/store/forget-inventory.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError } from '../store.ts'

let folder = ''
let warned: string[] = []
let failures: string[] = []
let store: Store | undefined
const log = {
  warn: (_details: object, message: string) => void warned.push(message),
  error: (_details: object, message: string) => void failures.push(message),
}

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'thingsync-journal-'))
  warned = []
  failures = []
})
afterEach(async () => {
  await close()
  await rm(folder, { recursive: true })
})

const open = async (segmentBytes = 1024 * 1024): Promise<Store> => {
  store = await openJsonFileStore({ folder, form: contractForm, log, segmentBytes })
  return store
}

const close = async (): Promise<void> => {
  await store?.close()
  store = undefined
}

const listNow = async (opened: Store, userId: string): Promise<readonly unknown[]> =>
  (await listIds(await opened.read(userId), 0)).changed

const findJournal = async (): Promise<string> => {
  const names = (await readdir(join(folder, 'journal'))).filter((name) => name.endsWith('.ndjson')).sort()
  return join(folder, 'journal', names.at(-1) ?? '')
}

const editJournal = async (edit: (text: string) => string | Buffer): Promise<string> => {
  const path = await findJournal()
  await writeFile(path, edit(await readFile(path, 'latin1')), 'latin1')
  return path
}

/** Four writes in turn: ann a, bob b, ann c, bob d. */
const writeFour = async (): Promise<void> => {
  const opened = await open()
  for (const [userId, id] of [
    ['ann', 'a'],
    ['bob', 'b'],
    ['ann', 'c'],
    ['bob', 'd'],
  ] as const)
    await putThings(opened, userId, createThing(id))
  await close()
  // After a crash the end of the journal is unknown.
  await forgetInventory(folder)
}

test('the journal is plain JSON, with one numbered write per line', async () => {
  await writeFour()

  const lines = (await readFile(await findJournal(), 'utf8')).trimEnd().split('\n')

  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { write: 1, of: 'journal', do: { format: 'thingsync journal', version: 1 } },
    { write: 2, of: 'account ann', do: [{ thing: { _id: 'a' }, at: [1, 1, 0], by: 'writer' }] },
    { write: 3, of: 'account bob' },
    { write: 4, of: 'account ann' },
    { write: 5, of: 'account bob' },
  ])
})

test('wherever a crash cuts the journal, it opens with the earlier whole writes and logs it', async () => {
  await writeFour()
  const whole = await readFile(await findJournal(), 'latin1')
  const lastLine = whole.lastIndexOf('\n', whole.length - 2) + 1

  for (const length of [0, 1, 40, lastLine, lastLine + 1, lastLine + 50, whole.length - 2, whole.length - 1])
    for (const tail of ['', '\0'.repeat(100)]) {
      warned = []
      await editJournal(() => whole.slice(0, length) + tail)
      const opened = await open()
      const isWhole = length === whole.length - 1 && tail === ''
      const expected = length < lastLine ? [] : isWhole ? ['b', 'd'] : ['b']
      expect(await listNow(opened, 'bob'), `cut at ${length}`).toEqual(expected)
      if (tail !== '' || (length !== 0 && length !== lastLine && !isWhole))
        expect(warned.join(), `cut at ${length}`).toContain('interrupted')
      await putThings(opened, 'bob', createThing('e'))
      await close()
      const reopened = await open()
      expect(await listNow(reopened, 'bob'), `cut at ${length}`).toEqual([...expected, 'e'])
      await close()
      await forgetInventory(folder)
    }
  expect(failures).toEqual([])
})

test('a damaged write is named and quarantined; its account is not served, the others are', async () => {
  await writeFour()
  const path = await editJournal((text) => text.replace('title of c', 'title of x'))

  const opened = await open()

  await expect(opened.read('ann')).rejects.toThrow(StoreError)
  await expect(putThings(opened, 'ann', createThing('e'))).rejects.toThrow(`${path} is damaged at byte`)
  await putThings(opened, 'bob', createThing('e'))
  expect(await listNow(opened, 'bob')).toEqual(['b', 'd', 'e'])
  expect(failures).toEqual([expect.stringContaining(`${path} is damaged`)])
  expect(failures[0]).toContain('account ann')
  const copies = (await readdir(join(folder, 'journal'))).filter((name) => name.includes('.damaged-'))
  expect(copies).toHaveLength(1)
  expect(await readFile(join(folder, 'journal', copies[0] ?? ''), 'utf8')).toContain('title of x')
})

test('a damaged write with an uncertain account does not hide the loss of another write', async () => {
  await writeFour()
  await editJournal((text) => text.replace('"account ann"', '"account amn"'))

  const opened = await open()

  await expect(opened.read('ann')).rejects.toThrow(StoreError)
  expect(failures.join()).toContain('unknown accounts')
})

test('a damaged head of the journal is named, and no data is lost', async () => {
  await writeFour()
  await editJournal((text) => text.replace('thingsync journal', 'thingsync jornal'))

  const opened = await open()

  expect([await listNow(opened, 'ann'), await listNow(opened, 'bob')]).toEqual([
    ['a', 'c'],
    ['b', 'd'],
  ])
  expect(failures).toHaveLength(1)
})

/** Overwrites one line of the journal with bytes that never reached the disk. */
const blankLine = (text: string, index: number): string =>
  text
    .split('\n')
    .map((line, at) => (at === index ? '\0'.repeat(line.length) : line))
    .join('\n')

test('a batch ends before its first write that did not reach the disk; the rest is quarantined', async () => {
  const first = await open()
  await putThings(first, 'ann', createThing('a'))
  const together = ['b', 'c', 'd', 'e'].map((id) => putThings(first, id === 'd' ? 'bob' : 'ann', createThing(id)))
  await Promise.all(together)
  await close()
  await forgetInventory(folder)
  const path = await editJournal((text) => blankLine(text, 3))

  const opened = await open()

  expect([await listNow(opened, 'ann'), await listNow(opened, 'bob')]).toEqual([['a', 'b'], []])
  expect([failures, warned]).toEqual([[], [expect.stringContaining(`bytes off ${path}`)]])
  const cut = (await readdir(join(folder, 'journal'))).find((name) => name.includes('.cut-'))
  expect(await readFile(join(folder, 'journal', cut ?? ''), 'latin1')).toContain('"account ann"')
})

test('missing bytes of an acknowledged write are damage, not an interrupted write', async () => {
  await writeFour()
  await editJournal((text) => blankLine(text, 2))

  const opened = await open()

  await expect(opened.read('bob')).rejects.toThrow(StoreError)
  expect(failures.join()).toContain('unknown accounts')
})

test('a damaged write is read again after a user repaired it and removed its checksum', async () => {
  await writeFour()
  await editJournal((text) =>
    text.replace(/\{"crc32":"[0-9a-f]{8}("[^\n]*)title of c/, (_, rest) => `{"crc32":"--------${rest}fixed title`),
  )

  const opened = await open()

  expect((await (await opened.read('ann')).findThing('c'))?.title).toBe('fixed title')
  expect(failures).toEqual([])
})

test('no account without its own file is served when the account of a lost write is unknown', async () => {
  await writeFour()
  await editJournal((text) => text.split('\n').toSpliced(3, 1).join('\n'))

  const opened = await open()

  await expect(opened.read('ann')).rejects.toThrow(StoreError)
  await expect(opened.read('bob')).rejects.toThrow(StoreError)
  expect(failures.join()).toContain('unknown accounts')
})

test('a removed account is empty after a restart, and a damaged account can be removed', async () => {
  await writeFour()
  await editJournal((text) => text.replace('title of c', 'title of x'))
  const opened = await open()
  await opened.removeAccount('ann')
  await putThings(opened, 'ann', createThing('new'))
  await opened.removeAccount('bob')
  await close()

  const reopened = await open()

  expect([await listNow(reopened, 'ann'), await listNow(reopened, 'bob')]).toEqual([['new'], []])
  expect((await reopened.read('ann')).position).toBe(1)
})

test('saved writes leave the journal, which keeps one segment and continues its numbers', async () => {
  const opened = await open(1)
  for (let n = 0; n < 20; n += 1) await putThings(opened, n % 2 === 0 ? 'ann' : 'bob', createThing(`t${n}`))
  await close()
  const segments = await readdir(join(folder, 'journal'))

  const reopened = await open()

  expect(segments).toHaveLength(1)
  expect(Number.parseInt(segments[0] ?? '', 10)).toBeGreaterThan(20)
  expect(await listNow(reopened, 'ann')).toHaveLength(10)
  await putThings(reopened, 'ann', createThing('last'))
  await close()
  expect(await listNow(await open(), 'ann')).toHaveLength(11)
})

test('waiting writes of one account share a commit, and each builds on the previous ones', async () => {
  const opened = await open()
  const count = 200
  await Promise.all(
    Array.from({ length: count }, () =>
      opened.write('ann', 'phone', async (draft) => {
        const before = Number((await draft.findThing('counter'))?.title ?? 0)
        await draft.putThing(createThing('counter', { title: `${before + 1}`, url: `u${before + 1}` }))
        expect(await draft.findThingByUrl(`u${before}`)).toBeUndefined()
      }),
    ),
  )
  await close()

  const view = await (await open()).read('ann')

  expect([view.position, (await view.findThing('counter'))?.title]).toEqual([count, `${count}`])
})
