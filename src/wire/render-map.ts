import { type JsonMap, jsonMap, type RawJson, rawJson } from './render-json.ts'

/** A name and its value. */
type Member<Value> = readonly [name: string, value: Value]

/** More members than these are rendered piece by piece. */
const mostAtOnce = 256

/** The members of a piece: a name may have a thousand characters. */
const membersInPiece = 64

/**
 * Values by name as a JSON object, or as one that is rendered while it is read when they are many: an object of thousands
 * costs more than its text, and the text of all at once more than that of a piece.
 */
export const renderMap = <Value>(values: ReadonlyMap<string, Value>): Record<string, Value> | JsonMap =>
  values.size > mostAtOnce ? showPieces(cutPieces(values)) : Object.fromEntries(values)

/** The same for members in pieces; undefined when there is none. No piece is empty, and no name is there twice. */
export const renderPieces = async <Value>(
  pieces: AsyncIterable<readonly Member<Value>[]>,
): Promise<Record<string, Value> | JsonMap | undefined> => {
  const source = pieces[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done === true) return undefined
  const second = await source.next()
  if (second.done === true && first.value.length <= mostAtOnce) return Object.fromEntries<Value>(first.value)
  return showPieces(goOn([first, second], source))
}

async function* cutPieces<Value>(values: Iterable<Member<Value>>): AsyncGenerator<readonly Member<Value>[]> {
  let piece: Member<Value>[] = []
  for (const member of values) {
    if (piece.push(member) < membersInPiece) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
}

/** What was read of a source, and then the rest of it. */
const goOn = <Item>(read: IteratorResult<Item, unknown>[], source: AsyncIterator<Item>): AsyncIterable<Item> => ({
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
