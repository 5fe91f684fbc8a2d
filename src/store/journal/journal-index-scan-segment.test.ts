import * as nodeFiles from 'node:fs/promises'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { contractForm, createThing, putThings } from '../../../test/store/fixtures.ts'
import { type FileOperations, withHandle } from '../disk/files.ts'
import { openJsonFileStore } from '../json-file-store.ts'
import { scanSegment } from './journal-index.ts'

const log = { warn: () => undefined, error: () => undefined }
const text = 'x'.repeat(500)

/** A segment in memory; each read returns a little more than the previous one. */
const openInMemory = (bytes: Buffer): nodeFiles.FileHandle => {
  let max = 1000
  return {
    stat: async () => ({ size: bytes.length }),
    read: async (room: Buffer, offset: number, length: number, start: number) => {
      max += 977
      return { bytesRead: bytes.copy(room, offset, start, start + Math.min(length, max)) }
    },
  } as unknown as nodeFiles.FileHandle
}

/** The real files, and the maximum bytes of one read. */
const watchReads = () => {
  let max = 0
  const files: FileOperations = {
    ...nodeFiles,
    open: async (path, flags, mode) => {
      const handle = await nodeFiles.open(path, flags, mode)
      const read = handle.read.bind(handle) as (...args: unknown[]) => ReturnType<typeof handle.read>
      handle.read = (async (...args: unknown[]) => {
        if (typeof args[2] === 'number') max = Math.max(max, args[2])
        return read(...args)
      }) as typeof handle.read
      return handle
    },
  }
  return { files, max: () => max }
}

test('a start reads a segment of many lines in pieces, and misses nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-pieces-'))
  const store = await openJsonFileStore({ folder, form: contractForm, log, segmentBytes: 2 ** 30 })
  const write = (n: number) => putThings(store, `u${n % 7}`, createThing(`id${n}`, { title: `${n} ${text}` }))
  for (let n = 0; n < 9000; n += 500) await Promise.all(Array.from({ length: 500 }, (_, index) => write(n + index)))
  await store.close()
  const { files, max } = watchReads()

  const again = await openJsonFileStore({ folder, form: contractForm, log, files, segmentBytes: 2 ** 30 })

  const counts = await Promise.all(Array.from({ length: 7 }, async (_, n) => (await again.read(`u${n}`)).countThings()))
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(9000)
  // The bug: all seven megabytes were read at once.
  expect(max()).toBeLessThanOrEqual(1024 * 1024)
  await again.close()
  await rm(folder, { recursive: true })
})

test('damage is found the same in a file as in memory, wherever the pieces end', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'thingsync-pieces-'))
  const store = await openJsonFileStore({ folder, form: contractForm, log, segmentBytes: 2 ** 30 })
  for (let n = 0; n < 60; n += 1) await putThings(store, 'ann', createThing(`id${n}`, { title: text.repeat(100) }))
  await store.close()
  const [name = ''] = await nodeFiles.readdir(join(folder, 'journal'))
  const path = join(folder, 'journal', name)
  const whole = await nodeFiles.readFile(path)

  for (let round = 0; round < 40; round += 1) {
    const bytes = Buffer.from(whole.subarray(0, whole.length - (round % 3) * 1000 - (round % 2)))
    // Damages a byte, a line break, or bytes that were never written.
    const at = Math.floor(((round + 0.5) / 40) * bytes.length)
    if (round % 4 === 1) bytes[bytes.indexOf('\n', at)] = 0x20
    else if (round % 4 === 2) bytes.fill(0, at, at + 100_000)
    else bytes[at] = (bytes[at] as number) ^ 1
    await nodeFiles.writeFile(path, bytes)
    for (const next of [undefined, 100]) {
      const inFile = await withHandle(nodeFiles.open(path, 'r'), (handle) => scanSegment(handle, 0, next))
      expect(inFile).toEqual(await scanSegment(openInMemory(bytes), 0, next))
    }
  }
  await rm(folder, { recursive: true })
})
