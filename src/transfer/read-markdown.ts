import { FieldWrong } from './fields.ts'
import { readMarkdownNote } from './markdown-note.ts'
import { cutAtLineEnds } from './text-lines.ts'
import type { ReadFormat, ReadItem, TextChunks } from './transfer.ts'

/** One Markdown note, or all that thingsync has written behind each other. A folder has one in each file. */
export const readMarkdown: ReadFormat = {
  name: 'markdown',
  extensions: ['md', 'markdown'],
  keepsRepetitions: false,
  guess: (head, fileName) => /\.(?:md|markdown)$/u.test(fileName) || head.startsWith('---\n'),
  read,
}

/** The line behind the three hyphens that begin each note of ours. */
export const ourMark = 'thingsync: 1'

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  // The lines of the note so far; the last one may be the hyphens of the next note.
  let lines: string[] = []
  let begun = 1
  let part = ''
  for await (const pieces of cutAtLineEnds(chunks))
    for (const { text, line } of pieces) {
      part += text
      if (!text.endsWith('\n')) continue
      if (lines.length > 1 && lines.at(-1) === '---\n' && part === `${ourMark}\n`) {
        yield readItem(lines.slice(0, -1).join(''), begun)
        lines = ['---\n']
        begun = line - 1
      }
      lines.push(part)
      part = ''
    }
  const last = lines.join('') + part
  if (last.trim() !== '') yield readItem(last, begun)
}

const readItem = (text: string, line: number): ReadItem => {
  try {
    return { kind: 'thing', line, thing: readMarkdownNote(text, '') }
  } catch (error) {
    if (error instanceof FieldWrong) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}
