import { expect, test } from 'vitest'
import { renderBody, renderMap, renderPieces } from './render-json.ts'

const parse = async (value: unknown): Promise<unknown> => {
  const body = await renderBody(value)
  if (typeof body === 'string' || Buffer.isBuffer(body)) return JSON.parse(body.toString())
  const chunks: Buffer[] = []
  for await (const chunk of body) chunks.push(Buffer.from(chunk))
  return JSON.parse(Buffer.concat(chunks).toString())
}

test.each([1, 256, 257, 5000])('%s texts become an object with all of them, whatever their names', async (count) => {
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

test('pieces are read as the reader requests them, and few of them in advance', async () => {
  const pieceCount = 5000
  let readCount = 0
  async function* pieces() {
    for (; readCount < pieceCount; ) {
      readCount += 1
      yield Array.from({ length: 10 }, (_, n) => [`piece ${readCount} tag ${n} `.padEnd(100, 'x'), n] as const)
    }
  }

  const tags = await renderPieces(pieces())
  const readAtFirst = readCount
  const body = await renderBody({ tags })
  if (typeof body === 'string' || Buffer.isBuffer(body)) throw new Error('all of it was rendered at once')
  await body.next()
  const readAtFirstChunk = readCount
  await body.return?.()

  expect(readAtFirst).toBeLessThanOrEqual(2)
  expect(readAtFirstChunk).toBeLessThan(pieceCount / 10)
})

test('no pieces give no object, few give a plain one, and no member is lost', async () => {
  const cut = async function* (sizes: readonly number[]) {
    for (const [index, size] of sizes.entries())
      yield Array.from({ length: size }, (_, n) => [`${index} ${n}`, { favorite: true }] as const)
  }

  expect(await renderPieces(cut([]))).toBeUndefined()
  expect(await renderPieces(cut([2]))).toEqual({ '0 0': { favorite: true }, '0 1': { favorite: true } })
  const read = (await parse({ tags: await renderPieces(cut([3, 64, 1])) })) as { tags: object }
  expect(Object.keys(read.tags)).toHaveLength(68)
})
