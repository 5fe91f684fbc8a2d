import { ClientError } from '../../client/src/client-error.ts'
import { createJsonSplitter, type IsOpened, type JsonPiece, type JsonSplitter } from '../../client/src/json-splitter.ts'
import { cutAtLineEnds } from './text-lines.ts'
import type { TextChunks } from './transfer.ts'

/** A value inside a JSON file and the line in which it begins; or why the rest of the file can't be read, as a sentence. */
export type JsonItem =
  | { readonly line: number; readonly piece: JsonPiece }
  | { readonly line: number; readonly broken: string }

// No text of this runtime may be twice as long.
const maxCharacters = 256 * 1024 * 1024

/** Cuts a JSON file into values, holding one at a time. After `broken` nothing comes. */
export async function* readJsonItems(
  chunks: TextChunks,
  isOpened: IsOpened,
): AsyncGenerator<JsonItem, void, undefined> {
  const splitter = createJsonSplitter(isOpened)
  let line = 1
  let begun = 1
  for await (const pieces of cutAtLineEnds(chunks)) {
    for (const { text, line: current } of pieces) {
      line = current
      if (splitter.heldCharacters() === 0) begun = current
      const found = split(() => splitter.push(text))
      if (found === undefined) return yield { line, broken: brokenJson }
      if (splitter.heldCharacters() > maxCharacters) return yield { line: begun, broken: tooLong }
      for (const piece of found) {
        yield { line: begun, piece }
        begun = current
      }
    }
  }
  const last = finish(splitter)
  if (last === undefined) return yield { line, broken: brokenJson }
  for (const piece of last) yield { line, piece }
}

const finish = (splitter: JsonSplitter) => split(splitter.finish)

function split(cut: () => JsonPiece[]): JsonPiece[] | undefined {
  try {
    return cut()
  } catch (error) {
    if (error instanceof ClientError) return undefined
    throw error
  }
}

const tooLong = 'this value is longer than any thing may be; it and what follows was not read'
const brokenJson = 'this is not JSON; it and what follows was not read'
