import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openImportFile } from '../../src/cli/import-command.ts'

// Files that the programs themselves have written; samples/README.md says how each was made.
const readSample = async (file: string, format?: string): Promise<object[]> => {
  const { items } = await openImportFile(join(import.meta.dirname, 'samples', file), format)
  const found: object[] = []
  for await (const item of items) found.push(item.kind === 'thing' ? item.thing : item)
  return found
}

const bookmark = (title: string, url: string, more: object) => ({ title, url, tags: '', archived: false, ...more })
const address = 'https://example.org/?a=1&b=2&copy=3'

test('Firefox: folders and tags, whatever signs are in them', async () => {
  expect(await readSample('firefox.html')).toEqual([
    bookmark(`Tom & "Jerry" <b>bold</b> it's`, address, { tags: 'a&b plain with-space Ünïcöde', date: 1_704_896_553 }),
    bookmark('Grüße 🙂', 'https://example.net/%C3%BCn%C3%AF?q=%20%22', {
      tags: 'Work-in-progress',
      date: 1_705_017_600,
    }),
    bookmark('Deep', 'https://example.com/deep', { tags: 'Work-in-progress R&D-<new>', date: 1_705_104_000 }),
    bookmark('', 'https://example.com/untitled', { date: 1_705_190_400 }),
    bookmark('Keyword', 'https://example.com/search?q=%s', { date: 1_705_276_800 }),
    bookmark('Bookmarklet', 'javascript:alert(%22hi%22)', { date: 1_705_363_200 }),
    bookmark('Recent Tags', 'place:type=6&sort=14&maxResults=10', { date: 1_795_405_141 }),
    bookmark('On the toolbar', 'https://toolbar.example/', { date: 1_706_745_600 }),
    bookmark('Unfiled', 'https://other.example/', { tags: 'later', date: 1_706_832_000 }),
  ])
})

test('Shiori does not escape titles: what looks like a tag in one is text, and no bookmark is lost behind it', async () => {
  const date = 1_795_405_457
  expect(await readSample('shiori.html')).toEqual([
    bookmark(`Tom & "Jerry" <b>bold</b> it's`, address, { tags: 'a&b plain with-space ünï', date: date - 1 }),
    bookmark('<script>: The Script element', 'https://example.com/script', { tags: 'html', date }),
    bookmark('<a>: The Anchor element', 'https://example.com/a', { tags: 'html', date }),
    bookmark('<dl> and <br> in a title', 'https://example.com/dl', { date }),
    bookmark('https://example.net/untitled', 'https://example.net/untitled', { date }),
    bookmark('Grüße 🙂', 'https://example.com/gruss', { tags: 'later', date }),
  ])
})

test('buku escapes neither titles nor notes', async () => {
  const date = 1_795_405_462
  expect(await readSample('buku.html')).toEqual([
    bookmark('Tom & "Jerry" <b>bold</b>', address, {
      tags: 'plain with-space ünïcode',
      date,
      html: '<p>First line &amp; &lt;style&gt;<br>second line</p>',
    }),
    bookmark('Square [x] (y) and \\ back', 'https://example.net/[brackets](x)', { tags: 'a;b c#', date }),
    bookmark('<script>: The Script element', 'https://example.com/script', { tags: 'html', date }),
    bookmark('', 'https://example.com/no-tags', { date }),
    bookmark("Grüße 🙂 it's", 'https://xn--bcher-kva.example/ünï?q=🙂', { tags: 'grün', date, html: '<p>Notiz</p>' }),
  ])
})

test('the Markdown of buku is a list of links with tags', async () => {
  expect(await readSample('buku.md', 'list')).toEqual([
    bookmark('Tom & "Jerry" <b>bold</b>', address, { tags: 'plain with-space ünïcode' }),
    bookmark('Square [x] (y) and \\ back', 'https://example.net/[brackets](x)', { tags: 'a;b c#' }),
    bookmark('<script>: The Script element', 'https://example.com/script', { tags: 'html' }),
    bookmark('https://example.com/no-tags', 'https://example.com/no-tags', {}),
    bookmark("Grüße 🙂 it's", 'https://xn--bcher-kva.example/ünï?q=🙂', { tags: 'grün' }),
  ])
})

const tom = bookmark(`Tom & "Jerry" <b>bold</b> it's`, address, {
  tags: 'a&b plain ünï',
  date: 1_704_896_553,
  html: '<p>About &lt;i&gt;it&lt;/i&gt; &amp; more<br>second line</p><p><strong>bold</strong> &amp; <a href="https://example.net/">x</a></p><ul><li>one</li><li>two</li></ul>',
})
const untitled = bookmark('https://example.net/untitled', 'https://example.net/untitled', {
  tags: 'toread',
  date: 1_704_931_200,
})
const old = bookmark('Grüße 🙂', 'https://example.com/old', { tags: 'x', date: 1_705_017_600, archived: true })
const noted = bookmark('Only notes', 'https://example.com/notes', {
  date: 1_705_104_000,
  html: '<p>Just this</p>',
  archived: true,
})

test('linkding: notes are also Markdown in its export', async () => {
  expect(await readSample('linkding.html')).toEqual([tom, untitled, old, noted])
})

test('linkding: its REST API says the same, with milliseconds', async () => {
  expect(await readSample('linkding.json')).toEqual([untitled, { ...tom, date: 1_704_896_553.456 }])
  expect(await readSample('linkding-archived.json')).toEqual([noted, old])
})
