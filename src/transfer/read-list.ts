import { makeThing } from './make-thing.ts'
import { readMarkdownLink } from './markdown-link.ts'
import { joinTags } from './tag-text.ts'
import { joinWholeLines } from './text-lines.ts'
import type { ReadFormat, ReadItem, TextChunks } from './transfer.ts'

const address = /(?:https?|ftp):\/\/\S+/iu

/** Lines with an address each, beside it perhaps a title, also as links of Markdown; what begins with # is left out. */
export const readList: ReadFormat = {
  name: 'list',
  extensions: ['txt'],
  keepsRepetitions: false,
  guess: (head) => address.test(head.split('\n').find((line) => line.trim() !== '' && !line.startsWith('#')) ?? ''),
  read,
}

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  for await (const { text, line } of joinWholeLines(chunks)) {
    const trimmed = text.trim()
    if (trimmed === '' || trimmed.startsWith('#')) continue
    const link = readMarkdownLink(trimmed)
    const url = link?.url ?? address.exec(trimmed)?.[0]
    if (url === undefined) yield { kind: 'problem', line, reason: 'there is no address (http or https) in this line' }
    else {
      const title = link?.title ?? trimTitle(trimmed.replace(url, () => ' '))
      yield { kind: 'thing', line, thing: makeThing({ title: title || url, url, tags: joinTags(link?.tags ?? []) }) }
    }
  }
}

// What stands between an address and its title. A star at the end may be a word of the title.
const trimTitle = (text: string): string => {
  let begin = 0
  while (begin < text.length && /[\s|,;*-]/u.test(text[begin] ?? '')) begin++
  let end = text.length
  while (end > begin && /[\s|,;-]/u.test(text[end - 1] ?? '')) end--
  return text.slice(begin, end)
}
