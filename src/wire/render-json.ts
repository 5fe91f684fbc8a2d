import { setImmediate as nextTurn } from 'node:timers/promises'

const rawMark = Symbol('raw JSON')

/** JSON text that goes into a response unchanged. Created by `rawJson` and `rawJsonWithComma`. */
export interface RawJson {
  readonly [rawMark]: string | Buffer
  readonly hasComma: boolean
}

/** Marks valid JSON text, or its UTF-8 bytes, to be rendered unchanged. */
export const rawJson = (text: string | Buffer): RawJson => ({ [rawMark]: text, hasComma: false })

/** Marks valid JSON text that begins with a comma, for an item that is not the first. */
export const rawJsonWithComma = (text: string | Buffer): RawJson => ({ [rawMark]: text, hasComma: true })

const mapMark = Symbol('map')

/** A JSON object whose members are read while it is rendered. Created by `jsonMap`. */
export interface JsonMap {
  readonly [mapMark]: AsyncIterable<RawJson>
}

/**
 * Marks pieces of JSON text as an object. Each piece holds one or more members, joined by commas and without braces.
 */
export const jsonMap = (members: AsyncIterable<RawJson>): JsonMap => ({ [mapMark]: members })

/** `T`, in which each list may also be an AsyncIterable, each item rendered JSON, and each object a map. */
export type Streamable<T> = T extends readonly (infer Item)[]
  ? readonly Rendered<Item>[] | AsyncIterable<Rendered<Item>>
  : T extends object
    ? { [Key in keyof T]: Streamable<T[Key]> } | RawJson | JsonMap
    : T

type Rendered<Item> = Streamable<Item> | RawJson

/** A part of a response: text, or the unchanged UTF-8 bytes of a list. */
export type Chunk = string | Buffer

const chunkCharacters = 64 * 1024
const sliceMilliseconds = 4

/** An asynchronous list or map that is being read, with the separator before its next item. */
interface OpenList {
  readonly items: AsyncIterator<unknown>
  readonly kind: typeof asList | typeof asMap
  separator: string
}

const asList = { open: '[', close: ']' } as const
const asMap = { open: '{', close: '}' } as const

type Part = Chunk | AsyncIterable<unknown> | JsonMap
type Source = Iterator<Part, void> | OpenList

/** Renders a small value without rendered or asynchronous parts as JSON; undefined for any other value. */
export const renderPlain = (value: unknown): string | undefined =>
  isPlainAndSmall(value) ? (JSON.stringify(value) ?? 'null') : undefined

/**
 * Renders a value as JSON in chunks of about 64 Ki characters, in bounded memory (contract, sync 13). It reads
 * asynchronous lists as it renders. Rendered bytes become chunks of their own size and are not copied. Undefined fields
 * are left out. Other events run at least every 4 ms of work, even with a fast consumer.
 * @throws the error of a list that fails
 */
export async function* renderJson(value: unknown): AsyncGenerator<Chunk, void, undefined> {
  // Not nested generators: each asynchronous level that a chunk passes is expensive.
  const sources: Source[] = [listParts(value)]
  let text = ''
  let sliceStart = performance.now()
  try {
    for (let source = sources.at(-1); source !== undefined; source = sources.at(-1)) {
      const piece = isOpenList(source)
        ? takeItem(source, await source.items.next(), sources)
        : takePart(source.next(), sources)
      text += piece.text
      if (text.length >= chunkCharacters || (text !== '' && piece.bytes !== undefined)) {
        yield text
        text = ''
      }
      if (piece.bytes !== undefined) yield piece.bytes
      // Awaiting a ready consumer, or a ready next item, lets no other event run.
      if (performance.now() - sliceStart > sliceMilliseconds) {
        await nextTurn()
        sliceStart = performance.now()
      }
    }
    if (text !== '') yield text
  } finally {
    for (const source of sources.reverse()) if (isOpenList(source)) await source.items.return?.()
  }
}

/** The result of a step: text, and bytes behind it. */
interface Piece {
  readonly text: string
  readonly bytes?: Buffer
}

const takePart = ({ value: part, done }: IteratorResult<Part, void>, sources: Source[]): Piece => {
  if (typeof part === 'string') return { text: part }
  if (Buffer.isBuffer(part)) return { text: '', bytes: part }
  if (done === true || part === undefined) sources.pop()
  else sources.push(isMap(part) ? openList(part[mapMark], asMap) : openList(part, asList))
  return { text: '' }
}

const openList = (items: AsyncIterable<unknown>, kind: OpenList['kind']): OpenList => ({
  items: items[Symbol.asyncIterator](),
  kind,
  separator: kind.open,
})

const takeItem = (list: OpenList, { value: item, done }: IteratorResult<unknown>, sources: Source[]): Piece => {
  const { separator, kind } = list
  list.separator = ','
  if (done === true) {
    sources.pop()
    return { text: separator === kind.open ? kind.open + kind.close : kind.close }
  }
  if (isRaw(item)) {
    const raw = item[rawMark]
    const before = item.hasComma ? '' : separator
    return typeof raw === 'string' ? { text: before + raw } : { text: before, bytes: raw }
  }
  if (isPlainAndSmall(item)) return { text: separator + (JSON.stringify(item) ?? 'null') }
  sources.push(listParts(item))
  return { text: separator }
}

/** Lists the parts of a value's JSON: a small plain value is a single part, and so is an asynchronous list. */
function* listParts(value: unknown): Generator<Part, void, undefined> {
  if (isRaw(value)) yield value[rawMark]
  else if (!isObject(value) || isPlainAndSmall(value)) yield JSON.stringify(value) ?? 'null'
  else if (isAsyncIterable(value) || isMap(value)) yield value
  else if (Array.isArray(value)) {
    let before = '['
    for (const item of value) {
      yield before
      yield* listParts(item)
      before = ','
    }
    yield before === '[' ? '[]' : ']'
  } else {
    let before = '{'
    for (const [name, field] of Object.entries(value)) {
      if (field === undefined) continue
      const start = `${before}${JSON.stringify(name)}:`
      before = ','
      if (isObject(field)) {
        yield start
        yield* listParts(field)
      } else yield start + (JSON.stringify(field) ?? 'null')
    }
    yield before === '{' ? '{}' : '}'
  }
}

const isOpenList = (source: Source): source is OpenList => 'items' in source

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isRaw = (value: unknown): value is RawJson => isObject(value) && rawMark in value

const isMap = (value: unknown): value is JsonMap => isObject(value) && mapMark in value

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  isObject(value) && Symbol.asyncIterator in value

/** True when JSON.stringify can render the whole value and the result fits into a chunk. */
const isPlainAndSmall = (value: unknown): boolean => subtractLength(value, chunkCharacters) >= 0

/** Subtracts about the length of the value's JSON from `maxCharacters`; negative when it is not plain or not small. */
const subtractLength = (value: unknown, maxCharacters: number): number => {
  if (typeof value === 'string') return maxCharacters - value.length
  if (!isObject(value)) return maxCharacters - 4
  if (isRaw(value) || isAsyncIterable(value) || isMap(value)) return -1
  let left = maxCharacters
  // Not Object.entries: this runs for every item of every list.
  for (const name in value) {
    left = subtractLength((value as Readonly<Record<string, unknown>>)[name], left - name.length - 4)
    if (left < 0) return left
  }
  return left
}

/** A name and its value. */
type Member<Value> = readonly [name: string, value: Value]

/** Maps with more members are rendered in pieces. */
const maxMembersAtOnce = 256

/** The number of members of a piece: a name may have a thousand characters. */
const membersInPiece = 64

/**
 * Converts values by name to a JSON object. Many values become an object that is rendered in pieces, because a large
 * object and its whole text need much memory.
 */
export const renderMap = <Value>(values: ReadonlyMap<string, Value>): Record<string, Value> | JsonMap =>
  values.size > maxMembersAtOnce ? createPieceMap(splitIntoPieces(values)) : Object.fromEntries(values)

/** Does the same for members in pieces; undefined without members. No piece may be empty, and no name may repeat. */
export const renderPieces = async <Value>(
  pieces: AsyncIterable<readonly Member<Value>[]>,
): Promise<Record<string, Value> | JsonMap | undefined> => {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return undefined
  const second = await source.next()
  if (second.done === true && first.value.length <= maxMembersAtOnce) return Object.fromEntries<Value>(first.value)
  return createPieceMap(prependItems([first, second], source))
}

async function* splitIntoPieces<Value>(values: Iterable<Member<Value>>): AsyncGenerator<readonly Member<Value>[]> {
  let piece: Member<Value>[] = []
  for (const member of values) {
    if (piece.push(member) < membersInPiece) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** Iterates over the items that were read of a source, then over its rest. */
const prependItems = <Item>(
  read: IteratorResult<Item, unknown>[],
  source: AsyncIterator<Item>,
): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => read.shift() ?? source.next(),
    return: async () => {
      await source.return?.()
      return { value: undefined, done: true }
    },
  }),
})

const createPieceMap = <Value>(pieces: AsyncIterable<readonly Member<Value>[]>): JsonMap => jsonMap(renderEach(pieces))

async function* renderEach<Value>(pieces: AsyncIterable<readonly Member<Value>[]>): AsyncGenerator<RawJson> {
  for await (const piece of pieces)
    yield rawJson(piece.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(','))
}

/** The chunks of a body that is too large to be joined. A reader that stops before their end must return them. */
export type Chunks = AsyncIterableIterator<Chunk>

/** The maximum size of a body that is joined, in characters and bytes. */
const maxJoinedBytes = 64 * 1024

/**
 * Renders a value as JSON: whole when it is small, else in chunks, in bounded memory. The chunks fail when a list
 * fails.
 */
export const renderBody = (value: unknown): string | Promise<string | Buffer | Chunks> =>
  renderPlain(value) ?? renderLists(value)

const renderLists = async (value: unknown): Promise<string | Buffer | Chunks> => {
  const chunks = renderJson(value)
  const taken: Chunk[] = []
  for (let size = 0; size <= maxJoinedBytes; ) {
    const { value: chunk, done } = await chunks.next()
    if (done === true) return joinChunks(taken)
    taken.push(chunk)
    size += chunk.length
  }
  return prependChunks(taken, chunks)
}

const joinChunks = (chunks: readonly Chunk[]): string | Buffer => {
  const [first = ''] = chunks
  if (chunks.length < 2) return first
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
}

/** Not a generator: returning one that was never read would leave `rest` open, for example for a HEAD request. */
const prependChunks = (taken: Chunk[], rest: AsyncGenerator<Chunk, void, undefined>): Chunks => ({
  next: () => {
    const value = taken.shift()
    return value === undefined ? rest.next() : Promise.resolve({ value, done: false })
  },
  return: () => rest.return(),
  [Symbol.asyncIterator]() {
    return this
  },
})
