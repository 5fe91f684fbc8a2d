import { makeJsonListFormat, readTime, readUrl } from './json-list-format.ts'
import { toNoteHtml } from './note-text.ts'
import { renderMarkdown } from './render-markdown.ts'
import { joinTags } from './tag-text.ts'
import { toreadTag } from './toread-tag.ts'

/** What linkding's `GET /api/bookmarks/` answers, one page or several put into one (linkding's API documentation). */
export const readLinkding = makeJsonListFormat({
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
