import type { TextChunks } from './transfer.ts'

/** A piece of a text: up to the end of a line, with its line feed, or up to the end of a chunk. */
export interface LinePiece {
  readonly text: string
  /** Counted from 1. */
  readonly line: number
}

/** Splits chunks at line ends and removes the byte order mark. A long line is several pieces, which saves memory. */
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

/** Joins chunks to complete lines without their line ends (LF or CR LF). */
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

/** Finds the lines of offsets in a text that comes in chunks. The offsets must not decrease. */
export interface LineCount {
  /** Adds the next chunk. The following offsets are in it. */
  readonly addChunk: (chunk: string) => void
  /** Returns the line (from 1) of a character (from 0, counted from the start of the text). */
  readonly at: (offset: number) => number
}

/** Creates the line count of an empty text. */
export const createLineCount = (): LineCount => {
  let chunk = ''
  let begin = 0
  let line = 1
  // The first line end that is not counted yet.
  let next = -1
  const countTo = (end: number): void => {
    for (; next !== -1 && next < end; next = chunk.indexOf('\n', next + 1)) line++
  }
  return {
    addChunk: (nextChunk) => {
      countTo(chunk.length)
      begin += chunk.length
      chunk = nextChunk
      next = chunk.indexOf('\n')
    },
    at: (offset) => {
      countTo(offset - begin)
      return line
    },
  }
}
