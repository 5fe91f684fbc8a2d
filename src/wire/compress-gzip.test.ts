import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGzip } from './compress.ts'
import type { Chunk } from './render-json.ts'

async function* each(chunks: readonly Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks
}

const compress = async (gzip: ReturnType<typeof createGzip>, chunks: readonly Chunk[]): Promise<Buffer> => {
  const packed: Buffer[] = []
  for await (const chunk of gzip.compress(each(chunks))) packed.push(Buffer.from(chunk))
  return Buffer.concat(packed)
}

const things = (count: number): Buffer =>
  Buffer.from(
    Array.from({ length: count }, (_, i) =>
      JSON.stringify({
        _id: createHash('md5').update(`${i}`).digest('hex'),
        title: `paper bridge ${i % 17} river ${i % 5}`,
      }),
    ).join(','),
  )

test('any chunks become a single gzip file of the same bytes', async () => {
  const gzip = createGzip()
  const chunk = fc.oneof(
    fc.string(),
    fc.string({ minLength: 200, maxLength: 2000 }),
    fc.uint8Array({ maxLength: 3000 }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 8 }), async (given) => {
      const chunks = given.map((item) => (typeof item === 'string' ? item : Buffer.from(item)))

      const packed = await compress(gzip, chunks)

      expect(gunzipSync(packed)).toEqual(Buffer.concat(chunks.map((item) => Buffer.from(item))))
    }),
    { numRuns: 50 },
  )
})

test('bytes are compressed better the second time, and then come from the cache', async () => {
  const gzip = createGzip()
  const chunks = ['[', things(4000), ',', things(5000), ']']

  const [first, second, third] = [
    await compress(gzip, chunks),
    await compress(gzip, chunks),
    await compress(gzip, chunks),
  ]

  expect(second.length).toBeLessThan(first.length)
  expect(third).toEqual(second)
  expect(gunzipSync(third)).toEqual(gunzipSync(first))
})

test('returning the compressed chunks, begun or not, returns the source chunks', async () => {
  let ended = 0
  const openChunks = () => {
    const chunks = each([things(4000), things(4000)])
    return Object.assign(chunks, {
      return: async () => {
        ended += 1
        return { value: undefined, done: true as const }
      },
    })
  }
  const gzip = createGzip()
  const unread = gzip.compress(openChunks())
  const begun = gzip.compress(openChunks())
  await begun.next()
  await begun.next()

  await unread.return?.()
  expect(ended).toBe(1)
  await begun.return?.()
  expect(ended).toBeGreaterThan(1)
})

test('the compressed chunks fail when the source chunks fail', async () => {
  async function* failing(): AsyncGenerator<Chunk> {
    yield things(10)
    throw new Error('the disk is gone')
  }
  const compressed = createGzip().compress(failing())

  const read = async () => {
    for await (const _ of compressed);
  }

  await expect(read()).rejects.toThrow('the disk is gone')
})

test('concurrent readers of the same bytes share one compressed copy, fast or thorough', async () => {
  const gzip = createGzip()
  const chunk = things(4000)
  const readers = 20
  const readTogether = async () => {
    const all = Array.from({ length: readers }, () => gzip.compress(each([chunk])))
    for (const packed of all) await packed.next()
    const pieces = await Promise.all(all.map((packed) => packed.next()))
    for (const packed of all) await packed.return?.()
    return new Set(pieces.map(({ value }) => value))
  }

  const [first, second] = [await readTogether(), await readTogether()]

  expect([first.size, second.size]).toEqual([1, 1])
})
