import { expect, test } from 'vitest'
import { maxLinearGrowth, measureGrowth } from '../../test/measure-growth.ts'
import { cutAnywhere, readAll } from '../../test/support/transfer.ts'
import { readFormats, writeFormats } from './formats.ts'
import type { ReadItem, TransferThing } from './transfer.ts'

/** A quarter of a megabyte. CI sets a megabyte (1000000), which is too slow for `npm test`. */
const largest = Number(process.env.THINGSYNC_IMPORT_BYTES ?? 250_000)
const growthOptions = {
  // Longer than the pieces into which importers split a text: within one piece, work may be quadratic (`limits.ts`).
  smallestSize: 60_000,
  // Lists inside lists take 4 ms for 60 kB, where no collection runs, and 15 to 115 ms for 250 kB, where several do.
  minMilliseconds: 100,
}

const findFormat = (name: string) => {
  const format = readFormats.find((candidate) => candidate.name === name)
  if (format === undefined) throw new Error(`there is no format ${name}`)
  return format
}

const readText = (name: string, text: string): Promise<ReadItem[]> =>
  readAll(findFormat(name), cutAnywhere(text, 64 * 1024))

/** Creates a text of about `size` characters: it repeats `unit`, in which @ becomes the number of the repetition. */
const repeat =
  (unit: string, begin = '', end = '') =>
  (size: number): string => {
    const count = Math.max(Math.floor(size / unit.length), 1)
    const middle = unit.includes('@')
      ? Array.from({ length: count }, (_, index) => unit.replaceAll('@', String(index))).join('')
      : unit.repeat(count)
    return begin + middle + end
  }

const note = (create: (size: number) => string) => (size: number) =>
  `<en-export><note><title>a</title><content><![CDATA[<en-note>${create(size)}</en-note>]]></content></note></en-export>`
const article = (create: (size: number) => string) => (size: number) =>
  JSON.stringify([{ url: 'https://a.example/', is_archived: 0, content: create(size) }])
const halves = (first: string, second: string, end: string) => (size: number) =>
  repeat(first)(size / 2) + repeat(second)(size / 2) + end

/** The known worst cases of each parser and each part of a reader, from fuzzing and from reading the code. */
const worst: readonly (readonly [format: string, about: string, make: (size: number) => string])[] = [
  ['markdown', 'names inside names', repeat('? ', '---\n', '\n---\n')],
  ['markdown', 'braces inside braces', repeat('{a,', '---\n', '\n---\n')],
  ['markdown', 'names on one line', repeat('a: ', '---\n', '\n---\n')],
  ['markdown', 'aliases', repeat('- *a\n', '---\na: &a b\nc:\n', '---\n')],
  ['markdown', 'names', repeat('a@: b\n', '---\n', '---\n')],
  ['markdown', 'front matter of many notes', repeat(`---\nthingsync: 1\n${'"'.repeat(900)}\n---\n`)],
  ['markdown', 'a heading of blanks', repeat(' ', '# a', 'b')],
  ['markdown', 'headings without words', repeat('# \n')],
  ['markdown', 'emphasis', repeat('_a_ ')],
  ['markdown', 'strong words', repeat('a**b')],
  ['markdown', 'marks that nothing closes', repeat('[**~')],
  ['markdown', 'brackets', repeat('[')],
  ['markdown', 'links that nothing closes', repeat('[a](b')],
  ['markdown', 'code', repeat('`a``')],
  ['markdown', 'addresses', repeat('http://a.example/)')],
  ['markdown', 'one address', repeat('.', 'http://a')],
  ['markdown', 'tags that nothing closes', repeat('<a b="')],
  ['markdown', 'comments that nothing closes', repeat('a <!-- ')],
  ['markdown', 'quotes inside quotes', repeat('> ')],
  ['markdown', 'quotes that go on', repeat('   > |-|\n-->', '===\n')],
  ['markdown', 'lists inside lists', repeat('- + ')],
  ['markdown', 'a list', repeat('- a\n')],
  ['markdown', 'an entry of many lines', repeat('a\n', '- ')],
  ['markdown', 'tables that are none', repeat('b\n-|-\n')],
  ['markdown', 'a table', repeat('a|b\n', 'a|b\n-|-\n')],
  ['markdown', 'a wide table', halves('a|', '-|', '')],
  ['markdown', 'definitions', repeat('[a@]: b "\n')],
  ['markdown', 'a fence', repeat('a\n', '```\n')],
  ['markdown', 'raw HTML', repeat('a\n\n', '<pre>\n')],
  ['markdown', 'hyphens', repeat('---\n', 'a\n')],
  ['enex', 'notes inside notes', repeat('<note><title>')],
  ['enex', 'elements inside elements', repeat('<a>', '<en-export><note>')],
  ['enex', 'declarations that nothing closes', note(repeat('<?xml '))],
  ['enex', 'lines of a text', note(repeat('\n'))],
  ['enex', 'attachments', repeat('<resource><mime>a</mime></resource>', '<en-export><note>', '</note></en-export>')],
  ['wallabag', 'elements inside elements', article(halves('<b>', '</a>', ''))],
  ['wallabag', 'tags that nothing closes', article(repeat('<a b="'))],
  ['wallabag', 'ampersands', article(repeat('&amp'))],
  ['list', 'an address and hyphens', repeat('-', 'http://a/ b', 'x')],
  ['list', 'links on one line', repeat('](http://a)', '[')],
  ['list', 'tags of buku', repeat('<!-- TAGS: ', '[a](http://a) ', ' -->')],
  ['list', 'addresses that are none', repeat('https:/')],
  ['csv', 'quotes that are never closed', repeat('""b\n', 'title,url\n"a\n')],
  ['csv', 'quotes and blanks', (size) => `title,url\n"${'x"'.repeat(size / 4)}${' '.repeat(size / 2)}",b\n`],
  ['csv', 'quotes with blanks behind', repeat('" ', 'title,url\n"', '",b\n')],
  ['csv', 'cells', repeat(',', 'title,url\na')],
  ['csv', 'a date', repeat('1.', 'title,url,date\na,u:a,', 'x\n')],
  ['netscape', 'folders inside folders', repeat('<DL>')],
  ['netscape', 'tags that close nothing', halves('<DL>', '</A>', '')],
  ['netscape', 'a title of tags', repeat('<p>', '<DT><A HREF="u:a">')],
  ['netscape', 'bookmarks in a long folder', repeat('<DT><A>', `<DL><DT><H3>${'f'.repeat(20_000)}</H3><DL>`)],
  ['netscape', 'tags', repeat('a@,', '<DT><A HREF="u:a" TAGS="', '">A</A>')],
  ['netscape', 'attributes', repeat(' a@="b"', '<DT><A', '>A</A>')],
  ['json', 'lists inside lists', halves('[', ']', '}]}')],
  [
    'json',
    'a title of lists',
    repeat(`${'['.repeat(1_000)}${']'.repeat(1_000)},`, '{"format":"thingsync","things":[{"title":[', '0]}]}'),
  ],
  ['json', 'escapes', repeat('\\\\', '{"format":"thingsync","things":[{"title":"', '"}]}')],
  ['linkding', 'a date', repeat('(', '{"results":[{"tag_names":[],"url":"u:a","date_added":"', '"}]}')],
  ['linkding', 'blanks of a tag', repeat(' ', '{"results":[{"url":"u:a","tag_names":["a', 'b"]}]}')],
  ['linkding', 'emphasis of notes', repeat('*a **', '{"results":[{"url":"u:a","tag_names":[],"notes":"', '"}]}')],
  ['karakeep', 'a heading', repeat('#', '{"bookmarks":[{"createdAt":1,"content":{"type":"text","text":"', '"}}]}')],
]

// Minutes, because the machine may be busy with other tests.
const patience = { timeout: 600_000 }

test.each(worst)('the time to read %s with %s grows only linearly', patience, async (name, _, create) => {
  const { growth } = await measureGrowth(create, (text) => readText(name, text), largest, growthOptions)

  expect(growth).toBeLessThan(maxLinearGrowth)
})

// The other two formats write a note unchanged, too fast to measure.
test.each(['markdown', 'netscape'])('the time to write a note as %s grows only linearly', async (name) => {
  const format = writeFormats.find((candidate) => candidate.name === name)
  async function* list(html: string): AsyncIterable<TransferThing> {
    yield { title: 'a', tags: '', archived: false, html }
  }
  const write = async (html: string) => {
    for await (const _ of format?.write({ tags: new Map(), things: list(html) }) ?? []);
  }

  for (const unit of ['<', '_a_ ', '<b>', '<br>\n']) {
    const { growth } = await measureGrowth(repeat(unit), write, largest, growthOptions)
    expect(growth, unit).toBeLessThan(maxLinearGrowth)
  }
})

const problem = (line: number, reason: string) => ({ kind: 'problem', line, reason })
const ours = (title: string) => `---\nthingsync: 1\ntitle: ${title}\n---\n\ntext\n`
const titlesOf = (items: readonly ReadItem[]) => items.map((item) => (item.kind === 'thing' ? item.thing.title : item))

test('front matter beyond the limits is reported with its line, and the other notes are read', async () => {
  const read = (yaml: string) =>
    readText('markdown', `${ours('A')}---\nthingsync: 1\n${yaml}\n---\n\ntext\n${ours('B')}`)
  const advice = 'move long content below it'

  const reasons = [
    ['? '.repeat(600), 'the front matter has more than 32 lists or names inside one another'],
    ['? [a]\n: b', 'the front matter is not valid YAML: With stringKeys, all keys must be strings at line 2, column 3'],
    [`${'{a,'.repeat(600)}`, 'the front matter has more than 32 lists or names inside one another'],
    ['a: b\na: c', 'the front matter is not valid YAML: it has the name a twice'],
    [`x:\n${'- b\n'.repeat(1100)}`, `the front matter has more than 1000 entries; ${advice}`],
    [`x: ${'b'.repeat(33_000)}`, `the front matter is longer than 32768 characters; ${advice}`],
    [`x: &a b\ny: [${'*a, '.repeat(250)}]`, 'the front matter has more than 100 anchors or aliases'],
  ] as const
  for (const [yaml, reason] of reasons)
    expect(titlesOf(await read(yaml)), yaml.slice(0, 20)).toEqual(['A', problem(7, reason), 'B'])
})

test('a long note between double quotes does not count as long front matter', async () => {
  const html = `${'<p>a\n---\nb</p>'.repeat(10_000)}"`
  const [item] = await readText('markdown', `---\nthingsync: 1\ntitle: A\nhtml: ${JSON.stringify(html)}\n---\n`)

  expect(item).toMatchObject({ kind: 'thing', thing: { title: 'A', html } })
})

test('unclosed notes of an export are reported, and the next notes are read', async () => {
  const text = `<en-export>\n<note><title>A</title></note>\n<note><title>lost\n<note><title>B</title>${'<x>'.repeat(200)}\n<note><title>C</title></note>\n</en-export>\n`
  const unclosed = 'the note that begins here is never closed, and was not read'

  expect(titlesOf(await readText('enex', text))).toEqual([
    'A',
    problem(3, unclosed),
    problem(4, 'more than 100 elements inside one another were not read'),
    problem(4, unclosed),
    'C',
  ])
})

test('after an unclosed quote each row is read, however many such quotes there are', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => (row % 2 === 0 ? `""b${row}` : `T${row},u:${row}`))
  const items = await readText('csv', `title,url\n"a\n${rows.join('\n')}\n`)

  expect(items.filter(({ kind }) => kind === 'thing')).toHaveLength(10_000)
  expect(items[0]).toEqual(problem(2, 'a quote that begins in this line is never closed'))
})

test('a value that is nested too deeply for the stack is shown shortened', async () => {
  const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`
  const items = await readText('json', `{"format":"thingsync","things":[\n{"title":${deep}},\n{"title":"B"}]}`)

  expect(titlesOf(items)).toEqual([problem(2, `things[0].title must be text, not ${'['.repeat(40)}…`), 'B'])
})

test('a long Markdown note keeps its blocks, and no word is lost where it is split', async () => {
  const read = async (text: string) => {
    const [item] = await readText('markdown', text)
    return item?.kind === 'thing' ? (item.thing.html ?? '') : ''
  }
  const lines = (create: (index: number) => string) =>
    Array.from({ length: 2000 }, (_, index) => create(index)).join('\n')

  const list = await read(lines((index) => `- entry *${index}*`))
  const table = await read(`|a|b|\n|-|-|\n${lines((index) => `|${index}|x|`)}`)
  const code = await read(`\`\`\`\n${lines((index) => (index % 3 === 0 ? '' : `# ${index}`))}\n\`\`\`\n\nend`)
  const quote = await read(lines((index) => `> ${index}\n>`))
  const pre = await read(`<pre>\n${lines((index) => `*${index}*\n`)}\n</pre>\n\n*end*`)
  const words = await read(lines((index) => `word *${index}* [link](https://a.example/${index})`))

  expect(list).toBe(
    `<ul>${Array.from({ length: 2000 }, (_, index) => `<li>entry <em>${index}</em></li>`).join('')}</ul>`,
  )
  expect([table.match(/<table>/gu)?.length, table.match(/<tr>/gu)?.length]).toEqual([1, 2001])
  expect([code.match(/<pre>/gu)?.length, code.match(/# \d+/gu)?.length, code.endsWith('</pre><p>end</p>')]).toEqual([
    1,
    1333,
    true,
  ])
  expect([quote.match(/<blockquote>/gu)?.length, quote.match(/<p>\d+<\/p>/gu)?.length]).toEqual([1, 2000])
  expect([pre.match(/<em>/gu)?.length, pre.match(/\*\d+\*/gu)?.length]).toEqual([1, 2000])
  expect(words.match(/<em>\d+<\/em> <a href/gu)).toHaveLength(2000)
})

test('HTML that is nested more deeply than the limit keeps its text', async () => {
  const content = `${'<b>'.repeat(5000)}word${'</b>'.repeat(5000)}<i>end</i>`
  const [item] = await readText('wallabag', JSON.stringify([{ url: 'u:a', is_archived: 0, content }]))
  const html = item?.kind === 'thing' ? (item.thing.html ?? '') : ''

  expect([html.match(/<b>/gu)?.length, html.includes('word'), html.endsWith('<i>end</i>')]).toEqual([500, true, true])
})
