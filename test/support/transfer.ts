import fc from 'fast-check'
import { fieldNames, isOptionalField } from '../../src/thing-table.ts'
import type { ReadFormat, ReadItem, TextChunks, TransferThing } from '../../src/transfer/transfer.ts'
import { contentFields } from './any-item.ts'

/** Any thing that an account can hold, with fields from their table; todos too. */
export const anyThing: fc.Arbitrary<TransferThing> = fc
  .record(contentFields, {
    requiredKeys: fieldNames.filter((name) => !isOptionalField(name) && name !== 'todoStatus'),
  })
  .map((thing) => thing as unknown as TransferThing)

/** The text in pieces of this many characters. */
export async function* cutAnywhere(text: string, size: number): TextChunks {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}

/** The things one after the other. */
export async function* listOf(things: readonly TransferThing[]): AsyncIterable<TransferThing> {
  yield* things
}

/** Everything that a reader finds. */
export const readAll = async (format: ReadFormat, chunks: TextChunks): Promise<ReadItem[]> => {
  const items: ReadItem[] = []
  for await (const item of format.read(chunks)) items.push(item)
  return items
}
