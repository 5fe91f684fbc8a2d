import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Chunk, rawJson, renderJson, type Streamable } from './render-json.ts'

const renderChunks = async (value: unknown) => {
  const chunks: Chunk[] = []
  for await (const chunk of renderJson(value)) chunks.push(chunk)
  return chunks
}

const render = async (value: unknown) => (await renderChunks(value)).join('')

async function* each<Item>(items: Iterable<Item>) {
  yield* items
}

test('a value of any shape is rendered as JSON.stringify renders it', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await render(value)).toBe(JSON.stringify(value))
    }),
  )
})

test('asynchronous lists at any depth are rendered as lists', async () => {
  const response: Streamable<{
    pos: number
    things: { changed: { _id: string }[]; deleted: string[] }
    lists: number[][]
  }> = {
    pos: 3,
    things: { changed: each([{ _id: 'a' }, rawJson('{"_id":"b"}')]), deleted: each([]) },
    lists: each([[1], each([2, 3]), []]),
  }

  expect(await render(response)).toBe(
    '{"pos":3,"things":{"changed":[{"_id":"a"},{"_id":"b"}],"deleted":[]},"lists":[[1],[2,3],[]]}',
  )
})

test('rendered items may stand between others, as text and as bytes', async () => {
  expect(await render([rawJson('{"a": 1}'), 'día', rawJson(Buffer.from('"día"')), undefined])).toBe(
    '[{"a": 1},"día","día",null]',
  )
  expect(await render(rawJson('null'))).toBe('null')
})

test('rendered bytes are passed on unchanged', async () => {
  const bytes = [Buffer.from('{"a":1},{"b":2}'), Buffer.from('{"c":3}')]

  const chunks = await renderChunks({ things: each(bytes.map(rawJson)) })

  expect(chunks.join('')).toBe('{"things":[{"a":1},{"b":2},{"c":3}]}')
  expect(chunks.filter((chunk) => typeof chunk !== 'string')).toEqual(bytes)
  expect(chunks[1]).toBe(bytes[0])
})

test('undefined fields are left out, in small values and in streamed ones', async () => {
  expect(await render({ a: undefined, b: { c: undefined } })).toBe('{"b":{}}')
  expect(await render({ a: undefined, list: each([{ d: undefined }]), e: undefined })).toBe('{"list":[{}]}')
  expect(await render({ list: { a: undefined, none: undefined, x: rawJson('1') } })).toBe('{"list":{"x":1}}')
})

test('names of the client are kept', async () => {
  const ids = Object.fromEntries([
    ['__proto__', 'a'],
    ['constructor', 'b'],
    ['', 'c'],
    ['"\n', 'd'],
  ])

  expect(await render({ new: ids, list: each([]) })).toBe(
    '{"new":{"__proto__":"a","constructor":"b","":"c","\\"\\n":"d"},"list":[]}',
  )
})

test('a large value is rendered in chunks of about 64 Ki characters', async () => {
  const things = Array.from({ length: 5000 }, (_, i) => ({ _id: `${i}`, title: 'x'.repeat(100) }))
  const long = { title: 'y'.repeat(200_000) }

  for (const value of [{ things }, { things: each(things) }, { long, things: each(things) }]) {
    const chunks = await renderChunks(value)

    const sizes = chunks.slice(0, -1).map((chunk) => chunk.length)
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(64 * 1024)
    expect(sizes.filter((size) => size > 66 * 1024).length).toBeLessThanOrEqual('long' in value ? 1 : 0)
    expect(JSON.parse(chunks.join(''))).toEqual({ ...value, things })
  }
})

test('an ordinary response is a single chunk', async () => {
  expect(await renderChunks({ pos: 3, tags: { work: { favorite: true } } })).toHaveLength(1)
})

test.each([
  ['at hand', (things: object[]) => things],
  ['asynchronous', each<object>],
])('timers run while a long list that is %s is rendered for a fast reader', async (_, list) => {
  const things = Array.from({ length: 200_000 }, (_, i) => ({ _id: `${i}`, title: 'x'.repeat(100) }))
  let turns = 0
  const timer = setInterval(() => turns++, 1)

  for await (const chunk of renderJson({ things: list(things) })) expect(chunk).not.toBe('')

  clearInterval(timer)
  // Far fewer than the slices of 4 ms; without slices it would be 0.
  expect(turns).toBeGreaterThan(3)
})

test('rendering fails when a list fails, after the items before', async () => {
  async function* failing() {
    yield 'x'.repeat(100_000)
    throw new Error('disk on fire')
  }
  const chunks = renderJson({ things: failing() })

  expect((await chunks.next()).value).toMatch(/^\{"things":\["x+"$/)
  await expect(chunks.next()).rejects.toThrow('disk on fire')
})

test('a reader that stops ends the list that it was reading', async () => {
  let ended = false
  async function* endless() {
    try {
      while (true) yield 'x'.repeat(1000)
    } finally {
      ended = true
    }
  }

  for await (const _ of renderJson({ things: { changed: endless() } })) break

  expect(ended).toBe(true)
})
