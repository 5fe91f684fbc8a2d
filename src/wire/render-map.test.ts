import { expect, test } from 'vitest'
import { renderBody } from './render-body.ts'
import { renderMap } from './render-map.ts'

const parse = async (value: unknown): Promise<unknown> => {
  const body = await renderBody(value)
  if (typeof body === 'string' || Buffer.isBuffer(body)) return JSON.parse(body.toString())
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString())
}

test.each([1, 256, 257, 5000])('%s texts are an object with all of them, whatever their names', async (count) => {
  const names = ['__proto__', '1', '"', 'é😀', ...Array.from({ length: count }, (_, n) => `name ${n}`)].slice(0, count)
  const texts = new Map(names.map((name, n) => [name, `text ${n} "`]))

  const read = (await parse({ texts: renderMap(texts) })) as { texts: object }

  expect(new Map(Object.entries(read.texts))).toEqual(texts)
})

test('numbers stay numbers, in an object and as JSON', async () => {
  for (const count of [2, 300]) {
    const counts = new Map(Array.from({ length: count }, (_, n) => [`tag${n}`, n]))

    const read = (await parse({ counts: renderMap(counts) })) as { counts: object }

    expect(new Map(Object.entries(read.counts))).toEqual(counts)
  }
})
