import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { createBodyEncoder, encodings } from './compress.ts'
import type { Chunks } from './render-json.ts'

async function* endless(): AsyncGenerator<string> {
  for (;;) yield 'x'.repeat(100_000)
}

test('a short text is not compressed, and a longer one is compressed whole', async () => {
  const { encode } = createBodyEncoder()
  const text = JSON.stringify(Array.from({ length: 500 }, (_, i) => i))

  expect(await encode('{"pos":1}', 'gzip')).toEqual({ encoding: undefined, body: '{"pos":1}' })
  expect(await encode(text, false)).toEqual({ encoding: undefined, body: text })
  const { encoding, body } = await encode(text, 'gzip')
  expect([encoding, gunzipSync(body as Buffer).toString()]).toEqual(['gzip', text])
})

test('16 large responses have compressors of their own; others are offered only gzip until one ends', async () => {
  const { offer, encode } = createBodyEncoder()
  const text = 'x'.repeat(2000)
  const open: Chunks[] = []

  for (let count = 0; count < 16; count += 1) {
    expect(offer(endless())).toEqual(encodings)
    open.push((await encode(endless(), 'br')).body as Chunks)
  }

  expect(offer(endless())).toEqual(['gzip', 'identity'])
  expect(offer(text)).toEqual(encodings)
  await open[0]?.next()
  await open[0]?.return?.()
  await open[0]?.return?.()
  expect(offer(endless())).toEqual(encodings)
  expect((await encode(endless(), 'br')).encoding).toBe('br')
  expect(offer(endless())).toEqual(['gzip', 'identity'])
  for (const chunks of open) await chunks.return?.()
})
