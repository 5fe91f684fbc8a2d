import { setImmediate as nextTurn } from 'node:timers/promises'

const rawMark = Symbol('raw JSON')

/** Text that is JSON already, to be put into an answer as it is. Made by `rawJson` and `rawJsonWithComma`. */
export interface RawJson {
  readonly [rawMark]: string | Buffer
  readonly hasComma: boolean
}

/** Marks valid JSON text, or its UTF-8 bytes, to be rendered as it is. */
export const rawJson = (text: string | Buffer): RawJson => ({ [rawMark]: text, hasComma: false })

/** Marks the same with a comma in front, as an item behind others. */
export const rawJsonWithComma = (text: string | Buffer): RawJson => ({ [rawMark]: text, hasComma: true })

const mapMark = Symbol('map')

/** A JSON object of which the members are read as they are rendered. Made by `jsonMap`. */
export interface JsonMap {
  readonly [mapMark]: AsyncIterable<RawJson>
}

/** Marks pieces of JSON text as an object; each is one or more members, joined by commas and without braces. */
export const jsonMap = (members: AsyncIterable<RawJson>): JsonMap => ({ [mapMark]: members })

/** `T`, in which every list may also be an AsyncIterable of its items, every item rendered JSON, and every object a map. */
export type Streamable<T> = T extends readonly (infer Item)[]
  ? readonly Rendered<Item>[] | AsyncIterable<Rendered<Item>>
  : T extends object
    ? { [Key in keyof T]: Streamable<T[Key]> } | RawJson | JsonMap
    : T

type Rendered<Item> = Streamable<Item> | RawJson

/** A part of an answer: text, or UTF-8 bytes as a list gave them. */
export type Chunk = string | Buffer

const chunkCharacters = 64 * 1024
const sliceMilliseconds = 4

/** An asynchronous list or map that is being read, and what stands before its next item. */
interface OpenList {
  readonly items: AsyncIterator<unknown>
  readonly kind: typeof asList | typeof asMap
  separator: string
}

const asList = { open: '[', close: ']' } as const
const asMap = { open: '{', close: '}' } as const

type Part = Chunk | AsyncIterable<unknown> | JsonMap
type Source = Iterator<Part, void> | OpenList

/** The value as JSON when it is plain and small: nothing in it is rendered already, or still to be read. */
export const renderPlain = (value: unknown): string | undefined =>
  isPlainAndSmall(value) ? (JSON.stringify(value) ?? 'null') : undefined

/**
 * Renders a value as JSON in chunks of about 64 Ki characters, reading asynchronous lists as it goes, in bounded memory
 * (contract, sync 13). Rendered bytes are chunks of their own, of the size that they have, and are not copied. Undefined
 * fields are left out. At least every 4 ms of work other events have their turn, also while the consumer keeps up. A
 * list that fails makes the iteration fail.
 */
export async function* renderJson(value: unknown): AsyncGenerator<Chunk, void, undefined> {
  // Not generators within generators: each level that a chunk passes asynchronously costs.
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
      // Awaiting a chunk's consumer, or a list's next item, lets no other event in as long as they are ready.
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

/** What one step gives: text, and bytes behind it. */
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

/** The JSON of a value in parts: a small plain value is one, an asynchronous list stands for itself. */
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

/** True when nothing in the value needs more than JSON.stringify and all of it fits a chunk. */
const isPlainAndSmall = (value: unknown): boolean => weigh(value, chunkCharacters) >= 0

/** What is left of `room` after about as many characters as the value takes; negative when it is not plain or small. */
const weigh = (value: unknown, room: number): number => {
  if (typeof value === 'string') return room - value.length
  if (!isObject(value)) return room - 4
  if (isRaw(value) || isAsyncIterable(value) || isMap(value)) return -1
  let left = room
  // Not Object.entries: this runs for every item of every list.
  for (const name in value) {
    left = weigh((value as Readonly<Record<string, unknown>>)[name], left - name.length - 4)
    if (left < 0) return left
  }
  return left
}

/** A name and its value. */
type Member<Value> = readonly [name: string, value: Value]

/** More members than these are rendered piece by piece. */
const maxMembersAtOnce = 256

/** The members of a piece: a name may have a thousand characters. */
const membersInPiece = 64

/**
 * Values by name as a JSON object, or as one that is rendered while it is read when they are many: an object of thousands
 * costs more than its text, and the text of all at once more than that of a piece.
 */
export const renderMap = <Value>(values: ReadonlyMap<string, Value>): Record<string, Value> | JsonMap =>
  values.size > maxMembersAtOnce ? showPieces(splitIntoPieces(values)) : Object.fromEntries(values)

/** The same for members in pieces; undefined when there is none. No piece is empty, and no name is there twice. */
export const renderPieces = async <Value>(
  pieces: AsyncIterable<readonly Member<Value>[]>,
): Promise<Record<string, Value> | JsonMap | undefined> => {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return undefined
  const second = await source.next()
  if (second.done === true && first.value.length <= maxMembersAtOnce) return Object.fromEntries<Value>(first.value)
  return showPieces(prependItems([first, second], source))
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

/** What was read of a source, and then the rest of it. */
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

const showPieces = <Value>(pieces: AsyncIterable<readonly Member<Value>[]>): JsonMap => jsonMap(eachText(pieces))

async function* eachText<Value>(pieces: AsyncIterable<readonly Member<Value>[]>): AsyncGenerator<RawJson> {
  for await (const piece of pieces)
    yield rawJson(piece.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join(','))
}

/** Chunks of a body that is too large to be put together; who does not read them to the end returns them. */
export type Chunks = AsyncIterableIterator<Chunk>

/** A body up to this many characters and bytes is put together. */
const maxJoinedBytes = 64 * 1024

/**
 * The value as JSON: as a whole when it is small, else in chunks, in bounded memory, that fail when a list in it does.
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

/** Not a generator: ending one that was not begun would leave `rest` open, as when only the head of an answer is sent. */
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
