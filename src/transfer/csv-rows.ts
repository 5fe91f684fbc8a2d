import { maxTableRepetitions } from './limits.ts'
import { cutAtLineEnds, type LinePiece } from './text-lines.ts'
import type { TextChunks } from './transfer.ts'

/** A row of a table, with the line in which it begins. */
type CsvRow =
  | { readonly kind: 'row'; readonly line: number; readonly cells: CsvCells }
  /** A row that could not be read. The reason is a sentence for the user. */
  | { readonly kind: 'problem'; readonly line: number; readonly reason: string }

/** The cells of a row by their column names in lower case. */
export type CsvCells = ReadonlyMap<string, string>

/** Reads the rows of a table with names in its first row (RFC 4180; also separated by semicolons or tabs). */
export async function* readCsvRows(chunks: TextChunks): AsyncGenerator<CsvRow, void, undefined> {
  let head: Head | undefined
  for await (const record of readCsvRecords(chunks)) {
    if (record.kind === 'openQuote') {
      yield { kind: 'problem', line: record.line, reason: 'a quote that begins in this line is never closed' }
      // Without column names the cells have no meaning.
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
  const counts = delimiters.map((candidate) => [candidate, text.split(candidate).length] as const)
  const [delimiter] = counts.reduce((best, count) => (count[1] > best[1] ? count : best))
  return { delimiter, names: readCells(text, delimiter).map((name) => name.trim().toLowerCase()) }
}

const readRow = ({ line, text }: CsvRecord & { kind: 'record' }, { delimiter, names }: Head): CsvRow => {
  const cells = readCells(text, delimiter)
  // An additional cell would be lost, and it has probably moved all other cells to wrong columns.
  if (cells.slice(names.length).some((cell) => cell.trim() !== '')) {
    const reason = `the row has ${cells.length} cells, but the first row has ${names.length} names; put double quotes around a text that contains the separator`
    return { kind: 'problem', line, reason }
  }
  return { kind: 'row', line, cells: new Map(names.map((name, index) => [name, cells[index] ?? ''])) }
}

/** Splits a row into its cells (RFC 4180). A quote inside a cell that is neither doubled nor at its end is text. */
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

/** Reads a quoted cell after its first quote. Returns it with the end of its closing quote, or all text without one. */
const readQuoted = (text: string, begin: number, delimiter: string) => {
  for (let quote = text.indexOf('"', begin); quote !== -1; ) {
    const isDoubled = text[quote + 1] === '"'
    if (!isDoubled && isEnd(text, quote + 1, delimiter))
      return { cell: text.slice(begin, quote).replaceAll('""', '"'), end: quote + 1 }
    quote = text.indexOf('"', quote + (isDoubled ? 2 : 1))
  }
  return { cell: text.slice(begin), end: text.length }
}

/** True if there is only white space before the next delimiter. */
const isEnd = (text: string, at: number, delimiter: string): boolean => {
  let end = at
  while (text[end] !== delimiter && /\s/u.test(text[end] ?? '')) end++
  return end === text.length || text[end] === delimiter
}

/** The text of a row without its line end, or an unclosed quote, each with the line in which it begins. */
type CsvRecord =
  | { readonly kind: 'record'; readonly line: number; readonly text: string }
  | { readonly kind: 'openQuote'; readonly line: number }

/** The separators of cells. */
const delimiters = [',', ';', '\t'] as const

// The size limit of a request: no thing is longer, and an unclosed quote must not fill the memory.
const maxRecordLength = 32 * 1024 * 1024
// A small file may be read again for each of its lines.
const minRepeatedCharacters = 1_000_000
// Short lines need more memory than their characters.
const maxRecordLines = 300_000

/**
 * Splits a table into rows. A row continues in the next line if its line end is between quotes. After an unclosed quote
 * the next line is the next row.
 */
async function* readCsvRecords(chunks: TextChunks): AsyncGenerator<CsvRecord, void, undefined> {
  const collector = createCollector()
  let begin = ''
  let last = 1
  for await (const pieces of cutAtLineEnds(chunks)) {
    for (const { text, line } of pieces) {
      last = line
      begin += text
      if (!text.endsWith('\n')) continue
      collector.add({ text: begin, line })
      begin = ''
    }
    yield* collector.take()
  }
  if (begin !== '') collector.add({ text: begin, line: last })
  collector.end()
  yield* collector.take()
}

const createCollector = () => {
  let records: CsvRecord[] = []
  let held: LinePiece[] = []
  let length = 0
  let openedIn: number | undefined
  // After each unclosed quote the lines since then are read again.
  let added = 0
  let repeated = 0

  /** Returns true if a quote is certainly unclosed: another quote is at the start of a cell. */
  const scan = ({ text, line }: LinePiece): boolean => {
    let at = 0
    for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', at)) {
      const beginsCell = quote === 0 || isDelimiter(text[quote - 1])
      at = quote + 1
      if (openedIn === undefined) {
        if (beginsCell) openedIn = line
      } else if (text[at] === '"') at++
      else if (isCellEnd(text, at)) openedIn = undefined
      else if (beginsCell) return true
    }
    return false
  }
  const takeHeld = (): readonly LinePiece[] => {
    const lines = held
    held = []
    length = 0
    openedIn = undefined
    return lines
  }
  /** Reports an unclosed quote. Returns the lines that must be read again. */
  const reportOpenQuote = (line: number): readonly LinePiece[] => {
    records.push({ kind: 'openQuote', line })
    const again = takeHeld().filter((piece) => piece.line > line)
    for (const { text } of again) repeated += text.length
    return again
  }
  const finish = (): readonly LinePiece[] => {
    const lines = takeHeld()
    const text = lines.map((piece) => piece.text).join('')
    records.push({ kind: 'record', line: lines[0]?.line ?? 0, text: text.replace(/\r?\n$/u, '') })
    return []
  }
  const addOne = (line: LinePiece): readonly LinePiece[] => {
    held.push(line)
    length += line.text.length
    const isWrong = scan(line)
    if (openedIn === undefined) return finish()
    const isTooLong = length > maxRecordLength || held.length > maxRecordLines
    const isTooOften = repeated > minRepeatedCharacters + maxTableRepetitions * added
    return isWrong || isTooLong || isTooOften ? reportOpenQuote(openedIn) : []
  }
  const add = (line: LinePiece) => {
    added += line.text.length
    addLines([line])
  }
  const addLines = (lines: readonly LinePiece[]) => {
    const waiting = lines.toReversed()
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const again of addOne(next).toReversed()) waiting.push(again)
    }
  }
  return {
    add,
    end: () => {
      while (openedIn !== undefined) addLines(reportOpenQuote(openedIn))
    },
    take: () => {
      const taken = records
      records = []
      return taken
    },
  }
}

const isDelimiter = (sign: string | undefined): boolean => delimiters.some((delimiter) => delimiter === sign)

const cellEnd = /[ ]*(?:[,;\t]|\r?\n|$)/uy

const isCellEnd = (text: string, at: number): boolean => {
  cellEnd.lastIndex = at
  return cellEnd.test(text)
}
