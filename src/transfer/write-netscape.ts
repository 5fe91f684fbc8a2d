import { FieldWrong } from './fields.ts'
import { showFurtherFields } from './further-fields.ts'
import { exactNames, furtherName, type NetscapeBookmark, readBookmark } from './netscape-fields.ts'
import { escapeAttribute, escapeText } from './note-text.ts'
import { readPlainText } from './plain-text.ts'
import { splitTags } from './tag-text.ts'
import type { TransferContent, TransferThing, WriteFormat } from './transfer.ts'

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
    if (error instanceof FieldWrong) return undefined
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
