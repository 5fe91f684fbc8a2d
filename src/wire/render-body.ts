import { Readable } from 'node:stream'
import { renderJson } from './render-json.ts'

/**
 * The value as JSON: one text when it is small, else a stream in bounded memory that fails when a list in it does. The
 * lists are ended when the stream is destroyed, also before anything was read of it.
 */
export const renderBody = async (value: unknown): Promise<string | Readable> => {
  const chunks = renderJson(value)
  const first = await chunks.next()
  const second = await chunks.next()
  if (second.done) return first.value ?? ''
  return Readable.from(putBack([first.value ?? '', second.value], chunks), { objectMode: false })
}

/** Not a generator: ending one that was not begun would leave `rest` open, as when only the head of an answer is sent. */
const putBack = (taken: string[], rest: AsyncGenerator<string, void, undefined>): AsyncIterableIterator<string> => ({
  next: async () => {
    const value = taken.shift()
    return value === undefined ? rest.next() : { value, done: false }
  },
  return: () => rest.return(),
  [Symbol.asyncIterator]() {
    return this
  },
})
