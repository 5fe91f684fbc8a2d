import type { Fields } from './fields.ts'
import { makeJsonListFormat, readTime, readUrl } from './json-list-format.ts'
import { sanitiseHtml } from './sanitise-html.ts'
import { joinTags } from './tag-text.ts'

/** wallabag's JSON export of version 2 (wallabag's documentation of its export); the article becomes the note. */
export const readWallabag = makeJsonListFormat({
  name: 'wallabag',
  guess: (head) => /"is_archived"\s*:/u.test(head) && !/"tag_names"\s*:/u.test(head),
  readOne: (fields) => {
    const url = readUrl(fields, 'url')
    return {
      title: fields.text('title') || url,
      url,
      tags: joinTags([...fields.texts('tags'), ...(readSwitch(fields, 'is_starred') ? ['starred'] : [])]),
      date: readTime(fields, 'created_at'),
      html: sanitiseHtml(fields.text('content') ?? ''),
      archived: readSwitch(fields, 'is_archived'),
    }
  },
})

const readSwitch = (fields: Fields, name: string): boolean => {
  const value = fields.value(name) ?? false
  if (value === true || value === 1) return true
  return value === false || value === 0 ? false : fields.refuse(name, 'must be true, false, 1 or 0')
}
