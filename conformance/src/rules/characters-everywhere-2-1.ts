/*
 * Generated texts for every text field of a thing (interface 2.1): each class of characters, at both ends and inside, in
 * title, html, url and tags. `thing-texts-2-1.ts` has single examples; here a table of classes meets a table of fields.
 * cspell:ignore bgcolor contenteditable itemprop xlink
 */
import type { Lab } from '../lab.ts'
import { coreRulesOf } from '../rule.ts'
import type { ThingFields } from '../sync-messages.ts'
import { type Case, casesOf, expectStored } from './upload-steps.ts'

/** Characters that libraries, databases and filters treat alike, by class. */
const characterClasses: Readonly<Record<string, readonly string[]>> = {
  'letters of Latin-1 and beyond': ['é', 'ß', 'ÿ', 'œ', 'ž', 'ı'],
  'letters of other scripts': ['Ж', 'ω', 'א', 'ع', 'ก', 'अ', '각', '語'],
  'characters beyond the basic plane': ['😀', '𝒳', '𠮷', '\u{f0000}'],
  'sequences of joined characters': ['👩‍🚀', '🇨🇭', '👍🏽', '❤️'],
  'marks that combine': ['e\u0301', 'n\u0303', 'z\u0323\u0307', '\u1100\u1161'],
  'letters that normalization changes': ['\u212b', '\u2126', 'ﬁ', 'Ａ', '²', '\u0958'],
  'spaces that are not U+0020': ['\u00a0', '\u2003', '\u202f', '\u3000'],
  'characters without width': ['\u200b', '\u200d', '\u2060', '\ufeff', '\u00ad'],
  'marks of direction': ['\u200e', '\u200f', '\u202e', '\u2066'],
  'line separators that are not CR or LF': ['\u2028', '\u2029', '\u0085'],
  quotes: ['"', "'", '`', '“', '’', '«'],
  backslashes: ['\\', '\\n', '\\u0041', '\\/', '\\"'],
  'signs of markup': ['<', '>', '&', '&amp;', '&#39;', '&nbsp;'],
  'elements of markup': ['<b>b</b>', '<script>s()</script>', '<!-- c -->', '<br/>', '<x-y z="1">'],
  'signs of forms and URLs': ['%', '%41', '%zz', '+', '=', '#', '?', ';'],
  'signs of templates and queries': [`$${'{x}'}`, '{{x}}', '%s', "';--", '$1', '*', '_', '|'],
  'punctuation of other scripts': ['、', '。', '…', '—', '؟', '€', '№'],
}

/** Control characters; a server may reject them, but must not drop them from a text that it accepts. */
const controls: Readonly<Record<string, readonly string[]>> = {
  'control characters up to U+0008': ['\u0001', '\u0007', '\u0008'],
  'vertical tab and form feed': ['\u000b', '\u000c'],
  'control characters up to U+001F': ['\u000e', '\u001b', '\u001f'],
  'control characters from U+007F on': ['\u007f', '\u0080', '\u009f'],
  'characters that are none': ['\ufffe', '\uffff', '\ufffd'],
}

/** Puts each part at the start, inside, doubled, between spaces, and at the end of one text. */
const everyPlace = (parts: readonly string[]): string => {
  const inside = parts.map((part) => `a${part}b ${part} c${part}${part}d`).join('')
  return `${parts.join('')}${inside}${[...parts].reverse().join('')}`
}

const urlWith = (parts: readonly string[]): string =>
  `https://example.org/${parts.map((part) => `a${part}b`).join('/')}?q=${parts.join('')}#f${parts.join('')}`

/** Tags that contain the parts; only U+0020 separates tags. */
const tagsWith = (parts: readonly string[]): string =>
  parts
    .map((part) => part.replaceAll(' ', ''))
    .map((part) => `a${part}b ${part}c d${part} e${part}${part}`)
    .join(' ')

/** Every server takes a title up to here; it may reject a longer one. */
const maxTitleBytes = 255

const classesOf = (
  field: 'title' | 'html' | 'url' | 'tags',
  classes: Readonly<Record<string, readonly string[]>>,
  write: (parts: readonly string[]) => string,
  rejectable?: 'rejectable',
): Case[] =>
  Object.entries(classes).flatMap(([what, parts]) => {
    const text = write(parts)
    const isLongTitle = field === 'title' && Buffer.byteLength(text) > maxTitleBytes
    return casesOf(field, { [what]: text }, isLongTitle ? 'rejectable' : rejectable)
  })

/** Elements and attributes that filters know. */
const elementNames =
  'a abbr article aside audio base blockquote body button canvas code details dialog div dl em embed fieldset figure font form frame h1 head hr html iframe img input ins label legend link main map mark math menu meta nav object ol option p picture pre q ruby s samp script section select slot small span strike style sub summary sup svg table template textarea tt u ul var video wbr'.split(
    ' ',
  )

const attributeNames =
  'accept action align alt async autofocus background bgcolor border charset cite class color contenteditable controls data-x dir download draggable face hidden href id itemprop lang name onclick onerror rel role size src srcset srcdoc style tabindex target title type xlink:href xmlns'.split(
    ' ',
  )

const inGroups = (names: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(names.length / size) }, (_, index) => names.slice(index * size, (index + 1) * size))

const markup: Readonly<Record<string, string>> = Object.fromEntries([
  ...inGroups(elementNames, 10).map((names) => [
    `the elements ${names.join(', ')}`,
    names.map((name) => `<${name}>in ${name}</${name}>`).join(' '),
  ]),
  ...inGroups(attributeNames, 10).map((names) => [
    `the attributes ${names.join(', ')}`,
    names.map((name) => `<p ${name}="javascript:a('${name}')">${name}</p>`).join('\n'),
  ]),
  [
    'sections, doctype and instructions',
    '<!DOCTYPE html><?xml version="1.0"?><![CDATA[ <b> ]]><!--[if IE]>x<![endif]-->',
  ],
  ['elements in the wrong order', '</p><b><i>x</b></i><td>y</td></div><p/><'],
])

/** Texts that consist of blanks only; a server may reject them, but must not empty or shorten them. */
const blanks = {
  'one space': ' ',
  'three spaces': '   ',
  'a tab': '\t',
  'a line break': '\n',
  'CR and LF': '\r\n',
  'a no-break space': '\u00a0',
  'an ideographic space': '\u3000',
  'a space without width': '\u200b',
} as const

/** Texts around the sizes of buffers, with characters of one to four bytes at every border. */
const longTexts = (sizes: readonly number[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    sizes.map((size) => [
      `${size} characters of one to four bytes`,
      Array.from({ length: Math.ceil(size / 5) }, (_, index) => `aé日😀${index % 10}`)
        .join('')
        .slice(0, size)
        .replace(/[\ud800-\udbff]$/, 'z'),
    ]),
  )

/** Blocks of Unicode for random texts: first and last code point, without controls and surrogates. */
const blocks = [
  [0x21, 0x7e],
  [0xa1, 0x24f],
  [0x370, 0x52f],
  [0x5d0, 0x5ea],
  [0x620, 0x64a],
  [0x905, 0x939],
  [0x2010, 0x2027],
  [0x20a0, 0x20bf],
  [0x2190, 0x23ff],
  [0x3041, 0x30ff],
  [0x4e00, 0x9fff],
  [0xac00, 0xd7a3],
  [0x1f300, 0x1f64f],
  [0x20000, 0x2a6df],
] as const

/** Returns random texts without blanks, of 1 to 60 characters, the same for the same seed. */
const randomTexts = ({ random }: Lab, count: number): string[] => {
  const below = (limit: number): number => Math.floor(random() * limit)
  const character = (): string => {
    const [first, last] = blocks[below(blocks.length)] ?? blocks[0]
    return String.fromCodePoint(first + below(last - first + 1))
  }
  return Array.from({ length: count }, () => Array.from({ length: 1 + below(60) }, character).join(''))
}

/** The fields of a thing, each character by character as they were submitted (interface 2.1). */
export const everyCharacterRules = coreRulesOf('2.1', [
  {
    id: 'CHARS-TITLE-01',
    title: 'MUST keep every class of characters in a title, at both ends and inside',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-13'],
    faults: ['title-controls-lost', 'title-astral-lost', 'title-no-break-space-plain', 'title-ends-without-width-lost'],
    check: (lab) =>
      expectStored(lab, [
        ...classesOf('title', characterClasses, everyPlace),
        ...classesOf('title', controls, everyPlace, 'rejectable'),
      ]),
  },
  {
    id: 'CHARS-HTML-01',
    title: 'MUST keep every class of characters in html, at both ends and inside',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13'],
    faults: ['html-controls-lost', 'html-astral-lost', 'html-no-break-space-plain', 'html-made-latin'],
    check: (lab) =>
      expectStored(lab, [
        ...classesOf('html', characterClasses, everyPlace),
        ...classesOf('html', controls, everyPlace, 'rejectable'),
      ]),
  },
  {
    id: 'CHARS-HTML-02',
    title: 'MUST keep every element and attribute of html',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13'],
    faults: [
      'html-forms-dropped',
      'html-events-dropped',
      'html-frames-dropped',
      'html-sections-dropped',
      'html-rebuilt',
    ],
    check: (lab) => expectStored(lab, casesOf('html', markup)),
  },
  {
    // The server may reject a text that is not a URL; it must keep an accepted one.
    id: 'CHARS-URL-01',
    title: 'MUST keep every class of characters in a url that it accepts',
    basis: 'implied',
    requirements: ['C-2.1-6', 'C-2.1-13'],
    faults: ['url-controls-lost', 'url-astral-lost', 'url-quotes-escaped', 'url-without-width-lost', 'url-markup-lost'],
    check: (lab) =>
      expectStored(lab, [
        ...classesOf('url', characterClasses, urlWith, 'rejectable'),
        ...classesOf('url', controls, urlWith, 'rejectable'),
      ]),
  },
  {
    // "Space-separated" (interface 2.1): every other blank belongs to a tag.
    id: 'CHARS-TAGS-01',
    title: 'MUST keep every class of characters in tags, and take only a space for a separator',
    basis: 'implied',
    requirements: ['C-2.1-4', 'C-2.1-13'],
    faults: [
      'tags-no-break-space-separates',
      'tags-wide-space-separates',
      'tags-line-break-separates',
      'tags-controls-lost',
      'tags-astral-lost',
      'tags-markup-lost',
    ],
    check: (lab) =>
      expectStored(lab, [
        ...classesOf('tags', characterClasses, tagsWith, 'rejectable'),
        ...classesOf('tags', { ...controls, 'tabs and line breaks': ['\t', '\n', '\r\n'] }, tagsWith, 'rejectable'),
      ]),
  },
  {
    id: 'CHARS-ENDS-01',
    title: 'MUST keep blanks at both ends of a url that it accepts, and of tags that do not begin with a space',
    basis: 'implied',
    requirements: ['C-2.1-4', 'C-2.1-6', 'C-2.1-13'],
    faults: ['url-trimmed', 'url-end-trimmed', 'tags-blank-ends-lost'],
    check: (lab) =>
      expectStored(
        lab,
        Object.entries(blanks).flatMap(([what, blank]): Case[] => [
          ...casesOf(
            'url',
            {
              [`${what} before it`]: `${blank}https://example.org/a`,
              [`${what} behind it`]: `https://example.org/a${blank}`,
            },
            'rejectable',
          ),
          ...(blank.includes(' ')
            ? []
            : casesOf('tags', { [`${what} at both ends`]: `${blank}a b${blank}` }, 'rejectable')),
        ]),
      ),
  },
  {
    id: 'CHARS-BLANK-01',
    title: 'MUST keep a title, html and a url of blanks only, where it accepts them',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-7', 'C-2.1-13'],
    faults: ['title-blank-emptied', 'html-blank-dropped', 'url-blank-dropped'],
    check: (lab) =>
      expectStored(
        lab,
        (['title', 'html', 'url'] as const).flatMap((field) => casesOf(field, blanks, 'rejectable')),
      ),
  },
  {
    id: 'CHARS-RANDOM-01',
    title: 'MUST keep random texts of any script in every text field',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-4', 'C-2.1-7', 'C-2.1-13'],
    faults: ['text-arrows-lost', 'text-kana-changed', 'html-made-latin'],
    check: (lab) =>
      expectStored(
        lab,
        randomTexts(lab, 30).map((text, index): Case => {
          const fields: ThingFields = { title: text, html: `${text} ${text}`, tags: `${text} ${index}` }
          return { what: `random text ${index + 1}`, fields }
        }),
      ),
  },
  {
    id: 'CHARS-LONG-01',
    title: 'MUST NOT cut or break a text of several bytes a character around the sizes of buffers, where it accepts it',
    basis: 'implied',
    requirements: ['C-2.1-3', 'C-2.1-7', 'C-2.1-13'],
    faults: ['title-cut-at-255-bytes', 'html-cut-at-64k-bytes', 'text-broken-at-1024-bytes'],
    check: (lab) =>
      expectStored(lab, [
        ...casesOf('title', longTexts([100, 255, 256]), 'rejectable'),
        ...casesOf('html', longTexts([511, 1023, 1024, 4096, 8191, 16_384, 32_768, 40_000]), 'rejectable'),
        ...casesOf('tags', { '60 of them': tagsWith(['é', '日', '😀']).repeat(5) }, 'rejectable'),
      ]),
  },
  {
    id: 'CHARS-LONG-02',
    title: 'MUST keep html of more than 1 MB whole, or reject it with an error',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13', 'C-7-1'],
    faults: ['html-cut-at-1m', 'large-upload-ignored-with-200'],
    alone: true,
    check: (lab) =>
      expectStored(lab, casesOf('html', { '1,100,000 characters': 'abcdefghi\n'.repeat(110_000) }, 'rejectable')),
  },
])
