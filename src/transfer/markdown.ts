import { FieldError, furtherFields, readDateText, readFurtherFields, showValue } from './fields.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { readPlainText } from './html.ts'
import { renderMarkdown } from './render-markdown.ts'
import { cutAtLineEnds } from './text-lines.ts'
import {
  createTransferThing,
  joinTags,
  type ReadFormat,
  type ReadItem,
  splitTags,
  type TextChunks,
  type TransferContent,
  type TransferThing,
  type WriteFormat,
} from './transfer.ts'

/** Reads one Markdown note, or the notes that thingsync wrote one after another. In a folder each file has one note. */
export const readMarkdown: ReadFormat = {
  name: 'markdown',
  extensions: ['md', 'markdown'],
  allowsDuplicates: false,
  guess: (head, fileName) => /\.(?:md|markdown)$/u.test(fileName) || head.startsWith('---\n'),
  read,
}

/** The line after the three hyphens at the start of each note of thingsync. */
const noteMarker = 'thingsync: 1'

async function* read(chunks: TextChunks): AsyncGenerator<ReadItem, void, undefined> {
  // The lines of the current note. The last one may be the hyphens of the next note.
  let lines: string[] = []
  let begun = 1
  let part = ''
  for await (const pieces of cutAtLineEnds(chunks))
    for (const { text, line } of pieces) {
      part += text
      if (!text.endsWith('\n')) continue
      if (lines.length > 1 && lines.at(-1) === '---\n' && part === `${noteMarker}\n`) {
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
    if (error instanceof FieldError) return { kind: 'problem', line, reason: error.message }
    throw error
  }
}

/**
 * Converts a Markdown file to a thing. `name` is the title of a file without one. @throws FieldError if it is invalid
 */
export const readMarkdownNote = (text: string, name: string): TransferThing => {
  const matter = readFrontMatter(text)
  const find = (...names: readonly string[]): unknown =>
    names.map((key) => matter.fields.get(key)).find((value) => value !== undefined && value !== null)
  const url = readText('url', find('url', 'source', 'link'))
  return createTransferThing({
    // A URL identifies a thing; only a thing without one needs its id.
    id: readText('id', matter.isThingsync && !url ? find('id') : undefined),
    title: readText('title', find('title')) ?? findHeading(matter.body) ?? name,
    tags: readTags(find('tags', 'tag', 'keywords'), matter.isThingsync),
    date: readDate(find('date', 'created', 'created_at', 'createdat')),
    url,
    html: readHtml(matter, find('html'), find('note')),
    archived: find('archived') === true,
    todoStatus: readTodo(find('todo')) ?? readCompleted(find('completed?')),
    ...(matter.isThingsync ? readFurtherFields((name) => find(name.toLowerCase())) : {}),
  })
}

const readText = (name: string, value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new FieldError(`${name} must be text, not ${showValue(value)}`)
}

/** Finds the first heading of the first level. */
const findHeading = (body: string): string | undefined => {
  for (let at = body.startsWith('#') ? 0 : body.indexOf('\n#') + 1; at < body.length; ) {
    if (body[at] !== '#') return undefined
    const end = body.indexOf('\n', at)
    const line = body.slice(at, end === -1 ? undefined : end).trimEnd()
    const isHeading = /^#\s/u.test(line)
    const title = isHeading ? line.slice(1, findEndBefore(line, '#')).trim() : ''
    if (title !== '') return title
    if (end === -1) return undefined
    const next = body.indexOf('\n#', end)
    if (next === -1) return undefined
    at = next + 1
  }
  return undefined
}

const findEndBefore = (text: string, sign: string): number => {
  let end = text.length
  while (text[end - 1] === sign) end--
  return end
}

const readTags = (value: unknown, isOurs: boolean): string => {
  if (value === undefined) return ''
  if (typeof value === 'string') return isOurs ? value : joinTags(value.split(/[,\s]+/u).map(removeHash))
  if (Array.isArray(value)) return joinTags(value.map((tag) => (isOurs ? String(tag) : removeHash(String(tag)))))
  throw new FieldError(`tags must be a list, not ${showValue(value)}`)
}

const removeHash = (tag: string): string => tag.replace(/^#(?=.)/u, '')

const readDate = (value: unknown): number | undefined => {
  if (value === undefined || typeof value === 'number') return value
  const milliseconds = typeof value === 'string' ? readDateText(value) : Number.NaN
  if (Number.isNaN(milliseconds)) throw new FieldError(`date is not a date: ${showValue(value)}`)
  return milliseconds / 1000
}

const readHtml = ({ body, isThingsync }: FrontMatter, html: unknown, note: unknown): string => {
  if (!isThingsync) return renderMarkdown(body)
  if (typeof html === 'string') return html
  const text = body.replace(/^\n/u, '').replace(/\n$/u, '')
  return note === 'html' ? text : renderMarkdown(text)
}

const readTodo = (value: unknown): boolean | undefined => {
  if (value === undefined) return undefined
  if (value === 'open' || value === 'done') return value === 'done'
  if (typeof value === 'boolean') return undefined
  throw new FieldError(`todo must be open or done, not ${showValue(value)}`)
}

// Only the to-dos of Joplin have it, not its notes.
const readCompleted = (value: unknown): boolean | undefined => {
  if (value === undefined || typeof value === 'boolean') return value
  if (value === 'yes' || value === 'no') return value === 'yes'
  throw new FieldError(`completed? must be yes or no, not ${showValue(value)}`)
}

/** Writes Markdown notes with front matter, one after another. */
export const writeMarkdown: WriteFormat = {
  name: 'markdown',
  extension: 'md',
  mediaType: 'text/markdown',
  write,
}

async function* write({ things }: TransferContent): AsyncGenerator<string, void, undefined> {
  for await (const thing of things) yield writeMarkdownNote(thing)
}

/** Writes a thing as a Markdown note, for its own file or after other notes. */
export const writeMarkdownNote = (thing: TransferThing): string => {
  const { id, title, tags, date, url, html = '', archived, todoStatus } = thing
  const body = chooseBody(html)
  const names = splitTags(tags)
  const fields: (readonly [string, unknown])[] = [
    ['title', title],
    ['url', url],
    ['tags', tags === '' ? undefined : joinTags(names) === tags ? names : tags],
    ['date', date === undefined ? undefined : showDate(date)],
    ['archived', archived || undefined],
    ['todo', todoStatus === undefined ? undefined : todoStatus ? 'done' : 'open'],
    ...furtherFields.map((name) => [name.toLowerCase(), thing[name]] as const),
    // A URL identifies a thing; only a thing without one needs its id.
    ['id', url === undefined ? id : undefined],
    ...body.fields,
  ]
  // JSON is valid YAML.
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${showYaml(value)}\n`]))
  return `---\n${noteMarker}\n${lines.join('')}---\n${body.text === '' ? '' : `\n${body.text}\n`}`
}

interface Body {
  readonly text: string
  readonly fields: readonly (readonly [string, unknown])[]
}

/** Chooses plain Markdown if it renders to the same HTML, or else the HTML itself, which Markdown permits. */
const chooseBody = (html: string): Body => {
  if (html === '') return { text: '', fields: [] }
  // The reader would find the start of another note in it.
  if (/^---$/mu.test(html)) return { text: '', fields: [['html', html]] }
  const plain = readPlainText(html)
  if (!/^---$/mu.test(plain) && plain !== '' && rendersTo(plain, html)) return { text: plain, fields: [] }
  return { text: html, fields: [['note', 'html']] }
}

const rendersTo = (markdown: string, html: string): boolean => {
  try {
    return renderMarkdown(markdown) === html
  } catch (error) {
    if (error instanceof FieldError) return false
    throw error
  }
}

const showDate = (date: number): string | number =>
  Number.isInteger(date) && date >= 0 && date < 1e10 ? new Date(date * 1000).toISOString().replace('.000Z', 'Z') : date

// Escapes these characters, because a YAML parser ends or folds lines at some of them.
const showYaml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
