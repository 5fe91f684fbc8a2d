import { makeJsonListFormat, readTime, readUrl } from './json-list-format.ts'
import { toNoteHtml } from './note-text.ts'
import { joinTags } from './tag-text.ts'
import { toreadTag } from './toread-tag.ts'

/** Pinboard's JSON, of its backup page and of `posts/all` (pinboard.in/api, as stored copies describe it). */
export const readPinboard = makeJsonListFormat({
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
