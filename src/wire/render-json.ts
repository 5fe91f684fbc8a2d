import { setImmediate as nextTurn } from 'node:timers/promises'

const rawMark = Symbol('raw JSON')

/** Text that is JSON already, to be put into an answer as it is. Made by `rawJson`. */
export interface RawJson {
  readonly [rawMark]: string | Buffer
}

/** Marks valid JSON text, or its UTF-8 bytes, to be rendered as it is. */
export const rawJson = (text: string | Buffer): RawJson => ({ [rawMark]: text })

/** `T`, in which every list may also be an AsyncIterable of its items, and every item rendered JSON. */
export type Streamable<T> = T extends readonly (infer Item)[]
  ? readonly Rendered<Item>[] | AsyncIterable<Rendered<Item>>
  : T extends object
    ? { [Key in keyof T]: Streamable<T[Key]> }
    : T

type Rendered<Item> = Streamable<Item> | RawJson

const chunkCharacters = 64 * 1024
const pieceCharacters = 4 * 1024
const sliceMilliseconds = 4

/** A part of an answer: text, or UTF-8 bytes as a list gave them. */
export type Chunk = string | Buffer

/**
 * Renders a value as JSON in chunks of about 64 Ki characters, reading asynchronous lists as it goes, in bounded memory
 * (contract, sync 13). Rendered bytes are chunks of their own, of the size that they have, and are not copied. Undefined
 * fields are left out. At least every 4 ms of work other events have their turn, also while the consumer keeps up. A
 * list that fails makes the iteration fail.
 */
export async function* renderJson(value: unknown): AsyncGenerator<Chunk, void, undefined> {
  let text = ''
  let sliceStart = performance.now()
  for await (const piece of renderPieces(value)) {
    if (typeof piece === 'string') text += piece
    if (text !== '' && (text.length >= chunkCharacters || typeof piece !== 'string')) {
      yield text
      text = ''
    }
    if (typeof piece !== 'string') yield piece
    // Awaiting a chunk's consumer, or a list's next item, lets no other event in as long as they are ready.
    if (performance.now() - sliceStart > sliceMilliseconds) {
      await nextTurn()
      sliceStart = performance.now()
    }
  }
  if (text !== '') yield text
}

/** Yields the JSON of a value in pieces: a small plain value is one piece, anything else one for each of its parts. */
async function* renderPieces(value: unknown): AsyncGenerator<Chunk, void, undefined> {
  if (isRaw(value)) yield value[rawMark]
  else if (!isObject(value) || isPlainAndSmall(value)) yield JSON.stringify(value) ?? 'null'
  else if (isAsyncIterable(value) || Array.isArray(value)) yield* renderItems(value)
  else yield* renderFields(value)
}

async function* renderItems(items: AsyncIterable<unknown> | Iterable<unknown>): AsyncGenerator<Chunk, void, undefined> {
  let piece = '['
  let isFirst = true
  for await (const item of items) {
    if (!isFirst) piece += ','
    isFirst = false
    // The common items are rendered here and handed on together: each step through a generator costs.
    if (isRawText(item)) piece += item[rawMark]
    else if (isPlainAndSmall(item)) piece += JSON.stringify(item) ?? 'null'
    else {
      yield piece
      piece = ''
      yield* renderPieces(item)
    }
    if (piece.length >= pieceCharacters) {
      yield piece
      piece = ''
    }
  }
  yield `${piece}]`
}

async function* renderFields(fields: object): AsyncGenerator<Chunk, void, undefined> {
  let before = '{'
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    yield `${before}${JSON.stringify(name)}:`
    yield* renderPieces(value)
    before = ','
  }
  yield before === '{' ? '{}' : '}'
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isRaw = (value: unknown): value is RawJson => isObject(value) && rawMark in value

const isRawText = (value: unknown): value is { readonly [rawMark]: string } =>
  isRaw(value) && typeof value[rawMark] === 'string'

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  isObject(value) && Symbol.asyncIterator in value

/** True when nothing in the value needs more than JSON.stringify and all of it fits a chunk. */
const isPlainAndSmall = (value: unknown): boolean => weigh(value, chunkCharacters) >= 0

/** What is left of `room` after about as many characters as the value takes; negative when it is not plain or small. */
const weigh = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length
  if (!isObject(value)) return room - 4
  if (isRaw(value) || isAsyncIterable(value)) return -1
  let left = room
  // Not Object.entries: this runs for every item of every list.
  for (const name in value) {
    left = weigh((value as Readonly<Record<string, unknown>>)[name], left - name.length - 4)
    if (left < 0) return left
  }
  return left
}
