import { type CsvCells, readCsvRows } from './csv-rows.ts'
import { FieldWrong, showValue } from './fields.ts'
import { furtherFields, readFurtherFields } from './further-fields.ts'
import { makeThing } from './make-thing.ts'
import { toNoteHtml } from './note-text.ts'
import { joinTags } from './tag-text.ts'
import type { ReadFormat, ReadItem, TextChunks, TransferThing } from './transfer.ts'
import { readDateText, readUnixTime } from './unix-time.ts'

/** The columns by which our own tables are known, in their order. */
export const csvColumns = ['id', 'title', 'url', 'tags', 'date', 'html', 'archived', 'todo'] as const

/** The columns behind them, for the further fields of a thing. */
export const furtherColumns: readonly string[] = furtherFields.map((name) => name.toLowerCase())

/** Tables of our own and of other programs that name their columns alike, as Raindrop does. */
export const readCsv: ReadFormat = {
  name: 'csv',
  extensions: ['csv', 'tsv'],
  keepsRepetitions: false,
  guess: (head) => {
    const names = readHeadNames(head)
    return names.includes('title') && (names.includes('url') || names.includes('html') || names.includes('note'))
  },
  read: (chunks) => readTable(chunks, readRow),
}

/** The names in the first row of a table. */
export const readHeadNames = (head: string): string[] =>
  (head.split('\n')[0] ?? '').split(/[,;\t]/u).map((name) => name.replaceAll('"', '').trim().toLowerCase())

/** A table whose rows are things. */
export async function* readTable(
  chunks: TextChunks,
  readOne: (row: CsvCells) => TransferThing,
): AsyncGenerator<ReadItem, void, undefined> {
  for await (const row of readCsvRows(chunks)) {
    yield row.kind === 'problem' ? row : readItem(row.line, () => readOne(row.cells))
  }
}

const readItem = (line: number, read: () => TransferThing): ReadItem => {
  try {
    return { kind: 'thing', line, thing: read() }
  } catch (error) {
    if (error instanceof FieldWrong) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

const readRow = (cells: CsvCells): TransferThing => {
  const find = (...names: readonly string[]) => names.map((name) => cells.get(name)).find((text) => text) ?? ''
  const url = find('url', 'link', 'href', 'address')
  const title = find('title', 'name')
  const html = find('html')
  if (title === '' && url === '' && html === '' && !isOurs(cells)) throw new FieldWrong('title and url are missing')
  return makeThing({
    // A number of another program's says nothing here, and an address says more than an id.
    id: isOurs(cells) && url === '' ? find('id') : undefined,
    title: title === '' && !isOurs(cells) ? url : title,
    // Names of others may hold blanks, and stand between commas.
    tags: isOurs(cells) ? find('tags') : joinTags([find('folder'), ...find('tags').split(/[,|]/u)]),
    date: readDate(find('date', 'created', 'time_added'), isOurs(cells)),
    url,
    html: html || toNoteHtml([find('excerpt'), find('note', 'notes', 'description')].join('\n\n')),
    archived: readYes('archived', find('archived')),
    todoStatus: readTodo(find('todo')),
    ...(isOurs(cells) ? readFurtherFields((name) => find(name.toLowerCase())) : {}),
  })
}

const isOurs = (cells: CsvCells): boolean => csvColumns.every((name) => cells.has(name))

// Ours is to the letter; what others mean by a number is told by its size.
const readDate = (text: string, isExact: boolean): number | undefined => {
  if (text === '') return undefined
  const isNumber = /^-?[\d.]+(?:e[+-]?\d+)?$/iu.test(text)
  const date = !isNumber ? readDateText(text) / 1000 : isExact ? Number(text) : readUnixTime(text)
  if (date === undefined || !Number.isFinite(date)) throw new FieldWrong(`date is none: ${showValue(text)}`)
  return date
}

const readYes = (name: string, text: string): boolean => {
  const lower = text.toLowerCase()
  if (['', '0', 'false', 'no'].includes(lower)) return false
  if (['1', 'true', 'yes'].includes(lower)) return true
  throw new FieldWrong(`${name} must be true or false, not ${showValue(text)}`)
}

const readTodo = (text: string): boolean | undefined => {
  if (text === '') return undefined
  if (text === 'open' || text === 'done') return text === 'done'
  throw new FieldWrong(`todo must be open or done, not ${showValue(text)}`)
}
