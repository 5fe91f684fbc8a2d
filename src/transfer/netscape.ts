import { FieldError, readUnixTime } from './fields.ts'
import { readFurtherFields, showFurtherFields } from './further-fields.ts'
import { createElementParser, escapeAttribute, escapeText, readPlainText, toNoteHtml } from './html.ts'
import { maxFolderCharacters, maxFolders } from './limits.ts'
import { renderMarkdown } from './render-markdown.ts'
import { createLineCount } from './text-lines.ts'
import {
  createTransferThing,
  joinTags,
  type ReadFormat,
  type ReadItem,
  splitTags,
  type TextChunks,
  type TransferContent,
  type TransferThing,
  toreadTag,
  type WriteFormat,
} from './transfer.ts'

/** The bookmark files of browsers, linkding, Pinboard, Shiori and Raindrop; folders become tags. */
export const readNetscape: ReadFormat = {
  name: 'netscape',
  extensions: ['html', 'htm'],
  allowsDuplicates: false,
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
type TextTarget = 'nowhere' | 'folder' | 'title' | 'note'

// Folders that every browser has are no word of the person.
const builtIn = ['personal_toolbar_folder', 'unfiled_bookmarks_folder']

/** `findLine` gives the line of what is being read. */
function createCollector(findLine: () => number) {
  let items: ReadItem[] = []
  let open: Open | undefined
  let place: TextTarget = 'nowhere'
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
    if (error instanceof FieldError) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

/** One bookmark of a Netscape file: the attributes of its A, by names in lower case, and the texts. */
interface NetscapeBookmark {
  readonly attributes: Readonly<Record<string, string>>
  readonly title: string
  /** What stands in its DD, decoded. */
  readonly note: string
  /** Names of the folders that it is in, from outside. */
  readonly folders: readonly string[]
}

// Attributes of ours say what those of others cannot: a note's html, a tag with a comma, a date before 1970.
/** The attributes in which thingsync keeps a thing to the letter where the usual ones would not. */
const exactNames = { tags: 'data-tags', date: 'data-date', html: 'data-html', id: 'data-id' } as const

const [notesBegin, notesEnd] = ['[linkding-notes]', '[/linkding-notes]']
const linkdingArchived = 'linkding:bookmarks.archived'

/** The attribute of a further field. */
const furtherName = (name: string): string => `data-${name.toLowerCase()}`

/** The thing that a bookmark is. @throws FieldError */
const readBookmark = ({ attributes, title, note, folders }: NetscapeBookmark): TransferThing => {
  if (folders.length > maxFolders)
    throw new FieldError(`the bookmark is in more than ${maxFolders} folders inside one another`)
  if (folders.reduce((sum, name) => sum + name.length, 0) > maxFolderCharacters)
    throw new FieldError(`the names of the folders of the bookmark are longer than ${maxFolderCharacters} characters`)
  const names = (attributes.tags ?? '').split(',').map((name) => name.trim())
  const isMarked = names.includes(linkdingArchived)
  const tags = joinTags([
    ...folders,
    ...names.filter((name) => name !== linkdingArchived),
    ...(attributes.toread === '1' ? [toreadTag] : []),
  ])
  const exactDate = attributes[exactNames.date]
  return createTransferThing({
    // By its address a thing is known again.
    id: attributes.href ? undefined : attributes[exactNames.id],
    title,
    tags: attributes[exactNames.tags] ?? tags,
    date: exactDate === undefined ? readUnixTime(attributes.add_date) : Number(exactDate),
    url: attributes.href,
    html: attributes[exactNames.html] ?? readNote(note),
    archived: isMarked || attributes.archived === '1',
    todoStatus: attributes.todo === undefined ? undefined : attributes.todo === '1',
    ...readFurtherFields((name) => attributes[furtherName(name)]),
  })
}

// The notes of linkding are Markdown, its descriptions are not.
const readNote = (note: string): string => {
  const begin = note.indexOf(notesBegin)
  const end = note.indexOf(notesEnd, begin + notesBegin.length)
  if (begin === -1 || end === -1) return toNoteHtml(note)
  const rest = note.slice(0, begin).trimEnd() + note.slice(end + notesEnd.length).trimStart()
  return toNoteHtml(rest) + renderMarkdown(note.slice(begin + notesBegin.length, end))
}

// What a Netscape file is made of. All else that looks like a tag is a person's text: Shiori and buku do not escape it, and
// a parser takes what follows a <script>, a <style> or a <title>, to the end of the file, for what is in it.
const strayTag = /<(?!\/?(?:a|dl|dt|dd|h3|p|br|hr)\b|!)/giu

// The longest that decides: a closing tag of two letters and what follows it.
const maxTagCharacters = '</dl>'.length

/** The text of a Netscape file, where tags that are no part of its form are text. */
export async function* escapeStrayTags(chunks: TextChunks): TextChunks {
  let held = ''
  for await (const chunk of chunks) {
    const text = held + chunk
    const last = text.lastIndexOf('<')
    const end = last === -1 || text.length - last >= maxTagCharacters ? text.length : last
    held = text.slice(end)
    yield text.slice(0, end).replace(strayTag, '&lt;')
  }
  yield held.replace(strayTag, '&lt;')
}

/** Bookmarks that browsers and bookmark programs take, and that thingsync reads back to the letter. */
export const writeNetscape: WriteFormat = {
  name: 'netscape',
  extension: 'html',
  mediaType: 'text/html',
  write,
}

const head = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks</H1>
<DL><p>
`

async function* write({ things }: TransferContent): AsyncGenerator<string, void, undefined> {
  yield head
  for await (const thing of things) yield writeBookmark(thing)
  yield '</DL><p>\n'
}

/** What would be read of it; undefined when its note could not be. */
const readBack = (bookmark: NetscapeBookmark): TransferThing | undefined => {
  try {
    return readBookmark(bookmark)
  } catch (error) {
    if (error instanceof FieldError) return undefined
    throw error
  }
}

function writeBookmark(thing: TransferThing): string {
  const usual = new Map<string, string>()
  // Without an address other programs leave it out, and do not make a broken bookmark of it.
  if (thing.url !== undefined) usual.set('href', thing.url)
  // Whoever reads it back knows by the id that it is there.
  else if (thing.id !== undefined) usual.set(exactNames.id, thing.id)
  if (thing.date !== undefined) usual.set('add_date', String(Math.floor(thing.date)))
  if (thing.tags !== '') usual.set('tags', splitTags(thing.tags).join(','))
  if (thing.archived) usual.set('archived', '1')
  if (thing.todoStatus !== undefined) usual.set('todo', thing.todoStatus ? '1' : '0')
  for (const [name, value] of showFurtherFields(thing)) usual.set(furtherName(name), value)
  const note = thing.html === undefined ? '' : readPlainText(thing.html)

  const read = readBack({ attributes: Object.fromEntries(usual), title: thing.title, note, folders: [] })
  if (read?.tags !== thing.tags) usual.set(exactNames.tags, thing.tags)
  if (thing.date !== undefined && read?.date !== thing.date) usual.set(exactNames.date, String(thing.date))
  if (thing.html !== undefined && read?.html !== thing.html) usual.set(exactNames.html, thing.html)

  const attributes = [...usual].map(([name, value]) => ` ${name.toUpperCase()}="${escapeAttribute(value)}"`)
  const line = `<DT><A${attributes.join('')}>${escapeText(thing.title)}</A>\n`
  return note === '' ? line : `${line}<DD>${escapeText(note)}\n`
}
