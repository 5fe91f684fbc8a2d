import { FieldWrong } from './fields.ts'
import { readFurtherFields } from './further-fields.ts'
import { maxFolderCharacters, maxFolders } from './limits.ts'
import { makeThing } from './make-thing.ts'
import { toNoteHtml } from './note-text.ts'
import { renderMarkdown } from './render-markdown.ts'
import { joinTags } from './tag-text.ts'
import { toreadTag } from './toread-tag.ts'
import type { TransferThing } from './transfer.ts'
import { readUnixTime } from './unix-time.ts'

/** One bookmark of a Netscape file: the attributes of its A, by names in lower case, and the texts. */
export interface NetscapeBookmark {
  readonly attributes: Readonly<Record<string, string>>
  readonly title: string
  /** What stands in its DD, decoded. */
  readonly note: string
  /** Names of the folders that it is in, from outside. */
  readonly folders: readonly string[]
}

// Attributes of ours say what those of others cannot: a note's html, a tag with a comma, a date before 1970.
/** The attributes in which thingsync keeps a thing to the letter where the usual ones would not. */
export const exactNames = { tags: 'data-tags', date: 'data-date', html: 'data-html', id: 'data-id' } as const

const [notesBegin, notesEnd] = ['[linkding-notes]', '[/linkding-notes]']
const linkdingArchived = 'linkding:bookmarks.archived'

/** The attribute of a further field. */
export const furtherName = (name: string): string => `data-${name.toLowerCase()}`

/** The thing that a bookmark is. @throws FieldWrong */
export const readBookmark = ({ attributes, title, note, folders }: NetscapeBookmark): TransferThing => {
  if (folders.length > maxFolders)
    throw new FieldWrong(`the bookmark is in more than ${maxFolders} folders inside one another`)
  if (folders.reduce((sum, name) => sum + name.length, 0) > maxFolderCharacters)
    throw new FieldWrong(`the names of the folders of the bookmark are longer than ${maxFolderCharacters} characters`)
  const names = (attributes.tags ?? '').split(',').map((name) => name.trim())
  const isMarked = names.includes(linkdingArchived)
  const tags = joinTags([
    ...folders,
    ...names.filter((name) => name !== linkdingArchived),
    ...(attributes.toread === '1' ? [toreadTag] : []),
  ])
  const exactDate = attributes[exactNames.date]
  return makeThing({
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
