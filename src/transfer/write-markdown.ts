import { FieldWrong } from './fields.ts'
import { furtherFields } from './further-fields.ts'
import { readPlainText } from './plain-text.ts'
import { ourMark } from './read-markdown.ts'
import { renderMarkdown } from './render-markdown.ts'
import { joinTags, splitTags } from './tag-text.ts'
import type { TransferContent, TransferThing, WriteFormat } from './transfer.ts'

/** Markdown notes with front matter, one behind the other. */
export const writeMarkdown: WriteFormat = {
  name: 'markdown',
  extension: 'md',
  mediaType: 'text/markdown',
  write,
}

async function* write({ things }: TransferContent): AsyncGenerator<string, void, undefined> {
  for await (const thing of things) yield writeMarkdownNote(thing)
}

/** A thing as a Markdown note, for a file of its own or behind others. */
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
    // By its address a thing is known again.
    ['id', url === undefined ? id : undefined],
    ...body.fields,
  ]
  // JSON is YAML.
  const lines = fields.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${showYaml(value)}\n`]))
  return `---\n${ourMark}\n${lines.join('')}---\n${body.text === '' ? '' : `\n${body.text}\n`}`
}

interface Body {
  readonly text: string
  readonly fields: readonly (readonly [string, unknown])[]
}

/** Markdown where it says the same, else the HTML as it is, which Markdown allows. */
const chooseBody = (html: string): Body => {
  if (html === '') return { text: '', fields: [] }
  // A note of ours would seem to begin in it.
  if (/^---$/mu.test(html)) return { text: '', fields: [['html', html]] }
  const plain = readPlainText(html)
  if (!/^---$/mu.test(plain) && plain !== '' && saysTheSame(plain, html)) return { text: plain, fields: [] }
  return { text: html, fields: [['note', 'html']] }
}

const saysTheSame = (markdown: string, html: string): boolean => {
  try {
    return renderMarkdown(markdown) === html
  } catch (error) {
    if (error instanceof FieldWrong) return false
    throw error
  }
}

const showDate = (date: number): string | number =>
  Number.isInteger(date) && date >= 0 && date < 1e10 ? new Date(date * 1000).toISOString().replace('.000Z', 'Z') : date

// Escaped, because a YAML parser ends or folds lines at some of them.
const showYaml = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007F-\u009F\u00A0\u2028\u2029\uFEFF\uFFFE\uFFFF]/gu,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
