import { expectField, expectThing } from '../expect.ts'
import type { Lab } from '../lab.ts'
import { coreRulesOf } from '../rule.ts'
import type { ThingFields } from '../sync-messages.ts'
import { type Case, casesOf, expectStored, skipIfRejected } from './upload-steps.ts'

/** Sends the fields as a new thing and as a change, and expects both to come back exactly. */
const expectTextKept = async (lab: Lab, fields: ThingFields): Promise<void> => {
  const phone = await lab.replica('phone')
  const laptop = await lab.replica('laptop')
  const from = await laptop.position()
  const created = await phone.create(fields)
  const changed = await phone.create()
  await phone.change(changed, fields)
  const response = await laptop.sync({ from })
  for (const [id, how] of [
    [created, 'created'],
    [changed, 'changed'],
  ] as const) {
    const thing = expectThing(response, id, `phone ${how} it`)
    for (const [field, value] of Object.entries(fields)) {
      expectField(thing, field, value, `${field} of the thing as phone ${how} it, character for character`, response)
    }
  }
}

const textRule = (
  number: string,
  what: string,
  faults: readonly string[],
  fieldsOf: (mark: string) => ThingFields,
) => ({
  id: `THING-TEXT-${number}`,
  title: `MUST keep ${what}`,
  basis: 'implied' as const,
  requirements: ['C-2.1-13'],
  faults,
  check: (lab: Lab) => expectTextKept(lab, fieldsOf(lab.mark)),
})

/** Creates a rule about a value that the server may reject, since the interface states no limits. */
const rejectableRule = (
  number: string,
  what: string,
  faults: readonly string[],
  fieldsOf: (mark: string) => ThingFields,
) => ({
  ...textRule(number, what, faults, fieldsOf),
  check: async (lab: Lab) => {
    const fields = fieldsOf(lab.mark)
    await skipIfRejected(lab, what, { new_thing: [{ local_id: lab.unique(), title: lab.unique(), ...fields }] })
    await expectTextKept(lab, fields)
  },
})

/** A text comes back as it was sent, with every character that a transport must escape (interface 2.1). */
export const thingTextRules = coreRulesOf('2.1', [
  textRule('01', 'letters of any script in every text field', ['utf8-as-latin1'], (mark) => ({
    title: `Grüße, Žluťoučký, Ελλάδα, 日本語, العربية ${mark}`,
    tags: `büro ${mark} 買い物`,
    html: '<p>Übung, naïve, Привет</p>',
  })),
  textRule('02', 'emoji and other characters outside the basic plane', ['emoji-lost'], (mark) => ({
    title: `📱👩‍👩‍👧🏳️‍🌈 𝒳 𠮷 ${mark}`,
    html: '<p>🎉𝔘</p>',
  })),
  textRule(
    '03',
    'characters that forms give a meaning: plus, ampersand, equals, semicolon, hash',
    ['plus-becomes-space'],
    (mark) => ({
      title: `a+b&c=d;e#f?g[]=h ${mark}`,
      html: '<p>1+1=2</p>',
    }),
  ),
  textRule('04', 'percent signs', ['percent-decoded-twice'], (mark) => ({
    title: `100% %41 %2B %25 %zz ${mark}`,
    html: '<p>%3Cb%3E</p>',
  })),
  textRule('05', 'quotes and backslashes', ['backslashes-lost'], (mark) => ({
    title: `"double" 'single' \\ \\n \\" C:\\new ${mark}`,
    html: '<p>"\\u0041"</p>',
  })),
  textRule('06', 'markup signs in titles', ['html-escaped'], (mark) => ({
    title: `1 < 2 && 3 > 2 &amp; <b>bold</b> ${mark}`,
  })),
  textRule('07', 'line breaks and tabs in html', ['newlines-normalized'], (mark) => ({
    html: `<p>one\ntwo\r\nthree\tfour ${mark}</p>`,
  })),
  textRule('08', 'blanks around html', ['text-trimmed'], (mark) => ({ html: `  <p>${mark}</p>\n ` })),
  textRule('09', 'composed and decomposed letters as they are', ['nfc-normalized'], (mark) => ({
    title: `\u00e9 e\u0301 \u212b \uac00 \u1100\u1161 ${mark}`,
  })),
  rejectableRule('10', 'a title of 1,000 characters', ['title-cut-at-255'], (mark) => ({
    title: `${mark} ${'long '.repeat(200)}end`,
  })),
  rejectableRule('11', 'html of 70,000 characters', ['html-cut-at-64k'], (mark) => ({
    html: `<p>${mark} ${'0123456789'.repeat(7_000)}</p>`,
  })),
  rejectableRule('12', 'every character of long responses', ['response-cut-in-utf8'], (mark) => ({
    html: `<p>${mark} ${'aé日📱'.repeat(2_000)}</p>`,
  })),
  rejectableRule('13', 'a date before 1970', ['date-negative-zeroed'], () => ({ date: -86_400 })),
])

/** Returns cases with each text as title and as html of one thing. */
const asTheyAre = (values: Readonly<Record<string, string>>): Case[] =>
  Object.entries(values).map(([what, text]) => ({
    what: `title and html, ${what}`,
    fields: { title: text, html: text },
  }))

/** Does the same with each text between two words, so that the ends of the text are not checked. */
const inside = (values: Readonly<Record<string, string>>): Case[] =>
  asTheyAre(Object.fromEntries(Object.entries(values).map(([what, text]) => [what, `a${text}b ${text} c`])))

/** Characters that some component on the way may change (interface 2.1). */
export const thingCharacterRules = coreRulesOf('2.1', [
  {
    id: 'THING-CHARS-01',
    title: 'MUST keep blanks, tabs and line breaks at both ends of a title and of html',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'title-trimmed',
      'title-end-trimmed',
      'title-start-trimmed',
      'html-end-trimmed',
      'title-last-newline-lost',
    ],
    check: (lab) =>
      expectStored(
        lab,
        asTheyAre({
          'blanks before it': '  two blanks',
          'a blank behind it': 'one blank ',
          'a tab before it': '\ta tab',
          'a line break behind it': 'a line\n',
          'several line breaks behind it': 'lines\n\n',
        }),
      ),
  },
  {
    id: 'THING-CHARS-02',
    title: 'MUST keep several blanks, tabs and line breaks of every kind inside a text',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'title-blanks-collapsed',
      'title-newline-becomes-blank',
      'title-cut-at-newline',
      'text-tab-becomes-blanks',
      'text-cr-becomes-newline',
      'text-newline-becomes-crlf',
      'html-newline-becomes-br',
      'text-line-separators-lost',
      'html-blanks-collapsed',
      'text-next-line-lost',
    ],
    check: (lab) =>
      expectStored(
        lab,
        inside({
          'three blanks': '   ',
          'a tab': '\t',
          'a line feed': '\n',
          'two line feeds': '\n\n',
          'a carriage return': '\r',
          'both of them': '\r\n',
          'line and paragraph separators': '\u2028\u2029',
          'a next line character': '\u0085',
        }),
      ),
  },
  {
    id: 'THING-CHARS-03',
    title: 'MUST keep blanks that are no space, and characters without a width',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'text-hard-blank-becomes-blank',
      'text-wide-blank-becomes-blank',
      'text-zero-width-lost',
      'text-byte-order-mark-lost',
      'text-first-mark-lost',
      'text-direction-marks-lost',
      'text-soft-hyphen-lost',
      'text-variation-selectors-lost',
      'text-joiners-lost',
    ],
    check: (lab) =>
      expectStored(lab, [
        ...inside({
          'a hard blank': '\u00a0',
          'a wide blank': '\u3000\u2003',
          'a blank without width': '\u200b',
          'a byte order mark': '\ufeff',
          'marks of direction': '\u200e\u200f\u202a\u202c',
          'a soft hyphen': '\u00ad',
          'variation selectors': '\u2764\ufe0f\u2764\ufe0e',
          joiners: '\u0915\u094d\u200d\u0937\u200c',
        }),
        ...asTheyAre({ 'a byte order mark at its start': '\ufeffa mark' }),
      ]),
  },
  {
    id: 'THING-CHARS-04',
    title: 'MUST keep escapes of other languages as the characters that they are written with',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'text-unicode-escapes-read',
      'text-backslash-n-read',
      'text-entities-decoded',
      'text-percent-decoded',
      'text-backslashes-doubled',
      'text-quotes-escaped',
      'text-sql-quotes-doubled',
      'text-double-quotes-lost',
      'text-dollars-replaced',
      'text-printf-read',
      'text-template-read',
      'text-entities-named-decoded',
      'text-nul-escape-cuts',
      'text-ampersand-lost',
      'text-comments-removed',
    ],
    check: (lab) =>
      expectStored(
        lab,
        inside({
          'a unicode escape': '\\u00e9\\x41',
          'escaped line breaks': '\\n\\r\\t',
          'an escaped NUL': '\\0\\u0000',
          'entities with numbers': '&#39;&#x41;&#233;',
          'entities with names': '&nbsp;&eacute;&lt;i&gt;&quot;&amp;amp;',
          'escapes of URLs': '%20%C3%A9%00',
          backslashes: '\\ \\\\ C:\\temp\\x',
          quotes: `'it''s' "so" \`x\``,
          'dollar signs': `$1 $& $$ $\` $${'{x}'} #{x}`,
          'percent signs': '%s %d %1$s 100%',
          braces: '{{x}} {0} {% x %} <%= x %> <?php ?>',
          'comments of SQL and scripts': `'; -- x /* y */ # z // w`,
          ampersands: 'R&D &c &copy=1',
        }),
      ),
  },
  {
    id: 'THING-CHARS-05',
    title: 'MUST keep letters that look like others',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'text-compatibility-normalized',
      'text-decomposed',
      'text-quotes-made-plain',
      'text-quotes-made-curly',
      'text-dashes-made-plain',
      'text-dots-joined',
      'text-accents-lost',
      'text-dotless-i-changed',
      'text-sharp-s-changed',
      'text-cyrillic-made-latin',
      'text-ligatures-resolved',
      'text-kelvin-made-k',
    ],
    check: (lab) =>
      expectStored(
        lab,
        inside({
          ligatures: 'ﬁﬀœæĳ',
          'wide letters and digits': 'ＡＢ１２',
          'small raised digits': 'x²³₂½',
          'curly quotes': '“a” ‘b’ „c“ «d»',
          'straight quotes': `"a" 'b'`,
          dashes: '‐ ‑ – — −',
          'three dots and dots': '… ...',
          'letters i of Turkish': 'İıIi',
          'a sharp s': 'ßẞſ',
          'letters of Cyrillic and Greek': 'а е о А В Ο ο',
          'signs of units': '\u212a\u212b\u2126',
          'letters with signs, in one piece and in two': 'é e\u0301 ñ n\u0303 ö o\u0308',
          'syllables of Korean': '각 \u1100\u1161\u11a8',
        }),
      ),
  },
  {
    id: 'THING-CHARS-06',
    title: 'MUST keep the letter case of a text',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'title-capitalized',
      'title-lowercased',
      'title-words-capitalized',
      'url-lowercased',
      'html-elements-lowercased',
    ],
    check: (lab) =>
      expectStored(lab, [
        ...casesOf('title', { 'small letters': 'small letters', CAPITALS: 'ALL CAPITALS', mixed: 'miXed Letters öÖ' }),
        ...casesOf('html', { 'elements in capitals': '<P CLASS="Big">Text<BR></P>' }),
        ...casesOf('url', { 'capitals in the path': 'https://example.org/README.md?Q=Ab#Cd' }),
      ]),
  },
  {
    id: 'THING-CHARS-07',
    title: 'MUST keep html as it was written, and not as a library would write it',
    basis: 'implied',
    requirements: ['C-2.1-7', 'C-2.1-13'],
    faults: [
      'html-br-closed',
      'html-comments-dropped',
      'html-quotes-rewritten',
      'html-entities-rewritten',
      'html-links-changed',
      'html-paragraphs-closed',
      'html-whitespace-between-elements-lost',
      'html-images-dropped',
      'html-style-dropped',
      'html-wrapped-in-paragraph',
      'html-plain-text-escaped',
      'html-tables-dropped',
      'html-empty-elements-dropped',
    ],
    check: (lab) =>
      expectStored(
        lab,
        casesOf('html', {
          'line breaks': '<p>a<br>b<br/>c<br />d</p>',
          'a comment': '<p>a</p><!-- b --><p>c</p>',
          'attributes with and without quotes': `<p class='a' id=b title="c">d</p>`,
          entities: '<p>&eacute;&nbsp;&amp;&lt;&copy;</p>',
          'a link': '<a href="https://example.org/?a=1&b=2" target="_blank">x</a>',
          'elements that stay open': '<ul><li>a<li>b</ul><p>c',
          'blanks between elements': '<p>a</p>\n  <p>b</p>',
          'an image': '<img src="https://example.org/a.png" alt="">',
          'a style': '<p style="color: red">a</p>',
          'no element at all': 'plain text & more',
          'a table': '<table><tr><td>1</td></tr></table>',
          'empty elements': '<p></p><div><span></span></div>',
          'a less-than sign': '1 < 2 > 0',
        }),
      ),
  },
  {
    id: 'THING-CHARS-08',
    title: 'MUST keep characters of every plane and sequences of them',
    basis: 'implied',
    requirements: ['C-2.1-13'],
    faults: [
      'text-four-bytes-cut',
      'text-flags-lost',
      'text-skin-tones-lost',
      'text-private-characters-lost',
      'text-pictures-lost',
      'text-rare-ideographs-lost',
      'text-marks-limited',
    ],
    check: (lab) =>
      expectStored(
        lab,
        inside({
          faces: '😀🫠',
          flags: '🇨🇭🏴\u{e0067}\u{e0062}\u{e007f}',
          'tones of skin': '👍🏽👩🏿‍🚀',
          'rare ideographs': '𠮷𪜈\u{30000}',
          'characters of private use': '\ue000\u{f0000}',
          'many marks on one letter': `z${'\u0301\u0323'.repeat(12)}`,
          'old scripts': '𐍈𒀀𓀀',
        }),
      ),
  },
  {
    // "Space-separated": only a space separates, and no other character is special in a tag.
    id: 'THING-TAGS-01',
    title: 'MUST keep tags of any characters but blanks',
    basis: 'implied',
    requirements: ['C-2.1-4', 'C-2.1-13'],
    faults: [
      'tags-split-at-commas',
      'tags-split-at-semicolons',
      'tags-special-dropped',
      'tags-hash-dropped',
      'tags-made-latin',
      'tags-composed',
      'tags-quotes-lost',
      'tags-escaped',
      'tags-dashes-lost',
    ],
    check: (lab) =>
      expectStored(
        lab,
        casesOf('tags', {
          commas: 'a,b c,d',
          semicolons: 'a;b c|d',
          'signs before the word': '#a @b $c !d -e _f +g ~h',
          'signs in the word': 'a.b a/b a:b a*b a%b a&b a=b a^b',
          brackets: '[a] (b) <c> {d}',
          quotes: `"a" 'b' \`c\``,
          backslashes: 'a\\b \\n',
          'letters of Cyrillic and Greek': 'авто рас Αθήνα',
          'letters with signs, in two pieces': 'cafe\u0301 cafetera',
          'letters with signs': 'äöü ñ ß ø',
          faces: '🛒 ❤️ 👩‍🚀',
          'other scripts': '買い物 مهم ทำ',
          'capital letters': 'ToDo HOME home',
        }),
      ),
  },
])
