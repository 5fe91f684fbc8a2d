import * as files from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFailingFiles } from '../../../test/store/failing-files.ts'
import { contractForm, createThing, listIds, putThings } from '../../../test/store/fixtures.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { type Store, StoreError, silentLog } from '../store.ts'
import { locateAccount } from './directory.ts'
import type { FileOperations } from './files.ts'
import type { Ownership } from './ownership.ts'

const createFolder = async (): Promise<string> => {
  const folder = await files.mkdtemp(join(tmpdir(), 'thingsync-account-'))
  onTestFinished(() => files.rm(folder, { recursive: true }))
  return folder
}

const logged: string[] = []
const log = { ...silentLog, error: (_details: object, message: string) => void logged.push(message) }

/** With segments of one byte, every write is soon saved to the account's file. */
const open = (
  folder: string,
  options: { readonly segmentBytes?: number; readonly files?: FileOperations; readonly ownership?: Ownership } = {},
): Promise<Store> => openJsonFileStore({ folder, form: contractForm, log, segmentBytes: 1, ...options })

const pathIn = (folder: string): string => join(folder, 'accounts', locateAccount('ann'))

const readLines = async (folder: string): Promise<readonly string[]> =>
  (await files.readFile(pathIn(folder), 'utf8')).split('\n').slice(0, -1)

const sealMark = '"do":{"sealed":'

/** A closed folder with so many writes, each appended on its own after the first. */
const createData = async (ids: readonly string[]): Promise<string> => {
  const folder = await createFolder()
  for (const id of ids) {
    const store = await open(folder)
    await putThings(store, 'ann', createThing(id))
    await putThings(store, 'bob', createThing(id))
    await store.close()
  }
  return folder
}

const listNow = async (folder: string, userId = 'ann'): Promise<readonly unknown[]> => {
  const store = await open(folder, { segmentBytes: 1e9 })
  try {
    const view = await store.read(userId)
    return [view.position, (await listIds(view, 0)).changed]
  } finally {
    await store.close()
  }
}

test('a write to an account with a file is appended to it, byte by byte, with a seal', async () => {
  const folder = await createData(['a', 'b', 'c'])
  const lines = await readLines(folder)

  expect(lines.map((line) => line.includes(sealMark))).toEqual([false, false, true, false, true, false, true])
  expect(await listNow(folder)).toEqual([3, ['a', 'b', 'c']])
})

test('the bytes of an unfinished append have no effect, and the next append cuts them off', async () => {
  const folder = await createData(['a', 'b'])
  const whole = await files.readFile(pathIn(folder))
  const lines = await readLines(folder)

  for (const tail of ['{"crc32":"0', `${lines[3]}\n`, `${lines[3]}\n${lines[4]}\n`, '\0'.repeat(5000)]) {
    await files.writeFile(pathIn(folder), Buffer.concat([whole, Buffer.from(tail)]))
    expect(await listNow(folder), tail.slice(0, 20)).toEqual([2, ['a', 'b']])
  }
  const store = await open(folder)
  await putThings(store, 'ann', createThing('c'))
  await putThings(store, 'bob', createThing('c'))
  await store.close()
  expect(await listNow(folder)).toEqual([3, ['a', 'b', 'c']])
  expect((await readLines(folder)).slice(0, 5)).toEqual(lines)
})

test('the loss of the end of a file that was on disk is detected', async () => {
  const folder = await createData(['a', 'b', 'c'])
  const lines = await readLines(folder)

  for (let count = 0; count < lines.length; count += 1) {
    await files.writeFile(
      pathIn(folder),
      lines
        .slice(0, count)
        .map((line) => `${line}\n`)
        .join(''),
    )
    await expect(listNow(folder), `${count} lines`).rejects.toThrow(`${pathIn(folder)} is damaged`)
  }
  expect(await listNow(folder, 'bob')).toEqual([3, ['a', 'b', 'c']])
})

test('any earlier copy of an account’s file beside a newer journal is detected', async () => {
  const folder = await createData(['a'])
  const appendedTo = await files.readFile(pathIn(folder))
  for (const id of ['b', 'c']) {
    const store = await open(folder)
    await putThings(store, 'ann', createThing(id))
    await putThings(store, 'bob', createThing(id))
    await store.close()
  }
  const newest = await files.readFile(pathIn(folder))

  await files.writeFile(pathIn(folder), appendedTo)

  await expect(listNow(folder)).rejects.toThrow(`${pathIn(folder)} is damaged: it is whole up to byte`)
  expect(await listNow(folder, 'bob')).toEqual([3, ['a', 'b', 'c']])
  await files.writeFile(pathIn(folder), newest)
  expect(await listNow(folder)).toEqual([3, ['a', 'b', 'c']])
})

test('changed, missing and doubled bytes and lines are detected wherever they are', async () => {
  const folder = await createData(['a', 'b', 'c'])
  const whole = await files.readFile(pathIn(folder))
  const lines = await readLines(folder)
  const join_ = (list: readonly string[]): Buffer => Buffer.from(list.map((line) => `${line}\n`).join(''))
  const variants: Buffer[] = []
  for (let at = 0; at < whole.length; at += 101) {
    const changed = Buffer.from(whole)
    changed[at] = (changed[at] as number) ^ 1
    variants.push(changed, Buffer.concat([whole.subarray(0, at), whole.subarray(at + 1)]))
  }
  for (const [at, line] of lines.entries())
    variants.push(
      join_(lines.toSpliced(at, 1)),
      join_(lines.toSpliced(at, 0, line)),
      join_(lines.toSpliced(at, 1).toSpliced(at + 1, 0, line)),
    )
  const store = await open(folder, { segmentBytes: 1e9 })
  await store.close()

  for (const [index, damaged] of variants.entries()) {
    await files.writeFile(pathIn(folder), damaged)
    const found = await listNow(folder).catch((error: unknown) => error)
    if (!(found instanceof StoreError)) expect(found, `variant ${index}`).toEqual([3, ['a', 'b', 'c']])
    else expect(found.message).toContain('is damaged')
  }
})

test('a line that a user repaired is accepted, whatever the layout of its steps', async () => {
  const folder = await createData(['a', 'b', 'c'])
  const lines = await readLines(folder)
  const repaired = lines.map((line, index) =>
    index === 3
      ? line
          .replace(/"crc32":"[^"]*"/, '"crc32":"--------"')
          .replace('"do":[{', '"do": [ {')
          .replace('title of b', 'by hand')
      : line,
  )
  await files.writeFile(pathIn(folder), repaired.map((line) => `${line}\n`).join(''))

  const store = await open(folder, { segmentBytes: 1e9 })

  expect((await (await store.read('ann')).findThing('b'))?.title).toBe('by hand')
  await store.close()
})

test('a full disk during an append loses nothing, and the next append continues correctly', async () => {
  const folder = await createData(['a'])
  const failing = createFailingFiles()
  const path = pathIn(folder)
  let isFull = true
  const store = await open(folder, {
    files: {
      ...failing.files,
      open: async (name, flags, mode) => {
        const handle = await failing.files.open(name, flags, mode)
        const { appendFile } = handle
        if (name !== path || flags !== 'a+') return handle
        return Object.assign(handle, {
          appendFile: async (data: Buffer) => {
            await appendFile.call(handle, isFull ? data.subarray(0, 9) : data)
            if (isFull) throw Object.assign(new Error('ENOSPC'), { code: 'ENOSPC', errno: -28, syscall: 'write' })
          },
        })
      },
    },
  })
  await putThings(store, 'ann', createThing('b'))
  await putThings(store, 'bob', createThing('b'))
  isFull = false
  await putThings(store, 'ann', createThing('c'))
  await putThings(store, 'bob', createThing('c'))
  await store.close()

  expect(await listNow(folder)).toEqual([3, ['a', 'b', 'c']])
  expect((await readLines(folder)).at(-1)).toContain(sealMark)
})

test('a file is written as a whole if about half is superseded, and not if all of it is live', async () => {
  const folder = await createFolder()
  const store = await open(folder, { segmentBytes: 1e9 })
  const html = 'x'.repeat(10_000)
  const put = async (id: string, title = ''): Promise<void> => {
    await putThings(store, 'ann', createThing(id, { html, title }))
    await store.checkpoint()
  }
  const countSeals = async (): Promise<number> =>
    (await readLines(folder)).filter((line) => line.includes(sealMark)).length

  for (let n = 0; n < 30; n += 1) await put(`id ${n}`)
  const appended = await countSeals()
  for (let n = 0; n < 45; n += 1) await put(`id ${n % 30}`, `again ${n}`)
  await store.close()

  expect(appended).toBe(30)
  expect(await countSeals()).toBeLessThan(appended)
  expect((await files.stat(pathIn(folder))).size).toBeLessThan(2 * 30 * 10_300)
  expect(await listNow(folder)).toEqual([75, expect.any(Array)])
})

test('late appends of a suspended owner to an account reach a file that has no name any more', async () => {
  const folder = await createData(['a'])
  let isHeld = true
  const owner: Ownership = { isHeld: async () => isHeld, mayHavePreviousOwner: false }
  let resume = (): void => undefined
  const asleep = new Promise<void>((resolve) => {
    resume = resolve
  })
  let fellAsleep = (): void => undefined
  const isAsleep = new Promise<void>((resolve) => {
    fellAsleep = resolve
  })
  const path = pathIn(folder)
  // Suspended after its last check of the ownership.
  const openFile: FileOperations['open'] = async (name, flags, mode) => {
    const handle = await files.open(name, flags, mode)
    const { appendFile } = handle
    if (name !== path || flags !== 'a+') return handle
    return Object.assign(handle, {
      appendFile: async (data: Buffer) => {
        fellAsleep()
        await asleep
        await appendFile.call(handle, data)
      },
    })
  }
  const suspended = await open(folder, { files: { ...files, open: openFile }, ownership: owner })
  await putThings(suspended, 'ann', createThing('b'))
  await isAsleep
  isHeld = false

  const next = await open(folder, { ownership: { isHeld: async () => true, mayHavePreviousOwner: true } })
  await putThings(next, 'ann', createThing('c'))
  await putThings(next, 'bob', createThing('c'))
  await next.close()
  const kept = await files.readFile(path)
  resume()
  await suspended.close()

  expect((await files.readFile(path)).equals(kept)).toBe(true)
  expect(await listNow(folder)).toEqual([3, ['a', 'b', 'c']])
})
