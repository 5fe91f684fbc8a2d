import { maxTableRepetitions } from './limits.ts'
import { cutAtLineEnds, type LinePiece } from './text-lines.ts'
import type { TextChunks } from './transfer.ts'

/** The text of a row without its line end, or a quote that is never closed, each with the line in which it begins. */
export type CsvRecord =
  | { readonly kind: 'record'; readonly line: number; readonly text: string }
  | { readonly kind: 'openQuote'; readonly line: number }

/** Signs that stand between cells. */
export const delimiters = [',', ';', '\t'] as const

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
export async function* readCsvRecords(chunks: TextChunks): AsyncGenerator<CsvRecord, void, undefined> {
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
