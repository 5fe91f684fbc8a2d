import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { compressBody } from './compress-body.ts'

const decompress = { br: brotliDecompressSync, gzip: gunzipSync }
const long = JSON.stringify(Array.from({ length: 2000 }, (_, i) => ({ title: `ключ ${i}` })))

test.each(['br', 'gzip'] as const)('%s gives back the same text, from a text and from a stream', async (encoding) => {
  const chunks = [long, '', long]

  const fromText = compressBody(long, encoding)
  const fromStream = compressBody(Readable.from(chunks), encoding)

  if (fromText === undefined || fromStream === undefined) throw new Error('both are worth compressing')
  const [text, stream] = [await buffer(fromText), await buffer(fromStream)]
  expect(text.length).toBeLessThan(long.length / 4)
  expect(decompress[encoding](text).toString()).toBe(long)
  expect(decompress[encoding](stream).toString()).toBe(long + long)
})

test('a short text is not worth compressing', () => {
  expect(compressBody('{"pos":1}', 'gzip')).toBeUndefined()
})

test('a body that fails breaks the compressed stream', async () => {
  async function* failing() {
    yield long
    throw new Error('the disk is gone')
  }

  const compressed = compressBody(Readable.from(failing()), 'br')

  if (compressed === undefined) throw new Error('a stream is always compressed')
  await expect(buffer(compressed)).rejects.toThrow('the disk is gone')
})

test('a compressed stream that is destroyed destroys the body', async () => {
  const body = Readable.from([long])

  compressBody(body, 'gzip')?.destroy()

  await expect.poll(() => body.destroyed).toBe(true)
})
