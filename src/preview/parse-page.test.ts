import { expect, test } from 'vitest'
import { createPageParser, type PageDetails } from './parse-page.ts'

interface Given {
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  /** Bytes of each piece. */
  readonly pieceBytes?: number
}

const parse = (page: string | Uint8Array, { url, headers, pieceBytes = 7 }: Given = {}): PageDetails => {
  const parser = createPageParser(new URL(url ?? 'https://site.test/a/b?c=d'), {
    'content-type': 'text/html',
    ...headers,
  })
  const bytes = Buffer.from(page)
  for (let at = 0; at < bytes.length; at += pieceBytes) parser.write(bytes.subarray(at, at + pieceBytes))
  return parser.end()
}

test.each<[string, string]>([
  ['<title>Plain</title>', 'Plain'],
  ['<!DOCTYPE html><html><head><TITLE lang=en>\n  Two\n\tlines </TITLE>', 'Two lines'],
  ['<title>Fish &amp; chips &lt;b&gt; &#8211; &#x2603; &eacute; &ndash;</title>', 'Fish & chips <b> – ☃ é –'],
  ['<title>&amp;amp; &bogus; &#0; &#xD800; &</title>', '&amp; &bogus; \ufffd \ufffd &'],
  ['<title>a<b>c</title>', 'a<b>c'],
  ['<title>First</title><title>Second</title>', 'First'],
  ['<title> </title><title>Second</title>', 'Second'],
  ['<svg><title>Icon</title></svg><title>Page</title>', 'Page'],
  ['<script>"<title>no</title>"</script><!-- <title>no</title> --><title>Page</title>', 'Page'],
  ['<textarea><title>no</title></textarea><title>Page</title>', 'Page'],
  ['<title>Cut off at the end', 'Cut off at the end'],
  ['<title>a\u0000b\u0085c\u2028d\u202ee\u2069</title>', 'a b c de'],
  ['<title>🏳️‍🌈 می‌خواهم</title>', '🏳️‍🌈 می‌خواهم'],
])('the title of %j is %j', (page, title) => {
  expect(parse(page)).toEqual({ title })
  expect(parse(page, { pieceBytes: 1 })).toEqual({ title })
  expect(parse(page, { pieceBytes: 100_000 })).toEqual({ title })
})

test('a page with everything has all details, each from its best place', () => {
  const details = parse(`<!doctype html><html><head>
    <title>Title &amp; more</title>
    <meta property="og:title" content="Open Graph">
    <meta name="description" content=" The&nbsp;page&#39;s description ">
    <meta property="og:description" content="Open Graph">
    <link rel="stylesheet" href="/style.css"><link rel="Alternate Canonical" href="../c?x=1&amp;y=2#z">
    <meta property="og:url" content="https://site.test/og">
    <meta property="og:site_name" content="The Site">`)

  expect(details).toEqual({
    title: 'Title & more',
    description: "The page's description",
    canonicalUrl: 'https://site.test/c?x=1&y=2#z',
    siteName: 'The Site',
  })
})

test('without them, Open Graph counts, then the names of other sites, JSON-LD and oEmbed', () => {
  const openGraph = `<meta content='Fish "n" chips' property=OG:Title><meta property="og:description" content="D">
    <meta property="og:url" content="/page"><meta name="application-name" content="App">`
  const twitter = '<meta name="twitter:title" content="T"><meta name="twitter:description" content="D">'
  const oEmbed = '<link rel="alternate" type="application/json+oembed" href="/oembed?url=x" title="A video">'

  expect(parse(openGraph)).toEqual({
    ...{ title: 'Fish "n" chips', description: 'D', canonicalUrl: 'https://site.test/page', siteName: 'App' },
  })
  expect(parse(twitter)).toEqual({ title: 'T', description: 'D' })
  expect(parse(oEmbed)).toEqual({ title: 'A video' })
})

test.each<[string, PageDetails]>([
  [
    '{"@type":"NewsArticle","headline":"News","description":"D","url":"/n","publisher":{"name":"Paper"}}',
    { title: 'News', description: 'D', canonicalUrl: 'https://site.test/n', siteName: 'Paper' },
  ],
  [
    '{"@graph":[{"@type":"WebSite","name":"Site"},{"@type":["Organization"],"name":"Org"},{"@type":"WebPage","name":"Page"}]}',
    { title: 'Page', siteName: 'Site' },
  ],
  ['[{"@type":"Product","name":"Shoe"}]', { title: 'Shoe' }],
  ['{"headline":5,"name":["x"]}', {}],
  ['{"headline":"</b>"}', { title: '</b>' }],
  ['not JSON', {}],
  ['null', {}],
  ['[null,1,"x",[]]', {}],
  ['{"__proto__":{"name":"x"}}', {}],
])('the JSON-LD %s is read', (json, details) => {
  expect(parse(`<script type="application/ld+json">${json}</script>`)).toEqual(details)
})

test('other scripts are not read', () => {
  expect(parse('<script type="application/json">{"headline":"no"}</script><script>({"name":"no"})</script>')).toEqual(
    {},
  )
})

test.each([
  ['javascript:alert(1)'],
  ['data:text/html,x'],
  ['https://user:secret@site.test/'],
  ['https://site.test/'.padEnd(3_000, 'x')],
  ['http://['],
  [''],
])('the canonical URL %j is left out', (href) => {
  expect(parse(`<link rel=canonical href="${href}">`)).toEqual({})
})

test('relative URLs are resolved against <base>, and a bad <base> does not count', () => {
  const link = '<link rel=canonical href="d">'

  expect(parse(`<base href="/x/"><base href="/y/">${link}`).canonicalUrl).toBe('https://site.test/x/d')
  expect(parse(`<base href="javascript:x">${link}`).canonicalUrl).toBe('https://site.test/a/d')
})

test('the header Link can name the canonical URL', () => {
  const link = '</style.css>; rel=preload; as=style, <https://site.test/c,d>; title="x"; rel="canonical"'

  expect(parse('', { headers: { link } })).toEqual({ canonicalUrl: 'https://site.test/c,d' })
  expect(parse('<link rel=canonical href="/page">', { headers: { link } }).canonicalUrl).toBe('https://site.test/page')
})

const shiftJis = Buffer.from('<title>\x93\xfa\x96\x7b\x8c\xea</title>', 'latin1')
const withBytes = (before: string, bytes: Uint8Array) => Buffer.concat([Buffer.from(before), bytes])

test.each<[string, Uint8Array, string, string]>([
  ['Shift_JIS by header', shiftJis, 'text/html; charset=Shift_JIS', '日本語'],
  ['Shift_JIS by header in quotes', shiftJis, 'text/html;charset="sjis"', '日本語'],
  ['Shift_JIS by <meta charset>', withBytes('<meta charset="shift-jis">', shiftJis), 'text/html', '日本語'],
  ['Shift_JIS between spaces', withBytes('<meta charset = " shift-jis ">', shiftJis), 'text/html', '日本語'],
  [
    'Shift_JIS by <meta http-equiv>',
    withBytes('<meta http-equiv=Content-Type content="text/html; charset=x-sjis">', shiftJis),
    'text/html',
    '日本語',
  ],
  ['a late <meta>', withBytes(`<!--${'x'.repeat(3_000)}--><meta charset=shift_jis>`, shiftJis), 'text/html', '日本語'],
  ['a <meta> against the header', withBytes('<meta charset=utf-8>', shiftJis), 'text/html; charset=sjis', '日本語'],
  [
    'an unknown charset in the header',
    withBytes('<meta charset=sjis>', shiftJis),
    'text/html; charset=bogus',
    '日本語',
  ],
  ['UTF-8 by BOM, against the header', Buffer.from('\ufeff<title>ü</title>'), 'text/html; charset=sjis', 'ü'],
  ['UTF-16 by BOM', Buffer.from('\ufeff<title>日本</title>', 'utf16le'), 'text/html', '日本'],
  ['UTF-16BE by BOM', Buffer.from('\ufeff<title>日本</title>', 'utf16le').swap16(), 'text/html', '日本'],
  ['a <meta> that claims UTF-16', Buffer.from('<meta charset=utf-16><title>ü</title>'), 'text/html', 'ü'],
  ['UTF-8 without a declaration', Buffer.from('<title>ü 日本</title>'), 'text/html', 'ü 日本'],
  ['windows-1252 without a declaration', Buffer.from('<title>\xfc \x80</title>', 'latin1'), 'text/html', 'ü €'],
  ['no content type', Buffer.from('<title>ü</title>'), '', 'ü'],
  ['XHTML', Buffer.from('<title>ü</title>'), 'application/xhtml+xml; charset=utf-8', 'ü'],
])('%s is decoded', (_what, page, type, title) => {
  expect(parse(page, { headers: { 'content-type': type } })).toEqual({ title })
})

test('UTF-8 that is cut at the end of the first bytes is UTF-8', () => {
  const page = `<title>ü</title>${'x'.repeat(4_096 - 17)}ü`

  expect(parse(page, { pieceBytes: 4_096 })).toEqual({ title: 'ü' })
})

test.each<[string, string, Record<string, string>, PageDetails]>([
  [
    'a PDF',
    'https://site.test/files/Annual%20report.pdf?x=1',
    { 'content-type': 'application/pdf' },
    { title: 'Annual report.pdf' },
  ],
  ['an image without a name', 'https://site.test/image/5', { 'content-type': 'image/png' }, {}],
  ['a folder', 'https://site.test/v1.2/', { 'content-type': 'text/plain' }, {}],
  [
    'a name of the header',
    'https://site.test/get',
    { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename="a \\"b\\".zip"' },
    { title: 'a "b".zip' },
  ],
  [
    'a name in UTF-8',
    'https://site.test/x.bin',
    {
      'content-type': 'application/zip',
      'content-disposition': "inline; filename=plain.zip; filename*=UTF-8''%e2%82%ac.zip",
    },
    { title: '€.zip' },
  ],
  [
    'a name with a path',
    'https://site.test/x',
    { 'content-type': 'application/zip', 'content-disposition': 'attachment; filename=../../etc/passwd' },
    { title: 'passwd' },
  ],
  ['damaged percent-encoding', 'https://site.test/%e2%82.pdf', { 'content-type': 'application/pdf' }, {}],
])('content that is no HTML has the name of its file as title: %s', (_what, url, headers, details) => {
  expect(parse('<title>no page</title>', { url, headers })).toEqual(details)
})

test('long texts are cut between characters, and end with an ellipsis', () => {
  const long = '😀'.repeat(5_000)
  const { title, description, siteName } = parse(
    `<title>${long}</title><meta name=description content="${long}"><meta property=og:site_name content="${long}">`,
  )

  expect(title).toBe(`${'😀'.repeat(499)}…`)
  expect(description).toBe(`${'😀'.repeat(999)}…`)
  expect(siteName).toBe(`${'😀'.repeat(99)}…`)
})

test('nothing is read once each detail has its best place', () => {
  const parser = createPageParser(new URL('https://site.test/'), {})
  const head = `<title>T</title><meta name=description content=D><link rel=canonical href=/c>`

  const more = [
    parser.write(Buffer.from(head.padEnd(5_000))),
    parser.write(Buffer.from('<meta property=og:site_name content=S>')),
  ]

  expect(more).toEqual([true, false])
})

test.each<[string, boolean]>([
  ['<title>T</title><meta name=description content=D><body>', false],
  ['<meta property=og:title content=T><meta property=og:description content=D></head><body>', false],
  ['<title>T</title><body>', true],
  ['<meta name=description content=D><body>', true],
  ['<title>T</title><meta name=description content=D><!-- <body> -->', true],
])('after %j, the rest of the page is read: %s', (head, isRead) => {
  const parser = createPageParser(new URL('https://site.test/'), {})

  expect(parser.write(Buffer.from(head.padEnd(5_000)))).toBe(isRead)
})

test('a tag behind a long comment, and one that two pieces share, are read', () => {
  const comment = `<!--${'x'.repeat(20_000)}-->`

  for (const pieceBytes of [7, 8_192])
    expect(parse(`${comment}<title>T</title>${comment}<meta name=description content=D>`, { pieceBytes })).toEqual({
      title: 'T',
      description: 'D',
    })
})

test.each([
  [4_000, { title: 'Headline' }],
  [5_001, {}],
])('JSON-LD with %d values has the details %j', (count, details) => {
  const json = JSON.stringify([{ '@type': 'Article', headline: 'Headline' }, Array(count - 4).fill(1)])

  expect(parse(`<script type="application/ld+json">${json}</script>`)).toEqual(details)
})

test('of the tags that describe a page, the first thousand are read', () => {
  const tags = (count: number) => '<link>'.repeat(count)

  expect(parse(`${tags(999)}<title>T</title>`)).toEqual({ title: 'T' })
  expect(parse(`${tags(1_000)}<title>T</title>`)).toEqual({})
})

test.each<[string, string]>([
  ['tags that never close', '<a>'],
  ['ends without a beginning', '<b></i>'],
  ['attributes', '<p a=1 b=2 c'],
  ['an attribute without an end', '<meta content="x'],
  ['many different meta names', '<meta name="n" content="x">'],
  ['entities', '&amp;&lt'],
  ['open comments', '<!-- <'],
  ['angle brackets', '<'],
  ['JSON-LD that nests', '<script type="application/ld+json">[['],
])('a title in front of half a megabyte of %s is found', (_what, part) => {
  expect(parse(`<title>T</title>${part.repeat((512 * 1024) / part.length)}`, { pieceBytes: 16_384 })).toEqual({
    title: 'T',
  })
})
