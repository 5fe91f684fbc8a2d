import type { TextChunks } from './transfer.ts'

/** A piece of a text: to the end of a line, with its line feed, or to the end of a chunk. */
export interface LinePiece {
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/** Cuts chunks at line ends, without the byte order mark; a long line comes in several pieces, so little is held. */
export async function* cutAtLineEnds(chunks: TextChunks): AsyncGenerator<readonly LinePiece[], void, undefined> {
  let line = 1
  let isBegin = true
  for await (const chunk of chunks) {
    if (chunk === '') continue
    const text = isBegin && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk
    isBegin = false
    const pieces: LinePiece[] = []
    for (let at = 0; at < text.length; ) {
      const end = text.indexOf('\n', at) + 1
      pieces.push({ text: text.slice(at, end || undefined), line })
      if (end === 0) break
      line++
      at = end
    }
    yield pieces
  }
}

/** Whole lines without their line ends, LF or CR LF, one at a time. */
export async function* joinWholeLines(chunks: TextChunks): AsyncGenerator<LinePiece, void, undefined> {
  let held = ''
  let last = 1
  for await (const pieces of cutAtLineEnds(chunks))
    for (const { text, line } of pieces) {
      last = line
      if (text.endsWith('\n')) {
        yield { text: (held + text).replace(/\r?\n$/u, ''), line }
        held = ''
      } else held += text
    }
  if (held !== '') yield { text: held, line: last }
}

/** Tells lines of a text that comes in chunks; of places that only go on. */
export interface LineCount {
  /** The next chunk; places are in it from now on. */
  readonly goOn: (chunk: string) => void
  /** The line, counted from 1, of a character, counted from 0 from the begin of the text. */
  readonly at: (place: number) => number
}

/** The line count of a text of which nothing is there yet. */
export const createLineCount = (): LineCount => {
  let chunk = ''
  let begin = 0
  let line = 1
  // The first line end that is not counted.
  let next = -1
  const countTo = (end: number): void => {
    for (; next !== -1 && next < end; next = chunk.indexOf('\n', next + 1)) line++
  }
  return {
    goOn: (following) => {
      countTo(chunk.length)
      begin += chunk.length
      chunk = following
      next = chunk.indexOf('\n')
    },
    at: (place) => {
      countTo(place - begin)
      return line
    },
  }
}
