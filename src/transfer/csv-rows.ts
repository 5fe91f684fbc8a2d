import { type CsvRecord, delimiters, readCsvRecords } from './csv-records.ts'
import type { TextChunks } from './transfer.ts'

/** A row of a table, and the line in which it begins. */
export type CsvRow =
  | { readonly kind: 'row'; readonly line: number; readonly cells: CsvCells }
  /** One that could not be read, and why, as a sentence for the person whose file it is. */
  | { readonly kind: 'problem'; readonly line: number; readonly reason: string }

/** The cells of a row by the names in the first row, in lower case. */
export type CsvCells = ReadonlyMap<string, string>

/** Rows of a table with names in its first row (RFC 4180; also between semicolons or tabs), one at a time. */
export async function* readCsvRows(chunks: TextChunks): AsyncGenerator<CsvRow, void, undefined> {
  let head: Head | undefined
  for await (const record of readCsvRecords(chunks)) {
    if (record.kind === 'openQuote') {
      yield { kind: 'problem', line: record.line, reason: 'a quote that begins in this line is never closed' }
      // Without names nothing says what the cells are.
      if (head === undefined) return
    } else if (record.text.trim() === '') continue
    else if (head === undefined) head = readHead(record.text)
    else yield readRow(record, head)
  }
}

interface Head {
  readonly delimiter: string
  readonly names: readonly string[]
}

const readHead = (text: string): Head => {
  const counts = delimiters.map((sign) => [sign, text.split(sign).length] as const)
  const [delimiter] = counts.reduce((best, each) => (each[1] > best[1] ? each : best))
  return { delimiter, names: readCells(text, delimiter).map((name) => name.trim().toLowerCase()) }
}

const readRow = ({ line, text }: CsvRecord & { kind: 'record' }, { delimiter, names }: Head): CsvRow => {
  const cells = readCells(text, delimiter)
  // What a cell too many says would be lost, and it may well have moved all others from under their names.
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    const reason = `the row has ${cells.length} cells and the first row ${names.length} names; a text with the sign between cells in it must stand between quotes`
    return { kind: 'problem', line, reason }
  }
  return { kind: 'row', line, cells: new Map(names.map((name, index) => [name, cells[index] ?? ''])) }
}

/** The cells of a row (RFC 4180). A quote inside a cell that is neither doubled nor its end is text. */
const readCells = (text: string, delimiter: string): readonly string[] => {
  const cells: string[] = []
  for (let at = 0; at <= text.length; ) {
    const quoted = text[at] === '"' ? readQuoted(text, at + 1, delimiter) : undefined
    const found = text.indexOf(delimiter, quoted?.end ?? at)
    const end = found === -1 ? text.length : found
    cells.push(quoted?.cell ?? text.slice(at, end))
    at = end + 1
  }
  return cells
}

/** A cell from behind its first quote, and where the quote ends that closes it; all of the text when there is none. */
const readQuoted = (text: string, begin: number, delimiter: string) => {
  for (let quote = text.indexOf('"', begin); quote !== -1; ) {
    const isDoubled = text[quote + 1] === '"'
    if (!isDoubled && isEnd(text, quote + 1, delimiter))
      return { cell: text.slice(begin, quote).replaceAll('""', '"'), end: quote + 1 }
    quote = text.indexOf('"', quote + (isDoubled ? 2 : 1))
  }
  return { cell: text.slice(begin), end: text.length }
}

/** Whether nothing but white space stands before the next delimiter. */
const isEnd = (text: string, at: number, delimiter: string): boolean => {
  let end = at
  while (text[end] !== delimiter && /\s/u.test(text[end] ?? '')) end++
  return end === text.length || text[end] === delimiter
}
