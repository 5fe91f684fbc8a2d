import { type FieldName, fieldNames, fieldTable } from '../thing-table.ts'
import { type Fields, FieldWrong, readFields, showValue } from './fields.ts'
import { findBoundFault } from './further-fields.ts'
import { type JsonItem, readJsonItems } from './json-items.ts'
import { makeThing } from './make-thing.ts'
import type { ReadFormat, ReadItem, TextChunks, TransferTagSettings, TransferThing } from './transfer.ts'

/** Our own JSON (`docs/transfer.schema.json`). */
export const readJson: ReadFormat = {
  name: 'json',
  extensions: ['json'],
  keepsRepetitions: true,
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
      reason: `version is ${showValue(value)}, of a newer thingsync; what is new was not read`,
    }
  }
  try {
    if (path[0] === 'tags')
      return { kind: 'tag', line, name: String(key), settings: readSettings(value, `tags.${key}`) }
    return { kind: 'thing', line, thing: readThing(value, `things[${key}]`) }
  } catch (error) {
    if (error instanceof FieldWrong) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

function readThing(value: unknown, place: string): TransferThing {
  const fields = readFields(value, place)
  const found = fieldNames.map((name) => [name, readField(fields, name)] as const)
  if (fields.text('title') === undefined) fields.refuse('title', 'is missing')
  return makeThing({ id: fields.text('_id'), ...Object.fromEntries(found) })
}

function readField(fields: Fields, name: FieldName): string | number | boolean | undefined {
  const value = fields[fieldTable[name].kind](name)
  const wrong = typeof value === 'number' ? findBoundFault(name, value) : undefined
  return wrong === undefined ? value : fields.refuse(name, wrong)
}

function readSettings(value: unknown, place: string): TransferTagSettings {
  const fields = readFields(value, place)
  return { favorite: fields.flag('favorite') ?? false, color: readColor(fields), todo: readTodo(fields) }
}

function readColor(fields: Fields): string | false {
  const color = fields.value('color') ?? false
  if (color === false) return false
  if (typeof color === 'string' && /^#(?:[0-9a-f]{3}){1,2}$/iu.test(color)) return color.toLowerCase()
  return fields.refuse('color', `must be false, #rgb or #rrggbb, not ${showValue(color)}`)
}

function readTodo(fields: Fields): TransferTagSettings['todo'] {
  const todo = fields.value('todo') ?? false
  if (todo === false || todo === 'strike' || todo === 'dont-strike') return todo
  return fields.refuse('todo', `must be false, "strike" or "dont-strike", not ${showValue(todo)}`)
}
