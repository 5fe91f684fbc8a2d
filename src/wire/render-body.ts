import { Readable } from 'node:stream'
import { renderJson } from './render-json.ts'

/** The value as JSON: one text when it is small, else a stream in bounded memory that fails when a list in it does. */
export const renderBody = async (value: unknown): Promise<string | Readable> => {
  const chunks = renderJson(value)
  const first = await chunks.next()
  const second = await chunks.next()
  if (second.done) return first.value ?? ''
  return Readable.from(joinChunks(first.value ?? '', second.value, chunks), { objectMode: false })
}

async function* joinChunks(first: string, second: string, rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield first
  yield second
  yield* rest
}
