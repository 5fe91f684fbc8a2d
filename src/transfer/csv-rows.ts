import Papa from 'papaparse'
import { cutAtLineEnds } from './text-lines.ts'
import type { TextChunks } from './transfer.ts'

/** A row of a table: its cells by the names in the first row, in lower case. */
export interface CsvRow {
  /** In which it begins. */
  readonly line: number
  readonly cells: ReadonlyMap<string, string>
}

/** Rows of a table with names in its first row (RFC 4180; also between semicolons or tabs), one at a time. */
export async function* readCsvRows(chunks: TextChunks): AsyncGenerator<CsvRow, void, undefined> {
  let names: readonly string[] | undefined
  let delimiter = ','
  for await (const { text, line } of readRecords(chunks)) {
    if (text.trim() === '') continue
    if (names === undefined) {
      delimiter = findDelimiter(text)
      names = readCells(text, delimiter).map((name) => name.trim().toLowerCase())
    } else {
      const cells = readCells(text, delimiter)
      yield { line, cells: new Map(names.map((name, index) => [name, cells[index] ?? ''])) }
    }
  }
}

const findDelimiter = (text: string): string => {
  const counts = [',', ';', '\t'].map((sign) => [sign, text.split(sign).length] as const)
  return counts.reduce((best, each) => (each[1] > best[1] ? each : best))[0]
}

const readCells = (text: string, delimiter: string): readonly string[] =>
  Papa.parse<string[]>(text, { delimiter, newline: '\n' }).data[0] ?? []

/** Texts of whole rows: a line end between quotes is part of a cell. The line end itself is left out. */
async function* readRecords(chunks: TextChunks): AsyncGenerator<{ text: string; line: number }, void, undefined> {
  let held = ''
  let begun = 1
  let isInQuotes = false
  for await (const pieces of cutAtLineEnds(chunks))
    for (const { text, line } of pieces) {
      if (held === '') begun = line
      held += text
      if (countQuotes(text) % 2 === 1) isInQuotes = !isInQuotes
      if (isInQuotes || !text.endsWith('\n')) continue
      yield { text: held.replace(/\r?\n$/u, ''), line: begun }
      held = ''
    }
  if (held !== '') yield { text: held, line: begun }
}

const countQuotes = (text: string): number => {
  let count = 0
  for (let at = text.indexOf('"'); at !== -1; at = text.indexOf('"', at + 1)) count++
  return count
}
