import { createElementParser } from './element-parser.ts'
import { FieldWrong } from './fields.ts'
import { maxFolders } from './limits.ts'
import { type NetscapeBookmark, readBookmark } from './netscape-fields.ts'
import { escapeStrayTags } from './stray-tags.ts'
import { createLineCount } from './text-lines.ts'
import type { ReadFormat, ReadItem, TextChunks } from './transfer.ts'

/** The bookmark files of browsers, linkding, Pinboard, Shiori and Raindrop; folders become tags. */
export const readNetscape: ReadFormat = {
  name: 'netscape',
  extensions: ['html', 'htm'],
  keepsRepetitions: false,
  guess: (head) => /<!doctype netscape-bookmark-file/iu.test(head) || /<dt>\s*<(?:a|h3)\b/iu.test(head),
  read,
}

// A folder is a DL in a DT, perhaps with a P; one more is enough to be told of.
const elementsPerFolder = 4

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  const lines = createLineCount()
  const collector = createCollector(() => lines.at(parser.endIndex))
  const parser = createElementParser(
    collector.handler,
    {
      decodeEntities: true,
      lowerCaseAttributeNames: true,
      lowerCaseTags: true,
    },
    elementsPerFolder * maxFolders,
  )
  let isBegin = true
  for await (const chunk of escapeStrayTags(chunks)) {
    if (chunk === '') continue
    const text = isBegin && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk
    isBegin = false
    lines.goOn(text)
    parser.write(text)
    yield* collector.take()
  }
  parser.end()
  yield* collector.take()
}

interface Open {
  readonly line: number
  readonly attributes: Readonly<Record<string, string>>
  title: string
  /** True when white space with a line end in it ends the title. */
  endsLine: boolean
  note: string
}

/** Where the text goes that comes next. */
type Place = 'nowhere' | 'folder' | 'title' | 'note'

// Folders that every browser has are no word of the person.
const builtIn = ['personal_toolbar_folder', 'unfiled_bookmarks_folder']

/** `findLine` gives the line of what is being read. */
function createCollector(findLine: () => number) {
  let items: ReadItem[] = []
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
  // Text of a person that was not escaped: a title ends with its A, unless that was forgotten, and then with its line.
  const isInTitle = () => place === 'title' && open?.endsLine === false
  const onopentag = (name: string, attributes: Record<string, string>) => {
    if (open !== undefined && isInTitle() && attributes.href === undefined) addToTitle(open, `<${name}>`)
    else if (name === 'a' && place !== 'note') {
      finish()
      open = { line: findLine(), attributes, title: '', endsLine: false, note: '' }
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
  const onclosetag = (name: string, isImplied: boolean) => {
    // What a title seems to open ends with it, and an A in it does not end the one that it stands in.
    if (isImplied && isInTitle()) return
    if ((name === 'a' && place === 'title') || (name === 'h3' && place === 'folder')) place = 'nowhere'
    else if (name === 'dl') {
      finish()
      folders.pop()
    }
  }
  const ontext = (text: string) => {
    if (place === 'folder') named += text
    else if (open !== undefined && place === 'title') addToTitle(open, text)
    else if (open !== undefined && place === 'note') open.note += text
  }
  return {
    handler: { onopentag, onclosetag, ontext, onend: finish },
    take: () => {
      const taken = items
      items = []
      return taken
    },
  }
}

const addToTitle = (open: Open, text: string): void => {
  open.title += text
  const end = text.trimEnd().length
  open.endsLine = (end === 0 && open.endsLine) || text.includes('\n', end)
}

const toItem = ({ line, attributes, title, note }: Open, folders: readonly string[]): ReadItem => {
  const bookmark: NetscapeBookmark = { attributes, title, note, folders }
  try {
    return { kind: 'thing', line, thing: readBookmark(bookmark) }
  } catch (error) {
    if (error instanceof FieldWrong) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}
