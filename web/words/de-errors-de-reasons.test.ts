import { expect, test } from 'vitest'
import { readFiles } from '../transfer/read-files.ts'
import { translateReason } from './de-errors.ts'

/** Files with every problem that the readers report, by name. */
const files: Readonly<Record<string, string | Uint8Array>> = {
  'things.json': JSON.stringify({
    format: 'thingsync',
    version: 9,
    tags: { a: { color: 'red' }, b: { todo: 'maybe' } },
    things: [{ title: 3 }, { tags: 'b' }, { title: 'c', date: 'd' }, { title: 'e', archived: 'f' }, 7],
  }),
  'cut.json': '{"format":"thingsync","version":1,"tags":{},"things":[{"title":"a"},',
  'linkding.json':
    '{"results":[{"tag_names":["a",1],"url":"x"},{"tag_names":"b","url":"x"},{"tag_names":[]},{"url":"https://a.example/","tag_names":[],"date_added":"never"}]}',
  'karakeep.json': '{"bookmarks":[{"createdAt":1,"content":{"type":"asset"}},{"createdAt":1,"tags":[]}]}',
  'wallabag.json': '[{"url":"https://a.example/","is_archived":"x","wallabag_url":1,"mimetype":1,"domain_name":"a"}]',
  'table.csv':
    'title,url,date,archived,todo\n,,,,\na,https://a.example/,when,,\na,https://b.example/,,perhaps,\na,https://c.example/,,,later\n',
  'pocket.csv': 'title,url,time_added,tags,status\na,,1,,unread\na,https://a.example/,soon,,unread\n',
  'list.txt': 'https://a.example/ a\nno address\n',
  'none.md': '---\njust text\n---\nbody\n',
  'broken.md': '---\ntitle: "a\n---\nbody\n',
  'title.md': '---\ntitle: [a]\ntags: 7\n---\n',
  'tags.md': '---\ntitle: a\ntags: 7\n---\n',
  'todo.md': '---\ntitle: a\ntodo: 3\n---\n',
  'joplin.md': '---\ntitle: a\ncompleted?: 3\n---\n',
  'date.md': '---\ntitle: a\ndate: [1]\n---\n',
  'long.md': `---\ntitle: a\nx: ${'b'.repeat(33_000)}\n---\n`,
  'entries.md': `---\ntitle: a\nx:\n${'- b\n'.repeat(1100)}---\n`,
  'deep.md': `---\ntitle: ${'['.repeat(40)}\n---\n`,
  'aliases.md': `---\ntitle: &a b\nx: [${'*a, '.repeat(250)}]\n---\n`,
  'quotes.md': `${'> '.repeat(60)}a\n`,
  'deep.enex': `<en-export><note>${'<x>'.repeat(110)}<note><title>a</title></note></en-export>`,
  'folders.html': `<DL><p>${'<DT><H3>f</H3><DL><p>'.repeat(1001)}<DT><A HREF="u:a">A</A>`,
  'names.html': `<DL><p><DT><H3>${'f'.repeat(17_000)}</H3><DL><p><DT><A HREF="u:a">A</A>`,
  'notes.enex':
    '<?xml version="1.0"?><en-export><note><title>a</title><resource><file-name>b.png</file-name></resource></note><note>',
  'latin.txt': new Uint8Array([...Buffer.from('https://a.example/ a\nM'), 0xfc, ...Buffer.from('nchen\n')]),
  'latin.html': '<!DOCTYPE NETSCAPE-Bookmark-file-1><META CONTENT="text/html; charset=klingon"><DL><p>',
}

test('every problem that a reader reports is translated to German', async () => {
  const reasons = new Set<string>()
  const named = Object.entries(files).map(([name, content]) => new File([content as BlobPart], name))

  await readFiles({ files: named }, (message) => {
    if (message.kind === 'failed') reasons.add(message.reason)
    if (message.kind === 'items') {
      for (const item of message.items) if ('reason' in item) reasons.add(item.reason)
    }
  })

  const said = [...reasons].map((reason) => [reason, translateReason(reason)] as const)
  expect(said.filter(([, german]) => german === undefined)).toEqual([])
  expect(said.length).toBeGreaterThanOrEqual(20)
  expect(translateReason('things[1].title is missing')).toBe('things[1].title fehlt')
  expect(translateReason('something new')).toBeUndefined()
})
