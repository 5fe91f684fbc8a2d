import { describe, expect, test } from 'vitest'
import { createEventSplitter } from '../../client/src/api.ts'
import { createJsonSplitter } from '../../client/src/json-stream.ts'
import { maxLinearGrowth, measureGrowth } from '../../test/measure-growth.ts'
import { trimAroundBreaks } from '../editor/note-document.ts'
import {
  foldText,
  maxQueryCharacters,
  maxSearchedCharacters,
  readNoteText,
  readQuery,
  toggleTagIn,
} from '../search/query.ts'
import { createSearchIndex, type SearchedThing } from '../search/search-index.ts'
import { createKnownThings } from '../transfer/importer.ts'
import { translateReason } from '../words/de-errors.ts'
import { escapeTags, readAddLine, splitPasted } from './add-line.ts'
import { decodeTimestamped } from './drafts.ts'
import { changeTags, listAllTags, readTags } from './edit-form.ts'
import type { Row } from './item-parts.ts'
import { normalizeUrl, readSafeUrl } from './urls.ts'
import { readViewState } from './view-state.ts'

// Notes contain texts of other authors through clipping, sharing and imports. No text of a megabyte may block the app.
const largest = 1_000_000
/** The maximum length of a title, URL or text of tags in the API (openapi.yaml). */
const maxFieldCharacters = 65_536
const isField = (name: string): boolean => /^(?:a title|a URL|tags|two tags)/u.test(name)

/** Creates a text of this size that repeats a piece. */
const repeat =
  (piece: string, before = '', after = '') =>
  (size: number): string =>
    before + piece.repeat(Math.ceil(size / piece.length)) + after

const marks = (size: number): string => `a${'\u0345'.repeat(size / 2)}${'\u0301'.repeat(size / 2)}`
// Different letters, because these make Punycode costly.
const chinese = (size: number): string =>
  String.fromCharCode(...Array.from({ length: Math.min(size, 65_000) }, (_, index) => 0x4e00 + (index % 20_000)))
const numbered = (write: (number: number) => string, length: number) => (size: number) =>
  Array.from({ length: size / length }, (_, number) => write(number)).join(' ')

type Case = readonly [name: string, makeText: (size: number) => string, work: (text: string) => unknown]

const cases: readonly Case[] = [
  ['a title of marks', marks, foldText],
  ['a title of halfwidth signs and marks', repeat('\uff9e\u0345\u0345', 'a'), foldText],
  ['a title of marks beyond the basic plane', repeat('\u{1d165}\u0345', 'a'), foldText],
  ['a title of rows of marks as long as they may be', repeat(`a${'\u0345\u0301'.repeat(32)}`), foldText],
  ['a title of capital sigmas and marks', repeat('Σ\u0345'), foldText],
  ['a title of ligatures', repeat('\ufdfa'), foldText],
  ['a note of marks', marks, (text) => foldText(readNoteText(text))],
  ['a note of marks as entities', repeat('&#837;&#769;', 'a'), (text) => foldText(readNoteText(text))],
  ['a note of <', repeat('<'), readNoteText],
  ['a note of < before a tag', repeat('<', '', '>'), readNoteText],
  ['a note of <>', repeat('<>'), readNoteText],
  ['a note of scripts without an end', repeat('<script>'), readNoteText],
  ['a note of styles without an end, and of scripts', repeat('<style><script></script>'), readNoteText],
  ['a note of half ends of scripts', repeat('</script   ', '<script>'), readNoteText],
  ['a note of ends of scripts', repeat('</script>'), readNoteText],
  ['a note of blanks', repeat(' \n'), readNoteText],
  ['a note of tags and blanks', repeat('<b> \n', '', '<'), readNoteText],
  ['a note of &', repeat('&#'), readNoteText],
  ['a note of half entities', repeat('&#x12345'), readNoteText],
  ['a query of words', repeat('a '), readQuery],
  ['a query of quotes', repeat('-"'), readQuery],
  ['a query of is:', repeat('is:'), readQuery],
  [
    'a query with a link',
    numbered((number) => `a${number}`, 7),
    (text) => toggleTagIn(readViewState(`?q=${text}`).query, 'a'),
  ],
  ['a line of URLs', repeat('www.a'), readAddLine],
  ['a line of http://', repeat('http://', 'http://a '), readAddLine],
  ['a line of number signs', repeat('#'), readAddLine],
  ['a line of tags without spaces', repeat('#a'), readAddLine],
  ['a line of brackets', repeat('('), readAddLine],
  ['a line of closing brackets', repeat(')', 'https://a.example/'), readAddLine],
  ['a line of opening square brackets', repeat('['), readAddLine],
  ['a line of half Markdown links', repeat('[a](http://'), readAddLine],
  ['a line of slashes in a tag', repeat('/', '#a', 'b'), readAddLine],
  ['a line of commas before a tag', repeat(',', 'a', 'x #tag'), readAddLine],
  ['a URL of slashes', repeat('/', 'https://a.example/', 'b'), normalizeUrl],
  ['a URL of parameters', repeat('a=1&', 'https://a.example/?'), normalizeUrl],
  ['a URL of campaigns', repeat('utm_a=1&', 'https://a.example/?'), normalizeUrl],
  ['a line of dots', repeat('a.'), readAddLine],
  ['a line of separators', repeat('- '), readAddLine],
  ['pasted text of line breaks', repeat('\n '), splitPasted],
  ['pasted text of bullets', repeat('- \n'), splitPasted],
  ['a line of backslashes', repeat('\\', '', ' #'), readAddLine],
  ['a shared text of backslashes', repeat('\\', '', ' \\#'), escapeTags],
  ['a shared text of blanks', repeat(' \n', 'a', 'b'), (text) => readViewState(`?title=${text}&text=${text}`)],
  ['a URL with a host of Chinese letters', (size) => `http://${chinese(size)}`, readSafeUrl],
  ['a URL with slashes before a host of Chinese letters', (size) => `https:/\\\t/${chinese(size)}/`, readSafeUrl],
  ['a URL with user names before its host', repeat('這是@', 'https://'), readSafeUrl],
  ['a URL with a path of Chinese letters', repeat('這是一個網址', 'https://example.com/'), readSafeUrl],
  ['a URL of dots and slashes', repeat('../', 'https://example.com/'), readSafeUrl],
  ['tags of number signs', repeat('#'), readTags],
  ['tags of commas', repeat(', '), readTags],
  [
    'many tags that are removed from an item',
    numbered((number) => `t${number}`, 7),
    (text) => changeTags(text.split(' '), [], text.split(' ')),
  ],
  [
    'many tags in order',
    numbered((number) => `t${number % 1000}-${number}`, 10),
    (text) =>
      listAllTags(
        new Map(text.split(' ').map((name) => [name, 1])),
        new Map(),
        new Intl.Collator('en', { numeric: true }).compare,
      ),
  ],
  ...(['0', '9', '\u0345\u0301', '\u0fb2\u0f71'] as const).map(
    (piece): Case => [
      `two tags of ${JSON.stringify(piece)} in order`,
      repeat(piece, 'a'),
      (text) =>
        listAllTags(
          new Map([
            [text, 1],
            [`${text}b`, 1],
          ]),
          new Map(),
          new Intl.Collator('en', { numeric: true }).compare,
        ),
    ],
  ),
  ['invisible spaces beside line breaks', repeat(' ', 'a', 'b\v'), trimAroundBreaks],
  ['line breaks and blanks', repeat(' \v '), trimAroundBreaks],
  ['a timestamped text of marks', repeat('\0'), decodeTimestamped],
  ['a sentence of an import, in German', repeat('a ', 'a is not a date: '), translateReason],
  ['a sentence of an import with quotes, in German', repeat('" ', 'a is "'), translateReason],
  [
    'a stream of events that arrives byte by byte',
    (size) => `data: ${'a'.repeat(size / 4)}\n\n`,
    (text) => {
      const split = createEventSplitter()
      for (const character of text) split(character)
    },
  ],
  [
    'a response of escapes that arrives byte by byte',
    (size) => `["${'\\\\'.repeat(size / 8)}"]`,
    (text) => {
      const splitter = createJsonSplitter(() => true)
      for (const character of text) splitter.push(character)
      splitter.finish()
    },
  ],
]

test.each(cases)('%s is processed in linear time', async (name, createText, work) => {
  const size = isField(name) ? maxFieldCharacters : largest
  let { growth } = await measureGrowth(createText, work, size)
  // A busy machine may collect garbage during the larger measurement only, so it is repeated.
  if (growth > maxLinearGrowth) growth = (await measureGrowth(createText, work, size)).growth

  expect(growth).toBeLessThan(maxLinearGrowth)
})

test('items with the same title and no URL are recognized in linear time', async () => {
  const rows = (count: number): readonly Row[] =>
    Array.from({ length: count }, (_, number) => ({
      number,
      id: `id${number}`,
      title: '',
      tags: [],
      date: 1,
      archived: false,
      hasNote: true,
      isPending: false,
    }))
  const requestEach = async (all: readonly Row[]): Promise<void> => {
    const known = createKnownThings(all, async (id) => `note of ${id}`)
    for (const { id } of all) {
      await known.check({ title: '', tags: '', archived: false, html: `note of ${id}` }, false)
    }
  }

  const { growth } = await measureGrowth(rows, requestEach, 20_000)

  expect(growth).toBeLessThan(maxLinearGrowth)
})

describe('the searched text', () => {
  const thing = { number: 0, title: 'A', tags: '', date: 1, archived: false, isPending: false } as const
  const indexOf = (one: Partial<SearchedThing>) => {
    const index = createSearchIndex()
    index.put([{ ...thing, ...one }])
    return (query: string) => index.search(query).length === 1
  }

  test('in a note is its text up to the limit, without its markup', () => {
    const tag = `<img src="data:image/png;base64,${'A'.repeat(5_000)}">\n`
    const finds = indexOf({ html: `${tag.repeat(100)}${'x '.repeat(10)}<b>found</b> ${'long '.repeat(50_000)}lost` })

    expect(finds('found')).toBe(true)
    expect(finds('lost')).toBe(false)
    expect(readNoteText(repeat('a b ')(largest)).length).toBeLessThanOrEqual(maxSearchedCharacters)
  })

  test('in a letter with a thousand marks is the letter and the text after it', () => {
    const finds = indexOf({ title: `be${'\u0345\u0301\u{1d165}'.repeat(1_000)}fore after` })

    expect(finds('after')).toBe(true)
    expect(finds('be')).toBe(true)
  })

  test('never ends inside a surrogate pair', () => {
    const text = readNoteText(`a${'😀'.repeat(maxSearchedCharacters)}`)

    expect(text.isWellFormed?.() ?? true).toBe(true)
    expect(text).toHaveLength(maxSearchedCharacters - 1)
    expect(foldText(`aé${'\u{1d165}'.repeat(1_000)}`)).not.toMatch(/[\ud800-\udbff]$/)
  })

  test('of a query is limited to its first characters, because a link may contain a long query', () => {
    expect(readQuery('a '.repeat(largest))).toHaveLength(maxQueryCharacters / 2)
    expect(readViewState(`?q=${'a'.repeat(largest)}`).query).toHaveLength(maxQueryCharacters)
  })
})

test('readNoteText omits scripts and styles, also in comments, and keeps a < that begins no tag', () => {
  expect(
    [
      'a<script>x > y</SCRIPT >b',
      '<!-- <style>a > b</style> -->c',
      '<p>1 &lt; 2</p>&#65;&nbsp;&bogus;',
      'a < b',
      '<script>a',
    ].map(readNoteText),
  ).toEqual(['a b', 'c', '1 < 2 A &bogus;', 'a < b', 'a'])
})
