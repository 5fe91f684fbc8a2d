import { FieldWrong, showValue } from './fields.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { readFurtherFields } from './further-fields.ts'
import { makeThing } from './make-thing.ts'
import { renderMarkdown } from './render-markdown.ts'
import { joinTags } from './tag-text.ts'
import type { TransferThing } from './transfer.ts'
import { readDateText } from './unix-time.ts'

/** The thing that a Markdown file is. `name`: what its title is when it says none. @throws FieldWrong */
export const readMarkdownNote = (text: string, name: string): TransferThing => {
  const matter = readFrontMatter(text)
  const find = (...names: readonly string[]): unknown =>
    names.map((each) => matter.fields.get(each)).find((value) => value !== undefined && value !== null)
  const url = readText('url', find('url', 'source', 'link'))
  return makeThing({
    // By its address a thing is known again.
    id: readText('id', matter.isOurs && !url ? find('id') : undefined),
    title: readText('title', find('title')) ?? findHeading(matter.body) ?? name,
    tags: readTags(find('tags', 'tag', 'keywords'), matter.isOurs),
    date: readDate(find('date', 'created', 'created_at', 'createdat')),
    url,
    html: readHtml(matter, find('html'), find('note')),
    archived: find('archived') === true,
    todoStatus: readTodo(find('todo')) ?? readCompleted(find('completed?')),
    ...(matter.isOurs ? readFurtherFields((name) => find(name.toLowerCase())) : {}),
  })
}

const readText = (name: string, value: unknown): string | undefined => {
  if (value === undefined || typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw new FieldWrong(`${name} must be text, not ${showValue(value)}`)
}

/** The first heading of the first level. */
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
  if (typeof value === 'string') return isOurs ? value : joinTags(value.split(/[,\s]+/u).map(withoutSign))
  if (Array.isArray(value)) return joinTags(value.map((each) => (isOurs ? String(each) : withoutSign(String(each)))))
  throw new FieldWrong(`tags must be a list, not ${showValue(value)}`)
}

const withoutSign = (tag: string): string => tag.replace(/^#(?=.)/u, '')

const readDate = (value: unknown): number | undefined => {
  if (value === undefined || typeof value === 'number') return value
  const milliseconds = typeof value === 'string' ? readDateText(value) : Number.NaN
  if (Number.isNaN(milliseconds)) throw new FieldWrong(`date is none: ${showValue(value)}`)
  return milliseconds / 1000
}

const readHtml = ({ body, isOurs }: FrontMatter, html: unknown, note: unknown): string => {
  if (!isOurs) return renderMarkdown(body)
  if (typeof html === 'string') return html
  const text = body.replace(/^\n/u, '').replace(/\n$/u, '')
  return note === 'html' ? text : renderMarkdown(text)
}

const readTodo = (value: unknown): boolean | undefined => {
  if (value === undefined) return undefined
  if (value === 'open' || value === 'done') return value === 'done'
  if (typeof value === 'boolean') return undefined
  throw new FieldWrong(`todo must be open or done, not ${showValue(value)}`)
}

// Joplin's todos have it, its notes have not.
const readCompleted = (value: unknown): boolean | undefined => {
  if (value === undefined || typeof value === 'boolean') return value
  if (value === 'yes' || value === 'no') return value === 'yes'
  throw new FieldWrong(`completed? must be yes or no, not ${showValue(value)}`)
}
