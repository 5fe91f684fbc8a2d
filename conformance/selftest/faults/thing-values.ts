import { type Behavior, rightServer } from '../../src/model/behavior.ts'
import { ApiError } from '../../src/model/state.ts'
import { createFaults, cutAt, dates, type Fault, fault, replacing, texts, things } from './fault.ts'

const named: Readonly<Record<string, string>> = { nbsp: '\u00a0', eacute: 'é', lt: '<', quot: '"', amp: '&' }

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Faults of characters that get special treatment (interface 2.1). */
export const characterFaults: readonly Fault[] = createFaults(
  texts,
  ['title-trimmed', 'trims titles', (text) => text.trim(), 'title'],
  ['title-end-trimmed', 'trims the end of titles', (text) => text.trimEnd(), 'title'],
  ['title-start-trimmed', 'trims the beginning of titles', (text) => text.trimStart(), 'title'],
  ['title-last-newline-lost', 'drops one line break at the end of titles', replacing(/\n$/), 'title'],
  ['html-end-trimmed', 'trims the end of html', (text) => text.trimEnd(), 'html'],
  ['title-blanks-collapsed', 'makes one blank of several in titles', replacing(/ {2,}/g, ' '), 'title'],
  ['html-blanks-collapsed', 'makes one blank of several in html', replacing(/ {2,}/g, ' '), 'html'],
  ['title-newline-becomes-blank', 'makes blanks of line breaks in titles', replacing(/\n/g, ' '), 'title'],
  ['title-cut-at-newline', 'keeps the first line of titles', replacing(/\n[\s\S]*/), 'title'],
  ['text-tab-becomes-blanks', 'makes blanks of tabs', replacing(/\t/g, '    ')],
  ['text-cr-becomes-newline', 'makes line feeds of carriage returns', replacing(/\r(?!\n)/g, '\n')],
  ['text-newline-becomes-crlf', 'puts a carriage return before line feeds', replacing(/(?<!\r)\n/g, '\r\n')],
  ['html-newline-becomes-br', 'makes <br> of line breaks in html', replacing(/\n/g, '<br>'), 'html'],
  ['text-line-separators-lost', 'loses line separators', replacing(/[\u2028\u2029]/g)],
  ['text-next-line-lost', 'loses control characters of the second block', replacing(/[\u0080-\u009f]/g)],
  ['text-hard-blank-becomes-blank', 'makes blanks of hard blanks', replacing(/\u00a0/g, ' ')],
  ['text-wide-blank-becomes-blank', 'makes blanks of wide ones', replacing(/[\u3000\u2003]/g, ' ')],
  ['text-zero-width-lost', 'loses blanks without width', replacing(/\u200b/g)],
  ['text-byte-order-mark-lost', 'loses byte order marks', replacing(/\ufeff/g)],
  ['text-first-mark-lost', 'loses a byte order mark at the start of a text', replacing(/^\ufeff/)],
  ['text-direction-marks-lost', 'loses marks of direction', replacing(/[\u200e\u200f\u202a-\u202e]/g)],
  ['text-soft-hyphen-lost', 'loses soft hyphens', replacing(/\u00ad/g)],
  ['text-variation-selectors-lost', 'loses variation selectors', replacing(/[\ufe00-\ufe0f]/g)],
  ['text-joiners-lost', 'loses joiners', replacing(/[\u200c\u200d]/g)],
  [
    'text-unicode-escapes-read',
    'reads unicode escapes',
    replacing(/\\u([\da-f]{4})/g, (_all, hex) => String.fromCharCode(Number.parseInt(hex, 16) || 65)),
  ],
  ['text-backslash-n-read', 'reads escaped line breaks', replacing(/\\n/g, '\n')],
  [
    'text-entities-decoded',
    'decodes entities with numbers',
    replacing(/&#(\d+);/g, (_all, code) => String.fromCodePoint(Number(code))),
  ],
  [
    'text-entities-named-decoded',
    'decodes entities with names',
    replacing(/&(\w+);/g, (all, name) => named[name] ?? all),
  ],
  ['text-percent-decoded', 'decodes escapes of URLs in texts', replacing(/%20/g, ' ')],
  ['text-backslashes-doubled', 'doubles backslashes', replacing(/\\/g, '\\\\')],
  ['text-quotes-escaped', 'puts backslashes before quotes', replacing(/'/g, "\\'")],
  ['text-sql-quotes-doubled', 'doubles quotes', replacing(/'/g, "''")],
  ['text-double-quotes-lost', 'loses double quotes', replacing(/"/g)],
  ['text-dollars-replaced', 'takes dollar signs for placeholders of a pattern', (text) => 'x'.replace('x', text)],
  ['text-printf-read', 'reads percent signs as placeholders', replacing(/%[sd]/g)],
  ['text-template-read', 'reads templates', replacing(/\{\{x\}\}|\$\{x\}/g)],
  ['text-nul-escape-cuts', 'cuts texts at an escaped NUL', replacing(/%00[\s\S]*/)],
  ['text-ampersand-lost', 'loses lone ampersands', replacing(/&(?= |c )/g)],
  ['text-comments-removed', 'removes comments', replacing(/\/\*.*?\*\//g)],
  [
    'text-compatibility-normalized',
    'normalises text for compatibility',
    replacing(/[ﬁﬀ²³₂½１２ＡＢ]/g, (sign) => sign.normalize('NFKC')),
  ],
  ['text-decomposed', 'takes letters and their signs apart', (text) => text.normalize('NFD')],
  ['text-quotes-made-plain', 'makes plain quotes of curly ones', replacing(/[“”„]/g, '"')],
  ['text-quotes-made-curly', 'makes curly quotes of plain ones', replacing(/"(\w)"/g, '“$1”')],
  ['text-dashes-made-plain', 'makes hyphens of dashes', replacing(/[–—]/g, '-')],
  ['text-dots-joined', 'makes one character of three dots', replacing(/\.\.\./g, '…')],
  ['text-accents-lost', 'loses accents', replacing(/[éñö]/g, (letter) => letter.normalize('NFD').charAt(0))],
  ['text-dotless-i-changed', 'makes i of the letters i of Turkish', replacing(/[İı]/g, 'i')],
  ['text-sharp-s-changed', 'makes ss of a sharp s', replacing(/ß/g, 'ss')],
  ['text-cyrillic-made-latin', 'makes Latin letters of those that look so', replacing(/[аА]/g, 'a')],
  ['text-ligatures-resolved', 'resolves ligatures', replacing(/[œæ]/g, (letter) => (letter === 'œ' ? 'oe' : 'ae'))],
  [
    'text-kelvin-made-k',
    'makes letters of the signs of units',
    replacing(/[\u212a\u2126]/g, (sign) => sign.normalize('NFC')),
  ],
  ['title-capitalized', 'begins titles with a capital', capitalize, 'title'],
  ['title-lowercased', 'lowers the case of titles', (text) => text.toLowerCase(), 'title'],
  ['title-words-capitalized', 'begins each word of a title with a capital', replacing(/\b[a-z]/g, capitalize), 'title'],
  ['url-lowercased', 'lowers the case of urls', (text) => text.toLowerCase(), 'url'],
  [
    'html-elements-lowercased',
    'lowers the case of elements',
    replacing(/<\/?[A-Z]+/g, (element) => element.toLowerCase()),
    'html',
  ],
  ['html-br-closed', 'closes line breaks of html', replacing(/<br ?\/?>/g, '<br/>'), 'html'],
  ['html-comments-dropped', 'drops comments of html', replacing(/<!--.*?-->/g), 'html'],
  ['html-quotes-rewritten', 'rewrites the quotes of attributes', replacing(/='(\w+)'/g, '="$1"'), 'html'],
  ['html-entities-rewritten', 'rewrites entities of html', replacing(/&eacute;|&copy;/g, 'é'), 'html'],
  ['html-links-changed', 'adds to links of html', replacing(/<a /g, '<a rel="noopener" '), 'html'],
  ['html-paragraphs-closed', 'closes elements that stay open', replacing(/<li>(\w)(?=<)/g, '<li>$1</li>'), 'html'],
  ['html-whitespace-between-elements-lost', 'loses blanks between elements', replacing(/>\s+</g, '><'), 'html'],
  ['html-images-dropped', 'drops images', replacing(/<img[^>]*>/g), 'html'],
  ['html-style-dropped', 'drops styles', replacing(/ style="[^"]*"/g), 'html'],
  [
    'html-wrapped-in-paragraph',
    'wraps plain text in a paragraph',
    (text) => (text.startsWith('<') || text.includes(' < ') ? text : `<p>${text}</p>`),
    'html',
  ],
  [
    'html-plain-text-escaped',
    'escapes html that is plain text',
    (text) => (text.startsWith('<') ? text : text.replace(/&/g, '&amp;')),
    'html',
  ],
  ['html-tables-dropped', 'drops tables', replacing(/<table>.*<\/table>/g), 'html'],
  ['html-empty-elements-dropped', 'drops empty elements', replacing(/<(\w+)><\/\1>/g), 'html'],
  ['text-four-bytes-cut', 'cuts texts at characters of four bytes', replacing(/[\u{10000}-\u{10ffff}][\s\S]*/u)],
  ['text-flags-lost', 'loses flags', replacing(/[\u{1f1e6}-\u{1f1ff}]/gu)],
  ['text-skin-tones-lost', 'loses tones of skin', replacing(/[\u{1f3fb}-\u{1f3ff}]/gu)],
  ['text-private-characters-lost', 'loses characters of private use', replacing(/[\ue000-\uf8ff]/g)],
  ['text-pictures-lost', 'writes pictures as question marks', replacing(/\p{Extended_Pictographic}/gu, '??')],
  ['text-rare-ideographs-lost', 'loses rare ideographs', replacing(/[\u{20000}-\u{3ffff}]/gu)],
  ['text-marks-limited', 'keeps three marks on a letter', replacing(/(\p{M}{3})\p{M}+/gu, '$1')],
  ['tags-split-at-commas', 'takes commas in tags for blanks', replacing(/,/g, ' '), 'tags'],
  ['tags-split-at-semicolons', 'takes semicolons in tags for blanks', replacing(/[;|]/g, ' '), 'tags'],
  ['tags-special-dropped', 'drops tags with signs in them', replacing(/\S*\w[.*%/&=^:]\S*/g), 'tags'],
  ['tags-hash-dropped', 'drops signs before tags', replacing(/[#@$]/g), 'tags'],
  ['tags-made-latin', 'makes Latin letters of those that look so in tags', replacing(/[ао]/g, 'a'), 'tags'],
  ['tags-composed', 'composes tags', (text) => text.normalize('NFC'), 'tags'],
  ['tags-quotes-lost', 'loses quotes of tags', replacing(/["'`]/g), 'tags'],
  ['tags-escaped', 'escapes tags', replacing(/</g, '&lt;'), 'tags'],
  ['tags-dashes-lost', 'drops dashes before tags', replacing(/(?<= |^)[-_]/g), 'tags'],
)

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text))
}

function unlessFalsy(words: readonly string[]): (text: string) => string {
  return (text) => (words.includes(text) ? '' : text)
}

function readJson(text: string): string {
  if (!/^[[{]/.test(text)) return text
  const value = JSON.parse(text) as object
  return Object.keys(value).length === 0 ? '' : Object.values(value).join()
}

function evaluate(text: string): string {
  return isNumber(text) ? String(Number(text)) : text
}

/** Edits tags one by one. */
function tagwise(edit: (tags: readonly string[]) => readonly string[]): (text: string) => string {
  return (text) => edit(text.split(' ')).join(' ')
}

/** Reads numbers with an exponent in the JSON of uploads differently. */
function exponents(read: (text: string) => string): Partial<Behavior> {
  return {
    parameters: (all) =>
      all.map(([name, value]) => [
        name,
        typeof value === 'string' && name.endsWith('_thing')
          ? value.replace(/(?<="date":)[\d.]+e\+?\d+/gi, (text) => read(text))
          : value,
      ]),
  }
}

/** Faults of texts and dates that are read as something else (interface 2.1). */
export const valueFaults: readonly Fault[] = [
  fault(
    'date-exponent-cut',
    'reads dates with an exponent up to the letter',
    exponents((text) => String(Number.parseInt(text, 10))),
  ),
  fault(
    'date-exponent-rejected',
    'rejects dates with an exponent',
    exponents(() => '"no number"'),
  ),
  ...createFaults(
    texts,
    ['title-zero-lost', 'takes the title 0 for none', unlessFalsy(['0']), 'title'],
    ['title-leading-zeros-lost', 'drops leading zeros of titles', replacing(/^0+(?=\d)/), 'title'],
    ['title-number-evaluated', 'writes titles that are numbers its own way', evaluate, 'title'],
    ['title-plus-sign-lost', 'drops the plus sign of a title', replacing(/^\+(?=\d)/), 'title'],
    [
      'title-big-number-rounded',
      'rounds long titles of digits',
      (text) => (/^\d{16,}$/.test(text) ? String(BigInt(Number(text))) : text),
      'title',
    ],
    ['title-null-word-lost', 'takes the title null for none', unlessFalsy(['null']), 'title'],
    ['title-undefined-word-lost', 'takes the title undefined for none', unlessFalsy(['undefined', 'NaN']), 'title'],
    [
      'title-constants-as-values',
      'takes the titles true and false for 1 and 0',
      (text) => ({ true: '1', false: '0' })[text] ?? text,
      'title',
    ],
    [
      'title-date-rewritten',
      'writes dates in titles its own way',
      replacing(/^(\d{4}-\d\d-\d\d)$/, '$1T00:00:00Z'),
      'title',
    ],
    ['title-time-rewritten', 'takes times in titles for minutes', replacing(/^(\d\d):(\d\d)$/, '750'), 'title'],
    [
      'title-hex-evaluated',
      'reads hexadecimal titles',
      (text) => (/^0x/i.test(text) ? String(Number(text)) : text),
      'title',
    ],
    ['title-yaml-no', 'takes the title no for false', (text) => (text === 'no' ? 'false' : text), 'title'],
    ['title-json-read', 'reads titles that are JSON', readJson, 'title'],
    ['title-quotes-peeled', 'peels quotes from titles', replacing(/^"(.*)"$/, '$1'), 'title'],
    ['title-formula-quoted', 'puts a quote before formulas', replacing(/^=/, "'="), 'title'],
    ['title-sign-alone-lost', 'takes a title of one sign for none', unlessFalsy(['-', '*']), 'title'],
    ['html-zero-lost', 'takes html 0 for none', unlessFalsy(['0']), 'html'],
    ['url-zero-lost', 'takes url 0 for none', unlessFalsy(['0']), 'url'],
    ['url-null-word-lost', 'takes url null for none', unlessFalsy(['null']), 'url'],
    ['html-number-evaluated', 'writes html that is a number its own way', evaluate, 'html'],
    ['html-null-word-lost', 'takes html null for none', unlessFalsy(['null', 'undefined']), 'html'],
    [
      'html-constants-as-values',
      'takes html true and false for 1 and 0',
      (text) => ({ true: '1', false: '0' })[text] ?? text,
      'html',
    ],
    ['html-json-read', 'reads html that is JSON', readJson, 'html'],
    ['tags-zero-lost', 'drops tags called 0', tagwise((tags) => tags.filter((tag) => tag !== '0')), 'tags'],
    [
      'tags-leading-zeros-lost',
      'drops leading zeros of tags',
      tagwise((tags) => tags.map(replacing(/^0+(?=\d)/))),
      'tags',
    ],
    [
      'tags-null-word-lost',
      'drops tags called null and undefined',
      tagwise((tags) => tags.filter((tag) => !['null', 'undefined'].includes(tag))),
      'tags',
    ],
    [
      'tags-falsy-words-dropped',
      'drops tags called false and no',
      tagwise((tags) => tags.filter((tag) => !['false', 'no'].includes(tag))),
      'tags',
    ],
  ),
  fault(
    'title-digits-as-number',
    'gives titles of digits as numbers',
    things((json) => (/^\d+$/.test(String(json.title)) ? { ...json, title: Number(json.title) } : json)),
  ),
  fault(
    'tags-as-number',
    'gives tags of digits as numbers',
    things((json) => (/^\d+$/.test(String(json.tags)) ? { ...json, tags: Number(json.tags) } : json)),
  ),
  fault('title-zero-rejected', 'ignores new things with a title that its language takes for false', {
    applied: (upload) => ({ ...upload, created: upload.created.filter(({ fields }) => fields.title !== '0') }),
  }),
  ...createFaults(
    dates,
    ['date-zero-is-now', 'takes a date of 0 for none', (date) => date || Math.floor(Date.now() / 1000)],
    [
      'date-small-is-ago',
      'takes small dates for seconds before now',
      (date) => (date > 0 && date < 3600 ? 1_700_000_000 - date : date),
    ],
    ['date-one-is-flag', 'takes a date of 1 for the time of today', (date) => (date === 1 ? 1_700_000_000 : date)],
    ['date-to-the-minute', 'keeps dates to the minute', (date) => date - (date % 60)],
    ['date-to-the-day', 'keeps dates to the day', (date) => date - (date % 86_400)],
    ['date-single-precision', 'keeps dates as small floats', Math.fround],
    [
      'date-time-zone-added',
      'adds an hour to dates of the summer',
      (date) => (new Date(date * 1000).getUTCMonth() === 5 ? date + 3600 : date),
    ],
    ['date-even-seconds', 'keeps even seconds only', (date) => date - (Math.abs(date) % 2)],
    ['date-future-is-now', 'takes the time of today for dates of the future', (date) => Math.min(date, 1_999_999_999)],
    ['date-31-bits', 'keeps 32 bits of a date, one of them for the sign', (date) => date | 0],
    ['date-32-bits', 'keeps 32 bits of a date', (date) => (date > 0 ? date % 2 ** 32 : date)],
    ['date-2038-cut', 'keeps no date after 2038', (date) => Math.min(date, 2_147_483_647)],
    [
      'date-large-taken-for-milliseconds',
      'takes large dates for milliseconds',
      (date) => (date > 1e10 ? Math.floor(date / 1000) : date),
    ],
    ['date-sign-lost', 'loses the sign of dates', Math.abs],
    ['date-minus-one-is-none', 'takes a date of -1 for none', (date) => (date === -1 ? 0 : date)],
    ['date-before-1901-cut', 'keeps no date before 1901', (date) => Math.max(date, -2_147_483_648)],
  ),
  fault('date-zero-of-change-ignored', 'takes a date of 0 in a change for none', {
    changedFields: (old, change) => ({ ...old, ...change, date: change.date || old.date }),
  }),
]

function upTo(length: number): (text: string) => string {
  return (text) => (text.length > length ? '' : text)
}

/** Faults of long fields that are cut or lost without an error (interface 2.1, 8). */
export const lengthFaults: readonly Fault[] = [
  fault('title-long-returned-empty', 'responds with {} to a title of more than 60,000 characters', {
    keepText: (text, field) => {
      if (field === 'title' && text.length > 60_000) throw new ApiError('body-large', 'too long')
      return text
    },
    errorStatus: () => 200,
    errorBody: (apiError) => (apiError.reason === 'body-large' ? {} : rightServer.errorBody(apiError)),
  }),
  ...createFaults(
    texts,
    ['title-cut-at-30', 'cuts titles at 30', cutAt(30), 'title'],
    ['title-cut-at-64', 'cuts titles at 64', cutAt(64), 'title'],
    ['title-cut-at-100', 'cuts titles at 100', cutAt(100), 'title'],
    ['title-cut-at-140', 'cuts titles at 140', cutAt(140), 'title'],
    [
      'title-cut-at-500-with-dots',
      'shortens titles of more than 500 with three dots',
      (text) => (text.length > 500 ? `${text.slice(0, 497)}...` : text),
      'title',
    ],
    ['title-cut-at-4096', 'cuts titles at 4,096', cutAt(4096), 'title'],
    ['title-cut-at-65535', 'cuts titles at 65,535', cutAt(65_535), 'title'],
    ['url-cut-at-255', 'cuts urls at 255', cutAt(255), 'url'],
    ['url-cut-at-1000', 'cuts urls at 1,000', cutAt(1000), 'url'],
    ['url-cut-at-2048', 'cuts urls at 2,048', cutAt(2048), 'url'],
    ['url-long-dropped', 'drops urls of more than 2,083', upTo(2083), 'url'],
    ['tags-ten-at-most', 'keeps ten tags', tagwise((tags) => tags.slice(0, 10)), 'tags'],
    ['tags-hundred-at-most', 'keeps a hundred tags', tagwise((tags) => tags.slice(0, 100)), 'tags'],
    ['tags-cut-at-255', 'cuts tags at 255', cutAt(255), 'tags'],
    ['tag-cut-at-20', 'cuts each tag at 20', tagwise((tags) => tags.map(cutAt(20))), 'tags'],
    ['tag-cut-at-64', 'cuts each tag at 64', tagwise((tags) => tags.map(cutAt(64))), 'tags'],
    ['html-cut-at-1000', 'cuts html at 1,000', cutAt(1000), 'html'],
    ['html-cut-at-4000', 'cuts html at 4,000', cutAt(4000), 'html'],
    ['html-cut-at-32k', 'cuts html at 32,767', cutAt(32_767), 'html'],
    ['html-cut-at-100k', 'cuts html at 100,000', cutAt(100_000), 'html'],
    ['html-long-dropped', 'drops html of more than 500,000', upTo(500_000), 'html'],
  ),
]

function url(edit: (url: URL) => void): (text: string) => string {
  return (text) => {
    if (!URL.canParse(text)) return text
    const parsed = new URL(text)
    edit(parsed)
    return parsed.href
  }
}

/** Faults of URLs that are normalized (interface 2.1). */
export const urlFaults: readonly Fault[] = createFaults(
  texts,
  ['url-slash-added', 'adds a slash to hosts', replacing(/^(https?:\/\/[^/]+)$/, '$1/'), 'url'],
  ['url-slash-removed', 'removes slashes at the end of urls', replacing(/\/$/), 'url'],
  [
    'url-host-lowercased',
    'lowers the case of hosts',
    replacing(/^(\w+:\/\/[^/]+)/, (host) => host.toLowerCase()),
    'url',
  ],
  ['url-port-dropped', 'drops the usual port', replacing(/:80(?=\/)/), 'url'],
  ['url-dots-resolved', 'resolves dots in paths', replacing(/[^/]+\/\.\.\/|\.\/(?=\w)/g), 'url'],
  ['url-fragment-dropped', 'drops fragments', replacing(/#.*$/), 'url'],
  ['url-empty-query-dropped', 'drops empty queries', replacing(/\?$/), 'url'],
  ['url-query-dropped', 'drops queries', replacing(/\?[^#]+/), 'url'],
  [
    'url-query-sorted',
    'sorts queries',
    (text) => (text.includes('b=2') ? url(({ searchParams }) => searchParams.sort())(text) : text),
    'url',
  ],
  ['url-tracking-dropped', 'drops what looks like tracking', replacing(/(utm_\w+|fbclid)=\w+&?/g), 'url'],
  ['url-http-becomes-https', 'makes https of http', replacing(/^http:/, 'https:'), 'url'],
  ['url-www-dropped', 'drops www.', replacing(/\/\/www\./, '//'), 'url'],
  ['url-login-dropped', 'drops logins', replacing(/\/\/\w+@/, '//'), 'url'],
  ['url-normalized-by-library', 'writes urls as its library does', url(() => {}), 'url'],
  ['url-escapes-decoded', 'decodes escapes of urls', replacing(/%20|%2F/g, (code) => decodeURIComponent(code)), 'url'],
  [
    'url-escapes-uppercased',
    'writes escapes of urls in capitals',
    replacing(/%[\da-f]{2}/gi, (code) => code.toUpperCase()),
    'url',
  ],
  ['url-escaped-again', 'escapes escapes of urls', replacing(/%(?=3A|2F)/g, '%25'), 'url'],
  ['url-unicode-escaped', 'escapes letters of other scripts in urls', replacing(/[^ -~]+/g, encodeURIComponent), 'url'],
  ['url-unicode-lost', 'loses letters of other scripts in urls', replacing(/[^ -~]+/g), 'url'],
  ['url-ampersand-escaped', 'escapes ampersands in urls', replacing(/&/g, '&amp;'), 'url'],
  ['url-plus-lost', 'makes blanks of plus signs in urls', replacing(/\+/g, '%20'), 'url'],
  [
    'url-other-schemes-dropped',
    'drops urls of other schemes than http',
    (text) => (/^https?:|^\w[^:]*\.|^http/.test(text) ? text : ''),
    'url',
  ],
  [
    'url-http-put-in-front',
    'puts http:// before urls without a scheme',
    (text) => (/^\w+:/.test(text) ? text : `http://${text}`),
    'url',
  ],
  ['url-without-dot-dropped', 'drops urls whose host has no dot', (text) => (/\/\/\w+:/.test(text) ? '' : text), 'url'],
)

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')
}

function decodePercent(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
}

/** Decodes the bytes of JSON in pieces, and loses characters across two pieces. */
function decodeInPieces(body: unknown): string {
  const bytes = Buffer.from(JSON.stringify(body))
  const count = Math.ceil(bytes.length / 1001)
  return Array.from({ length: count }, (_none, index) => bytes.toString('utf8', index * 1001, (index + 1) * 1001)).join(
    '',
  )
}

/** Faults in storing submitted text, character by character (interface 2.1). */
export const encodingFaults: readonly Fault[] = [
  ...createFaults(
    texts,
    ['utf8-as-latin1', 'reads UTF-8 as Latin-1', (text) => Buffer.from(text, 'utf8').toString('latin1')],
    [
      'emoji-lost',
      'replaces characters outside the basic plane',
      (text) => text.replace(/[\u{10000}-\u{10ffff}]/gu, '?'),
    ],
    ['nfc-normalized', 'normalises text', (text) => text.normalize('NFC')],
    ['html-escaped', 'escapes HTML', escapeHtml],
    ['html-stripped', 'strips HTML of its elements', (text) => text.replace(/<[^>]*>/g, ''), 'html'],
    ['newlines-normalized', 'makes one newline of CR LF', (text) => text.replaceAll('\r\n', '\n')],
    ['text-trimmed', 'trims text', (text) => text.trim()],
    ['percent-decoded-twice', 'decodes percent signs twice', decodePercent],
    ['plus-becomes-space', 'makes a space of a plus', (text) => text.replaceAll('+', ' ')],
    ['backslashes-lost', 'loses backslashes', (text) => text.replaceAll('\\', '')],
    ['title-cut-at-255', 'cuts titles at 255', (text) => text.slice(0, 255), 'title'],
    ['html-cut-at-64k', 'cuts html at 65,535', (text) => text.slice(0, 65_535), 'html'],
    ['tags-lowercased', 'lowers the case of tags', (text) => text.toLowerCase(), 'tags'],
    ['tags-commas', 'separates tags by commas', (text) => text.replaceAll(' ', ','), 'tags'],
  ),
  fault('date-negative-zeroed', 'keeps no date before 1970', { keepDate: (date) => Math.max(0, date) }),
  fault('server-error-now-and-then', 'fails at each fifteenth request', {
    delay: async ({ state: { memory } }) => {
      const count = Number(memory.get('requests') ?? 0) + 1
      memory.set('requests', count)
      if (count % 15 === 0) throw new Error('the database is locked')
    },
  }),
  fault('response-cut-in-utf8', 'breaks characters of long responses', { encode: decodeInPieces }),
]
