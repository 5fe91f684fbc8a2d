import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { type Chunks, rawJson, renderBody } from './render-json.ts'

const long = 'x'.repeat(40_000)

/** Creates a list of long texts that notes its end. */
const openList = (length: number) => {
  const state = { given: 0, isEnded: false }
  async function* items() {
    try {
      for (; state.given < length; state.given++) yield long
    } finally {
      state.isEnded = true
    }
  }
  return { state, items: items() }
}

const isInChunks = (body: string | Buffer | Chunks): body is Chunks =>
  typeof body === 'object' && !Buffer.isBuffer(body)

const readText = (body: Chunks): Promise<string> => text(Readable.from(body, { objectMode: false }))

test('a small value is one text', async () => {
  const { items, state } = openList(1)

  expect(await renderBody({ pos: 1, list: items })).toBe(`{"pos":1,"list":["${long}"]}`)
  expect(state.isEnded).toBe(true)
})

test('a small value with rendered bytes is joined', async () => {
  expect(String(await renderBody([rawJson(Buffer.from('"día"')), 1]))).toBe('["día",1]')
})

test('a large value is rendered in chunks of the same JSON', async () => {
  const { items } = openList(20)

  const body = await renderBody({ list: items, after: 'end' })

  if (!isInChunks(body)) throw new Error('it should be in chunks')
  expect(JSON.parse(await readText(body))).toEqual({ list: Array(20).fill(long), after: 'end' })
})

test('a body reads its lists no further than its reader requests', async () => {
  const { items, state } = openList(1000)

  const body = await renderBody(items)

  expect(typeof body).toBe('object')
  expect(state.given).toBeLessThan(10)
})

test.each(['unread', 'half read'])('a body that is returned %s ends its lists', async (when) => {
  const { items, state } = openList(1000)
  const body = await renderBody(items)
  if (!isInChunks(body)) throw new Error('it should be in chunks')

  if (when === 'half read') for await (const _ of body) break
  else await body.return?.()

  await expect.poll(() => state.isEnded).toBe(true)
  expect(state.given).toBeLessThan(20)
})

test('the body fails when a list fails', async () => {
  async function* failing() {
    for (let i = 0; i < 10; i++) yield long
    throw new Error('the disk is gone')
  }

  const body = await renderBody(failing())

  if (!isInChunks(body)) throw new Error('it should be in chunks')
  await expect(readText(body)).rejects.toThrow('the disk is gone')
})

test('a list that fails at once makes rendering fail before the response begins', async () => {
  async function* failing() {
    yield 'short'
    throw new Error('the disk is gone')
  }

  await expect(renderBody(failing())).rejects.toThrow('the disk is gone')
})
