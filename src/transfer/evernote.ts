import { Parser } from 'htmlparser2'
import { openElements, sanitizeHtml } from './html.ts'
import { maxExportDepth } from './limits.ts'
import { escapeText } from './note-html.ts'
import { createLineCount } from './text-lines.ts'
import {
  createTransferThing,
  joinTags,
  type ReadFormat,
  type ReadItem,
  type TextChunks,
  type TransferThing,
} from './transfer.ts'

/**
 * Reads Evernote exports (evernote-export4.dtd, enml2.dtd): notes, their to-dos and tasks. Reports left-out
 * attachments.
 */
export const readEnex: ReadFormat = {
  name: 'enex',
  extensions: ['enex'],
  allowsDuplicates: true,
  guess: (head) => /<en-export\b/iu.test(head),
  read,
}

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  const lines = createLineCount()
  const collector = createCollector(
    () => lines.at(parser.endIndex),
    () => openElements(parser),
  )
  const parser = new Parser(collector.handler, { xmlMode: true })
  let characters = 0
  for await (const chunk of chunks) {
    characters += chunk.length
    lines.addChunk(chunk)
    parser.write(chunk)
    yield* collector.take()
  }
  yield* collector.end(lines.at(characters - 1))
}

// The elements of a note that are read. Attachments (data) can be huge and are never held in memory.
const wanted = new Set([
  'title',
  'content',
  'created',
  'tag',
  'source-url',
  'reminder-time',
  'reminder-done-time',
  'taskstatus',
])
// The elements that name an attachment; the name comes after the type.
const named = new Set(['mime', 'file-name'])

/** `findLine` returns the current line; `listOpen` returns the open elements of the parser, the innermost first. */
function createCollector(findLine: () => number, listOpen: () => string[]) {
  let items: ReadItem[] = []
  let begun = 1
  let isTooDeep = false
  let note: EvernoteNote | undefined
  let path: string[] = []
  let text = ''

  const finish = (current: EvernoteNote) => {
    items.push({ kind: 'thing', line: begun, thing: readNote(current) })
    if (current.attachments.length > 0)
      items.push({ kind: 'remark', line: begun, reason: describeAttachments(current) })
  }
  const addProblem = (line: number, reason: string) => items.push({ kind: 'problem', line, reason })
  /** Notes are not nested: if a note starts, elements that are still open were never closed. */
  const closeOpenElements = (given: string) => {
    if (note !== undefined) addProblem(begun, 'the note that begins here is never closed, and was not read')
    isTooDeep = false
    path = path.slice(0, 1).filter((name) => name !== 'note')
    const open = listOpen()
    const outer = open.slice(-1).filter((name) => name.toLowerCase() !== 'note')
    open.splice(0, open.length, given, ...outer)
  }
  const onopentag = (given: string) => {
    const name = given.toLowerCase()
    if (name === 'note') closeOpenElements(given)
    if (path.length === maxExportDepth) {
      listOpen().shift()
      if (!isTooDeep) addProblem(findLine(), `more than ${maxExportDepth} elements inside one another were not read`)
      isTooDeep = true
      return
    }
    path.push(name)
    text = ''
    if (name === 'note') {
      begun = findLine()
      note = { fields: new Map(), tags: [], tasks: [], attachments: [] }
    } else if (name === 'resource' && note !== undefined) note.attachments.push('without a name')
    else if (name === 'task' && note !== undefined) note.tasks.push({ title: '', isDone: false })
  }
  const onclosetag = (given: string) => {
    const name = given.toLowerCase()
    const task = path.includes('task') ? note?.tasks.at(-1) : undefined
    path = path.slice(0, Math.max(path.lastIndexOf(name), 0))
    if (note === undefined) return
    if (name === 'note') {
      finish(note)
      note = undefined
    } else if (task !== undefined) {
      if (name === 'title') task.title = text
      if (name === 'taskstatus') task.isDone = text === 'completed'
    } else if (path.includes('resource')) {
      if (named.has(name) && text !== '') note.attachments[note.attachments.length - 1] = text
    } else if (name === 'tag') note.tags.push(text)
    else if (wanted.has(name)) note.fields.set(name, text)
    text = ''
  }
  const ontext = (piece: string) => {
    if ((path.includes('resource') ? named : wanted).has(path.at(-1) ?? '')) text += piece
  }
  return {
    handler: { onopentag, onclosetag, ontext },
    take: () => {
      const taken = items
      items = []
      return taken
    },
    /** Reports a truncated file. The parser's own `end` would close unclosed elements as if they were complete. */
    end: (line: number): ReadItem[] =>
      path.length === 0 ? [] : [{ kind: 'problem', line, reason: 'the file is cut off; the rest is missing' }],
  }
}

const shownCharacters = 200
const shownAttachments = 20

const describeAttachments = ({ attachments, fields }: EvernoteNote): string => {
  const title = JSON.stringify((fields.get('title') ?? '').slice(0, shownCharacters))
  const names = attachments.slice(0, shownAttachments).map((name) => name.slice(0, shownCharacters))
  const more = attachments.length - names.length
  return `the note ${title} was read without its attachments, which cannot be kept: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** A note of an export. */
interface EvernoteNote {
  /** The texts of its elements, by their names in lower case. */
  readonly fields: Map<string, string>
  readonly tags: string[]
  readonly tasks: { title: string; isDone: boolean }[]
  /** File names, or media types of files without a name. */
  readonly attachments: string[]
}

/** Converts a note to a thing. With checkboxes, tasks or a reminder it is a to-do, which is done if all of them are. */
const readNote = ({ fields, tags, tasks }: EvernoteNote): TransferThing => {
  const boxes: boolean[] = tasks.map(({ isDone }) => isDone)
  const html = sanitizeHtml(fields.get('content') ?? '', (name, { checked }) => {
    if (name === 'en-media') return ''
    if (name !== 'en-todo') return undefined
    boxes.push(checked === 'true')
    return checked === 'true' ? '☑ ' : '☐ '
  })
  if (fields.has('reminder-time') || fields.has('reminder-done-time')) boxes.push(fields.has('reminder-done-time'))
  const list = tasks.map(({ title, isDone }) => `<li>${isDone ? '☑' : '☐'} ${escapeText(title)}</li>`).join('')
  return createTransferThing({
    title: fields.get('title') ?? '',
    tags: joinTags(tags),
    date: readStamp(fields.get('created') ?? ''),
    url: fields.get('source-url'),
    html: list === '' ? html : `${html}<ul>${list}</ul>`,
    todoStatus: boxes.length === 0 ? undefined : boxes.every((isDone) => isDone),
  })
}

/** Reads a time such as `20260131T235959Z` as Unix time in seconds. Undefined if it is invalid. */
const readStamp = (text: string): number | undefined => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(text.trim())?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
