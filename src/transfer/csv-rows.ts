import { maxTableRepetitions } from './limits.ts'
import { cutAtLineEnds, type LinePiece } from './text-lines.ts'
import type { TextChunks } from './transfer.ts'

/** A row of a table, and the line in which it begins. */
type CsvRow =
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

/** The text of a row without its line end, or a quote that is never closed, each with the line in which it begins. */
type CsvRecord =
  | { readonly kind: 'record'; readonly line: number; readonly text: string }
  | { readonly kind: 'openQuote'; readonly line: number }

/** Signs that stand between cells. */
const delimiters = [',', ';', '\t'] as const

// As much as a request may have: no thing is longer, and a quote that is never closed must not fill the memory.
const maxRecordLength = 32 * 1024 * 1024
// A small file is read again as often as it has lines.
const minAgain = 1_000_000
// Short lines take more room than their characters.
const maxRecordLines = 300_000

/**
 * Rows of a table, which go on in the next line where its end stands between quotes. After a quote that is never closed the
 * next line is the next row.
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
  // Each quote that is never closed has the rest of the file read again.
  let added = 0
  let addedAgain = 0

  /** True when a quote must have been left open: another one stands where a cell begins. */
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
  const letGo = (): readonly LinePiece[] => {
    const lines = held
    held = []
    length = 0
    openedIn = undefined
    return lines
  }
  /** Gives the lines that are to be read again. */
  const giveUp = (line: number): readonly LinePiece[] => {
    records.push({ kind: 'openQuote', line })
    const again = letGo().filter((one) => one.line > line)
    for (const { text } of again) addedAgain += text.length
    return again
  }
  const finish = (): readonly LinePiece[] => {
    const lines = letGo()
    const text = lines.map((one) => one.text).join('')
    records.push({ kind: 'record', line: lines[0]?.line ?? 0, text: text.replace(/\r?\n$/u, '') })
    return []
  }
  const addOne = (line: LinePiece): readonly LinePiece[] => {
    held.push(line)
    length += line.text.length
    const isWrong = scan(line)
    if (openedIn === undefined) return finish()
    const isTooLong = length > maxRecordLength || held.length > maxRecordLines
    const isTooOften = addedAgain > minAgain + maxTableRepetitions * added
    return isWrong || isTooLong || isTooOften ? giveUp(openedIn) : []
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
      while (openedIn !== undefined) addLines(giveUp(openedIn))
    },
    take: () => {
      const taken = records
      records = []
      return taken
    },
  }
}

const isDelimiter = (sign: string | undefined): boolean => delimiters.some((one) => one === sign)

const cellEnd = /[ ]*(?:[,;\t]|\r?\n|$)/uy

const isCellEnd = (text: string, at: number): boolean => {
  cellEnd.lastIndex = at
  return cellEnd.test(text)
}
