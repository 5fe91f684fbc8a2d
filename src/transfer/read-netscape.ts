import { Parser } from 'htmlparser2'
import { type NetscapeBookmark, readBookmark } from './netscape-fields.ts'
import { cutAtLineEnds } from './text-lines.ts'
import type { ReadFormat, ReadItem, TextChunks } from './transfer.ts'

/** The bookmark files of browsers, linkding, Pinboard, Shiori and Raindrop; folders become tags. */
export const readNetscape: ReadFormat = {
  name: 'netscape',
  label: 'Netscape bookmarks (HTML)',
  extensions: ['html', 'htm'],
  keepsRepetitions: false,
  guess: (head) => /<!doctype netscape-bookmark-file/iu.test(head) || /<dt>\s*<(?:a|h3)\b/iu.test(head),
  read,
}

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  const collector = createCollector()
  const parser = new Parser(collector.handler, {
    decodeEntities: true,
    lowerCaseAttributeNames: true,
    lowerCaseTags: true,
  })
  for await (const pieces of cutAtLineEnds(chunks)) {
    for (const { text, line } of pieces) {
      collector.goTo(line)
      parser.write(text)
    }
    yield* collector.take()
  }
  parser.end()
  yield* collector.take()
}

interface Open {
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  title: string
  note: string
}

/** Where the text goes that comes next. */
type Place = 'nowhere' | 'folder' | 'title' | 'note'

// Folders that every browser has are no word of the person.
const builtIn = ['personal_toolbar_folder', 'unfiled_bookmarks_folder']

function createCollector() {
  let items: ReadItem[] = []
  let line = 1
  let open: Open | undefined
  let place: Place = 'nowhere'
  // A folder's name comes before the DL with what is in it.
  let named = ''
  const folders: string[] = []

  const finish = () => {
    if (open !== undefined) items.push(toItem(open, folders))
    open = undefined
    place = 'nowhere'
  }
  const onopentag = (name: string, attributes: Record<string, string>) => {
    if (name === 'a' && place !== 'note') {
      finish()
      open = { line, attributes, title: '', note: '' }
      place = 'title'
    } else if (name === 'dd') place = open === undefined ? 'nowhere' : 'note'
    else if (name === 'br' && place === 'note' && open !== undefined) open.note += '\n'
    else if (name === 'dt') finish()
    else if (name === 'h3') {
      finish()
      named = ''
      place = builtIn.some((mark) => attributes[mark] !== undefined) ? 'nowhere' : 'folder'
    } else if (name === 'dl') {
      finish()
      folders.push(named)
      named = ''
    }
  }
  const onclosetag = (name: string) => {
    if ((name === 'a' && place === 'title') || (name === 'h3' && place === 'folder')) place = 'nowhere'
    else if (name === 'dl') {
      finish()
      folders.pop()
    }
  }
  const ontext = (text: string) => {
    if (place === 'folder') named += text
    else if (open !== undefined && place === 'title') open.title += text
    else if (open !== undefined && place === 'note') open.note += text
  }
  return {
    handler: { onopentag, onclosetag, ontext, onend: finish },
    goTo: (next: number) => {
      line = next
    },
    take: () => {
      const taken = items
      items = []
      return taken
    },
  }
}

const toItem = ({ line, attributes, title, note }: Open, folders: readonly string[]): ReadItem => {
  const bookmark: NetscapeBookmark = { attributes, title, note, folders }
  return { kind: 'thing', line, thing: readBookmark(bookmark) }
}
