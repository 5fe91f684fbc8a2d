import { type CsvCells, readCsvRows } from './csv-rows.ts'
import {
  FieldError,
  furtherFields,
  readDateText,
  readFurtherFields,
  readUnixTime,
  showFurtherFields,
  showValue,
} from './fields.ts'
import { toNoteHtml } from './note-html.ts'
import {
  createTransferThing,
  joinTags,
  type ReadFormat,
  type ReadItem,
  type TextChunks,
  type TransferContent,
  type TransferThing,
  type WriteFormat,
} from './transfer.ts'

/** The columns that identify our own tables, in order. */
const csvColumns = ['id', 'title', 'url', 'tags', 'date', 'html', 'archived', 'todo'] as const

/** The columns after them, for the further fields of a thing. */
const furtherColumns: readonly string[] = furtherFields.map((name) => name.toLowerCase())

/** Reads tables of thingsync, and tables of other programs with similar column names, such as Raindrop. */
export const readCsv: ReadFormat = {
  name: 'csv',
  extensions: ['csv', 'tsv'],
  allowsDuplicates: false,
  guess: (head) => {
    const names = readHeadNames(head)
    return names.includes('title') && (names.includes('url') || names.includes('html') || names.includes('note'))
  },
  read: (chunks) => readTable(chunks, readRow),
}

/** Reads the names in the first row of a table. */
const readHeadNames = (head: string): string[] =>
  (head.split('\n')[0] ?? '').split(/[,;\t]/u).map((name) => name.replaceAll('"', '').trim().toLowerCase())

/** Reads a table whose rows are things. */
async function* readTable(
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
    if (error instanceof FieldError) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

const readRow = (cells: CsvCells): TransferThing => {
  const find = (...names: readonly string[]) => names.map((name) => cells.get(name)).find((text) => text) ?? ''
  const url = find('url', 'link', 'href', 'address')
  const title = find('title', 'name')
  const html = find('html')
  if (title === '' && url === '' && html === '' && !isThingsync(cells))
    throw new FieldError('title and url are missing')
  return createTransferThing({
    // The id of another program means nothing here, and a URL identifies a thing better than an id.
    id: isThingsync(cells) && url === '' ? find('id') : undefined,
    title: title === '' && !isThingsync(cells) ? url : title,
    // Tag names of other programs may contain spaces; commas separate them.
    tags: isThingsync(cells) ? find('tags') : joinTags([find('folder'), ...find('tags').split(/[,|]/u)]),
    date: readDate(find('date', 'created', 'time_added'), isThingsync(cells)),
    url,
    html: html || toNoteHtml([find('excerpt'), find('note', 'notes', 'description')].join('\n\n')),
    archived: readYes('archived', find('archived')),
    todoStatus: readTodo(find('todo')),
    ...(isThingsync(cells) ? readFurtherFields((name) => find(name.toLowerCase())) : {}),
  })
}

const isThingsync = (cells: CsvCells): boolean => csvColumns.every((name) => cells.has(name))

// Our dates are exact. A number of another program may be seconds or milliseconds: its size shows which.
const readDate = (text: string, isExact: boolean): number | undefined => {
  if (text === '') return undefined
  const isNumber = /^-?[\d.]+(?:e[+-]?\d+)?$/iu.test(text)
  const date = !isNumber ? readDateText(text) / 1000 : isExact ? Number(text) : readUnixTime(text)
  if (date === undefined || !Number.isFinite(date)) throw new FieldError(`date is not a date: ${showValue(text)}`)
  return date
}

const readYes = (name: string, text: string): boolean => {
  const lower = text.toLowerCase()
  if (['', '0', 'false', 'no'].includes(lower)) return false
  if (['1', 'true', 'yes'].includes(lower)) return true
  throw new FieldError(`${name} must be true or false, not ${showValue(text)}`)
}

const readTodo = (text: string): boolean | undefined => {
  if (text === '') return undefined
  if (text === 'open' || text === 'done') return text === 'done'
  throw new FieldError(`todo must be open or done, not ${showValue(text)}`)
}

/** Reads the tables of Pocket's final export: title, url, time_added, tags separated by bars, status. */
export const readPocket: ReadFormat = {
  name: 'pocket',
  extensions: ['csv'],
  allowsDuplicates: false,
  guess: (head) => ['url', 'time_added', 'status'].every((name) => readHeadNames(head).includes(name)),
  read: (chunks) =>
    readTable(chunks, (cells) => {
      const url = cells.get('url') ?? ''
      if (url === '') throw new FieldError('url is missing')
      const added = cells.get('time_added') ?? ''
      const date = readUnixTime(added)
      if (added !== '' && date === undefined) throw new FieldError(`time_added is not a time: ${showValue(added)}`)
      return createTransferThing({
        title: cells.get('title') || url,
        url,
        tags: joinTags((cells.get('tags') ?? '').split('|')),
        date,
        archived: cells.get('status') === 'archive',
      })
    }),
}

/** Writes a table for spreadsheets and other programs (RFC 4180). */
export const writeCsv: WriteFormat = {
  name: 'csv',
  extension: 'csv',
  mediaType: 'text/csv',
  write,
}

async function* write({ things }: TransferContent): AsyncGenerator<string, void, undefined> {
  yield `${[...csvColumns, ...furtherColumns].join(',')}\r\n`
  for await (const thing of things) {
    const cells = toCells(thing)
    const further = new Map(showFurtherFields(thing))
    const row = [...csvColumns.map((name) => cells[name]), ...furtherFields.map((name) => further.get(name))]
    yield `${row.map((cell) => quote(cell ?? '')).join(',')}\r\n`
  }
}

type Cells = Readonly<Record<(typeof csvColumns)[number], string | undefined>>

const toCells = ({ id, title, url, tags, date, html, archived, todoStatus }: TransferThing): Cells => ({
  id,
  title,
  url,
  tags,
  date: date === undefined ? '' : showDate(date),
  html,
  archived: archived ? 'true' : '',
  todo: todoStatus === undefined ? '' : todoStatus ? 'done' : 'open',
})

// A calendar date if it is exact. A time with a fraction, or outside the years 1000 to 9999, stays a number.
const showDate = (date: number): string => {
  const calendar = new Date(date * 1000)
  if (!Number.isInteger(date) || date < firstDate || date > lastDate) return String(date)
  return calendar.toISOString().replace('.000Z', 'Z')
}

const firstDate = Date.UTC(1000, 0) / 1000
const lastDate = Date.UTC(9999, 11, 31) / 1000

const quote = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
