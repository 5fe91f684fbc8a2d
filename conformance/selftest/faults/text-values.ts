import { type Behaviour, right } from '../server/behaviour.ts'
import { Refusal } from '../server/refusal.ts'
import { cutAt, dates, type Fault, fault, makeFaults, replacing, texts, things } from './fault.ts'

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

/** Tags edited one by one. */
function tagwise(edit: (tags: readonly string[]) => readonly string[]): (text: string) => string {
  return (text) => edit(text.split(' ')).join(' ')
}

/** The numbers with an exponent in the JSON of uploads, read in a way of its own. */
function exponents(read: (text: string) => string): Partial<Behaviour> {
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

/** Texts and dates that are taken for something else (interface 2.1). */
export const valueFaults: readonly Fault[] = [
  fault(
    'date-exponent-cut',
    'reads dates with an exponent up to the letter',
    exponents((text) => String(Number.parseInt(text, 10))),
  ),
  fault(
    'date-exponent-refused',
    'refuses dates with an exponent',
    exponents(() => '"no number"'),
  ),
  ...makeFaults(
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
  fault('title-zero-refused', 'ignores new things with a title that its language takes for false', {
    applied: (upload) => ({ ...upload, created: upload.created.filter(({ fields }) => fields.title !== '0') }),
  }),
  ...makeFaults(
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

/** Long fields that are cut or lost without a word (interface 2.1, 8). */
export const lengthFaults: readonly Fault[] = [
  fault('title-long-answered-empty', 'answers {} to a title of more than 60,000 characters', {
    keepText: (text, field) => {
      if (field === 'title' && text.length > 60_000) throw new Refusal('body-large', 'too long')
      return text
    },
    errorStatus: () => 200,
    errorBody: (refusal) => (refusal.reason === 'body-large' ? {} : right.errorBody(refusal)),
  }),
  ...makeFaults(
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

/** Addresses that are put in order (interface 2.1). */
export const urlFaults: readonly Fault[] = makeFaults(
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
  ['url-normalised-by-library', 'writes urls as its library does', url(() => {}), 'url'],
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
