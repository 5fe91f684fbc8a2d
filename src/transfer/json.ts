import { ClientError } from '../../client/src/client-error.ts'
import { createJsonSplitter, type IsOpened, type JsonPiece, type JsonSplitter } from '../../client/src/json-stream.ts'
import { type FieldName, fieldNames, fieldTable } from '../thing-table.ts'
import { FieldError, type Fields, findBoundFault, readFields, showValue } from './fields.ts'
import { cutAtLineEnds } from './text-lines.ts'
import {
  createTransferThing,
  type ReadFormat,
  type ReadItem,
  type TextChunks,
  type TransferContent,
  type TransferTagSettings,
  type TransferThing,
  type WriteFormat,
} from './transfer.ts'

/** A value in a JSON file with its first line, or the reason (a sentence) why the rest of the file cannot be read. */
export type JsonItem =
  | { readonly line: number; readonly piece: JsonPiece }
  | { readonly line: number; readonly broken: string }

// The runtime's strings cannot be twice as long.
const maxCharacters = 256 * 1024 * 1024

/** Splits a JSON file into values; only one at a time is in memory. Ends after `broken`. */
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
const brokenJson = 'this is not JSON; the file was not read from here on'

/** Reads our own JSON (`docs/transfer.schema.json`). */
export const readJson: ReadFormat = {
  name: 'json',
  extensions: ['json'],
  allowsDuplicates: true,
  guess: (head) => /^\s*\{\s*"format"\s*:\s*"thingsync"/u.test(head),
  read,
}

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  const isOpened = (path: readonly (string | number)[], key: string | number | undefined) =>
    path.length === 0 && (key === 'things' || key === 'tags')
  for await (const item of readJsonItems(chunks, isOpened)) {
    const found = readItem(item)
    if (found !== undefined) yield found
  }
}

function readItem(item: JsonItem): ReadItem | undefined {
  const { line } = item
  if ('broken' in item) return { kind: 'problem', line, reason: item.broken }
  const { path, key, value } = item.piece
  if (path.length === 0) {
    if (key !== 'version' || value === 1) return undefined
    return {
      kind: 'problem',
      line,
      reason: `version is ${showValue(value)}, from a newer thingsync; new content was not read`,
    }
  }
  try {
    if (path[0] === 'tags')
      return { kind: 'tag', line, name: String(key), settings: readSettings(value, `tags.${key}`) }
    return { kind: 'thing', line, thing: readThing(value, `things[${key}]`) }
  } catch (error) {
    if (error instanceof FieldError) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

function readThing(value: unknown, path: string): TransferThing {
  const fields = readFields(value, path)
  const found = fieldNames.map((name) => [name, readField(fields, name)] as const)
  if (fields.text('title') === undefined) fields.fail('title', 'is missing')
  return createTransferThing({ id: fields.text('_id'), ...Object.fromEntries(found) })
}

function readField(fields: Fields, name: FieldName): string | number | boolean | undefined {
  const value = fields[fieldTable[name].kind](name)
  const wrong = typeof value === 'number' ? findBoundFault(name, value) : undefined
  return wrong === undefined ? value : fields.fail(name, wrong)
}

function readSettings(value: unknown, path: string): TransferTagSettings {
  const fields = readFields(value, path)
  return { favorite: fields.flag('favorite') ?? false, color: readColor(fields), todo: readTodo(fields) }
}

function readColor(fields: Fields): string | false {
  const color = fields.value('color') ?? false
  if (color === false) return false
  if (typeof color === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/iu.test(color)) return color.toLowerCase()
  return fields.fail('color', `must be false, #rgb or #rrggbb, not ${showValue(color)}`)
}

function readTodo(fields: Fields): TransferTagSettings['todo'] {
  const todo = fields.value('todo') ?? false
  if (todo === false || todo === 'strike' || todo === 'dont-strike') return todo
  return fields.fail('todo', `must be false, "strike" or "dont-strike", not ${showValue(todo)}`)
}

/** Writes our own JSON, lossless, with one thing per line (`docs/transfer.schema.json`). */
export const writeJson: WriteFormat = {
  name: 'json',
  extension: 'json',
  mediaType: 'application/json',
  write,
}

async function* write({ tags, things }: TransferContent): AsyncGenerator<string, void, undefined> {
  // `fromEntries`, because a tag may have the name __proto__.
  yield `{"format":"thingsync","version":1,"tags":${JSON.stringify(Object.fromEntries(tags))},"things":[`
  let separator = '\n'
  for await (const thing of things) {
    yield separator + JSON.stringify(toReturnedForm(thing))
    separator = ',\n'
  }
  yield '\n]}\n'
}

/** Converts a thing to the returned form (interface 2.1), with its order of keys. */
const toReturnedForm = (thing: TransferThing): object => {
  const form: Record<string, unknown> = { _id: thing.id }
  for (const name of fieldNames) form[name] = name === 'archived' ? thing.archived || undefined : thing[name]
  return form
}
