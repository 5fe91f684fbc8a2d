import { type Chunk, renderJson, renderPlain } from './render-json.ts'

/** Chunks of a body that is too large to be put together; who does not read them to the end returns them. */
export type Chunks = AsyncIterableIterator<Chunk>

/** A body up to this many characters and bytes is put together. */
const largestWhole = 64 * 1024

/**
 * The value as JSON: as a whole when it is small, else in chunks, in bounded memory, that fail when a list in it does.
 */
export const renderBody = (value: unknown): string | Promise<string | Buffer | Chunks> =>
  renderPlain(value) ?? renderLists(value)

const renderLists = async (value: unknown): Promise<string | Buffer | Chunks> => {
  const chunks = renderJson(value)
  const taken: Chunk[] = []
  for (let size = 0; size <= largestWhole; ) {
    const { value: chunk, done } = await chunks.next()
    if (done === true) return joinChunks(taken)
    taken.push(chunk)
    size += chunk.length
  }
  return putBack(taken, chunks)
}

const joinChunks = (chunks: readonly Chunk[]): string | Buffer => {
  const [first = ''] = chunks
  if (chunks.length < 2) return first
  return Buffer.concat(chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk)))
}

/** Not a generator: ending one that was not begun would leave `rest` open, as when only the head of an answer is sent. */
const putBack = (taken: Chunk[], rest: AsyncGenerator<Chunk, void, undefined>): Chunks => ({
  next: () => {
    const value = taken.shift()
    return value === undefined ? rest.next() : Promise.resolve({ value, done: false })
  },
  return: () => rest.return(),
  [Symbol.asyncIterator]() {
    return this
  },
})
