import { ApiError } from '../../src/model/state.ts'
import { createFaults, cutAt, type Fault, fault, replacing, texts } from './fault.ts'

const controls = /(?![\t\n\r\u0085])\p{Cc}/gu
const astral = /[\u{10000}-\u{10ffff}]/gu
const withoutWidth = /\u200b|\u200d|\u2060|\ufeff|\u00ad/g

/** Cuts a text to a number of UTF-8 bytes, without a broken character at its end. */
const cutAtBytes =
  (bytes: number) =>
  (text: string): string =>
    Buffer.byteLength(text) <= bytes
      ? text
      : Buffer.from(text)
          .subarray(0, bytes)
          .toString('utf8')
          .replace(/\ufffd$/, '')

/** Decodes a text piece by piece, so that a character on the border of two pieces breaks. */
const decodeInPieces =
  (bytes: number) =>
  (text: string): string => {
    const buffer = Buffer.from(text)
    const count = Math.ceil(buffer.length / bytes)
    return Array.from({ length: count }, (_, index) =>
      buffer.subarray(index * bytes, (index + 1) * bytes).toString('utf8'),
    ).join('')
  }

const unlessBlank = (text: string): string => (text.trim() === '' ? '' : text)

/** Servers that lose or change a class of characters in one field. */
export const textClassFaults: readonly Fault[] = [
  ...createFaults(
    texts,
    ['title-controls-lost', 'drops control characters from titles', replacing(controls), 'title'],
    ['html-controls-lost', 'drops control characters from html', replacing(controls), 'html'],
    ['url-controls-lost', 'drops control characters from urls', replacing(controls), 'url'],
    ['tags-controls-lost', 'drops control characters from tags', replacing(controls), 'tags'],
    ['title-astral-lost', 'drops characters beyond the basic plane from titles', replacing(astral), 'title'],
    ['html-astral-lost', 'drops characters beyond the basic plane from html', replacing(astral), 'html'],
    ['url-astral-lost', 'drops characters beyond the basic plane from urls', replacing(astral), 'url'],
    ['tags-astral-lost', 'drops characters beyond the basic plane from tags', replacing(astral), 'tags'],
    ['title-no-break-space-plain', 'makes a space of a no-break space in titles', replacing(/\u00a0/g, ' '), 'title'],
    ['html-no-break-space-plain', 'makes a space of a no-break space in html', replacing(/\u00a0/g, ' '), 'html'],
    ['tags-no-break-space-separates', 'makes a space of a no-break space in tags', replacing(/\u00a0/g, ' '), 'tags'],
    ['tags-wide-space-separates', 'separates tags by wide spaces', replacing(/[\u2003\u3000]/g, ' '), 'tags'],
    ['tags-line-break-separates', 'separates tags by tabs and line breaks', replacing(/[\t\r\n]+/g, ' '), 'tags'],
    ['tags-markup-lost', 'removes elements from tags', replacing(/<[^>]*>/g), 'tags'],
    ['url-markup-lost', 'removes elements from urls', replacing(/<[^>]*>/g), 'url'],
    ['url-quotes-escaped', 'escapes quotes in urls', replacing(/"/g, '%22'), 'url'],
    ['url-without-width-lost', 'drops characters without width from urls', replacing(withoutWidth), 'url'],
    [
      'title-ends-without-width-lost',
      'drops invisible characters from the ends of titles',
      replacing(/^[\u200b\u200e\u202e\ufeff\u00ad]+|[\u200b\u200e\u202e\ufeff\u00ad]+$/g),
      'title',
    ],
    ['html-made-latin', 'stores html in Latin-1', replacing(/[^\0-\u00ff]/gu, '?'), 'html'],
    ['html-forms-dropped', 'drops forms from html', replacing(/<\/?(form|input|button|select)[^>]*>/g), 'html'],
    ['html-events-dropped', 'drops event handlers from html', replacing(/ on\w+="[^"]*"/g), 'html'],
    [
      'html-frames-dropped',
      'drops frames and objects from html',
      replacing(/<(iframe|object|embed)>.*?<\/\1>/g),
      'html',
    ],
    ['html-sections-dropped', 'drops CDATA sections from html', replacing(/<!\[CDATA\[.*?\]\]>/g), 'html'],
    ['html-rebuilt', 'closes paragraphs of html again', replacing(/<p\/>/g, '<p></p>'), 'html'],
    ['url-trimmed', 'trims urls', (text) => text.trim(), 'url'],
    ['url-end-trimmed', 'trims line breaks from the end of urls', replacing(/[\r\n]+$/), 'url'],
    ['tags-blank-ends-lost', 'trims tags of every blank', (text) => text.trim(), 'tags'],
    ['title-blank-emptied', 'empties titles of blanks only', unlessBlank, 'title'],
    ['html-blank-dropped', 'takes html of blanks only for none', unlessBlank, 'html'],
    ['url-blank-dropped', 'takes a url of blanks only for none', unlessBlank, 'url'],
    ['text-arrows-lost', 'drops arrows and technical signs', replacing(/[\u2190-\u23ff]/g)],
    [
      'text-kana-changed',
      'makes hiragana of katakana',
      replacing(/[\u30a1-\u30f6]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0x60)),
    ],
    ['title-cut-at-255-bytes', 'cuts titles at 255 bytes', cutAtBytes(255), 'title'],
    ['html-cut-at-64k-bytes', 'cuts html at 65,535 bytes', cutAtBytes(65_535), 'html'],
    ['text-broken-at-1024-bytes', 'breaks characters on the border of 1,024 bytes', decodeInPieces(1024)],
    ['html-cut-at-1m', 'cuts html at 1,048,576', cutAt(1_048_576), 'html'],
  ),
  fault('large-upload-ignored-with-200', 'responds with 200 to a body of more than 1 MB, and ignores it', {
    form: (body) => (body.some(([, value]) => String(value).length > 1_000_000) ? [] : body),
  }),
]

const rounded = (digits: number) => (date: number) => Number(date.toFixed(digits))

/** Adds the offset that a zone has an hour later, as a conversion by local time without its offset does. */
const throughLocalTime =
  (zone: string) =>
  (date: number): number => {
    const parts = (seconds: number): number => {
      const shown = new Intl.DateTimeFormat('en-US', {
        ...{ timeZone: zone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
        ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
      }).formatToParts(seconds * 1000)
      const read = (type: string): number => Number(shown.find((part) => part.type === type)?.value)
      return Date.UTC(read('year'), read('month') - 1, read('day'), read('hour'), read('minute'), read('second')) / 1000
    }
    const whole = Math.floor(date)
    if (whole < 0 || whole > 4_102_444_800) return date
    const local = parts(whole)
    // The first instant with this local time: in the hour that a clock shows twice, the second one is lost.
    const earlier = whole - 3600
    return parts(earlier) === local ? earlier + (date - whole) : date
  }

const dates = (keepDate: (date: number) => number) => ({ keepDate })

/** Servers that change some dates. */
export const dateClassFaults: readonly Fault[] = [
  ...createFaults(
    dates,
    ['date-fraction-lost', 'drops the fraction of dates', Math.trunc],
    ['date-fraction-rounded', 'rounds dates to whole seconds', Math.round],
    ['date-tenths-only', 'keeps one digit of the fraction of a date', rounded(1)],
    ['date-berlin-local', 'stores dates as the local time of Berlin', throughLocalTime('Europe/Berlin')],
    ['date-new-york-local', 'stores dates as the local time of New York', throughLocalTime('America/New_York')],
    ['date-sydney-local', 'stores dates as the local time of Sydney', throughLocalTime('Australia/Sydney')],
    [
      'date-leap-day-moved',
      'moves the leap day to the first of March',
      (date) => (new Date(date * 1000).toISOString().includes('-02-29') ? date + 86_400 : date),
    ],
    [
      'date-midnight-moved',
      'moves midnight to the day before',
      (date) => (date > 1e9 && date % 86_400 === 0 ? date - 1 : date),
    ],
  ),
  fault('date-fraction-of-change-lost', 'drops the fraction of a changed date', {
    changedFields: (old, change) => ({
      ...old,
      ...change,
      date: change.date === undefined ? old.date : Math.floor(change.date),
    }),
  }),
  fault('date-rejected-with-fraction-empty', 'responds with 200 and nothing to a date with a fraction', {
    applied: (upload) => ({
      ...upload,
      created: upload.created.filter(({ fields: { date = 0 } }) => Number.isInteger(date)),
    }),
  }),
]

/** Decodes the escapes of each piece of a body alone, so that an escape on a border is lost. */
const decodeApart = (chunks: readonly Buffer[]): Buffer =>
  Buffer.concat(chunks.map((chunk) => Buffer.from(chunk.toString('latin1').replace(/%[\da-f]?$/i, ''), 'latin1')))

/** Reads the JSON text of the upload parameters in another way. */
const jsonText = (edit: (text: string) => string) => ({
  parameters: (all: readonly (readonly [string, unknown])[]) =>
    all.map(([name, value]) =>
      typeof value === 'string' && /^(new_thing|changed_thing|deleted_thing|skip_id|tag)/.test(name)
        ? ([name, edit(value)] as const)
        : ([name, value] as const),
    ),
})

/** Escapes with this letter mean the letter alone, except after another backslash. */
const escapeLost = (letter: string, by: string) =>
  jsonText(replacing(new RegExp(`(?<!\\\\)((?:\\\\\\\\)*)\\\\${letter}`, 'g'), (_all, before) => `${before}${by}`))

/** Servers that do not read some JSON. */
export const jsonFaults: readonly Fault[] = [
  ...createFaults(
    escapeLost,
    ['json-slash-escape-kept', 'keeps the backslash of an escaped slash', '/', '\\\\/'],
    ['json-b-escape-lost', 'reads an escaped backspace as a letter', 'b', 'b'],
    ['json-f-escape-lost', 'reads an escaped form feed as a letter', 'f', 'f'],
    ['json-t-escape-lost', 'reads an escaped tab as a space', 't', ' '],
    ['json-r-escape-lost', 'drops an escaped carriage return', 'r', ''],
    ['json-unicode-escapes-kept', 'keeps unicode escapes', 'u', '\\\\u'],
  ),
  ...createFaults(
    jsonText,
    [
      'json-unicode-capitals-kept',
      'reads only unicode escapes with small letters',
      replacing(/(?<!\\)\\u(?=[\dA-F]{4})(?=\d*[A-F])/g, '\\\\u'),
    ],
    [
      'json-surrogate-escapes-broken',
      'reads each escaped surrogate alone',
      replacing(/\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}/g, '\\ufffd\\ufffd'),
    ],
    [
      'json-escaped-names-unknown',
      'does not know a field whose name has an escape',
      replacing(/"[^"\\:]*\\u[^":]*":/g, '"unknown":'),
    ],
  ),
  fault('json-tabs-between-rejected', 'rejects tabs between the parts of JSON', {
    parameters: (all) => {
      if (all.some(([, value]) => /[[{,:]\t/.test(String(value)))) throw new ApiError('bad-json', 'a tab in JSON')
      return all
    },
  }),
  fault('json-escaped-ids-unknown', 'does not know a deleted _id that is written with escapes', {
    parameters: (all) => all.filter(([name, value]) => !(name === 'deleted_thing' && /\\u/.test(String(value)))),
  }),
  fault('json-blank-ids-ignored', 'ignores deletions with white space between the parts of their JSON', {
    parameters: (all) => all.filter(([name, value]) => !(name === 'deleted_thing' && /\[\s/.test(String(value)))),
  }),
  fault('json-blank-settings-ignored', 'takes tag settings that begin with white space for default ones', {
    parameters: (all) =>
      all.map(([name, value]) => (/^tag\[/.test(name) && /^\s/.test(String(value)) ? [name, '{}'] : [name, value])),
  }),
  fault('json-leading-blanks-ignored', 'ignores JSON that begins with white space', {
    parameters: (all) => all.filter(([name, value]) => !(/thing/.test(name) && /^\s/.test(String(value)))),
  }),
  fault('json-line-breaks-ignored', 'reads one line of JSON', {
    parameters: (all) =>
      all.filter(([name, value]) => !(/^(new|changed)_thing|^tag/.test(name) && /\{\s*[\r\n]/.test(String(value)))),
  }),
  fault('body-escapes-decoded-by-piece', 'decodes the escapes of each piece of a body alone', {
    bodyOf: (chunks) => decodeApart(chunks),
  }),
  fault('body-plus-lost-between-pieces', 'loses a plus sign at the beginning of a piece of a body', {
    bodyOf: (chunks) => Buffer.concat(chunks.map((chunk) => (chunk[0] === 0x2b ? chunk.subarray(1) : chunk))),
  }),
  fault('body-first-bytes-only', 'reads the beginning of a body that comes in many pieces', {
    bodyOf: (chunks) => Buffer.concat(chunks).subarray(0, chunks.length > 300 ? 512 : undefined),
  }),
]
