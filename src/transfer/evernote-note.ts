import { makeThing } from './make-thing.ts'
import { escapeText } from './note-text.ts'
import { sanitiseHtml } from './sanitise-html.ts'
import { joinTags } from './tag-text.ts'
import type { TransferThing } from './transfer.ts'

/** A note as an export has it. */
export interface EvernoteNote {
  /** Texts of its elements, by name in lower case. */
  readonly fields: Map<string, string>
  readonly tags: string[]
  readonly tasks: { title: string; isDone: boolean }[]
  /** Names of files, or their media types where they have no name. */
  readonly attachments: string[]
}

/** The thing that a note is. With checkboxes, tasks or a reminder it is a todo, which is done when all of them are. */
export const readNote = ({ fields, tags, tasks }: EvernoteNote): TransferThing => {
  const boxes: boolean[] = tasks.map(({ isDone }) => isDone)
  const html = sanitiseHtml(fields.get('content') ?? '', (name, { checked }) => {
    if (name === 'en-media') return ''
    if (name !== 'en-todo') return undefined
    boxes.push(checked === 'true')
    return checked === 'true' ? '☑ ' : '☐ '
  })
  if (fields.has('reminder-time') || fields.has('reminder-done-time')) boxes.push(fields.has('reminder-done-time'))
  const list = tasks.map(({ title, isDone }) => `<li>${isDone ? '☑' : '☐'} ${escapeText(title)}</li>`).join('')
  return makeThing({
    title: fields.get('title') ?? '',
    tags: joinTags(tags),
    date: readStamp(fields.get('created') ?? ''),
    url: fields.get('source-url'),
    html: list === '' ? html : `${html}<ul>${list}</ul>`,
    todoStatus: boxes.length === 0 ? undefined : boxes.every((isDone) => isDone),
  })
}

/** `20260131T235959Z` in Unix seconds; undefined when it is none. */
const readStamp = (text: string): number | undefined => {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(text.trim())?.slice(1).map(Number)
  if (parts === undefined) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) / 1000
}
