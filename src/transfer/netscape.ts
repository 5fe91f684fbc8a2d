import { FieldError, readFurtherFields, readUnixTime, showFurtherFields } from './fields.ts'
import { createElementParser, readPlainText } from './html.ts'
import { maxFolderCharacters, maxFolders } from './limits.ts'
import { escapeAttribute, escapeText, toNoteHtml } from './note-html.ts'
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

/** Reads the bookmark files of browsers, linkding, Pinboard, Shiori and Raindrop. Folders become tags. */
export const readNetscape: ReadFormat = {
  name: 'netscape',
  extensions: ['html', 'htm'],
  allowsDuplicates: false,
  guess: (head) => /<!doctype netscape-bookmark-file/iu.test(head) || /<dt>\s*<(?:a|h3)\b/iu.test(head),
  read,
}

// A folder is a DL in a DT, perhaps with a P. One more lets the reader notice a folder beyond the limit.
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
    lines.addChunk(text)
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
  /** True if the title ends with white space that contains a line end. */
  endsLine: boolean
  note: string
}

/** The target of the next text. */
type TextTarget = 'nowhere' | 'folder' | 'title' | 'note'

// Browsers create these folders; the user did not choose their names.
const builtIn = ['personal_toolbar_folder', 'unfiled_bookmarks_folder']

/** Creates the handler of the parser. `findLine` returns the current line. */
function createCollector(findLine: () => number) {
  let items: ReadItem[] = []
  let open: Open | undefined
  let target: TextTarget = 'nowhere'
  // A folder's name comes before the DL with what is in it.
  let named = ''
  const folders: string[] = []

  const finish = () => {
    if (open !== undefined) items.push(toItem(open, folders))
    open = undefined
    target = 'nowhere'
  }
  // Titles may contain unescaped text. A title ends with its A element, or with its line if the A is not closed.
  const isInTitle = () => target === 'title' && open?.endsLine === false
  const onopentag = (name: string, attributes: Record<string, string>) => {
    if (open !== undefined && isInTitle() && attributes.href === undefined) addToTitle(open, `<${name}>`)
    else if (name === 'a' && target !== 'note') {
      finish()
      open = { line: findLine(), attributes, title: '', endsLine: false, note: '' }
      target = 'title'
    } else if (name === 'dd') target = open === undefined ? 'nowhere' : 'note'
    else if (name === 'br' && target === 'note' && open !== undefined) open.note += '\n'
    else if (name === 'dt') finish()
    else if (name === 'h3') {
      finish()
      named = ''
      target = builtIn.some((mark) => attributes[mark] !== undefined) ? 'nowhere' : 'folder'
    } else if (name === 'dl') {
      finish()
      folders.push(named)
      named = ''
    }
  }
  const onclosetag = (name: string, isImplied: boolean) => {
    // Elements that a title seems to open end with it, and an A inside the title does not end the title's own A.
    if (isImplied && isInTitle()) return
    if ((name === 'a' && target === 'title') || (name === 'h3' && target === 'folder')) target = 'nowhere'
    else if (name === 'dl') {
      finish()
      folders.pop()
    }
  }
  const ontext = (text: string) => {
    if (target === 'folder') named += text
    else if (open !== undefined && target === 'title') addToTitle(open, text)
    else if (open !== undefined && target === 'note') open.note += text
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

/** A bookmark of a Netscape file: the attributes of its A element, by names in lower case, and the texts. */
interface NetscapeBookmark {
  readonly attributes: Readonly<Record<string, string>>
  readonly title: string
  /** The decoded text of its DD element. */
  readonly note: string
  /** The names of its folders, the outermost first. */
  readonly folders: readonly string[]
}

// The usual attributes cannot express all values: a note's html, a tag with a comma, a date before 1970.
/** The attributes for exact values that the usual attributes cannot express. */
const exactNames = { tags: 'data-tags', date: 'data-date', html: 'data-html', id: 'data-id' } as const

const [notesBegin, notesEnd] = ['[linkding-notes]', '[/linkding-notes]']
const linkdingArchived = 'linkding:bookmarks.archived'

/** Returns the attribute of a further field. */
const furtherName = (name: string): string => `data-${name.toLowerCase()}`

/** Converts a bookmark to a thing. @throws FieldError if it is invalid */
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
    // A URL identifies a thing; only a thing without one needs its id.
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

// A Netscape file consists of these tags. All else that looks like a tag is text of the user, which Shiori and buku do
// not escape. A parser would read everything after a <script>, <style> or <title>, to the end of the file, as its
// content.
const strayTag = /<(?!\/?(?:a|dl|dt|dd|h3|p|br|hr)\b|!)/giu

// The pattern needs at most this: a closing tag of two letters and the character after it.
const maxTagCharacters = '</dl>'.length

/** Escapes the tags in a Netscape file that are not part of its format. */
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

/** Writes bookmarks that browsers and bookmark programs can import. thingsync reads them back without loss. */
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

/** Reads a bookmark as an import would. Undefined if the import would fail. */
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
  // A bookmark without HREF: other programs leave it out and do not create a broken bookmark.
  if (thing.url !== undefined) usual.set('href', thing.url)
  // The id identifies the thing when the file is imported again.
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
