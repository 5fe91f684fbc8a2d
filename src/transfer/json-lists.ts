import { FieldError, type Fields, readDateText, readFields } from './fields.ts'
import { sanitizeHtml } from './html.ts'
import { type JsonItem, readJsonItems } from './json.ts'
import { toNoteHtml } from './note-html.ts'
import { renderMarkdown } from './render-markdown.ts'
import {
  createTransferThing,
  type FoundThing,
  joinTags,
  type ReadFormat,
  type ReadItem,
  toreadTag,
} from './transfer.ts'

/** The JSON of one program: a list of objects, at the top level or under a name. */
interface JsonList {
  readonly name: string
  /** The name of the list in the outermost object; absent if the file is the list itself. */
  readonly listName?: string
  readonly guess: (head: string) => boolean
  readonly readOne: (fields: Fields) => FoundThing
}

/** Creates the format of a program whose files are a list of JSON objects. */
const createJsonListFormat = ({ name, listName, guess, readOne }: JsonList): ReadFormat => {
  const toItem = (item: JsonItem): ReadItem | undefined => {
    const { line } = item
    if ('broken' in item) return { kind: 'problem', line, reason: item.broken }
    const { path, key, value } = item.piece
    const isInList = path.length === 0 ? typeof key === 'number' : path[0] === listName
    if (!isInList) return undefined
    try {
      return {
        kind: 'thing',
        line,
        thing: createTransferThing(readOne(readFields(value, `${listName ?? ''}[${key}]`))),
      }
    } catch (error) {
      if (error instanceof FieldError) return { kind: 'problem', line, reason: error.message }
      throw error
    }
  }
  return {
    name,
    extensions: ['json'],
    allowsDuplicates: false,
    guess,
    read: async function* (chunks) {
      for await (const item of readJsonItems(chunks, (path, key) => path.length === 0 && key === listName)) {
        const found = toItem(item)
        if (found !== undefined) yield found
      }
    },
  }
}

/** Reads a required URL. @throws FieldError if it is missing */
const readUrl = (fields: Fields, name: string): string => fields.text(name) || fields.fail(name, 'is missing')

/** Reads a time (ISO 8601) as Unix time in seconds. @throws FieldError if it is invalid */
const readTime = (fields: Fields, name: string): number | undefined => {
  const text = fields.text(name)
  if (!text) return undefined
  const milliseconds = readDateText(text)
  return Number.isNaN(milliseconds) ? fields.fail(name, `is not a date: ${text.slice(0, 40)}`) : milliseconds / 1000
}

/**
 * Reads Karakeep's (Hoarder's) export, as the schema in its source describes it. It does not contain uploaded files.
 */
export const readKarakeep = createJsonListFormat({
  name: 'karakeep',
  listName: 'bookmarks',
  guess: (head) => /"bookmarks"\s*:\s*\[/u.test(head) && /"createdAt"|^\s*\{\s*"bookmarks"/u.test(head),
  readOne: (fields) => {
    const content =
      fields.object('content') ?? fields.fail('content', 'is missing: an uploaded file is not in the export')
    const kind = content.text('type')
    const common = {
      tags: joinTags(fields.texts('tags')),
      date: fields.number('createdAt'),
      archived: fields.flag('archived'),
    }
    const note = toNoteHtml(fields.text('note') ?? '')
    if (kind === 'link') {
      const url = readUrl(content, 'url')
      return { ...common, title: fields.text('title') || url, url, html: note }
    }
    if (kind !== 'text')
      return content.fail('type', `is ${JSON.stringify(kind)}: an uploaded file is not in the export`)
    const text = content.text('text') ?? ''
    return { ...common, title: findTitle(fields, text), html: renderMarkdown(text) + note }
  },
})

const titleCharacters = 100

const findTitle = (fields: Fields, text: string): string =>
  fields.text('title') || (text.trim().split('\n')[0] ?? '').replace(/^#+\s*/u, '').slice(0, titleCharacters)

/**
 * Reads responses of linkding's `GET /api/bookmarks/`, one page or several joined pages (linkding's API documentation).
 */
export const readLinkding = createJsonListFormat({
  name: 'linkding',
  listName: 'results',
  guess: (head) => /"tag_names"\s*:/u.test(head),
  readOne: (fields) => {
    const url = readUrl(fields, 'url')
    return {
      title: fields.text('title') || fields.text('website_title') || url,
      url,
      tags: joinTags([...fields.texts('tag_names'), ...(fields.flag('unread') ? [toreadTag] : [])]),
      date: readTime(fields, 'date_added'),
      html: toNoteHtml(fields.text('description') ?? '') + renderMarkdown(fields.text('notes') ?? ''),
      archived: fields.flag('is_archived'),
    }
  },
})

/**
 * Reads Pinboard's JSON, from its backup page or from `posts/all` (pinboard.in/api, as archived copies describe it).
 */
export const readPinboard = createJsonListFormat({
  name: 'pinboard',
  guess: (head) => /^\s*\[\s*\{[^{]*"href"\s*:/u.test(head),
  readOne: (fields) => {
    const url = readUrl(fields, 'href')
    const names = (fields.text('tags') ?? '').split(' ')
    return {
      // Pinboard writes false for an empty title.
      title: (fields.value('description') !== false && fields.text('description')) || url,
      url,
      tags: joinTags([...names, ...(fields.text('toread') === 'yes' ? [toreadTag] : [])]),
      date: readTime(fields, 'time'),
      html: toNoteHtml(fields.text('extended') ?? ''),
    }
  },
})

/** Reads wallabag's JSON export of version 2 (documentation of its export). The article becomes the note. */
export const readWallabag = createJsonListFormat({
  name: 'wallabag',
  guess: (head) => /"is_archived"\s*:/u.test(head) && !/"tag_names"\s*:/u.test(head),
  readOne: (fields) => {
    const url = readUrl(fields, 'url')
    return {
      title: fields.text('title') || url,
      url,
      tags: joinTags([...fields.texts('tags'), ...(readSwitch(fields, 'is_starred') ? ['starred'] : [])]),
      date: readTime(fields, 'created_at'),
      html: sanitizeHtml(fields.text('content') ?? ''),
      archived: readSwitch(fields, 'is_archived'),
    }
  },
})

const readSwitch = (fields: Fields, name: string): boolean => {
  const value = fields.value(name) ?? false
  if (value === true || value === 1) return true
  return value === false || value === 0 ? false : fields.fail(name, 'must be true, false, 1 or 0')
}
