import { expect, test } from 'vitest'
import {
  checkLanguage,
  checkLinks,
  checkPackageLinks,
  findExcess,
  type Page,
  splitSentences,
} from '../../scripts/check-documents.ts'

/** The findings of a made-up page, as `line rule: text`. */
const find = (text: string, path = 'docs/how-to/page.md'): readonly string[] =>
  checkLanguage({ path, text }).findings.map(({ line, rule, text: found }) => `${line} ${rule}: ${found}`)

const repeat = (word: string, times: number): string => Array.from({ length: times }, (_, n) => `${word}${n}`).join(' ')

test('a page within all rules has no finding', () => {
  const text = [
    '# Back up the data folder',
    'For administrators. The server writes a copy every day:',
    '```sh',
    `thingsync backup ${repeat('word', 40)}`,
    '```',
    '- You can restore it (RFC 2119, section 1). Who reads it? The user who owns it.',
    '',
    '| flag | use |',
    '| --- | --- |',
    '| `--data` | the folder |',
  ].join('\n')

  expect(checkLanguage({ path: 'docs/a.md', text })).toEqual({
    path: 'docs/a.md',
    words: 35,
    sentences: 3,
    longSentences: 0,
    findings: [],
  })
})

test('sentences end at full stops, but not in abbreviations, numbers, URLs and code', () => {
  expect(
    splitSentences(
      'Use Node 20.19, e.g. Debian has it. See https://a.example/b.html first! Is it “here?” (Yes.) No. 5 is.',
    ),
  ).toEqual([
    'Use Node 20.19, e.g. Debian has it.',
    'See https://a.example/b.html first!',
    'Is it “here?”',
    '(Yes.)',
    'No. 5 is.',
  ])
  expect(
    checkLanguage({ path: 'docs/a.md', text: 'Run `thingsync. Serve now` as a user. `b.c` is the second.' }),
  ).toMatchObject({
    sentences: 2,
    findings: [],
  })
})

test('a sentence of 26 words is found, each item of a list by itself, a code span as one word', () => {
  expect(find(`First.\n\n${repeat('word', 26)}.`)).toEqual([
    expect.stringMatching(/^3 long sentence: 26 words: word0 /),
  ])
  expect(find(`- ${repeat('a', 20)}\n- ${repeat('b', 20)}\n  - ${repeat('c', 20)}`)).toEqual([])
  expect(find(`- ${repeat('a', 5)}\n- ${repeat('b', 26)}`)).toEqual([
    expect.stringMatching(/^2 long sentence: 26 words: b0 /),
  ])
  expect(find(`${repeat('word', 24)} \`${repeat('code', 9)}\`.`)).toEqual([])
})

test('a table cell of 16 words is found, but not in the reference', () => {
  const table = `| a |\n| --- |\n| ${repeat('b', 16)} |\n`

  expect(find(table)).toEqual([expect.stringMatching(/^3 long cell: 16 words: b0 /)])
  expect(find(table, 'docs/reference/limits.md')).toEqual([])
})

test('words of the glossary, riddles in headings, doubled words and persons without a noun are found', () => {
  expect(find('The server\nmends it.')).toEqual(['2 glossary: "mends"; write: fix'])
  expect(find('## What becomes of it\n### when to stop\n## Whatever\n')).toEqual([
    '1 heading: What becomes of it',
    '2 heading: when to stop',
  ])
  expect(find('It is the\nThe end of that-that.')).toEqual(['1 doubled word: the The'])
  expect(
    [
      'Who may write can connect.',
      'Nobody reads it.',
      'It says who may write.',
      'It stops; who asks later waits.',
      'Who may write? A user who has a key.',
    ].map((text) => find(text)),
  ).toEqual([
    ['1 person without a noun: Who may write can connect.'],
    ['1 person without a noun: Nobody reads it.'],
    ['1 person without a noun: It says who may write.'],
    ['1 person without a noun: It stops; who asks later waits.'],
    [],
  ])
})

test('a user page of 1,501 words is found, but not the specification, and neither a README of 121 lines', () => {
  const long = Array.from({ length: 1501 }, () => 'Word.').join(' ')

  expect(find(long)).toEqual(['0 long page: 1501 words, at most 1500 are allowed'])
  expect(find(long, 'docs/reference/protocol.md')).toEqual([])
  expect(find(`# A${'\n'.repeat(120)}b\n`, 'README.md')).toEqual(['0 long page: 121 lines, at most 120 are allowed'])
})

test('links to missing files and headings are found, in Markdown and in HTML', () => {
  const pages: readonly Page[] = [
    {
      path: 'docs/a.md',
      text: [
        '# `serve --help`: more, twice',
        '[here](#serve---help-more-twice) [b](how-to/b.md#two-1) [id](how-to/b.md#c-1) [web](https://a.example/x)',
        '',
        '[file](../openapi.yaml) [folder](how-to/) [gone](gone.md) [away](#away) [out](../../out.md) [no](how-to/b.md#three)',
        '',
        '<img src="pictures/gone.png">',
        '`[code](code.md)`',
      ].join('\n'),
    },
    { path: 'docs/how-to/b.md', text: '# Two\n# Two\n<a id="c-1"></a>Text' },
  ]
  const files = new Set(['docs/a.md', 'docs/how-to/b.md', 'docs/how-to', 'openapi.yaml'])

  expect(checkLinks(pages, (path) => files.has(path)).map(({ line, text }) => `${line} ${text}`)).toEqual([
    '4 gone.md',
    '4 #away',
    '4 ../../out.md',
    '4 how-to/b.md#three',
    '6 pictures/gone.png',
  ])
})

test('links of a page to files that its package does not ship are found, except pictures', () => {
  const pages: readonly Page[] = [
    {
      path: 'README.md',
      text: '[docs](docs/a.md) ![list](docs/list.png) [sdk](sdk/README.md) [proxies](docs/proxies)',
    },
    { path: 'sdk/README.md', text: '[out](../gone.md)' },
  ]
  const files = ['README.md', 'docs/a.md', 'docs/proxies/nginx.conf']

  expect(checkPackageLinks(pages, { folder: '', files })).toEqual([
    { path: 'README.md', line: 1, rule: 'link out of the package', text: 'sdk/README.md' },
  ])
})

test('more than 5 % long sentences are too many, and a single finding of every other rule', () => {
  const report = { path: 'docs/a.md', words: 900, sentences: 100, longSentences: 5, findings: [] }
  const heading = { path: 'docs/a.md', line: 1, rule: 'heading', text: 'What' } as const
  const link = { path: 'docs/a.md', line: 1, rule: 'dead link', text: 'gone.md' } as const

  expect(findExcess([report], [])).toEqual([])
  expect(findExcess([{ ...report, longSentences: 6 }], [])).toEqual(['long sentence: 6.0 % of all, at most 5.0 %'])
  expect(findExcess([{ ...report, findings: [heading] }], [link])).toEqual([
    'heading: 1, at most 0',
    'dead link: 1, at most 0',
  ])
})
