import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { type Compression, compressChunks, compressWhole, encodings } from './compress.ts'
import type { Chunks } from './render-json.ts'

const hasZstd = 'zstdDecompressSync' in zlib
const decompress = (bytes: Buffer, encoding: Compression): string => {
  if (encoding === 'zstd')
    return (zlib as unknown as Record<string, typeof zlib.gunzipSync>).zstdDecompressSync?.(bytes).toString() ?? ''
  return (encoding === 'br' ? zlib.brotliDecompressSync(bytes) : zlib.gunzipSync(bytes)).toString()
}

const long = JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ title: `ключ ${i}` })))

async function* each(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks
}

const join = async (chunks: Chunks): Promise<Buffer> => {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(Buffer.from(chunk))
  return Buffer.concat(all)
}

test('every Node that has zstd offers it, after br and gzip', () => {
  expect(encodings).toEqual(hasZstd ? ['br', 'gzip', 'zstd', 'identity'] : ['br', 'gzip', 'identity'])
})

test('each encoding gives back the same text, as a whole and in chunks', async () => {
  for (const encoding of encodings) {
    if (encoding === 'identity') continue

    const whole = await compressWhole(long, encoding)
    const inChunks = encoding === 'gzip' ? undefined : await join(compressChunks(each([long, '', long]), encoding))

    expect(whole.length).toBeLessThan(long.length / 4)
    expect(decompress(whole, encoding)).toBe(long)
    if (inChunks !== undefined) expect(decompress(inChunks, encoding)).toBe(long + long)
  }
})

test('the compressed chunks fail when the source chunks fail', async () => {
  async function* failing() {
    yield long
    throw new Error('the disk is gone')
  }

  for (const encoding of encodings) {
    if (encoding === 'br' || encoding === 'zstd') {
      await expect(join(compressChunks(failing(), encoding))).rejects.toThrow('the disk is gone')
    }
  }
})

test('returning the compressed chunks, begun or not, returns the source chunks', async () => {
  let [begun, ended] = [0, 0]
  const open = (): Chunks => {
    begun += 1
    return {
      next: async () => ({ value: long, done: false }),
      return: async () => {
        ended += 1
        return { value: undefined, done: true }
      },
      [Symbol.asyncIterator]() {
        return this
      },
    }
  }

  for (const encoding of encodings) {
    if (encoding !== 'br' && encoding !== 'zstd') continue
    const [unread, read] = [compressChunks(open(), encoding), compressChunks(open(), encoding)]
    await read.next()
    await unread.return?.()
    await read.return?.()
  }

  await expect.poll(() => ended).toBe(begun)
})
