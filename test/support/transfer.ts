import fc from 'fast-check'
import type { ReadFormat, ReadItem, TextChunks, TransferThing } from '../../src/transfer/transfer.ts'

// NUL and lone surrogates cannot be in a thing (contract, sync 11).
const keepable = (text: string) => text.toWellFormed() === text && !text.includes('\0')
const hostile = fc.constantFrom(
  '<b>',
  '&amp;',
  '"',
  "'",
  ',',
  ';',
  '\r\n',
  '\n---\n',
  '</A>',
  '<DD>',
  '[x]',
  '`',
  '#',
  '\\',
  ':',
  'é',
  '🙂',
)
const anyText = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary', maxLength: 5 }), fc.lorem({ maxCount: 2 })), { maxLength: 5 })
  .map((parts) => parts.join(''))
  .filter(keepable)
const someText = anyText.filter((text) => text !== '')
const anyHtml = fc.oneof(
  someText,
  fc.lorem({ maxCount: 4 }).map((words) => `<p>${words}</p>`),
)
const anyDate = fc.oneof(
  fc.integer({ min: -1e9, max: 2e9 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((date) => date + 0),
)

/** Any thing that an account can hold; todos too. */
export const anyThing: fc.Arbitrary<TransferThing> = fc
  .record(
    {
      title: anyText,
      tags: fc.oneof(anyText, fc.constantFrom('todo home', 'a,b', ' two  blanks ')),
      date: anyDate,
      url: fc.oneof(fc.webUrl(), someText),
      html: anyHtml,
      archived: fc.boolean(),
      todoStatus: fc.boolean(),
    },
    { requiredKeys: ['title', 'tags', 'date', 'archived'] },
  )
  .map((thing) => thing as TransferThing)

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
