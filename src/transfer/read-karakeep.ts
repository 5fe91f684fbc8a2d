import type { Fields } from './fields.ts'
import { makeJsonListFormat, readUrl } from './json-list-format.ts'
import { toNoteHtml } from './note-text.ts'
import { renderMarkdown } from './render-markdown.ts'
import { joinTags } from './tag-text.ts'

/** Karakeep's (Hoarder's) export, as the schema in its source describes it. Uploaded files are not in it. */
export const readKarakeep = makeJsonListFormat({
  name: 'karakeep',
  listName: 'bookmarks',
  guess: (head) => /"bookmarks"\s*:\s*\[/u.test(head) && /"createdAt"|^\s*\{\s*"bookmarks"/u.test(head),
  readOne: (fields) => {
    const content =
      fields.object('content') ?? fields.refuse('content', 'is missing: an uploaded file is not in the export')
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
      return content.refuse('type', `is ${JSON.stringify(kind)}: an uploaded file is not in the export`)
    const text = content.text('text') ?? ''
    return { ...common, title: findTitle(fields, text), html: renderMarkdown(text) + note }
  },
})

const titleCharacters = 100

const findTitle = (fields: Fields, text: string): string =>
  fields.text('title') || (text.trim().split('\n')[0] ?? '').replace(/^#+\s*/u, '').slice(0, titleCharacters)
