import { csvColumns, furtherColumns } from './csv-format.ts'
import { furtherFields, showFurtherFields } from './further-fields.ts'
import type { TransferContent, TransferThing, WriteFormat } from './transfer.ts'

/** A table for spreadsheets and other programs (RFC 4180). */
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

// What a calendar says where it says the same; a fraction or a far year stays a number.
const showDate = (date: number): string => {
  const calendar = new Date(date * 1000)
  if (!Number.isInteger(date) || date < firstDate || date > lastDate) return String(date)
  return calendar.toISOString().replace('.000Z', 'Z')
}

const firstDate = Date.UTC(1000, 0) / 1000
const lastDate = Date.UTC(9999, 11, 31) / 1000

const quote = (cell: string): string => (/[",;\t\r\n]|^\s|\s$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
