import { Marked } from 'marked'
import { doneBox, openBox } from '../data/edit-form.ts'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const parser = new Marked({
  gfm: true,
  renderer: {
    // A note has no form fields, so a task has a character as its box.
    checkbox: ({ checked }) => (checked ? `${doneBox} ` : `${openBox} `),
    // An image would load from elsewhere when the note is read.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text === '' ? href : text)}</a>`,
  },
})

/** Converts Markdown (GitHub Flavored Markdown) to the HTML of a note. The result is not sanitized. */
export const writeMarkdownAsHtml = (markdown: string): string => parser.parse(markdown, { async: false }).trim()

/** Markdown that people do not type by chance, at the beginning of a line or in a line. */
const signs: readonly RegExp[] = [
  /^#{1,6} \S/mu,
  /^ {0,3}(?:[-*+]|\d{1,9}[.)]) (?:\[[ xX]\] )?\S/mu,
  /^ {0,3}(?:`{3,}|~{3,})/mu,
  /^ {0,3}> ?\S/mu,
  /^ *\|? *:?-{3,}:? *\|(?: *:?-{3,}:? *\|?)*\s*$/mu,
  /!?\[[^\]\n]*\]\([^\s()]+\)/u,
  /\*\*[^\s*][^*\n]*\*\*/u,
  /`[^`\n]+`/u,
]

/** Whether a plain text uses the syntax of Markdown. */
export const isMarkdown = (text: string): boolean => signs.some((sign) => sign.test(text))
