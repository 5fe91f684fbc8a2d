import { expect, test } from 'vitest'
import { cutAnywhere, readAll } from '../../test/support/transfer.ts'
import { readFormatNames, writeFormatNames } from './format-names.ts'
import { guessFormat, readFormats, writeFormats } from './formats.ts'
import type { ReadItem } from './transfer.ts'

/** Guesses the format of a file and reads it. */
const readSample = async (fileName: string, text: string): Promise<readonly [string | undefined, ReadItem[]]> => {
  const format = guessFormat(text.slice(0, 4096), fileName)
  return [format?.name, format === undefined ? [] : await readAll(format, cutAnywhere(text, 97))]
}

const thing = (line: number, fields: object): ReadItem =>
  ({ kind: 'thing', line, thing: { tags: '', archived: false, ...fields } }) as ReadItem
const problem = (line: number, reason: string): ReadItem => ({ kind: 'problem', line, reason })
const remark = (line: number, reason: string): ReadItem => ({ kind: 'remark', line, reason })

test('bookmarks of a browser: folders become tags, except the built-in folders', async () => {
  const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
<TITLE>Bookmarks</TITLE>
<H1>Bookmarks Menu</H1>
<DL><p>
    <DT><H3 ADD_DATE="1" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
    <DL><p>
        <DT><A HREF="https://example.org/?a=1&amp;b=2" ADD_DATE="1700000000" ICON="data:image/png;base64,AA==">Tom &amp; "Co"</A>
        <DT><H3>Work in progress</H3>
        <DD>about the folder
        <DL><p>
            <DT><A HREF="https://example.net/" ADD_DATE="1700000000123456" TAGS="a,b c">Net</A>
            <DD>one &lt;line&gt;
and another
        </DL><p>
    </DL><p>
    <HR>
    <DT><A HREF="https://example.com/">Last</A>
</DL>
`
  expect(await readSample('bookmarks.html', text)).toEqual([
    'netscape',
    [
      thing(8, { title: 'Tom & "Co"', url: 'https://example.org/?a=1&b=2', date: 1_700_000_000 }),
      thing(12, {
        title: 'Net',
        url: 'https://example.net/',
        tags: 'Work-in-progress a b-c',
        date: 1_700_000_000,
        html: '<p>one &lt;line&gt;<br>and another</p>',
      }),
      thing(18, { title: 'Last', url: 'https://example.com/' }),
    ],
  ])
})

test('a bookmark in too many nested folders is reported', async () => {
  const text = `<DL><p>\n${'<DT><H3>f</H3><DL><p>'.repeat(1000)}<DT><A HREF="u:in">In</A>\n`

  expect(await readSample('bookmarks.html', text)).toEqual([
    'netscape',
    [problem(2, 'the bookmark is in more than 1000 folders inside one another')],
  ])
})

test('all of many nested folders become tags', async () => {
  const names = Array.from({ length: 300 }, (_, index) => `folder-${index}`)
  const open = names.map((name) => `<DT><H3>${name}</H3><DL><p>\n`).join('')
  const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<DL><p>\n${open}<DT><A HREF="u:in">In</A>\n${'</DL><p>\n'.repeat(300)}<DT><A HREF="u:out">Out</A>\n</DL>`

  expect(await readSample('bookmarks.html', text)).toEqual([
    'netscape',
    [thing(303, { title: 'In', url: 'u:in', tags: names.join(' ') }), thing(604, { title: 'Out', url: 'u:out' })],
  ])
})

test('bookmarks of linkding keep their notes, archived and unread', async () => {
  const text = `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p>
<DT><A HREF="https://example.org/" ADD_DATE="1700000000" LAST_MODIFIED="1700000001" PRIVATE="1" TOREAD="1" TAGS="go,linkding:bookmarks.archived">A</A>
<DD>Text[linkding-notes]More[/linkding-notes]
</DL><p>
`
  const fields = { title: 'A', url: 'https://example.org/', tags: 'go toread', date: 1_700_000_000, archived: true }
  expect(await readSample('bookmarks.html', text)).toEqual([
    'netscape',
    [thing(3, { ...fields, html: '<p>Text</p><p>More</p>' })],
  ])
})

test('Pocket: bars separate tags, and read items are archived', async () => {
  const text = `title,url,time_added,cursor,tags,status
"A, b",https://example.org/a,1728576752,7187623980,one|two words,unread
,https://example.org/b,1728576753,7187623981,,archive
No address,,1728576753,1,,archive
Bad,https://example.org/c,soon,1,,unread
`
  expect(await readSample('part_000000.csv', text)).toEqual([
    'pocket',
    [
      thing(2, { title: 'A, b', url: 'https://example.org/a', date: 1_728_576_752, tags: 'one two-words' }),
      thing(3, { title: 'https://example.org/b', url: 'https://example.org/b', date: 1_728_576_753, archived: true }),
      problem(4, 'url is missing'),
      problem(5, 'time_added is not a time: "soon"'),
    ],
  ])
})

test('a table of Raindrop: cells of several lines, folders and tags', async () => {
  const text = `id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite
1,One,"my
note",about,https://example.org/,Read later,"a, b c",2024-01-10T14:22:33.000Z,,,false
2,Two,,,https://example.net/,Unsorted,,yesterday,,,false
`
  const one = { title: 'One', url: 'https://example.org/', tags: 'Read-later a b-c', date: 1_704_896_553 }
  expect(await readSample('raindrop.csv', text)).toEqual([
    'csv',
    [thing(2, { ...one, html: '<p>about</p><p>my<br>note</p>' }), problem(4, 'date is not a date: "yesterday"')],
  ])
})

test('an id is read from our own formats only, and only for a thing without a URL', async () => {
  const ours = (row: string) => `id,title,url,tags,date,html,archived,todo\n${row}\n`
  const noted = (more: string) => `---\nthingsync: 1\ntitle: A\nid: a1\n${more}---\n`
  const texts = [
    ['a.csv', ours('a1,A,,,,,,')],
    ['a.csv', ours('a1,A,https://example.org/,,,,,')],
    ['a.csv', 'id,title,url\n1,A,\n'],
    ['a.html', '<DT><A DATA-ID="a1">A</A>'],
    ['a.html', '<DT><A HREF="https://example.org/" DATA-ID="a1">A</A>'],
    ['a.md', noted('')],
    ['a.md', noted('url: https://example.org/\n')],
    ['a.md', '---\ntitle: A\nid: a1\n---\n'],
  ] as const

  const items = await Promise.all(texts.map(([name, text]) => readSample(name, text)))
  const ids = items.flatMap(([, found]) => found.map((item) => item.kind === 'thing' && item.thing.id))

  expect(ids).toEqual(['a1', undefined, undefined, 'a1', undefined, 'a1', undefined, undefined])
})

test('Pinboard: notes, tags and "to read" are read', async () => {
  const text = `[{"href":"https:\\/\\/example.org\\/","description":"One","extended":"a <b>","meta":"x","hash":"y","time":"2014-12-11T19:27:02Z","shared":"yes","toread":"yes","tags":"a b"},
{"href":"","description":"Two"},
{"href":"https://example.net/","description":false}]`
  const one = { title: 'One', url: 'https://example.org/', tags: 'a b toread', date: 1_418_326_022 }
  expect(await readSample('pinboard_export.json', text)).toEqual([
    'pinboard',
    [
      thing(1, { ...one, html: '<p>a &lt;b&gt;</p>' }),
      problem(2, '[1].href is missing'),
      thing(3, { title: 'https://example.net/', url: 'https://example.net/' }),
    ],
  ])
})

test('linkding: titles, notes and tags are read', async () => {
  const bookmark = {
    id: 1,
    url: 'https://example.org/',
    title: '',
    description: 'About',
    notes: '**bold** <script>alert(1)</script>',
    website_title: 'Site',
    is_archived: true,
    unread: false,
    shared: false,
    tag_names: ['a', 'b'],
    date_added: '2020-09-26T09:46:23.006313Z',
  }
  const text = JSON.stringify({ count: 1, next: null, previous: null, results: [bookmark] })
  const fields = { title: 'Site', url: 'https://example.org/', tags: 'a b', date: 1_601_113_583.006, archived: true }
  expect(await readSample('bookmarks.json', text)).toEqual([
    'linkding',
    [thing(1, { ...fields, html: '<p>About</p><p><strong>bold</strong> </p>' })],
  ])
})

test('Karakeep: links and notes; uploaded files are not in its export', async () => {
  const common = { createdAt: 1_700_000_000, tags: ['a b'], note: null, lists: [] }
  const bookmarks = [
    { ...common, title: null, content: { type: 'link', url: 'https://example.org/' }, archived: true },
    { ...common, title: null, content: { type: 'text', text: '# Plan\n- one' }, note: 'mine' },
    { ...common, title: 'Scan', content: { type: 'asset' } },
    { ...common, title: 'Old scan', content: null },
  ]
  const fields = { tags: 'a-b', date: 1_700_000_000 }
  expect(await readSample('karakeep-export.json', JSON.stringify({ bookmarks, lists: [] }, undefined, 1))).toEqual([
    'karakeep',
    [
      thing(3, { title: 'https://example.org/', url: 'https://example.org/', ...fields, archived: true }),
      thing(17, { title: 'Plan', ...fields, html: '<h1>Plan</h1><ul><li>one</li></ul><p>mine</p>' }),
      problem(30, 'bookmarks[2].content.type is "asset": an uploaded file is not in the export'),
      problem(42, 'bookmarks[3].content is missing: an uploaded file is not in the export'),
    ],
  ])
})

test('wallabag: the article becomes the note, without scripts', async () => {
  const entry = {
    is_archived: 1,
    is_starred: 0,
    tags: ['a'],
    id: 1,
    title: 'One',
    url: 'https://example.org/',
    content:
      '<p onclick="x()">Hi <a href="javascript:x()">you</a></p><script>x()</script><img src="https://example.org/a.png">',
    created_at: '2016-09-08T11:55:58+0200',
  }
  const fields = { title: 'One', url: 'https://example.org/', tags: 'a', date: 1_473_328_558, archived: true }
  expect(await readSample('All articles.json', JSON.stringify([entry, { ...entry, is_archived: 'x' }]))).toEqual([
    'wallabag',
    [
      thing(1, { ...fields, html: '<p>Hi <a>you</a></p><img src="https://example.org/a.png">' }),
      problem(1, '[1].is_archived must be true, false, 1 or 0'),
    ],
  ])
})

test('Evernote: notes have checkboxes, tasks, tags and dates; attachments are reported', async () => {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">
<en-export export-date="20240110T142233Z" application="Evernote" version="10.70.3">
  <note>
    <title>Shopping &amp; more</title>
    <created>20141211T192702Z</created>
    <updated>20141219T191041Z</updated>
    <tag>to buy</tag><tag>home</tag>
    <note-attributes><author>anna</author><source-url>https://example.org/</source-url></note-attributes>
    <content><![CDATA[<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!DOCTYPE en-note SYSTEM "http://xml.evernote.com/pub/enml2.dtd"><en-note style="a"><div><en-todo checked="true"/>milk &lt;3&nbsp;l</div><div onclick="x()"><en-todo/>tea<br/></div><en-media type="image/png" hash="1"/></en-note>]]></content>
    <resource><data encoding="base64">AAAA</data><mime>image/png</mime><resource-attributes><source-url>https://other.example/</source-url></resource-attributes></resource>
    <resource><data encoding="base64">AAAA</data><mime>application/pdf</mime><resource-attributes><file-name>plan.pdf</file-name></resource-attributes></resource>
  </note>
  <note><title>Plain</title><content><![CDATA[<en-note>text</en-note>]]></content>
    <task><title>call</title><taskStatus>completed</taskStatus></task></note>
</en-export>
`
  expect(await readSample('notes.enex', text)).toEqual([
    'enex',
    [
      thing(4, {
        title: 'Shopping & more',
        url: 'https://example.org/',
        tags: 'to-buy home',
        date: 1_418_326_022,
        html: '<div>☑ milk &lt;3\u00A0l</div><div>☐ tea<br></div>',
        todoStatus: false,
      }),
      remark(
        4,
        'the note "Shopping & more" was read without its attachments, which cannot be kept: image/png, plan.pdf',
      ),
      thing(15, { title: 'Plain', html: 'text<ul><li>☑ call</li></ul>', todoStatus: true }),
    ],
  ])
})

test('lists of URLs are read with and without titles', async () => {
  const text =
    '# mine\r\n\r\nhttps://example.org/\r\nhttps://example.net/a | A page\r\n- Title: https://example.com/\r\nnothing\r\n'
  expect(await readSample('tabs.txt', text)).toEqual([
    'list',
    [
      thing(3, { title: 'https://example.org/', url: 'https://example.org/' }),
      thing(4, { title: 'A page', url: 'https://example.net/a' }),
      thing(5, { title: 'Title:', url: 'https://example.com/' }),
      problem(6, 'there is no URL (http or https) in this line'),
    ],
  ])
})

test('Markdown of other programs is read with and without front matter', async () => {
  const noted = '---\r\ntitle: One: two\r\ntags: [a, b]\r\n---\r\n'
  const whole = `---\ntitle: "One"\ntags:\n  - '#a'\n  - b c\ncreated: 2024-01-10\nsource: https://example.org/\n---\n\n# Head\n\nText *here*\n---\n`
  expect(await readSample('note.md', whole)).toEqual([
    'markdown',
    [
      thing(1, {
        title: 'One',
        url: 'https://example.org/',
        tags: 'a b-c',
        date: 1_704_844_800,
        html: '<h1>Head</h1><h2>Text <em>here</em></h2>',
      }),
    ],
  ])
  expect(await readSample('plain.md', '# Head #\n\ntext')).toEqual([
    'markdown',
    [thing(1, { title: 'Head', html: '<h1>Head</h1><p>text</p>' })],
  ])
  const [, [broken]] = await readSample('broken.md', noted)
  expect(broken).toEqual(
    problem(1, expect.stringMatching(/^the front matter is not valid YAML: /) as unknown as string),
  )
})

test('a note beyond the limits is reported, and the other items are read', async () => {
  const deep = '> '.repeat(5000)
  const reason = 'the note has too many quotes or lists inside one another'
  const bomb = ['a: &a [x, x, x, x, x, x, x, x, x]']
  for (const [name, next] of ['ab', 'bc', 'cd', 'de']) bomb.push(`${next}: &${next} [${`*${name}, `.repeat(9)}]`)

  expect((await readSample('deep.md', deep))[1]).toEqual([problem(1, reason)])
  expect((await readSample('lists.md', `${'- '.repeat(101)}a`))[1]).toEqual([problem(1, reason)])
  expect((await readSample('bomb.md', `---\n${bomb.join('\n')}\n---\n`))[1]).toEqual([
    problem(1, expect.stringMatching(/^the front matter is not valid YAML: /) as unknown as string),
  ])
  const bookmarks = `<DL><p>\n<DT><A HREF="https://a.example/">A</A>\n<DD>[linkding-notes]${deep}[/linkding-notes]\n<DT><A HREF="https://b.example/">B</A>\n</DL>`
  expect((await readSample('bookmarks.html', bookmarks))[1]).toEqual([
    problem(2, reason),
    thing(4, { title: 'B', url: 'https://b.example/' }),
  ])
})

test('a short Markdown table that would have millions of cells stays text', async () => {
  const table = (columns: number, rows: number) =>
    `${'a|'.repeat(columns)}\n${'-|'.repeat(columns)}\n${'x\n'.repeat(rows)}`

  const [small] = (await readSample('a.md', table(2, 2)))[1]
  const [large] = (await readSample('a.md', table(2000, 2000)))[1]

  expect(small).toMatchObject({ thing: { html: expect.stringMatching(/^<table>/) } })
  expect(large).toMatchObject({ thing: { html: expect.stringMatching(/^<p>a\|a/) } })
})

test('to-dos of Joplin are recognized by their front matter', async () => {
  const note = (more: string) => `---\ntitle: Quiz\ncreated: 2021-05-01 16:40:00Z\n${more}---\n\nText\n`
  const fields = { title: 'Quiz', date: 1_619_887_200, html: '<p>Text</p>' }
  const read = async (more: string) => (await readSample('quiz.md', note(more)))[1]

  expect(await read('')).toEqual([thing(1, fields)])
  expect(await read('completed?: no\n')).toEqual([thing(1, { ...fields, todoStatus: false })])
  expect(await read('completed?: yes\n')).toEqual([thing(1, { ...fields, todoStatus: true })])
  expect(await read('completed?: 3\n')).toEqual([problem(1, 'completed? must be yes or no, not 3')])
})

test('task lists in Markdown keep their checkboxes', async () => {
  const html = '<ul><li>☐ open</li><li>☑ <em>done</em></li></ul>'
  expect(await readSample('a.md', '- [ ] open\n- [x] *done*\n')).toEqual(['markdown', [thing(1, { title: '', html })]])
})

test('a truncated file is reported with its line, and the items before it are read', async () => {
  const json = '{"format":"thingsync","version":1,"things":[\n{"title":"One","tags":"a"},\n{"title":"Tw'
  const enex = '<en-export><note><title>One</title></note>\n<note><title>Tw'
  expect(await readSample('a.json', json)).toEqual([
    'json',
    [thing(2, { title: 'One', tags: 'a' }), problem(3, 'this is not JSON; the file was not read from here on')],
  ])
  expect(await readSample('a.enex', enex)).toEqual([
    'enex',
    [thing(1, { title: 'One' }), problem(2, 'the file is cut off; the rest is missing')],
  ])
})

test('the names for the command line are the names of the formats', () => {
  expect([readFormats, writeFormats].map((formats) => formats.map(({ name }) => name))).toEqual([
    readFormatNames,
    writeFormatNames,
  ])
})
